// Decides about each user in a bundle. Pure: the caller has read the database before.
import { isCheckable, whyUncheckable } from '../auth/passwords.ts'
import { normalizeCode } from '../auth/codes.ts'
import { AppError } from '../core/base/errors.ts'
import type { Decoder } from '../core/schema/decode.ts'
import type { PerformerUploadData } from '../performers/schemas.ts'
import { usernameKey } from '../text/usernames.ts'
import type { BulkUserUpdateCounts, BulkUserUpdateVerificationData, UserSaveRestoreData } from './schemas.ts'

/** Names and codes that the database has, official performers, and events. */
export interface Known extends KnownUsers {
  officialNames: ReadonlySet<string>
  /** By uid: whether they need a photographer. */
  events: ReadonlyMap<string, boolean>
}

/** Names and codes that the database has. */
export interface KnownUsers {
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
  officialPerformers: PerformerUploadData[]
  /** Uids of events. */
  photoWishes: string[]
  codes: { code: string; personId: string; usedForRecovery: boolean }[]
  favorites: { accountId: string; favoriteId: string }[]
  report: Omit<BulkUserUpdateVerificationData, 'changesApplied'>
}

/** The records of a list of a bundle that can be understood, and what is wrong with the others. */
export interface Understood<T> {
  readonly records: readonly T[]
  /** The first of them. */
  readonly faults: readonly string[]
  readonly faultCount: number
}

/** More than anybody reads; the others are only counted. */
const maxFaults = 1000
const maxFaultLength = 500

/** All that is in a bundle. */
export interface Bundled {
  users: Understood<UserSaveRestoreData>
  performers: Understood<PerformerUploadData>
  /** Uids of events that need a photographer. */
  photoWishes: Understood<string>
}

/** Tells the records of a list that are right from those that are not, as they come. */
export class Understanding<T> implements Understood<T> {
  readonly records: T[] = []
  readonly faults: string[] = []
  #count = 0
  readonly #list: string
  readonly #decode: Decoder<T>

  constructor(list: string, decode: Decoder<T>) {
    this.#list = list
    this.#decode = decode
  }

  take(record: unknown): void {
    const index = this.#count++
    try {
      this.records.push(this.#decode(record, 'json'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (this.faults.length < maxFaults) this.faults.push(`${this.#list}.${index}: ${error.message.slice(0, maxFaultLength)}`)
    }
  }

  get faultCount(): number {
    return this.#count - this.records.length
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
  { users: understoodUsers, performers, photoWishes }: Bundled,
  known: Known,
  options: { maxAlternateAccounts: number; newId: () => string },
): Plan {
  const { records: users, faultCount } = understoodUsers
  const accounts = new Map([...known.accounts].map(([key, account]) => [key, { ...account }]))
  const usedCodes = new Map(known.codes)
  const { officialPerformers, performerCounts } = decidePerformers(performers, known.officialNames)
  const { wishes, needsPhotographerCounts, errors } = decideWishes(photoWishes, known.events)
  const report = {
    userCounts: { totalRecordsProcessed: users.length + faultCount, importedCount: 0, duplicateCount: 0, errorCount: faultCount },
    performerCounts,
    needsPhotographerCounts,
    regCodeConflicts: [] as string[],
    usernameConflicts: [] as string[],
    errorNotImported: [] as string[],
    otherErrors: [...[understoodUsers, performers, photoWishes].flatMap(faultsOf), ...errors],
  }
  const plan: Plan = { users: [], codes: [], favorites: [], officialPerformers, photoWishes: wishes, report }

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
    const why = whyUncheckable(data.password)
    if (why) report.otherErrors.push(`${username}: the password ${why}; it has to be recovered`)
    plan.users.push({
      id,
      personId,
      passwordHash: why ? noPassword : data.password,
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

/** Official performers whose names are new. */
function decidePerformers({ records, faultCount }: Understood<PerformerUploadData>, officialNames: ReadonlySet<string>) {
  const names = new Set(officialNames)
  const officialPerformers = records.filter(({ name }) => !names.has(name.trim()) && names.add(name.trim()))
  return { officialPerformers, performerCounts: countsOf(records.length, officialPerformers.length, faultCount) }
}

/** Events that are here and do not need a photographer yet. */
function decideWishes({ records, faultCount }: Understood<string>, events: ReadonlyMap<string, boolean>) {
  const unknown = records.filter((uid) => !events.has(uid))
  const wishes = [...new Set(records.filter((uid) => events.get(uid) === false))]
  return {
    wishes,
    needsPhotographerCounts: countsOf(records.length - unknown.length, wishes.length, faultCount + unknown.length),
    errors: unknown.length > 0 ? [`${unknown.length} events that need a photographer are not in the schedule here.`] : [],
  }
}

const countsOf = (right: number, imported: number, wrong: number): BulkUserUpdateCounts => ({
  totalRecordsProcessed: right + wrong,
  importedCount: imported,
  duplicateCount: right - imported,
  errorCount: wrong,
})

function faultsOf({ faults, faultCount }: Understood<unknown>): string[] {
  return [...faults, ...(faultCount > faults.length ? [`${faultCount - faults.length} more records cannot be read.`] : [])]
}

function codeOf({ verification }: UserSaveRestoreData): { code: string; usedForRecovery: boolean } {
  return { code: normalizeCode(verification.replace(/^\*/, '')), usedForRecovery: verification.startsWith('*') }
}
