// Frames of the notification socket.
import type { UserHeader } from '../accounts/schemas.ts'
import type { NotificationType } from './schemas.ts'

/** Socket topic of everybody's browsers: for notices that apps do not know. What is sent there names nobody. */
export const browsersTopic = 'browsers'

/** Slow mode of a place has changed; `place` as in `post/pace.service.ts`. */
export const slowModeFrame = (place: string): Buffer => notificationFrame('slowModeChanged', '', place)

/** Encodes a SocketNotificationData once for all its receivers. `info` is a sentence ready to be shown. */
export function notificationFrame(
  type: NotificationType,
  info: string,
  contentID: string,
  more: { caller?: UserHeader; callerAddress?: { ipV4Addr?: string; ipV6Addr?: string } } = {},
): Buffer {
  return Buffer.from(JSON.stringify({ type: { [type]: {} }, info, contentID, ...more }))
}
