// The wire forms of /client.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, Nullable, OneOf, Text, Type, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { publicTexts } from './text-names.ts'

/** Resembles an ErrorResponse without being one. */
export const HealthResponse = Dto('HealthResponse', { status: Int, reason: Type.String(), error: Type.Boolean() })

const texts = () => Type.Record(Type.String(), Type.String())

/** One alert of Prometheus's Alertmanager. */
export type AlertmanagerAlert = Static<typeof AlertmanagerAlert>
export const AlertmanagerAlert = Dto('AlertmanagerAlert', {
  status: Type.String(),
  labels: texts(),
  annotations: texts(),
  startsAt: DateTime,
  /** Ignored: for an ongoing alert this is a date in the year 1. */
  endsAt: Type.String(),
  generatorURL: Type.String(),
  fingerprint: Type.String(),
})

/** The body that the Alertmanager sends to a webhook. */
export type AlertmanagerWebhookPayload = Static<typeof AlertmanagerWebhookPayload>
export const AlertmanagerWebhookPayload = Dto('AlertmanagerWebhookPayload', {
  version: Type.String(),
  groupKey: Type.String(),
  truncatedAlerts: Int,
  status: Type.String(),
  receiver: Type.String(),
  groupLabels: texts(),
  commonLabels: texts(),
  commonAnnotations: texts(),
  externalURL: Type.String(),
  alerts: Type.Array(AlertmanagerAlert),
})

/** Constants of the trip and of this server, in place of what apps would have built in. */
export type ClientSettingsData = Static<typeof ClientSettingsData>
export const ClientSettingsData = Dto('ClientSettingsData', {
  canonicalHostnames: Type.Array(Type.String()),
  /** Midnight of embarkation day in the port. */
  cruiseStartDate: DateTime,
  cruiseLengthInDays: Int,
  portTimeZoneID: Type.String(),
  portTimeZoneAbbrev: Type.String(),
  /** Seconds east of Greenwich, now. */
  portTimeZoneOffset: Int,
  scheduleUpdateURL: Type.String(),
  shipWifiSSID: Type.Optional(Type.String()),
  enablePreregistration: Type.Boolean(),
  minAccessLevel: OneOf(accessLevels),
  maxForumPostImages: Int,
  /** Bytes. */
  maxImageSize: Int,
  /** Seconds between two photos of a person in the photo stream; 0: none. */
  photostreamUploadRateLimit: Int,
  /** Present where each new password signs the apps out. */
  newPasswordSignsOutApps: Type.Optional(Type.Boolean()),
  /** Present where a browser can be signed in by somebody else (`/oidc/begin`): what people call them. */
  identityProvider: Type.Optional(Type.String()),
  /** Stays the same as long as the database does. */
  installationID: Type.String(),
})

export const PublicTextName = OneOf(publicTexts)

/** A text that the host may replace. */
export type PublicTextData = Static<typeof PublicTextData>
export const PublicTextData = Dto('PublicTextData', {
  name: PublicTextName,
  /** Markdown, as it is served. */
  content: Type.String(),
  /** Markdown that comes with the program, or that the operator has put beside it. */
  delivered: Type.String(),
  isOwn: Type.Boolean(),
  changedAt: Type.Optional(DateTime),
  changedBy: Type.Optional(UserHeader),
})

/** A text in place of the one before. */
export type PublicTextContentData = Static<typeof PublicTextContentData>
export const PublicTextContentData = Dto('PublicTextContentData', {
  /** Markdown. */
  content: Text({ min: 1, max: 100_000 }),
  /** `changedAt` of the text that was changed, null for the delivered one. When it is another one by now, the answer is 409. */
  basedOn: Type.Optional(Nullable(DateTime)),
})
