// Wire forms of notices for devices whose app is closed.
import { ECDH } from 'node:crypto'
import { IANAZone } from 'luxon'
import { Dto, OneOf, Text, Type, type Static } from '../core/schema/schema.ts'
import { notificationTypes } from '../notices/schemas.ts'

/** Whether the host offers it. */
export type PushOfferData = Static<typeof PushOfferData>
export const PushOfferData = Dto('PushOfferData', {
  /** For `pushManager.subscribe`; absent: the host does not offer it. */
  publicKey: Type.Optional(Type.String()),
  /** Whether notices say what was written; otherwise only of what kind they are. */
  hasTexts: Type.Boolean(),
})

const time = /^([01]\d|2[0-3]):[0-5]\d$/

const base64url = /^[\w-]+$/

/** A point of the curve that push services use: nothing could be encrypted for another one. */
function isPublicKey(key: string): boolean {
  if (!base64url.test(key) || Buffer.from(key, 'base64url').length !== 65) return false
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url', 'base64url', 'compressed')
    return true
  } catch {
    return false
  }
}

/** A subscription of a browser (`PushSubscription`), and which notices it is for. */
export type PushDeviceData = Static<typeof PushDeviceData>
export const PushDeviceData = Dto(
  'PushDeviceData',
  {
    endpoint: Text({ min: 1, max: 1000 }),
    p256dh: Text({ min: 80, max: 100 }),
    auth: Text({ min: 20, max: 30 }),
    types: Type.Array(OneOf(notificationTypes), { maxItems: notificationTypes.length }),
    /** Nothing comes between these times, as `22:30`, by the clock of the device. */
    quietFrom: Type.Optional(Text({ max: 5 })),
    quietTo: Type.Optional(Text({ max: 5 })),
    timeZone: Type.Optional(Text({ max: 100 })),
  },
  ({ p256dh, auth, quietFrom, quietTo, timeZone }, fail) => {
    if (!isPublicKey(p256dh)) fail({ text: 'p256dh is no key of a push subscription', rule: 'characters' }, 'p256dh')
    if (!base64url.test(auth) || Buffer.from(auth, 'base64url').length !== 16)
      fail({ text: 'auth is no secret of a push subscription', rule: 'characters' }, 'auth')
    for (const [name, value] of [
      ['quietFrom', quietFrom],
      ['quietTo', quietTo],
    ] as const)
      if (value !== undefined && !time.test(value)) fail({ text: `${name} must look like 22:30`, rule: 'characters' }, name)
    if ((quietFrom === undefined) !== (quietTo === undefined))
      fail({ text: 'quietFrom and quietTo belong together', rule: 'empty' }, 'quietTo')
    if (timeZone !== undefined && !IANAZone.isValidZone(timeZone))
      fail({ text: 'timeZone is no time zone', rule: 'not_allowed' }, 'timeZone')
  },
)
