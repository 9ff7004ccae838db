// The wire forms of notifications.
import { AnnouncementData } from '../announcements/schemas.ts'
import { ClientSettingsData } from '../client/schemas.ts'
import { DateTime, Dto, Int, Type, Uuid, type Static, type TSchema } from '../core/schema/schema.ts'
import { DailyThemeData } from '../dailythemes/schemas.ts'
import { FezListData } from '../fez/schemas.ts'
import { CurrentUserData } from '../user/schemas.ts'

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
  addedToSeamailIDs: Type.Array(Uuid),
  addedToLFGIDs: Type.Array(Uuid),
  addedToPrivateEventIDs: Type.Array(Uuid),
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

/** `tag`: the ETag with which the endpoint of this part gives the same. */
const part = <T extends TSchema>(name: string, data: T) => Type.Optional(Dto(`ClientStart${name}`, { tag: Type.String(), data }))

/** All that an app asks for when it starts. Parts that the client has are left out, and those that it may not see. */
export type ClientStartData = Static<typeof ClientStartData>
export const ClientStartData = Dto('ClientStartData', {
  /** For the next call's `since`. Only for the same user. */
  tag: Type.String(),
  settings: part('Settings', ClientSettingsData),
  whoami: part('Whoami', CurrentUserData),
  numbers: part('Numbers', UserNotificationData),
  announcements: part('Announcements', Type.Array(AnnouncementData)),
  dailyThemes: part('DailyThemes', Type.Array(DailyThemeData)),
  /** The caller's chats without their posts: the first 200. */
  chats: part('Chats', FezListData),
  /** Ids of events on the schedule. */
  followedEvents: part('FollowedEvents', Type.Array(Uuid)),
})
