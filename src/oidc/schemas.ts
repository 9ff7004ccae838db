// The wire forms of /oidc.
import { DateTime, Dto, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** Whom the provider has sent back to this browser. */
export type OidcReturnData = Static<typeof OidcReturnData>
export const OidcReturnData = Dto('OidcReturnData', {
  /** The provider, as people call it. */
  provider: Type.String(),
  /** What the provider calls them. */
  name: Type.String(),
  /** The account that is connected with them; without one they have to make, or name, one. */
  username: Type.Optional(Type.String()),
  /** A user name that could be theirs; empty when the provider has none. */
  suggestedUsername: Type.String(),
  /** A new account needs no registration code. */
  verifies: Type.Boolean(),
  /** The page that they came from. */
  to: Type.String(),
})

/** Signs in as whom the provider has sent back. */
export type OidcLoginData = Static<typeof OidcLoginData>
export const OidcLoginData = Dto('OidcLoginData', {
  /** Of the account's second factor, where it has one. */
  code: Type.Optional(Text({ max: 20 })),
})

/** One way to sign in without the password. */
export type OidcIdentityData = Static<typeof OidcIdentityData>
export const OidcIdentityData = Dto('OidcIdentityData', {
  identityID: Uuid,
  /** The address of the provider. */
  issuer: Type.String(),
  /** What it calls them. */
  name: Type.String(),
  createdAt: DateTime,
  lastUsedAt: DateTime,
})

export type OidcIdentityListData = Static<typeof OidcIdentityListData>
export const OidcIdentityListData = Dto('OidcIdentityListData', { identities: Type.Array(OidcIdentityData) })
