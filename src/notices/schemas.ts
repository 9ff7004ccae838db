// Frames of the notification socket.
import { UserHeader } from '../accounts/schemas.ts'
import { Dto, Type, type Static } from '../core/schema/schema.ts'

/** Every type a notification socket may send. Some clients reject a message whose type they do not know. */
export const notificationTypes = [
  'announcement',
  'fezUnreadMsg',
  'seamailUnreadMsg',
  'privateEventUnreadMsg',
  'addedToSeamail',
  'addedToLFG',
  'addedToPrivateEvent',
  'lfgCanceled',
  'privateEventCanceled',
  'followedEventStarting',
  'joinedLFGStarting',
  'personalEventStarting',
  'alertwordTwarrt',
  'twarrtMention',
  'alertwordPost',
  'forumMention',
  'moderatorForumMention',
  'serviceTeamForumMention',
  'microKaraokeSongReady',
  'incomingPhoneCall',
  'phoneCallAnswered',
  'phoneCallEnded',
  // Of browsers alone: reports have come or were handled.
  'reportsChanged',
  // Of browsers alone: slow mode of `contentID` has changed, which is `microblog`, `forum <id>` or `fez <id>`.
  'slowModeChanged',
  // Of browsers alone: the poll `contentID` was voted on, or has ended.
  'pollChanged',
  // Of browsers of the team alone: something new is wrong with the machine, `info` says what; or something has ended.
  'incident',
  'incidentsChanged',
  // Of browsers that look at the dashboard: `info` is a FiguresData with the newest points.
  'figures',
] as const
export type NotificationType = (typeof notificationTypes)[number]

/** Where the caller's phone waits for the callee's. */
export type PhoneSocketServerAddress = Static<typeof PhoneSocketServerAddress>
export const PhoneSocketServerAddress = Dto(
  'PhoneSocketServerAddress',
  { ipV4Addr: Type.Optional(Type.String()), ipV6Addr: Type.Optional(Type.String()) },
  ({ ipV4Addr, ipV6Addr }, fail) => {
    if (!ipV4Addr && !ipV6Addr) fail('ipV4Addr or ipV6Addr is needed')
  },
)

/** Frame of the notification socket. `type` has exactly one key, whose value is `{}`. */
export const SocketNotificationData = Dto('SocketNotificationData', {
  type: Type.Partial(Type.Object(Object.fromEntries(notificationTypes.map((type) => [type, Type.Object({})])))),
  info: Type.String(),
  contentID: Type.String(),
  caller: Type.Optional(UserHeader),
  callerAddress: Type.Optional(PhoneSocketServerAddress),
})
