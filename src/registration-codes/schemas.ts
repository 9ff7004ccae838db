// The wire forms of registration codes.
import { UserHeader } from '../accounts/schemas.ts'
import { Dto, Int, Type, type Static } from '../core/schema/schema.ts'

/** How many registration codes there are and are used. Codes for users of the outside chat have numbers of their own. */
export type RegistrationCodeStatsData = Static<typeof RegistrationCodeStatsData>
export const RegistrationCodeStatsData = Dto('RegistrationCodeStatsData', {
  allocatedCodes: Int,
  usedCodes: Int,
  unusedCodes: Int,
  adminCodes: Int,
  allocatedDiscordCodes: Int,
  assignedDiscordCodes: Int,
  usedDiscordCodes: Int,
})

/** A registration code and the accounts of its person, primary one first. */
export type RegistrationCodeUserData = Static<typeof RegistrationCodeUserData>
export const RegistrationCodeUserData = Dto('RegistrationCodeUserData', {
  users: Type.Array(UserHeader),
  regCode: Type.String(),
  isForDiscordUser: Type.Boolean(),
  discordUsername: Type.Optional(Type.String()),
})
