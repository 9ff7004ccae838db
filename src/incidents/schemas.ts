// Wire forms of incidents.
import { DateTime, Dto, Int, OneOf, Text, Type, type Static } from '../core/schema/schema.ts'

/** Something that is or was wrong, from when until when. */
export type IncidentData = Static<typeof IncidentData>
export const IncidentData = Dto('IncidentData', {
  incidentID: Int,
  /** What it is about, as a word: pages say by it what it means for people. */
  kind: Type.String(),
  state: OneOf(['warning', 'bad']),
  sentence: Type.String(),
  mend: Type.Optional(Type.String()),
  /** As in `CheckData`. */
  code: Type.Optional(Type.String()),
  values: Type.Optional(Type.String()),
  beganAt: DateTime,
  /** Absent while it lasts. */
  endedAt: Type.Optional(DateTime),
})

/** What is wrong now, the longest first, and what was lately, the latest first. */
export type IncidentListData = Static<typeof IncidentListData>
export const IncidentListData = Dto('IncidentListData', { open: Type.Array(IncidentData), ended: Type.Array(IncidentData) })

/** Where incidents are told outside of the product. */
export type WebhookData = Static<typeof WebhookData>
export const WebhookData = Dto('WebhookData', {
  /** The host of the webhook's address, or the whole address of a mail; absent where there is neither. The address of a webhook is a secret that is never shown. */
  host: Type.Optional(Type.String()),
})

export type WebhookUploadData = Static<typeof WebhookUploadData>
export const WebhookUploadData = Dto('WebhookUploadData', { url: Text({ min: 1, max: 2000 }) }, ({ url }, fail) => {
  if (mailAddress.test(url)) return
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    fail({ text: 'url must begin with http:// or https://, or be mailto: and an address', rule: 'characters' }, 'url')
})
const mailAddress = /^mailto:[^\s@<>,;?]{1,64}@[^\s@<>,;?]{1,250}$/

/** What the clock of a device says. */
export type DeviceClockData = Static<typeof DeviceClockData>
export const DeviceClockData = Dto('DeviceClockData', { now: DateTime })
