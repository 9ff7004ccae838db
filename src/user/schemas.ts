// The wire forms of /user.
import { userRoles } from '../accounts/types.ts'
import { NewPassword, SignOutApps } from '../auth/schemas.ts'
import { UserHeader } from '../accounts/schemas.ts'
import { looksLikeCode, normalizeCode } from '../auth/codes.ts'
import { Dto, OneOf, Text, Type, Uuid, type ObjectRules, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { newUsernameProblems } from '../text/usernames.ts'

export type CurrentUserData = Static<typeof CurrentUserData>
export const CurrentUserData = Dto('CurrentUserData', {
  userID: Uuid,
  username: Type.String(),
  isLoggedIn: Type.Boolean(),
  accessLevel: OneOf(accessLevels),
  roles: Type.Array(OneOf(userRoles)),
  /** Present for all accounts of a person but the first. */
  isSubAccount: Type.Optional(Type.Boolean()),
  /** The account is of the team, and has its rights only once it has a second factor. */
  needsSecondFactor: Type.Optional(Type.Boolean()),
})

const usernameRules: ObjectRules<{ username: string }> = ({ username }, fail) => {
  for (const problem of newUsernameProblems(username)) fail(problem, 'username')
}

/** Creates an account, or a sub-account: then `verification` means nothing. */
export type UserCreateData = Static<typeof UserCreateData>
export const UserCreateData = Dto(
  'UserCreateData',
  {
    username: Text(),
    password: NewPassword,
    verification: Type.Optional(Text()),
  },
  (user, fail, nowMs) => {
    usernameRules(user, fail, nowMs)
    const code = normalizeCode((user.verification ?? '').slice(0, 100))
    if (code !== '' && !looksLikeCode(code))
      fail({ text: 'verification must be a registration code of 6 letters and numbers', rule: 'characters' }, 'verification')
  },
)

export type CreatedUserData = Static<typeof CreatedUserData>
export const CreatedUserData = Dto('CreatedUserData', {
  userID: Uuid,
  username: Type.String(),
  /** Three words; never shown again. */
  recoveryKey: Type.String(),
})

export type AddedUserData = Static<typeof AddedUserData>
export const AddedUserData = Dto('AddedUserData', { userID: Uuid, username: Type.String() })

export type UserVerifyData = Static<typeof UserVerifyData>
export const UserVerifyData = Dto('UserVerifyData', { verification: Text({ min: 6, max: 7 }) })

export type UserPasswordData = Static<typeof UserPasswordData>
export const UserPasswordData = Dto('UserPasswordData', {
  currentPassword: Text(),
  newPassword: NewPassword,
  signOutApps: SignOutApps,
})

/** Asks for a new recovery key. */
export type RecoveryKeyQueryData = Static<typeof RecoveryKeyQueryData>
export const RecoveryKeyQueryData = Dto('RecoveryKeyQueryData', { currentPassword: Text() })

export type RecoveryKeyData = Static<typeof RecoveryKeyData>
export const RecoveryKeyData = Dto('RecoveryKeyData', {
  /** Three words; never shown again. */
  recoveryKey: Type.String(),
})

export type UserUsernameData = Static<typeof UserUsernameData>
export const UserUsernameData = Dto('UserUsernameData', { username: Text() }, usernameRules)

/** The whole list of an account's alertwords or mutewords, in order. */
export type KeywordData = Static<typeof KeywordData>
export const KeywordData = Dto('KeywordData', { keywords: Type.Array(Type.String()) })

export const BarrelName = Text({ min: 1, max: 100 })

/** The index on a barrel's words holds no longer ones. */
export const fitsBarrel = (word: string): boolean => Buffer.byteLength(word) <= 1000

/** A word list when there is a `stringList`, otherwise a list of users. */
export type BarrelCreateData = Static<typeof BarrelCreateData>
export const BarrelCreateData = Dto(
  'BarrelCreateData',
  {
    name: BarrelName,
    uuidList: Type.Optional(Type.Array(Uuid)),
    stringList: Type.Optional(Type.Array(Text({ min: 1 }))),
  },
  ({ uuidList, stringList }, fail) => {
    if (uuidList && stringList) fail('a barrel has users or words, not both')
    for (const [index, word] of (stringList ?? []).entries()) if (!fitsBarrel(word)) fail('the text is too long', `stringList.${index}`)
  },
)

export type BarrelData = Static<typeof BarrelData>
export const BarrelData = Dto('BarrelData', {
  barrelID: Uuid,
  name: Type.String(),
  /** Empty for word lists. */
  seamonkeys: Type.Array(UserHeader),
  /** Word lists only. */
  stringList: Type.Optional(Type.Array(Type.String())),
})

export type BarrelListData = Static<typeof BarrelListData>
export const BarrelListData = Dto('BarrelListData', { barrelID: Uuid, name: Type.String() })
