// Every setting an admin can change, with its default. A stored value overrides the default.
import type { ServiceFeature } from '../core/http/route.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'
import { keptForGood, type RetentionDays } from './retention-kinds.ts'

export const eventNotificationSettings = ['disabled', 'cruiseWeek', 'current'] as const
export type EventNotificationSetting = (typeof eventNotificationSettings)[number]

/** Levels below which the server can be closed to everybody; `banned` leaves it open. */
export const gateLevels = ['banned', 'moderator', 'serviceteam', 'tho', 'admin'] as const satisfies readonly UserAccessLevel[]

/** Apps that features can be switched off for. Only `all` has an effect on the API. */
export const serviceClientApps = ['swiftarr', 'cruisemonkey', 'rainbowmonkey', 'kraken', 'tricordarr', 'tacobarr', 'all'] as const
export type ServiceClientApp = (typeof serviceClientApps)[number]

export interface DisabledFeature {
  appName: ServiceClientApp
  featureName: ServiceFeature
}

export interface Settings {
  minAccessUserLevel: UserAccessLevel
  enablePreregistration: boolean
  /** Whether only verified people read what others write. */
  verifiedReading: boolean
  /** Whether moderators may stop somebody for up to a day, when nobody is awake who may ban. */
  moderatorsMayStop: boolean
  maxAlternateAccounts: number
  /** Largest `limit` of every list that has none of its own. */
  maximumTwarrts: number
  maximumForums: number
  maximumForumPosts: number
  /** Bytes; an upload of this size or more is refused. */
  maxImageSize: number
  maxForumPostImages: number
  /** Megabytes of pictures, recordings and files that the server keeps for one person; 0: as many as for all. */
  maxPersonMegabytes: number
  /** The same for all together; 0: as many as the disk holds. */
  maxStoredMegabytes: number
  /** Nothing more is kept while the disk has less room than this. */
  minFreeDiskMegabytes: number
  forumAutoQuarantineThreshold: number
  postAutoQuarantineThreshold: number
  userAutoQuarantineThreshold: number
  allowAnimatedImages: boolean
  disabledFeatures: DisabledFeature[]
  /** Empty: there is none. */
  shipWifiSSID: string
  /** Empty: the schedule is not updated by itself. */
  scheduleUpdateURL: string
  upcomingEventNotificationSeconds: number
  upcomingEventNotificationSetting: EventNotificationSetting
  upcomingLFGNotificationSetting: EventNotificationSetting
  enableSiteNotificationDataCaching: boolean
  /** Whether notices for closed apps say what was written: they go over services of others, encrypted. */
  pushTexts: boolean
  /** Slow mode of the microblog: between two posts of a person; 0 without. */
  microblogSlowSeconds: number
  /** Seconds between two photos of a person in the photo stream; 0 without. */
  photostreamUploadRateLimit: number
  /** Whether people may delete their accounts. */
  allowAccountDeletion: boolean
  /** Whether apps may only set passwords that the browser's forms would take. */
  strictPasswords: boolean
  /** Whether each new password ends the token of the account. */
  newPasswordSignsOutApps: boolean
  /** Whether members of the team have its rights only with a second factor. */
  teamSecondFactor: boolean
  /** A browser session ends so long after its sign-in, however much it is used. */
  browserSessionDays: number
  /** Null: as the operator's configuration says. */
  nightlyBackups: boolean | null
  /** Of ship time. */
  nightlyBackupHour: number
  nightlyBackupsKept: number
  /** For how many days what is old stays. */
  retention: RetentionDays
  /** Of the event; empty: as the operator's configuration says. */
  eventName: string
  tripStartDate: string
  /** 0: as the operator's configuration says. */
  tripLengthInDays: number
}

export const defaultSettings: Readonly<Settings> = {
  minAccessUserLevel: 'banned',
  enablePreregistration: false,
  verifiedReading: false,
  moderatorsMayStop: false,
  maxAlternateAccounts: 6,
  maximumTwarrts: 200,
  maximumForums: 200,
  maximumForumPosts: 200,
  maxImageSize: 20_971_520,
  maxForumPostImages: 4,
  maxPersonMegabytes: 1000,
  maxStoredMegabytes: 0,
  minFreeDiskMegabytes: 1000,
  forumAutoQuarantineThreshold: 3,
  postAutoQuarantineThreshold: 3,
  userAutoQuarantineThreshold: 5,
  allowAnimatedImages: true,
  disabledFeatures: [],
  shipWifiSSID: '',
  scheduleUpdateURL: '',
  upcomingEventNotificationSeconds: 600,
  upcomingEventNotificationSetting: 'cruiseWeek',
  upcomingLFGNotificationSetting: 'current',
  enableSiteNotificationDataCaching: true,
  pushTexts: false,
  microblogSlowSeconds: 0,
  photostreamUploadRateLimit: 300,
  allowAccountDeletion: false,
  strictPasswords: false,
  newPasswordSignsOutApps: false,
  teamSecondFactor: false,
  browserSessionDays: 90,
  nightlyBackups: null,
  nightlyBackupHour: 4,
  nightlyBackupsKept: 14,
  retention: keptForGood,
  eventName: '',
  tripStartDate: '',
  tripLengthInDays: 0,
}

export const settingNames = Object.keys(defaultSettings) as (keyof Settings)[]

const mebibyte = 1_048_576

/** Lowest and highest value of every number among the settings. */
export const settingRanges = {
  maxAlternateAccounts: [0, 40],
  maximumTwarrts: [1, 1000],
  maximumForums: [1, 1000],
  maximumForumPosts: [1, 1000],
  maxImageSize: [mebibyte, 1000 * mebibyte],
  maxForumPostImages: [0, 8],
  maxPersonMegabytes: [0, 1_000_000],
  maxStoredMegabytes: [0, 100_000_000],
  minFreeDiskMegabytes: [0, 100_000_000],
  forumAutoQuarantineThreshold: [1, 1000],
  postAutoQuarantineThreshold: [1, 1000],
  userAutoQuarantineThreshold: [1, 1000],
  upcomingEventNotificationSeconds: [0, 1800],
  microblogSlowSeconds: [0, 3600],
  photostreamUploadRateLimit: [0, 86_400],
  browserSessionDays: [1, 400],
} as const satisfies Partial<Record<keyof Settings, readonly [number, number]>>
