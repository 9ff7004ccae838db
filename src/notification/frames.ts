// Frames of the notification socket.
import type { UserHeader } from '../core/accounts.ts'
import { chatGroup, chatLabel, type FezType } from '../fez/types.ts'
import type { NotificationType } from './schemas.ts'

/** Encodes a SocketNotificationData once for all its receivers. `info` is a sentence ready to be shown. */
export function notificationFrame(type: NotificationType, info: string, contentID: string, more: { caller?: UserHeader, callerAddress?: { ipV4Addr?: string, ipV6Addr?: string } } = {}): Buffer {
  return Buffer.from(JSON.stringify({ type: { [type]: {} }, info, contentID, ...more }))
}

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

/** Encodes the notice of a new post. */
export function postNoticeFrame({ fezID, fezType, title, authorUsername, text }: PostNotice): Buffer {
  const where = fezType === 'closed' ? '' : ` in ${chatLabel(fezType)}${title === undefined ? '' : ` "${title}"`}`
  return notificationFrame(newPostTypes[chatGroup(fezType)], `@${authorUsername} wrote${where}${text === undefined ? '' : `: ${text}`}`, fezID)
}
