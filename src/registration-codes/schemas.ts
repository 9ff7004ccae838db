// The wire forms of registration codes.
import { UserHeader } from '../accounts/schemas.ts'
import { Paginator, pageQuery } from '../core/http/paging.ts'
import { DateTime, Dto, Int, OneOf, StrictInt, Text, Type, type Static } from '../core/schema/schema.ts'

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

/** Codes to be made by the server. */
export type CodesOrderData = Static<typeof CodesOrderData>
export const CodesOrderData = Dto(
  'CodesOrderData',
  {
    count: StrictInt,
    /** What all of them begin with: a deck, a group. */
    prefix: Type.Optional(Text({ max: 2 })),
    /** They are given to users of the outside chat, one by one. */
    forDiscordUsers: Type.Optional(Type.Boolean()),
  },
  ({ count, prefix = '' }, fail) => {
    if (count < 1 || count > 5000) fail('count must be 1 to 5000', 'count')
    if (!/^[a-z0-9]*$/i.test(prefix)) fail('prefix must be letters from a to z, or digits', 'prefix')
  },
)

/** Codes that were made, and the address of the server for people, as cards have it. */
export type NewCodesData = Static<typeof NewCodesData>
export const NewCodesData = Dto('NewCodesData', { codes: Type.Array(Type.String()), serverURL: Type.String() })

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

/** A registration code, and whose it is. */
export type ListedCodeData = Static<typeof ListedCodeData>
export const ListedCodeData = Dto('ListedCodeData', {
  regCode: Type.String(),
  isForDiscordUser: Type.Boolean(),
  discordUsername: Type.Optional(Type.String()),
  /** The primary account of the person who has used it; absent while it is free. */
  user: Type.Optional(UserHeader),
  createdAt: DateTime,
})

/** Query of the list of codes. */
export const codeListQuery = {
  /** The beginning of a code, or a part of a name. */
  search: Type.Optional(Text({ max: 100 })),
  state: Type.Optional(OneOf(['free', 'used'])),
  kind: Type.Optional(OneOf(['people', 'discord'])),
  ...pageQuery,
}

export interface CodeListQuery {
  search?: string
  state?: 'free' | 'used'
  kind?: 'people' | 'discord'
  start?: number
  limit?: number
}

/** A page of codes, the newest first. */
export type CodeListData = Static<typeof CodeListData>
export const CodeListData = Dto('CodeListData', {
  codes: Type.Array(ListedCodeData),
  paginator: Paginator,
  /** The address of the server for people, as cards have it. */
  serverURL: Type.String(),
})

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
