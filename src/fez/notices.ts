// Notices of new posts for members who are not looking at the chat. Pure.
import { notificationFrame } from '../notices/frames.ts'
import { chatGroup, chatLabel, type FezType } from './types.ts'

/** A new post, as its notice shows it. */
export interface PostNotice {
  fezID: string
  fezType: FezType
  /** Absent when moderators have hidden it. */
  title: string | undefined
  authorUsername: string
  /** Absent when moderators have hidden it. */
  text: string | undefined
}

const newPostTypes = { seamail: 'seamailUnreadMsg', lfg: 'fezUnreadMsg', privateEvent: 'privateEventUnreadMsg' } as const

/** The part of an event that a notice is made of. */
interface PostEvent {
  readonly post: { readonly fezId: string; readonly text: string }
  readonly author: { readonly username: string }
  readonly chat: Pick<PostNotice, 'fezType' | 'title'>
}

const encoded = new WeakMap<PostEvent['post'], Buffer>()

/** The notice of a new post: encoded by each node once, and only if somebody there is to get it. */
export function postNoticeOf({ post, author, chat }: PostEvent): Buffer {
  const known = encoded.get(post)
  if (known) return known
  const frame = postNoticeFrame({ fezID: post.fezId, ...chat, authorUsername: author.username, text: post.text })
  encoded.set(post, frame)
  return frame
}

const addedTypes = { seamail: 'addedToSeamail', lfg: 'addedToLFG', privateEvent: 'addedToPrivateEvent' } as const
const cancelledTypes = { seamail: 'lfgCanceled', lfg: 'lfgCanceled', privateEvent: 'privateEventCanceled' } as const

/** Somebody was added to a chat: for them. */
export function addedNotice(fezID: string, chat: PostEvent['chat'], byUsername: string): Buffer {
  return notificationFrame(addedTypes[chatGroup(chat.fezType)], `@${byUsername} added you to ${nameOf(chat)}.`, fezID)
}

/** A chat was called off: for its other members. */
export function cancelledNotice(fezID: string, chat: PostEvent['chat'], byUsername: string): Buffer {
  return notificationFrame(cancelledTypes[chatGroup(chat.fezType)], `@${byUsername} cancelled ${nameOf(chat)}.`, fezID)
}

const nameOf = ({ fezType, title }: PostEvent['chat']): string => `${chatLabel(fezType)}${title === undefined ? '' : ` "${title}"`}`

/** Encodes the notice of a new post. */
export function postNoticeFrame({ fezID, fezType, title, authorUsername, text }: PostNotice): Buffer {
  const where = fezType === 'closed' ? '' : ` in ${chatLabel(fezType)}${title === undefined ? '' : ` "${title}"`}`
  return notificationFrame(
    newPostTypes[chatGroup(fezType)],
    `@${authorUsername} wrote${where}${text === undefined ? '' : `: ${text}`}`,
    fezID,
  )
}
