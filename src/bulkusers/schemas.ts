// The wire forms of users who travel between servers.
import { userRoles } from '../accounts/types.ts'
import { Dto, Int, OneOf, Text, Type, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { usernameProblems } from '../text/usernames.ts'
import { PerformerUploadData } from '../performers/schemas.ts'
import { dinnerTeams } from '../users/schemas.ts'

const optional = (max: number) => Type.Optional(Text({ max }))

/** An account with everything that a server needs to go on with it. */
export type UserSaveRestoreData = Static<typeof UserSaveRestoreData>
export const UserSaveRestoreData = Dto(
  'UserSaveRestoreData',
  {
    username: Text({ max: 50 }),
    /** Hashes. */
    password: Text({ max: 500 }),
    recoveryKey: Text({ max: 500 }),
    /** The registration code of the person, with an asterisk before it when it was used for recovery. */
    verification: Text({ max: 50 }),
    accessLevel: OneOf(accessLevels, { ignoreCase: true }),
    roles: Type.Array(OneOf(userRoles, { ignoreCase: true })),
    /** Ids of events in the schedule's own file. */
    favoriteEvents: Type.Array(Text({ max: 500 })),
    photographerEvents: Type.Array(Text({ max: 500 })),
    /** Usernames. */
    favoriteUsers: Type.Array(Text({ max: 50 })),
    displayName: optional(50),
    realName: optional(50),
    /** Name of a picture in the same bundle. */
    userImage: optional(100),
    about: optional(400),
    email: optional(50),
    homeLocation: optional(50),
    message: optional(80),
    preferredPronoun: optional(50),
    roomNumber: optional(20),
    dinnerTeam: Type.Optional(OneOf(dinnerTeams)),
    discordUsername: optional(200),
    /** Of a sub-account: the primary account. */
    parentUsername: optional(50),
    /** The page of a user who organises something; its photo is the name of a picture in the same bundle. */
    performer: Type.Optional(PerformerUploadData),
  },
  ({ username }, fail) => {
    for (const problem of usernameProblems(username)) fail(problem, 'username')
  },
)

/** How many records of a kind there were, and what became of them. */
export type BulkUserUpdateCounts = Static<typeof BulkUserUpdateCounts>
export const BulkUserUpdateCounts = Dto('BulkUserUpdateCounts', {
  totalRecordsProcessed: Int,
  importedCount: Int,
  duplicateCount: Int,
  errorCount: Int,
})

/** The outcome of an import, or of its verification. */
export type BulkUserUpdateVerificationData = Static<typeof BulkUserUpdateVerificationData>
export const BulkUserUpdateVerificationData = Dto('BulkUserUpdateVerificationData', {
  changesApplied: Type.Boolean(),
  userCounts: BulkUserUpdateCounts,
  performerCounts: BulkUserUpdateCounts,
  needsPhotographerCounts: BulkUserUpdateCounts,
  /** Each names a user and says what the matter is. */
  regCodeConflicts: Type.Array(Type.String()),
  usernameConflicts: Type.Array(Type.String()),
  errorNotImported: Type.Array(Type.String()),
  otherErrors: Type.Array(Type.String()),
})

/** Pictures of imported users that are still to be processed, and those that could not be. */
export type BulkUserImagesData = Static<typeof BulkUserImagesData>
export const BulkUserImagesData = Dto('BulkUserImagesData', { waiting: Int, failed: Int })
