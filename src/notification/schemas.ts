// The wire forms of notifications.
import { DateTime, Dto, Int, Type, Uuid, type Static } from '../core/schema/schema.ts'

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

/** The state of the server and, with a token, what waits for its user. */
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
