// The wire forms of notifications.
import { UserHeader } from '../core/accounts.ts'
import { DateTime, Dto, Int, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** Every type a notification socket may send. Some clients reject a message whose type they do not know. */
const notificationTypes = [
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

export const DisabledFeature = Dto('DisabledFeature', { appName: Type.String(), featureName: Type.String() })

export const UserNotificationAlertwordData = Dto('UserNotificationAlertwordData', {
  alertword: Type.String(),
  twarrtMentionCount: Int,
  newTwarrtMentionCount: Int,
  forumMentionCount: Int,
  newForumMentionCount: Int,
})

export const ModeratorNotificationData = Dto('ModeratorNotificationData', {
  openReportCount: Int,
  newModeratorSeamailMessageCount: Int,
  newTTSeamailMessageCount: Type.Optional(Int),
  newModeratorForumMentionCount: Int,
  newTTForumMentionCount: Type.Optional(Int),
})

/** The state of the server and, for somebody logged in, what waits for him. */
export type UserNotificationData = Static<typeof UserNotificationData>
export const UserNotificationData = Dto('UserNotificationData', {
  /** ISO 8601 UTC without a fraction. */
  serverTime: Type.String(),
  /** Seconds east of UTC. */
  serverTimeOffset: Int,
  serverTimeZoneID: Type.String(),
  serverTimeZone: Type.String(),
  disabledFeatures: Type.Array(DisabledFeature),
  shipWifiSSID: Type.Optional(Type.String()),
  activeAnnouncementIDs: Type.Array(Int),
  newAnnouncementCount: Int,
  twarrtMentionCount: Int,
  newTwarrtMentionCount: Int,
  forumMentionCount: Int,
  newForumMentionCount: Int,
  addedToSeamailCount: Int,
  addedToLFGCount: Int,
  addedToPrivateEventCount: Int,
  newSeamailMessageCount: Int,
  newFezMessageCount: Int,
  newPrivateEventMessageCount: Int,
  nextFollowedEventTime: Type.Optional(DateTime),
  nextFollowedEventID: Type.Optional(Uuid),
  microKaraokeFinishedSongCount: Int,
  nextJoinedLFGTime: Type.Optional(DateTime),
  nextJoinedLFGID: Type.Optional(Uuid),
  alertWords: Type.Array(UserNotificationAlertwordData),
  moderatorData: Type.Optional(ModeratorNotificationData),
})

/** An announcement to everybody. */
export type AnnouncementData = Static<typeof AnnouncementData>
export const AnnouncementData = Dto('AnnouncementData', {
  id: Int,
  author: UserHeader,
  text: Type.String(),
  /** Last edit. */
  updatedAt: DateTime,
  displayUntil: DateTime,
  isDeleted: Type.Boolean(),
})

/** Creates or replaces an announcement. */
export type AnnouncementCreateData = Static<typeof AnnouncementCreateData>
export const AnnouncementCreateData = Dto(
  'AnnouncementCreateData',
  {
    text: Text({ min: 1, max: 1999 }),
    displayUntil: DateTime,
  },
  ({ displayUntil }, fail, nowMs) => {
    if (displayUntil.getTime() <= nowMs) fail('displayUntil must be in the future', 'displayUntil')
  },
)
