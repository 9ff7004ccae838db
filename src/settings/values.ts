// Every setting an admin can change, with its default. A stored value overrides the default.
import type { ServiceFeature } from '../core/route.ts'
import type { UserAccessLevel } from '../core/viewer.ts'

export type EventNotificationSetting = 'disabled' | 'cruiseWeek' | 'current'

/** Apps that features can be switched off for. Only `all` has an effect on the API. */
export const serviceClientApps = ['swiftarr', 'cruisemonkey', 'rainbowmonkey', 'kraken', 'tricordarr', 'tacobarr', 'all'] as const
export type ServiceClientApp = typeof serviceClientApps[number]

export interface DisabledFeature {
  appName: ServiceClientApp
  featureName: ServiceFeature
}

export interface Settings {
  minAccessUserLevel: UserAccessLevel
  enablePreregistration: boolean
  maxAlternateAccounts: number
  /** Largest `limit` of every list that has none of its own. */
  maximumTwarrts: number
  maximumForums: number
  maximumForumPosts: number
  /** Bytes; an upload of this size or more is refused. */
  maxImageSize: number
  maxForumPostImages: number
  forumAutoQuarantineThreshold: number
  postAutoQuarantineThreshold: number
  userAutoQuarantineThreshold: number
  allowAnimatedImages: boolean
  disabledFeatures: DisabledFeature[]
  shipWifiSSID: string
  scheduleUpdateURL: string
  upcomingEventNotificationSeconds: number
  upcomingEventNotificationSetting: EventNotificationSetting
  upcomingLFGNotificationSetting: EventNotificationSetting
  enableSiteNotificationDataCaching: boolean
}

export const defaultSettings: Readonly<Settings> = {
  minAccessUserLevel: 'banned',
  enablePreregistration: false,
  maxAlternateAccounts: 6,
  maximumTwarrts: 200,
  maximumForums: 200,
  maximumForumPosts: 200,
  maxImageSize: 20_971_520,
  maxForumPostImages: 4,
  forumAutoQuarantineThreshold: 3,
  postAutoQuarantineThreshold: 3,
  userAutoQuarantineThreshold: 5,
  allowAnimatedImages: true,
  disabledFeatures: [],
  shipWifiSSID: 'Quarterdeck',
  scheduleUpdateURL: '',
  upcomingEventNotificationSeconds: 600,
  upcomingEventNotificationSetting: 'cruiseWeek',
  upcomingLFGNotificationSetting: 'current',
  enableSiteNotificationDataCaching: true,
}
