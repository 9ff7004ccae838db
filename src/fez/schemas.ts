// The wire forms of chats.
import { UserHeader } from '../accounts/schemas.ts'
import { graphemes } from '../core/schema/decode.ts'
import { pageQuery, Paginator } from '../core/http/paging.ts'
import { ImageSizeData } from '../image/schemas.ts'
import { DateTime, Dto, FlagWithAlias, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { PostContentData } from '../post/schemas.ts'
import { fezTypes, fezVisibilities, isSeamail, mayBe, type FezType } from './types.ts'

const dayMs = 24 * 60 * 60_000

/** Creates or replaces a chat. */
export type FezContentData = Static<typeof FezContentData>
export const FezContentData = Dto(
  'FezContentData',
  {
    fezType: OneOf(fezTypes),
    title: Text({ min: 2, max: 100 }),
    info: Text(),
    startTime: Type.Optional(DateTime),
    endTime: Type.Optional(DateTime),
    location: Type.Optional(Text()),
    minCapacity: Int,
    maxCapacity: Int,
    initialUsers: Type.Array(Uuid, { maxItems: 1000 }),
    createdByModerator: Type.Optional(Type.Boolean()),
    createdByServiceTeam: Type.Optional(FlagWithAlias('createdByTwitarrTeam')),
    /** Of a new chat; ignored by an update. */
    firstPost: Type.Optional(PostContentData),
    /** Private or unlisted for a private event; for other chats what their kind has anyway. */
    visibility: Type.Optional(OneOf(fezVisibilities)),
  },
  (fez, fail) => {
    const { fezType, info, location, startTime, endTime, minCapacity, maxCapacity, visibility } = fez
    // Private threads have no description or place: clients send empty texts.
    if (!isSeamail(fezType)) {
      if (graphemes(info.slice(0, 10)) < 2) fail({ text: 'info must have at least 2 characters', rule: 'too_short', min: 2 }, 'info')
      if (location && graphemes(location.slice(0, 10)) < 3)
        fail({ text: 'location must have at least 3 characters', rule: 'too_short', min: 3 }, 'location')
    }
    if (tooLong(info, 2048)) fail({ text: 'info must have at most 2048 characters', rule: 'too_long', max: 2048 }, 'info')
    if (location && tooLong(location, 2048))
      fail({ text: 'location must have at most 2048 characters', rule: 'too_long', max: 2048 }, 'location')
    if (visibility && !mayBe(fezType, visibility))
      fail({ text: `visibility cannot be ${visibility} for chats of this kind`, rule: 'not_allowed' }, 'visibility')
    if (minCapacity < 0) fail({ text: 'minCapacity must not be negative', rule: 'out_of_range', min: 0 }, 'minCapacity')
    if (maxCapacity < 0) fail({ text: 'maxCapacity must not be negative', rule: 'out_of_range', min: 0 }, 'maxCapacity')
    if (startTime && endTime && endTime < startTime) fail({ text: 'endTime must not be before startTime', rule: 'before_start' }, 'endTime')
    if (startTime && endTime && endTime.getTime() - startTime.getTime() > dayMs)
      fail({ text: 'endTime must be at most 24 hours after startTime', rule: 'over_a_day' }, 'endTime')
  },
)

function tooLong(text: string, max: number): boolean {
  return text.length > max * 32 || graphemes(text) > max
}

export type FezPostData = Static<typeof FezPostData>
export const FezPostData = Dto('FezPostData', {
  postID: Int,
  author: UserHeader,
  text: Type.String(),
  timestamp: DateTime,
  image: Type.Optional(Type.String()),
  /** Of the image; absent while it is not known. */
  imageSize: Type.Optional(ImageSizeData),
})

/** Frame of a chat's socket: somebody posted. The same fields as FezPostData. */
export const SocketFezPostData = Dto('SocketFezPostData', FezPostData.properties)

/** Frame of a chat's socket: somebody came (`joined`) or went. */
export const SocketFezMemberChangeData = Dto('SocketFezMemberChangeData', { user: UserHeader, joined: Type.Boolean() })

/** Frame of a chat's socket, for clients that ask for it: the other members who look at the chat now. */
export const SocketFezWatchingData = Dto('SocketFezWatchingData', { watching: Type.Array(UserHeader) })

/** What stands last in a chat, for lists. */
export type FezLastPostData = Static<typeof FezLastPostData>
export const FezLastPostData = Dto('FezLastPostData', {
  author: UserHeader,
  /** At most the first 140 characters. */
  text: Type.String(),
  timestamp: DateTime,
  hasImage: Type.Boolean(),
})

/** The newest post of a chat that has the words of a search. */
export type FezFoundPostData = Static<typeof FezFoundPostData>
export const FezFoundPostData = Dto('FezFoundPostData', {
  ...FezLastPostData.properties,
  /** What stands around the words; at most 200 characters. */
  text: Type.String(),
  postID: Int,
  /** Its place among the posts that the viewer sees, from 0: `start` of the page that begins with it. */
  place: Int,
})

/** The part of a chat for its members, and for moderators where they may look. */
export type MembersOnlyData = Static<typeof MembersOnlyData>
export const MembersOnlyData = Dto('MembersOnlyData', {
  participants: Type.Array(UserHeader),
  waitingList: Type.Array(UserHeader),
  postCount: Int,
  readCount: Int,
  paginator: Type.Optional(Paginator),
  posts: Type.Optional(Type.Array(FezPostData)),
  isMuted: Type.Boolean(),
  isFavorite: Type.Boolean(),
  /** Where it was asked for: the last post by somebody whom the viewer does not hide. */
  lastPost: Type.Optional(FezLastPostData),
  /** Where last posts were asked for in a search: the newest one that has its words. */
  foundPost: Type.Optional(FezFoundPostData),
})

export type FezData = Static<typeof FezData>
export const FezData = Dto('FezData', {
  fezID: Uuid,
  owner: UserHeader,
  fezType: OneOf(fezTypes),
  title: Type.String(),
  info: Type.String(),
  startTime: Type.Optional(DateTime),
  endTime: Type.Optional(DateTime),
  timeZone: Type.Optional(Type.String()),
  timeZoneID: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  participantCount: Int,
  minParticipants: Int,
  maxParticipants: Int,
  cancelled: Type.Boolean(),
  lastModificationTime: DateTime,
  visibility: OneOf(fezVisibilities),
  members: Type.Optional(MembersOnlyData),
  /** Slow mode: between two posts of a person. Absent without it. */
  slowModeSeconds: Type.Optional(Int),
})

/** Answer to a new post: the chat, and the fields of the post beside it. */
export type FezWithPostData = Static<typeof FezWithPostData>
export const FezWithPostData = Dto('FezWithPostData', { ...FezData.properties, ...FezPostData.properties })

export type FezListData = Static<typeof FezListData>
export const FezListData = Dto('FezListData', { paginator: Paginator, fezzes: Type.Array(FezData) })

/** To report messages of a chat: the first is what it is about, the others go with it. The moderators get a copy of them. */
export type FezPostsReportData = Static<typeof FezPostsReportData>
export const FezPostsReportData = Dto('FezPostsReportData', { postIDs: Type.Array(Int, { maxItems: 20 }), message: Text() })

// `private` is an older word for `closed`.
const fezTypeWords = OneOf([...fezTypes, 'private'], { ignoreCase: true })

/** Filters of all lists of chats. */
export const fezListQuery = {
  ...pageQuery,
  type: Type.Optional(Type.Array(fezTypeWords)),
  lfgtypes: Type.Optional(Type.Boolean()),
  cruiseday: Type.Optional(Int),
  hidePast: Type.Optional(Type.Boolean()),
  search: Type.Optional(Text({ max: 200 })),
}

export const fezOwnerQuery = {
  ...fezListQuery,
  excludetype: Type.Optional(Type.Array(fezTypeWords)),
  favorite: Type.Optional(Type.Boolean()),
  lastpost: Type.Optional(Type.Boolean()),
}

export const fezJoinedQuery = {
  ...fezOwnerQuery,
  onlynew: Type.Optional(Type.Boolean()),
  foruser: Type.Optional(Text({ max: 50 })),
  matchID: Type.Optional(Uuid),
}

export interface FezListQuery {
  start?: number
  limit?: number
  type?: readonly (FezType | 'private')[]
  excludetype?: readonly (FezType | 'private')[]
  lfgtypes?: boolean
  cruiseday?: number
  hidePast?: boolean
  search?: string
  /** True: only favorites. */
  favorite?: boolean
  onlynew?: boolean
  /** True: with what stands last in each chat, and with the newest post that has the words of a search. */
  lastpost?: boolean
  foruser?: string
  matchID?: string
}
