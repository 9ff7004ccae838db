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
  /** The host of the webhook's address, the whole address of a mail, or `script:`; absent where there is none of them. The address of a webhook is a secret that is never shown. */
  host: Type.Optional(Type.String()),
  /** Warnings wait from then on, as `HH:MM` by the ship's clock; absent where they never do. */
  quietFrom: Type.Optional(Type.String()),
  /** And until then, the next day too. */
  quietTo: Type.Optional(Type.String()),
})

/** Quiet hours: warnings are not sent until they end; incidents that are bad are sent at once. Without both times there are none. */
export type QuietHoursData = Static<typeof QuietHoursData>
export const QuietHoursData = Dto(
  'QuietHoursData',
  { quietFrom: Type.Optional(Text({ max: 5 })), quietTo: Type.Optional(Text({ max: 5 })) },
  ({ quietFrom, quietTo }, fail) => {
    for (const [field, time] of Object.entries({ quietFrom, quietTo }))
      if (time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
        fail({ text: `${field} must be a time such as 22:00`, rule: 'characters' }, field)
    if ((quietFrom === undefined) !== (quietTo === undefined))
      fail({ text: 'quietFrom and quietTo go together', rule: 'empty' }, quietFrom === undefined ? 'quietFrom' : 'quietTo')
    else if (quietFrom !== undefined && quietFrom === quietTo)
      fail({ text: 'quietTo must be another time than quietFrom', rule: 'not_allowed' }, 'quietTo')
  },
)

export type WebhookUploadData = Static<typeof WebhookUploadData>
export const WebhookUploadData = Dto('WebhookUploadData', { url: Text({ min: 1, max: 2000 }) }, ({ url }, fail) => {
  if (url === scriptAddress || mailAddress.test(url)) return
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    fail({ text: 'url must begin with http:// or https://, be mailto: and an address, or script:', rule: 'characters' }, 'url')
})
/** The operator's own program. */
export const scriptAddress = 'script:'
const mailAddress = /^mailto:[^\s@<>,;?]{1,64}@[^\s@<>,;?]{1,250}$/

/** What the clock of a device says. */
export type DeviceClockData = Static<typeof DeviceClockData>
export const DeviceClockData = Dto('DeviceClockData', { now: DateTime })
