// Decides about each user in a bundle. Pure: the caller has read the database before.
import { isCheckable } from '../auth/passwords.ts'
import { normalizeCode } from '../auth/codes.ts'
import { AppError } from '../core/errors.ts'
import type { Decoder } from '../core/schema/decode.ts'
import { usernameKey } from '../text/usernames.ts'
import type { BulkUserUpdateCounts, BulkUserUpdateVerificationData, UserSaveRestoreData } from './schemas.ts'

/** Names and codes that the database has. */
export interface Known {
  /** By the key of the username. */
  accounts: ReadonlyMap<string, KnownAccount>
  /** True for codes that are somebody's. */
  codes: ReadonlyMap<string, boolean>
}

export interface KnownAccount {
  id: string
  personId: string
  code: string | null
  subAccounts: number
}

/** An account to be made. */
export interface NewUser {
  id: string
  personId: string
  passwordHash: string
  recoveryKeyHash: string | null
  data: UserSaveRestoreData
}

export interface Plan {
  /** Primary accounts first. */
  users: NewUser[]
  codes: { code: string; personId: string; usedForRecovery: boolean }[]
  favorites: { accountId: string; favoriteId: string }[]
  report: Omit<BulkUserUpdateVerificationData, 'changesApplied'>
}

/** The users of a bundle that can be understood, and what is wrong with the others. */
export interface Understood {
  readonly users: readonly UserSaveRestoreData[]
  /** The first of them. */
  readonly faults: readonly string[]
  readonly faultCount: number
}

/** More than anybody reads; the others are only counted. */
const maxFaults = 1000
const maxFaultLength = 500

/** Tells the records of a bundle that are users from those that are not, as they come. */
export class Understanding implements Understood {
  readonly users: UserSaveRestoreData[] = []
  readonly faults: string[] = []
  #count = 0
  readonly #decode: Decoder<UserSaveRestoreData>

  constructor(decode: Decoder<UserSaveRestoreData>) {
    this.#decode = decode
  }

  take(record: unknown): void {
    const index = this.#count++
    try {
      this.users.push(this.#decode(record, 'json'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (this.faults.length < maxFaults) this.faults.push(`users.${index}: ${error.message.slice(0, maxFaultLength)}`)
    }
  }

  get faultCount(): number {
    return this.#count - this.users.length
  }
}

/** Every name and every code that a plan has to know about. */
export function mentioned(users: readonly UserSaveRestoreData[]): { usernames: Set<string>; codes: Set<string> } {
  return {
    usernames: new Set(
      users.flatMap(({ username, parentUsername, favoriteUsers }) => [
        username,
        ...(parentUsername ? [parentUsername] : []),
        ...favoriteUsers,
      ]),
    ),
    codes: new Set(users.map((user) => codeOf(user).code)),
  }
}

/** A password that nobody has. */
const noPassword = '-'
/** Of the levels, those that nobody can be given. */
const builtInLevels = new Set(['client', 'admin'])

/** Decides about each user, in order, primary accounts first. One user's failure does not affect the others. */
export function planImport(
  { users, faults, faultCount }: Understood,
  known: Known,
  options: { maxAlternateAccounts: number; newId: () => string },
): Plan {
  const accounts = new Map([...known.accounts].map(([key, account]) => [key, { ...account }]))
  const usedCodes = new Map(known.codes)
  const report = {
    userCounts: { totalRecordsProcessed: users.length + faultCount, importedCount: 0, duplicateCount: 0, errorCount: faultCount },
    performerCounts: nothing(),
    needsPhotographerCounts: nothing(),
    regCodeConflicts: [] as string[],
    usernameConflicts: [] as string[],
    errorNotImported: [] as string[],
    otherErrors: [...faults, ...(faultCount > faults.length ? [`${faultCount - faults.length} more records are no users.`] : [])],
  }
  const plan: Plan = { users: [], codes: [], favorites: [], report }

  function decide(data: UserSaveRestoreData): void {
    const { username } = data
    const { code, usedForRecovery } = codeOf(data)
    const refuse = (list: string[], why: string) => {
      list.push(`${username}: ${why}`)
      report.userCounts.errorCount++
    }
    const there = accounts.get(usernameKey(username))
    if (there?.code === code) return void report.userCounts.duplicateCount++
    if (there) return refuse(report.usernameConflicts, 'the username belongs to somebody with another registration code')
    if (!usedCodes.has(code)) return refuse(report.errorNotImported, 'the registration code does not exist here')
    if (builtInLevels.has(data.accessLevel)) return refuse(report.errorNotImported, `nobody can be given the level ${data.accessLevel}`)
    const parent = data.parentUsername ? accounts.get(usernameKey(data.parentUsername)) : undefined
    if (data.parentUsername) {
      if (!parent || parent.id !== parent.personId || parent.code !== code)
        return refuse(report.errorNotImported, `there is no primary account ${data.parentUsername} with the same registration code`)
      if (parent.subAccounts >= options.maxAlternateAccounts)
        return refuse(report.errorNotImported, `${data.parentUsername} has as many sub-accounts as are allowed`)
      parent.subAccounts++
    } else if (usedCodes.get(code)) return refuse(report.regCodeConflicts, "the registration code is somebody else's")

    const id = options.newId()
    const personId = parent?.id ?? id
    usedCodes.set(code, true)
    accounts.set(usernameKey(username), { id, personId, code, subAccounts: 0 })
    if (!parent) plan.codes.push({ code, personId, usedForRecovery })
    if (!isCheckable(data.password)) report.otherErrors.push(`${username}: the password cannot be checked here; it has to be recovered`)
    plan.users.push({
      id,
      personId,
      passwordHash: isCheckable(data.password) ? data.password : noPassword,
      recoveryKeyHash: isCheckable(data.recoveryKey) ? data.recoveryKey : null,
      data,
    })
    report.userCounts.importedCount++
  }

  for (const user of users) if (!user.parentUsername) decide(user)
  for (const user of users) if (user.parentUsername) decide(user)
  for (const { id, data } of plan.users) {
    for (const name of new Set(data.favoriteUsers.map(usernameKey))) {
      const favorite = accounts.get(name)
      if (favorite && favorite.id !== id) plan.favorites.push({ accountId: id, favoriteId: favorite.id })
    }
  }
  return plan
}

/** Records of kinds that this server has no place for. */
export function notTaken({
  performers,
  photographers,
}: {
  performers: number
  photographers: number
}): Pick<BulkUserUpdateVerificationData, 'performerCounts' | 'needsPhotographerCounts'> & { faults: string[] } {
  return {
    performerCounts: { ...nothing(), totalRecordsProcessed: performers, errorCount: performers },
    needsPhotographerCounts: { ...nothing(), totalRecordsProcessed: photographers, errorCount: photographers },
    faults: [
      ...(performers > 0 ? ['Performers are not imported.'] : []),
      ...(photographers > 0 ? ['Requests for photographers are not imported.'] : []),
    ],
  }
}

function nothing(): BulkUserUpdateCounts {
  return { totalRecordsProcessed: 0, importedCount: 0, duplicateCount: 0, errorCount: 0 }
}

function codeOf({ verification }: UserSaveRestoreData): { code: string; usedForRecovery: boolean } {
  return { code: normalizeCode(verification.replace(/^\*/, '')), usedForRecovery: verification.startsWith('*') }
}
