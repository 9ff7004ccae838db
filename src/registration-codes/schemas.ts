// The wire forms of registration codes.
import { UserHeader } from '../accounts/schemas.ts'
import { Paginator } from '../core/http/paging.ts'
import { DateTime, Dto, Int, Text, Type, type Static } from '../core/schema/schema.ts'

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

/** A list of codes, one on a line. */
export type CodesUploadData = Static<typeof CodesUploadData>
export const CodesUploadData = Dto('CodesUploadData', { codes: Text({ min: 1, max: 500_000 }) })

/** What a list of codes adds. */
export type CodesDifferenceData = Static<typeof CodesDifferenceData>
export const CodesDifferenceData = Dto('CodesDifferenceData', {
  /** Not there yet. */
  newCodes: Int,
  knownCodes: Int,
  /** Numbers of the lines that are no codes: the first of them. */
  wrongLines: Type.Array(Int),
  /** How many there are. */
  wrongCount: Int,
})

/** Codes to be deleted: a list, one on a line, or all that nobody has used. Those that somebody has used always stay. */
export type CodesDeletionData = Static<typeof CodesDeletionData>
export const CodesDeletionData = Dto(
  'CodesDeletionData',
  { codes: Type.Optional(Text({ min: 1, max: 500_000 })), allUnused: Type.Optional(Type.Boolean()) },
  ({ codes, allUnused = false }, fail) => {
    if (codes === undefined ? !allUnused : allUnused || codes.trim() === '') fail('Give either codes or allUnused', 'codes')
  },
)

/** What became of codes that were to be deleted. */
export type CodesDeletedData = Static<typeof CodesDeletedData>
export const CodesDeletedData = Dto('CodesDeletedData', {
  deleted: Int,
  /** They belong to somebody, and stay. */
  used: Int,
  unknown: Int,
})

/** Codes that nobody has used. */
export type UnusedCodesData = Static<typeof UnusedCodesData>
export const UnusedCodesData = Dto('UnusedCodesData', { codes: Type.Array(Type.String()), paginator: Paginator })

/** A registration code and the accounts of its person, primary one first. */
export type RegistrationCodeUserData = Static<typeof RegistrationCodeUserData>
export const RegistrationCodeUserData = Dto('RegistrationCodeUserData', {
  users: Type.Array(UserHeader),
  regCode: Type.String(),
  isForDiscordUser: Type.Boolean(),
  discordUsername: Type.Optional(Type.String()),
  /** A code is good for one recovery of the password, until somebody unlocks it. */
  hasUsedRegCodeForPasswordRecovery: Type.Boolean(),
  /** Of the primary account. */
  accountCreatedAt: Type.Optional(DateTime),
})
