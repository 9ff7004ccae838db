// Rows and a viewer to what is sent. Pure: everything it needs is in memory already.
import { type Accounts } from '../accounts/accounts.ts'
import { blockedUserHeader } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Paginator } from '../core/http/paging.ts'
import { blocked, type Viewer } from '../core/base/viewer.ts'
import type { Trip } from '../settings/trip.ts'
import type { FoundPostRow, LastPostRow } from './lists.queries.ts'
import type { FezPostRow, FezRow } from './rows.ts'
import { shownSize } from '../image/sizes.ts'
import { visibilityOf } from './types.ts'
import { isHidden } from '../moderation/types.ts'
import type { FezData, FezFoundPostData, FezLastPostData, FezPostData, MembersOnlyData } from './schemas.ts'

const underReview = (what: string) => `This ${what} is under review by the moderators.`

/** The lookups of views. */
export interface ViewContext {
  viewer: Viewer
  accounts: Accounts
  trip: Trip
}

/** The part of a chat that only members see. */
export interface Thread {
  postCount: number
  readCount: number
  isMuted: boolean
  isFavorite: boolean
  lastPost?: FezLastPostData | undefined
  foundPost?: FezFoundPostData | undefined
  paginator?: Paginator
  posts?: FezPostRow[]
}

/** A chat as the viewer gets it. `thread` is present when members and posts may be shown. */
export function fezData(
  { viewer, accounts, trip }: ViewContext,
  fez: FezRow,
  memberIds: Iterable<string>,
  thread: Thread | undefined,
): FezData {
  const data = fezWithoutMembers({ viewer, accounts, trip }, fez)
  if (thread) data.members = membersOnly({ viewer, accounts, trip }, fez, memberIds, thread)
  return data
}

/** The same without what only members see. */
export function fezWithoutMembers({ viewer, accounts, trip }: ViewContext, fez: FezRow): FezData {
  const data = fezFields({ accounts, trip }, fez, { masked: isHidden(fez.moderationStatus) })
  if (fez.ownerId !== viewer.id && blocked(viewer, accounts.get(fez.ownerId))) data.owner = blockedUserHeader
  return data
}

/** A chat for moderators: nothing is hidden, members and posts are left out. */
export function judgedFezData(view: ViewContext, fez: FezRow): FezData {
  return fezFields(view, fez, { masked: false })
}

function fezFields({ accounts, trip }: Pick<ViewContext, 'accounts' | 'trip'>, fez: FezRow, { masked }: { masked: boolean }): FezData {
  const start = fez.startTime && trip.portToDisplay(fez.startTime)
  const end = fez.endTime && trip.portToDisplay(fez.endTime)
  const zone = start && trip.zoneAt(start)
  const location = fez.location && masked ? underReview('location') : fez.location
  // JSON leaves out what is undefined. To spread an object for each of these would take as long as all the rest.
  const data: { [Field in keyof FezData]: FezData[Field] | undefined } = {
    fezID: fez.id,
    owner: accounts.get(fez.ownerId).header,
    fezType: fez.fezType,
    title: masked ? underReview('title') : fez.title,
    info: masked ? underReview('description') : fez.info,
    startTime: start ?? undefined,
    endTime: end ?? undefined,
    timeZone: zone?.abbreviation,
    timeZoneID: zone?.id,
    location: location || undefined,
    participantCount: fez.memberCount,
    minParticipants: fez.minCapacity,
    maxParticipants: fez.maxCapacity,
    cancelled: fez.cancelled,
    lastModificationTime: fez.updatedAt,
    visibility: visibilityOf(fez),
    slowModeSeconds: fez.slowSeconds > 0 ? fez.slowSeconds : undefined,
  }
  return data as FezData
}

function membersOnly({ viewer, accounts }: ViewContext, fez: FezRow, memberIds: Iterable<string>, thread: Thread): MembersOnlyData {
  const headers = Array.from(memberIds, (id) => {
    const account = accounts.get(id)
    return id !== viewer.id && blocked(viewer, account) ? blockedUserHeader : account.header
  })
  const room = fez.maxCapacity === 0 ? headers.length : fez.maxCapacity
  return {
    participants: headers.slice(0, room),
    waitingList: headers.slice(room),
    postCount: thread.postCount,
    readCount: thread.readCount,
    ...(thread.paginator ? { paginator: thread.paginator } : {}),
    ...(thread.posts ? { posts: thread.posts.map((post) => fezPostData(post, accounts.get(post.authorId).header)) } : {}),
    isMuted: thread.isMuted,
    isFavorite: thread.isFavorite,
    ...(thread.lastPost ? { lastPost: thread.lastPost } : {}),
    ...(thread.foundPost ? { foundPost: thread.foundPost } : {}),
  }
}

/** One post. */
export function fezPostData(post: FezPostRow, author: UserHeader): FezPostData {
  const masked = isHidden(post.moderationStatus)
  const data: FezPostData = { postID: post.id, author, text: masked ? underReview('post') : post.text, timestamp: post.createdAt }
  return post.image && !masked ? { ...data, image: post.image, ...shownSize(post.imageSizes) } : data
}

/** The last post of a chat, for a list. */
export function lastPostData({ authorId, text, moderationStatus, createdAt, hasImage }: LastPostRow, accounts: Accounts): FezLastPostData {
  const masked = isHidden(moderationStatus)
  const author = accounts.get(authorId).header
  return { author, text: masked ? underReview('post') : text, timestamp: createdAt, hasImage: hasImage && !masked }
}

/** A post that was found in a chat, for a list. */
export function foundPostData(post: FoundPostRow, accounts: Accounts): FezFoundPostData {
  return { ...lastPostData(post, accounts), postID: post.id, place: post.place }
}

/** A frame's bytes: made once, however many sockets get it. */
export function encodeFrame(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Frame for a chat's sockets: a new post. */
export const socketPost = fezPostData

/** Frame for a chat's sockets: somebody came or went. */
export function memberChangeFrame(user: UserHeader, joined: boolean): Buffer {
  return encodeFrame({ user, joined })
}

/** Frame for the sockets of a chat that ask for it: the members who look at it now. */
export function watchingFrame(watching: readonly UserHeader[]): Buffer {
  return encodeFrame({ watching })
}
