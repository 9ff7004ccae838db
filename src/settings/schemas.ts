// The wire forms of settings and time zones.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, OneOf, Text, Type, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { LevelWord } from '../text/schemas.ts'
import { eventNotificationSettings, gateLevels, settingNames, settingRanges } from './values.ts'

export const SettingName = OneOf(settingNames)

/** A feature that is switched off for an app; either may be `all`. */
export type SettingsAppFeaturePair = Static<typeof SettingsAppFeaturePair>
export const SettingsAppFeaturePair = Dto('SettingsAppFeaturePair', { app: Type.String(), feature: Type.String() })

/** All settings that can be changed while the server runs. */
export type SettingsAdminData = Static<typeof SettingsAdminData>
export const SettingsAdminData = Dto('SettingsAdminData', {
  minAccessUserLevel: OneOf(accessLevels),
  enablePreregistration: Type.Boolean(),
  verifiedReading: Type.Boolean(),
  moderatorsMayStop: Type.Boolean(),
  maxAlternateAccounts: Int,
  maximumTwarrts: Int,
  maximumForums: Int,
  maximumForumPosts: Int,
  /** Bytes. */
  maxImageSize: Int,
  maxForumPostImages: Int,
  maxPersonMegabytes: Int,
  maxStoredMegabytes: Int,
  minFreeDiskMegabytes: Int,
  forumAutoQuarantineThreshold: Int,
  postAutoQuarantineThreshold: Int,
  userAutoQuarantineThreshold: Int,
  allowAnimatedImages: Type.Boolean(),
  disabledFeatures: Type.Array(SettingsAppFeaturePair),
  shipWifiSSID: Type.Optional(Type.String()),
  scheduleUpdateURL: Type.String(),
  upcomingEventNotificationSeconds: Int,
  upcomingEventNotificationSetting: OneOf(eventNotificationSettings),
  upcomingLFGNotificationSetting: OneOf(eventNotificationSettings),
  enableSiteNotificationDataCaching: Type.Boolean(),
  pushTexts: Type.Boolean(),
  microblogSlowSeconds: Int,
  photostreamUploadRateLimit: Int,
  allowAccountDeletion: Type.Boolean(),
  strictPasswords: Type.Boolean(),
  newPasswordSignsOutApps: Type.Boolean(),
  teamSecondFactor: Type.Boolean(),
  browserSessionDays: Int,
})

/** A setting as somebody has seen it. */
export const SettingSeenData = Dto('SettingSeenData', {
  name: SettingName,
  /** JSON, as `GET /admin/settings` has it. */
  value: Text({ max: 20_000 }),
})

/** Changes settings. What is absent stays as it is; features are enabled before others are disabled. */
export type SettingsUpdateData = Static<typeof SettingsUpdateData>
export const SettingsUpdateData = Dto(
  'SettingsUpdateData',
  {
    minUserAccessLevel: Type.Optional(LevelWord(gateLevels)),
    enablePreregistration: Type.Optional(Type.Boolean()),
    verifiedReading: Type.Optional(Type.Boolean()),
    moderatorsMayStop: Type.Optional(Type.Boolean()),
    maxAlternateAccounts: Type.Optional(Int),
    maximumTwarrts: Type.Optional(Int),
    maximumForums: Type.Optional(Int),
    maximumForumPosts: Type.Optional(Int),
    maxImageSize: Type.Optional(Int),
    maxForumPostImages: Type.Optional(Int),
    maxPersonMegabytes: Type.Optional(Int),
    maxStoredMegabytes: Type.Optional(Int),
    minFreeDiskMegabytes: Type.Optional(Int),
    forumAutoQuarantineThreshold: Type.Optional(Int),
    postAutoQuarantineThreshold: Type.Optional(Int),
    userAutoQuarantineThreshold: Type.Optional(Int),
    allowAnimatedImages: Type.Optional(Type.Boolean()),
    shipWifiSSID: Type.Optional(Text()),
    scheduleUpdateURL: Type.Optional(Text()),
    upcomingEventNotificationSeconds: Type.Optional(Int),
    upcomingEventNotificationSetting: Type.Optional(OneOf(eventNotificationSettings)),
    upcomingLFGNotificationSetting: Type.Optional(OneOf(eventNotificationSettings)),
    enableSiteNotificationDataCaching: Type.Optional(Type.Boolean()),
    pushTexts: Type.Optional(Type.Boolean()),
    microblogSlowSeconds: Type.Optional(Int),
    photostreamUploadRateLimit: Type.Optional(Int),
    allowAccountDeletion: Type.Optional(Type.Boolean()),
    strictPasswords: Type.Optional(Type.Boolean()),
    newPasswordSignsOutApps: Type.Optional(Type.Boolean()),
    teamSecondFactor: Type.Optional(Type.Boolean()),
    browserSessionDays: Type.Optional(Int),
    enableFeatures: Type.Array(SettingsAppFeaturePair),
    disableFeatures: Type.Array(SettingsAppFeaturePair),
    /** The change is refused when one of these is something else by now. */
    basedOn: Type.Optional(Type.Array(SettingSeenData, { maxItems: 50 })),
  },
  (update, fail) => {
    for (const [key, [min, max]] of Object.entries(settingRanges)) {
      const value = update[key as keyof typeof settingRanges]
      if (value !== undefined && (value < min || value > max))
        fail({ text: `${key} must be from ${min} to ${max}`, rule: 'out_of_range', min: min, max: max }, key)
    }
  },
)

/** One setting: what it is, what it is unless somebody changes it, and who did so last. */
export type SettingStateData = Static<typeof SettingStateData>
export const SettingStateData = Dto('SettingStateData', {
  name: Type.String(),
  /** JSON. */
  value: Type.String(),
  /** JSON. */
  defaultValue: Type.String(),
  /** Of a number. */
  lowest: Type.Optional(Int),
  /** Of a number. */
  highest: Type.Optional(Int),
  /** Of `disabledFeatures`: all that can be switched off. */
  features: Type.Optional(Type.Array(Type.String())),
  /** Of `disabledFeatures`: for which apps; `all` comes first. */
  apps: Type.Optional(Type.Array(Type.String())),
  changedAt: Type.Optional(DateTime),
  changedBy: Type.Optional(UserHeader),
})

/** From `activeDate` on a zone is in force. */
export type TimeZoneChangeRecord = Static<typeof TimeZoneChangeRecord>
export const TimeZoneChangeRecord = Dto('TimeZoneChangeRecord', {
  activeDate: DateTime,
  timeZoneAbbrev: Type.String(),
  timeZoneID: Type.String(),
})

/** Zone changes that were read again. */
export type TimeZoneReloadData = Static<typeof TimeZoneReloadData>
export const TimeZoneReloadData = Dto('TimeZoneReloadData', {
  /** In force now. */
  changes: Int,
})

/** The trip's zones. */
export type TimeZoneChangeData = Static<typeof TimeZoneChangeData>
export const TimeZoneChangeData = Dto('TimeZoneChangeData', {
  records: Type.Array(TimeZoneChangeRecord),
  currentTimeZoneAbbrev: Type.String(),
  currentTimeZoneID: Type.String(),
  currentOffsetSeconds: Int,
})
