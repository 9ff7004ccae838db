// The wire forms of forums, their posts and their categories.
import { userRoles } from '../accounts/types.ts'
import { UserHeader } from '../accounts/schemas.ts'
import { pageQuery, Paginator } from '../core/http/paging.ts'
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { ImageSizeData } from '../image/schemas.ts'
import { PostContentData, ReactionCountsData } from '../post/schemas.ts'
import { reactions } from '../post/types.ts'

/** Of forums. */
export const forumTitle = Text({ min: 2, max: 100 })

/** Starts a forum. */
export type ForumCreateData = Static<typeof ForumCreateData>
export const ForumCreateData = Dto('ForumCreateData', { title: forumTitle, firstPost: PostContentData })

/** A post, as one viewer gets it. */
export type PostData = Static<typeof PostData>
export const PostData = Dto('PostData', {
  postID: Int,
  createdAt: DateTime,
  author: UserHeader,
  text: Type.String(),
  images: Type.Optional(Type.Array(Type.String())),
  /** Of the images, in their order; absent while one of them is not known. */
  imageSizes: Type.Optional(Type.Array(ImageSizeData)),
  isBookmarked: Type.Boolean(),
  /** The viewer's own reaction. */
  userLike: Type.Optional(OneOf(reactions)),
  likeCount: Int,
  /** An addition to `likeCount`: absent when nobody has reacted. */
  reactionCounts: Type.Optional(ReactionCountsData),
  isPinned: Type.Optional(Type.Boolean()),
})

/** A forum in a list. */
export type ForumListData = Static<typeof ForumListData>
export const ForumListData = Dto('ForumListData', {
  forumID: Uuid,
  categoryID: Uuid,
  creator: UserHeader,
  title: Type.String(),
  /** Posts that the viewer can see, and how many of them they have read. */
  postCount: Int,
  readCount: Int,
  createdAt: DateTime,
  lastPoster: Type.Optional(UserHeader),
  lastPostAt: Type.Optional(DateTime),
  isLocked: Type.Boolean(),
  isFavorite: Type.Boolean(),
  isMuted: Type.Boolean(),
  eventTime: Type.Optional(DateTime),
  timeZone: Type.Optional(Type.String()),
  timeZoneID: Type.Optional(Type.String()),
  eventID: Type.Optional(Uuid),
  isPinned: Type.Optional(Type.Boolean()),
})

/** A forum with a page of its posts. */
export type ForumData = Static<typeof ForumData>
export const ForumData = Dto('ForumData', {
  forumID: Uuid,
  categoryID: Uuid,
  title: Type.String(),
  creator: UserHeader,
  isLocked: Type.Boolean(),
  isFavorite: Type.Boolean(),
  isMuted: Type.Boolean(),
  paginator: Paginator,
  posts: Type.Array(PostData),
  eventID: Type.Optional(Uuid),
  isPinned: Type.Optional(Type.Boolean()),
  /** Slow mode: between two posts of a person. Absent without it. */
  slowModeSeconds: Type.Optional(Int),
})

/** A category; with a page of its forums where one was asked for. */
export type CategoryData = Static<typeof CategoryData>
export const CategoryData = Dto('CategoryData', {
  categoryID: Uuid,
  title: Type.String(),
  purpose: Type.String(),
  /** The viewer cannot start forums here. */
  isRestricted: Type.Boolean(),
  isEventCategory: Type.Boolean(),
  paginator: Paginator,
  /** For apps from before the paginator: all forums of the category, whoever hides their creators. */
  numThreads: Int,
  forumThreads: Type.Optional(Type.Array(ForumListData)),
})

/** Creates a category. Without levels it is open to everybody, or for moderators to start forums in. */
export type CategoryCreateData = Static<typeof CategoryCreateData>
export const CategoryCreateData = Dto('CategoryCreateData', {
  title: forumTitle,
  purpose: Text({ max: 500 }),
  /** Only moderators start forums here. */
  isRestricted: Type.Optional(Type.Boolean()),
  isEventCategory: Type.Optional(Type.Boolean()),
  accessLevelToView: Type.Optional(OneOf(accessLevels, { ignoreCase: true })),
  /** Wins over `isRestricted`. */
  accessLevelToCreate: Type.Optional(OneOf(accessLevels, { ignoreCase: true })),
  requiredRole: Type.Optional(OneOf(userRoles, { ignoreCase: true })),
})

/** A category as the team manages it, with its levels. */
export type ManagedCategoryData = Static<typeof ManagedCategoryData>
export const ManagedCategoryData = Dto('ManagedCategoryData', {
  categoryID: Uuid,
  title: Type.String(),
  purpose: Type.String(),
  isEventCategory: Type.Boolean(),
  accessLevelToView: OneOf(accessLevels),
  accessLevelToCreate: OneOf(accessLevels),
  /** Below moderator, only its holders see the category. */
  requiredRole: Type.Optional(OneOf(userRoles)),
  numThreads: Int,
  changedAt: DateTime,
})

