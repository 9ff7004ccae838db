// The wire forms of /auth.
import { Dto, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/viewer.ts'
import { usernameProblems } from '../text/usernames.ts'

/** Answer of login and recovery. */
export type TokenStringData = Static<typeof TokenStringData>
export const TokenStringData = Dto('TokenStringData', {
  userID: Uuid,
  accessLevel: OneOf(accessLevels),
  token: Type.String(),
})

/** A new password, as every request that sets one has it. */
export const NewPassword = Text({ min: 6, max: 50 })

/** `recoveryKey` is the registration code, the password or the recovery key. */
export type UserRecoveryData = Static<typeof UserRecoveryData>
export const UserRecoveryData = Dto(
  'UserRecoveryData',
  {
    username: Text(),
    recoveryKey: Text({ min: 6, max: 500 }),
    newPassword: NewPassword,
  },
  ({ username }, fail) => {
    for (const problem of usernameProblems(username)) fail(problem, 'username')
  },
)
