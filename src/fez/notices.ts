// What members who are not looking at a chat are sent about its new posts. Pure.
import { notificationFrame } from '../notices/frames.ts'
import { chatGroup, chatLabel, type FezType } from './types.ts'

/** A new post, as members who are not looking at its chat hear of it. */
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

/** What an event tells of a new post. */
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

/** Encodes the notice of a new post. */
export function postNoticeFrame({ fezID, fezType, title, authorUsername, text }: PostNotice): Buffer {
  const where = fezType === 'closed' ? '' : ` in ${chatLabel(fezType)}${title === undefined ? '' : ` "${title}"`}`
  return notificationFrame(
    newPostTypes[chatGroup(fezType)],
    `@${authorUsername} wrote${where}${text === undefined ? '' : `: ${text}`}`,
    fezID,
  )
}
