// The wire forms of /auth.
import { looksLikeCode, normalizeCode } from './codes.ts'
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { usernameProblems } from '../text/usernames.ts'

/** Answer of login and recovery. The token is absent for a page that has its session in a cookie. */
export type TokenStringData = Static<typeof TokenStringData>
export const TokenStringData = Dto('TokenStringData', {
  userID: Uuid,
  accessLevel: OneOf(accessLevels),
  token: Type.Optional(Type.String()),
})

/** A browser in which the caller is signed in. */
export type SessionData = Static<typeof SessionData>
export const SessionData = Dto('SessionData', {
  sessionID: Uuid,
  /** The kind of browser and system, for people. */
  device: Type.String(),
  createdAt: DateTime,
  lastSeenAt: DateTime,
  /** The one that asks. */
  isCurrent: Type.Boolean(),
})

/** Where the caller is signed in. */
export type SessionListData = Static<typeof SessionListData>
export const SessionListData = Dto('SessionListData', {
  sessions: Type.Array(SessionData),
  /** Whether apps are, which all share one token. */
  appsSignedIn: Type.Boolean(),
})

/** What a program may do with a token: everything that its account may, or only read. */
const TokenScope = OneOf(['all', 'read'] as const)

/** A token that the caller has made for a program. */
export type ProgramTokenData = Static<typeof ProgramTokenData>
export const ProgramTokenData = Dto('ProgramTokenData', {
  tokenID: Uuid,
  name: Type.String(),
  scope: TokenScope,
  createdAt: DateTime,
  /** When it was last used, to the hour. */
  lastSeenAt: DateTime,
  expiresAt: DateTime,
})

export type ProgramTokenListData = Static<typeof ProgramTokenListData>
export const ProgramTokenListData = Dto('ProgramTokenListData', { tokens: Type.Array(ProgramTokenData) })

/** A token that was just made. */
export type NewTokenData = Static<typeof NewTokenData>
export const NewTokenData = Dto('NewTokenData', {
  ...ProgramTokenData.properties,
  /** It begins with `qd_`, goes where the token of an app would, and is shown this once. */
  token: Type.String(),
})

/** Asks for a token. */
export type TokenRequestData = Static<typeof TokenRequestData>
export const TokenRequestData = Dto('TokenRequestData', {
  /** By which its owner knows it again. */
  name: Text({ min: 1, max: 60 }),
  scope: TokenScope,
  /** After so many it ends. */
  days: Type.Integer({ minimum: 1, maximum: 366 }),
})

/** The second factor of the caller's account. */
export type SecondFactorData = Static<typeof SecondFactorData>
export const SecondFactorData = Dto('SecondFactorData', {
  isOn: Type.Boolean(),
  /** The caller is of the team, and has its rights only with a second factor. */
  isNeeded: Type.Boolean(),
  /** Since when it is asked for. */
  confirmedAt: Type.Optional(DateTime),
  /** So many codes are left that can take the place of the digits. */
  recoveryCodesLeft: Int,
})

/** Shows the password again. */
export type OwnPasswordData = Static<typeof OwnPasswordData>
export const OwnPasswordData = Dto('OwnPasswordData', { currentPassword: Text() })

/** A second factor that is being set up. */
export type SecondFactorSetupData = Static<typeof SecondFactorSetupData>
export const SecondFactorSetupData = Dto('SecondFactorSetupData', {
  /** To be typed into an app for such digits, in base32. */
  secret: Type.String(),
  /** The same for a QR code: `otpauth://`. */
  address: Type.String(),
})

/** Six digits of an app, or a code in their place. */
export const FactorCode = Text({ min: 6, max: 20 })

/** Puts a second factor in force. */
export type FactorCodeData = Static<typeof FactorCodeData>
export const FactorCodeData = Dto('FactorCodeData', {
  /** The six digits that the app shows now. */
  code: FactorCode,
})

/** Shows the password and the second factor again. */
export type PasswordAndCodeData = Static<typeof PasswordAndCodeData>
export const PasswordAndCodeData = Dto('PasswordAndCodeData', {
  currentPassword: Text(),
  /** The six digits that the app shows now, or a code in their place. */
  code: FactorCode,
})

export type RecoveryCodesData = Static<typeof RecoveryCodesData>
export const RecoveryCodesData = Dto('RecoveryCodesData', {
  /** Each takes the place of the digits once; never shown again. */
  recoveryCodes: Type.Array(Type.String()),
})

/** Why the session of this browser is over. */
export type SessionEndData = Static<typeof SessionEndData>
export const SessionEndData = Dto('SessionEndData', {
  /** Somebody ended it on purpose from elsewhere, as its person or as a moderator: the browser forgets what it keeps of the account. */
  isSignedOut: Type.Boolean(),
})

/** Asks for a forgotten name. `recoveryKey`: also the password; not needed at the desk. */
export type UsernameQueryData = Static<typeof UsernameQueryData>
export const UsernameQueryData = Dto(
  'UsernameQueryData',
  {
    /** Six letters or digits; spaces do not count. */
    registrationCode: Text({ max: 200 }),
    /** The password or the recovery key. */
    recoveryKey: Type.Optional(Text({ min: 6, max: 500 })),
  },
  ({ registrationCode, recoveryKey }, fail) => {
    if (!looksLikeCode(normalizeCode(registrationCode)))
      fail({ text: 'A registration code has 6 letters and digits', rule: 'characters' }, 'registrationCode')
    if (recoveryKey !== undefined && looksLikeCode(normalizeCode(recoveryKey)))
      fail('This looks like a registration code: the password or the recovery key is needed, too', 'recoveryKey')
  },
)

/** A new password, as every request that sets one has it. Apps may set up to 50 characters, see new-password.service.ts. */
export const NewPassword = Text({ min: 6, max: 256 })

/** Whether a new password signs the apps out, too. The host may want it of everybody. */
export const SignOutApps = Type.Optional(Type.Boolean())

/** `recoveryKey` is the registration code, the password or the recovery key. */
export type UserRecoveryData = Static<typeof UserRecoveryData>
export const UserRecoveryData = Dto(
  'UserRecoveryData',
  {
    username: Text(),
    recoveryKey: Text({ min: 6, max: 500 }),
    newPassword: NewPassword,
    signOutApps: SignOutApps,
  },
  ({ username }, fail) => {
    for (const problem of usernameProblems(username)) fail(problem, 'username')
  },
)