/** What the team may change of a category. */
export type CategoryChangeData = Static<typeof CategoryChangeData>
export const CategoryChangeData = Dto('CategoryChangeData', {
  title: forumTitle,
  purpose: Text({ max: 500 }),
  accessLevelToView: OneOf(accessLevels, { ignoreCase: true }),
  accessLevelToCreate: OneOf(accessLevels, { ignoreCase: true }),
  /** Absent: none. */
  requiredRole: Type.Optional(OneOf(userRoles, { ignoreCase: true })),
  /** `changedAt` of the category as the caller has seen it. */
  basedOn: Type.Optional(DateTime),
})

/** All categories that the caller can see, in the order that they are to have. */
export type CategoryOrderData = Static<typeof CategoryOrderData>
export const CategoryOrderData = Dto('CategoryOrderData', {
  categoryIDs: Type.Array(Uuid, { maxItems: 500 }),
  /** The order as the caller has seen it. */
  basedOn: Type.Optional(Type.Array(Uuid, { maxItems: 500 })),
})

/** How a list of forums is sorted. Unknown words count as none. */
const sortQuery = { sort: Type.Optional(Text({ max: 50 })), order: Type.Optional(Text({ max: 50 })) }

/** Query of a category's forums. */
export const categoryQuery = { ...pageQuery, ...sortQuery, beforedate: Type.Optional(DateTime), afterdate: Type.Optional(DateTime) }

export interface CategoryQuery {
  start?: number
  limit?: number
  sort?: string
  order?: string
  beforedate?: Date
  afterdate?: Date
}

/** Query of one forum. */
export const forumQuery = { ...pageQuery, startPost: Type.Optional(Int) }

export interface ForumQuery {
  start?: number
  startPost?: number
  limit?: number
}

/** A page of forums. */
export type ForumSearchData = Static<typeof ForumSearchData>
export const ForumSearchData = Dto('ForumSearchData', { paginator: Paginator, forumThreads: Type.Array(ForumListData) })

/** Query of the lists of forums. */
export const forumListQuery = { ...pageQuery, ...sortQuery, cat: Type.Optional(Text({ max: 50 })) }

const words = Type.Optional(Text({ max: 200 }))
const flag = Type.Optional(Type.Boolean())
const several = Type.Optional(Type.Array(Text({ max: 1000 }), { maxItems: 100 }))

/** Query of the search of forums. */
export const forumSearchQuery = {
  ...pageQuery,
  ...sortQuery,
  search: words,
  searchposts: words,
  creator: several,
  creatorid: several,
  category: several,
  creatorself: flag,
  favorite: flag,
  mute: flag,
  posted: flag,
  unread: flag,
}

export interface ForumListQuery {
  start?: number
  limit?: number
  sort?: string
  order?: string
  cat?: string
}

export interface ForumSearchQuery extends ForumListQuery {
  search?: string
  searchposts?: string
  creator?: string[]
  creatorid?: string[]
  category?: string[]
  creatorself?: boolean
  favorite?: boolean
  mute?: boolean
  posted?: boolean
  unread?: boolean
}

/** A post with everybody who has reacted to it. */
export type PostDetailData = Static<typeof PostDetailData>
export const PostDetailData = Dto('PostDetailData', {
  postID: Int,
  forumID: Uuid,
  createdAt: DateTime,
  author: UserHeader,
  text: Type.String(),
  images: Type.Optional(Type.Array(Type.String())),
  /** Of the images, in their order; absent while one of them is not known. */
  imageSizes: Type.Optional(Type.Array(ImageSizeData)),
  isBookmarked: Type.Boolean(),
  userLike: Type.Optional(OneOf(reactions)),
  laughs: Type.Array(UserHeader),
  likes: Type.Array(UserHeader),
  loves: Type.Array(UserHeader),
})

/** A page of posts. */
export type PostSearchData = Static<typeof PostSearchData>
export const PostSearchData = Dto('PostSearchData', {
  /** The query as it was sent. */
  queryString: Type.String(),
  posts: Type.Array(PostData),
  paginator: Paginator,
  /** The paginator again, for apps from before it. */
  totalPosts: Int,
  start: Int,
  limit: Int,
})

const loose = Type.Optional(Text({ max: 100 }))

/** Query of the search of posts, and of the lists of posts. */
export const postSearchQuery = {
  ...pageQuery,
  search: words,
  hashtag: words,
  mentionid: loose,
  mentionname: loose,
  mentionself: flag,
  ownreacts: flag,
  bookmarked: flag,
  byself: flag,
  creatorid: loose,
  category: loose,
  forum: loose,
}

export interface PostSearchQuery {
  start?: number
  limit?: number
  search?: string
  hashtag?: string
  mentionid?: string
  mentionname?: string
  mentionself?: boolean
  ownreacts?: boolean
  bookmarked?: boolean
  byself?: boolean
  creatorid?: string
  category?: string
  forum?: string
}
