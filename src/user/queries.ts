// Statements about one's own accounts: creating, verifying, renaming.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'
import { looksOf, usernameKey, userSearchOf } from '../text/usernames.ts'

export interface NewAccount {
  id: string
  /** Its own id for a primary account. */
  personId: string
  username: string
  level: UserAccessLevel
  passwordHash: string
  recoveryKeyHash: string | null
  tempQuarantineUntil?: Date | null
  /** Built in: name and level stay. */
  special?: boolean
  now: Date
}

/** Writes a new account; false when its name is taken, or looks like one that is. */
export async function insertAccount(sql: Sql, account: NewAccount): Promise<boolean> {
  const { id, personId, username, level, passwordHash, recoveryKeyHash, tempQuarantineUntil = null, special = false, now } = account
  // A name that is built in is there whatever others look like; `completeLooks` comes after it.
  const { look, foldedLook } = special ? { look: null, foldedLook: null } : looksOf(username)
  const result = await sql`
    insert into account (id, person_id, username, username_key, look, folded_look, level, password_hash, recovery_key_hash,
      temp_quarantine_until, special, user_search, profile_updated_at, created_at)
    values (${id}, ${personId}, ${username}, ${usernameKey(username)}, ${look}, ${foldedLook}, ${level}, ${passwordHash},
      ${recoveryKeyHash}, ${tempQuarantineUntil}, ${special},
      ${userSearchOf({ username })}, ${now}, ${now})
    on conflict do nothing`
  return result.count > 0
}

/** True also for a name that looks like another. */
export async function usernameTaken(sql: Sql, username: string): Promise<boolean> {
  const { look, foldedLook } = looksOf(username)
  const [row] =
    await sql`select from account where username_key = ${usernameKey(username)} or look = ${look} or folded_look = ${foldedLook}`
  return row !== undefined
}

/** A primary account of this name that was created since; `code` is empty when it has none. */
export async function selectCreated(sql: Sql, username: string, since: Date): Promise<CreatedRow | undefined> {
  const [row] = await sql<CreatedRow[]>`
    select id, username, recovery_key_hash, coalesce((select code from registration_code where person_id = account.id), '') as code
    from account where username_key = ${usernameKey(username)} and person_id = id and created_at > ${since}`
  return row
}

export interface CreatedRow {
  id: string
  username: string
  recoveryKeyHash: string | null
  code: string
}

/** A registration code, with the person it is bound to. Undefined when there is no such code. */
export async function selectCode(sql: Sql, code: string): Promise<{ personId: string | null } | undefined> {
  const [row] = await sql<{ personId: string | null }[]>`select person_id from registration_code where code = ${code}`
  return row
}

/** The code that is bound to a person. */
export async function selectCodeOf(sql: Sql, personId: string): Promise<string | undefined> {
  const [row] = await sql<{ code: string }[]>`select code from registration_code where person_id = ${personId}`
  return row?.code
}

/** Binds a free code; false when it is not free, or not there. */
export async function bindCode(sql: Sql, code: string, personId: string): Promise<boolean> {
  const result = await sql`update registration_code set person_id = ${personId} where code = ${code} and person_id is null`
  return result.count > 0
}

/** A primary account with what its sub-accounts share. */
export interface PersonRow {
  id: string
  level: UserAccessLevel
  recoveryKeyHash: string | null
  tempQuarantineUntil: Date | null
  code: string | null
  subAccounts: number
}

/** Locks a primary account: what happens to a person happens one after another. Undefined when they have deleted it. */
export async function lockPerson(sql: Sql, personId: string): Promise<PersonRow | undefined> {
  // A statement of its own: one that has waited for a lock still counts rows as they were before.
  await sql`select from account where id = ${personId} for no key update`
  const [row] = await sql<PersonRow[]>`
    select id, level, recovery_key_hash, temp_quarantine_until,
      (select code from registration_code where person_id = account.id) as code,
      (select count(*)::int from account as sub where sub.person_id = account.id and sub.id <> account.id) as sub_accounts
    from account where id = ${personId} and deleted_at is null`
  return row
}

/** Makes every unverified account of a person verified; returns them. */
export async function verifyPerson(sql: Sql, personId: string): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    update account set level = 'verified', rev = rev + 1 where person_id = ${personId} and level = 'unverified'
      returning ${accountColumns(sql)}`
}

/** Gives all accounts of a person another recovery key. `passwordHash`: of the primary account; false when it changed meanwhile. */
export async function updateRecoveryKey(
  sql: Sql,
  personId: string,
  { passwordHash, recoveryKeyHash }: { passwordHash: string; recoveryKeyHash: string },
): Promise<boolean> {
  const result = await sql`
    update account set recovery_key_hash = ${recoveryKeyHash} where person_id = ${personId} and deleted_at is null
      and exists (select from account as first where first.id = ${personId} and first.password_hash = ${passwordHash})`
  return result.count > 0
}

/** Whether a person has an account above this level. */
export async function hasHigherAccount(sql: Sql, personId: string, level: UserAccessLevel): Promise<boolean> {
  const [row] =
    await sql`select from account where person_id = ${personId} and deleted_at is null and level > ${level}::access_level limit 1`
  return row !== undefined
}

/** Replaces a password that is still the expected one; false when it changed meanwhile. */
export async function replacePasswordHash(sql: Sql, accountId: string, before: string, after: string): Promise<boolean> {
  const result = await sql`update account set password_hash = ${after} where id = ${accountId} and password_hash = ${before}`
  return result.count > 0
}
