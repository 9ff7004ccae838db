// The wire forms of /auth/passkeys. What browsers send is named as in WebAuthn; bytes are base64url.
import { FactorCode } from '../auth/schemas.ts'
import { DateTime, Dto, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'

const Base64Url = (max: number) => Text({ min: 1, max })

/** What a passkey is to sign. */
export type PasskeyChallengeData = Static<typeof PasskeyChallengeData>
export const PasskeyChallengeData = Dto('PasskeyChallengeData', {
  challenge: Type.String(),
  /** To be sent back with what it has signed, within five minutes. */
  state: Type.String(),
})

/** Shows that somebody may add a passkey. */
export type PasskeyOrderData = Static<typeof PasskeyOrderData>
export const PasskeyOrderData = Dto('PasskeyOrderData', {
  currentPassword: Text(),
  /** Of the account's second factor, where it has one. */
  code: Type.Optional(FactorCode),
})

/** What a device needs to make a passkey. */
export type PasskeyOptionsData = Static<typeof PasskeyOptionsData>
export const PasskeyOptionsData = Dto('PasskeyOptionsData', {
  challenge: Type.String(),
  state: Type.String(),
  /** Whom it is for: `user.id` of WebAuthn. */
  userHandle: Type.String(),
  /** Those that there are: a device with one of them makes no other. */
  known: Type.Array(Type.String()),
})

/** A passkey that a device has made: a `PublicKeyCredential` as JSON. */
export type PasskeyCreateData = Static<typeof PasskeyCreateData>
export const PasskeyCreateData = Dto('PasskeyCreateData', {
  state: Text({ max: 500 }),
  /** What its owner calls it: a device. */
  name: Text({ min: 1, max: 50 }),
  credential: Type.Object({
    id: Base64Url(1400),
    response: Type.Object({ clientDataJSON: Base64Url(4000), attestationObject: Base64Url(20_000) }),
  }),
})

/** What a passkey has signed: a `PublicKeyCredential` as JSON. */
export type PasskeyLoginData = Static<typeof PasskeyLoginData>
export const PasskeyLoginData = Dto('PasskeyLoginData', {
  state: Text({ max: 500 }),
  credential: Type.Object({
    id: Base64Url(1400),
    response: Type.Object({
      clientDataJSON: Base64Url(4000),
      authenticatorData: Base64Url(4000),
      signature: Base64Url(4000),
      userHandle: Type.Optional(Base64Url(100)),
    }),
  }),
})

/** A passkey of the caller. */
export type PasskeyData = Static<typeof PasskeyData>
export const PasskeyData = Dto('PasskeyData', {
  passkeyID: Uuid,
  name: Type.String(),
  /** The host name of the pages that it is for. */
  host: Type.String(),
  createdAt: DateTime,
  lastUsedAt: Type.Optional(DateTime),
})

export type PasskeyListData = Static<typeof PasskeyListData>
export const PasskeyListData = Dto('PasskeyListData', { passkeys: Type.Array(PasskeyData) })
