// Rows and a viewer to what is sent. Pure: everything it needs is in memory already.
import type { Accounts } from '../accounts/accounts.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import type { Paginator } from '../core/http/paging.ts'
import { Memo } from '../core/base/memo.ts'
import { ownText } from '../core/base/own-text.ts'
import type { Viewer } from '../core/base/viewer.ts'
import type { ManagedCategoryRow } from './categories.queries.ts'
import type { ListedForum } from './heads.ts'
import type { ForumListRow } from './lists.queries.ts'
import type { CategoryRow, ForumRow, PostRow } from './rows.ts'
import type { Trip } from '../settings/trip.ts'
import { isHidden } from '../moderation/types.ts'
import type { PostMarks } from '../post/feed.ts'
import { shownContent, shownFor, shownMarks, shownReactors, underReview, type Reactors } from '../post/shown.ts'
import { isRestricted } from './rules.ts'
import type { ManagedCategoryData, CategoryData, ForumData, ForumListData, PostData, PostDetailData } from './schemas.ts'

/** A category, without its forums. */
export function categoryData(viewer: Viewer | undefined, category: CategoryRow, paginator: Paginator): CategoryData {
  return {
    categoryID: category.id,
    title: category.title,
    purpose: category.purpose,
    isRestricted: isRestricted(viewer, category),
    isEventCategory: category.isEvent,
    paginator,
    numThreads: category.forumCount,
  }
}

/** A category as the team manages it. */
export const managedCategoryData = (category: ManagedCategoryRow): ManagedCategoryData => ({
  categoryID: category.id,
  title: category.title,
  purpose: category.purpose,
  isEventCategory: category.isEvent,
  accessLevelToView: category.viewLevel,
  accessLevelToCreate: category.createLevel,
  ...(category.requiredRole ? { requiredRole: category.requiredRole } : {}),
  numThreads: category.forumCount,
  changedAt: category.updatedAt,
})

/** A forum in a list. */
export function forumListData(accounts: Accounts, trip: Trip, row: ForumListRow): ForumListData {
  const { visiblePosts, unreadPosts, lastPosterId, lastPostAt, isFavorite, isMuted } = row
  return {
    ...forumForAll(accounts, trip, row),
    postCount: visiblePosts,
    readCount: visiblePosts - unreadPosts,
    ...(lastPosterId !== null && lastPostAt ? { lastPoster: accounts.get(lastPosterId).header, lastPostAt } : {}),
    isFavorite,
    isMuted,
  }
}

/** The part of it that is the same for everybody. */
const forumForAll = (accounts: Accounts, trip: Trip, row: ForumRow & Pick<ForumListRow, 'eventId' | 'eventStart'>) => ({
  forumID: row.id,
  categoryID: row.categoryId,
  creator: accounts.get(row.creatorId).header,
  title: shownTitle(row),
  createdAt: row.createdAt,
  isLocked: row.moderationStatus === 'locked',
  ...(row.eventId !== null && row.eventStart ? eventFields(trip, row.eventId, row.eventStart) : {}),
  isPinned: row.isPinned,
})

interface ListedJson {
  forAll: string
  /** As viewers with the same numbers have got it: most have read nothing or everything of a forum. */
  sent: (Omit<ListedForum, 'head'> & { json: string })[]
}

const maxSent = 3
const listedJsons = new WeakMap<ListedForum['head'], Memo<ListedJson>>()

/** JSON of a forum in a list; all accounts are loaded. `of`: versions of the accounts and settings. */
export function listedForumJson(accounts: Accounts, trip: Trip, of: readonly unknown[], listed: ListedForum): string {
  const { head, visiblePosts, unreadPosts, last, isFavorite, isMuted } = listed
  let memo = listedJsons.get(head)
  if (!memo) listedJsons.set(head, (memo = new Memo()))
  const known = memo.get(of, () => ({ forAll: narrowJson(JSON.stringify(forumForAll(accounts, trip, head))).slice(0, -1), sent: [] }))
  for (const each of known.sent)
    if (
      each.visiblePosts === visiblePosts &&
      each.unreadPosts === unreadPosts &&
      each.isFavorite === isFavorite &&
      each.isMuted === isMuted &&
      each.last?.posterId === last?.posterId &&
      each.last?.at.getTime() === last?.at.getTime()
    )
      return each.json
  const lastPost = last ? `,"lastPoster":${accounts.get(last.posterId).headerJson},"lastPostAt":"${last.at.toISOString()}"` : ''
  const json = ownText(
    `${known.forAll},"postCount":${visiblePosts},"readCount":${visiblePosts - unreadPosts}${lastPost},"isFavorite":${isFavorite},"isMuted":${isMuted}}`,
  )
  if (known.sent.length >= maxSent) known.sent.shift()
  known.sent.push({ visiblePosts, unreadPosts, last, isFavorite, isMuted, json })
  return json
}

function eventFields(trip: Trip, eventID: string, start: Date) {
  const eventTime = trip.portToDisplay(start)
  const zone = trip.zoneAt(eventTime)
  return { eventTime, timeZone: zone.abbreviation, timeZoneID: zone.id, eventID }
}

const shownTitle = ({ title, moderationStatus }: Pick<ForumRow, 'title' | 'moderationStatus'>) =>
  isHidden(moderationStatus) ? underReview('forum title') : title

/** A forum with a page of posts. */
export function forumData(
  accounts: Accounts,
  forum: ForumRow,
  reader: { isFavorite: boolean; isMuted: boolean; eventId?: string | null },
  paginator: Paginator,
  posts: PostData[],
): ForumData {
  return {
    forumID: forum.id,
    categoryID: forum.categoryId,
    title: shownTitle(forum),
    creator: accounts.get(forum.creatorId).header,
    isLocked: forum.moderationStatus === 'locked',
    isFavorite: reader.isFavorite,
    isMuted: reader.isMuted,
    paginator,
    posts,
    ...(reader.eventId ? { eventID: reader.eventId } : {}),
    isPinned: forum.isPinned,
    ...(forum.slowSeconds > 0 ? { slowModeSeconds: forum.slowSeconds } : {}),
  }
}

/** One post. */
export function postData(accounts: Accounts, post: PostRow, marks: PostMarks): PostData {
  return shownFor(accounts, postContent(post), post.authorId, marks)
}

/** The part of a post that is the same for everybody. */
export const postContent = (post: PostRow) => ({ postID: post.id, ...shownContent(post), isPinned: post.isPinned })

/** One post with nothing hidden; moderators are not shown who has reacted to it. */
export function judgedPostData(accounts: Accounts, post: PostRow): PostDetailData {
  return postDetailData(accounts, {
    ...post,
    moderationStatus: 'normal',
    isBookmarked: false,
    reaction: null,
    laughs: [],
    likes: [],
    loves: [],
  })
}

/** One post with everybody who has reacted to it. */
export function postDetailData(accounts: Accounts, post: PostRow & Reactors & Omit<PostMarks, 'counts'>): PostDetailData {
  return {
    postID: post.id,
    forumID: post.forumId,
    ...shownContent(post),
    author: accounts.get(post.authorId).header,
    ...shownMarks(post),
    ...shownReactors(accounts, post),
  }
}
