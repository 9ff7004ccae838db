// Statements about access levels and temporary quarantine.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'

/** An account as rules about levels need it. */
export interface LevelRow extends AccountRow {
  /** Built in, or a client. */
  special: boolean
  tempQuarantineUntil: Date | null
}

const levelColumns = (sql: Sql) => sql`${accountColumns(sql)}, account.special, account.temp_quarantine_until`

/** All accounts of the person that an account belongs to: the primary one, then the others as they were made. */
export async function selectPersonOf(sql: Sql, accountId: string): Promise<LevelRow[]> {
  return await sql<LevelRow[]>`
    select ${levelColumns(sql)} from account where person_id = (select person_id from account where id = ${accountId})
    order by id <> person_id, created_at, id`
}

/** Locks all accounts of a person whose primary account is locked already: there will be no others. */
export async function lockAccountsOf(sql: Sql, personId: string): Promise<LevelRow[]> {
  return await sql<LevelRow[]>`select ${levelColumns(sql)} from account where person_id = ${personId} order by id for no key update`
}

/** Locks one account. */
export async function lockLevel(sql: Sql, accountId: string): Promise<LevelRow | undefined> {
  const [row] = await sql<LevelRow[]>`select ${levelColumns(sql)} from account where id = ${accountId} for no key update`
  return row
}

/** Gives a person's accounts up to `verified` another level, and ends the tokens of all. */
export async function updateLevelsOf(sql: Sql, personId: string, level: UserAccessLevel): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    update account set level = case when level <= 'verified' then ${level}::access_level else level end, token_nonce = null,
      token_digest = null, rev = rev + 1
    where person_id = ${personId} returning ${accountColumns(sql)}`
}

/** Ends the browser sessions of all accounts of a person. */
export async function deleteSessionsOfPerson(sql: Sql, personId: string): Promise<void> {
  await sql`delete from browser_session where account_id in (select id from account where person_id = ${personId})`
}

/** Sets or clears the temporary quarantine of all accounts of a person. */
export async function updateTempQuarantineOf(sql: Sql, personId: string, until: Date | null): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    update account set temp_quarantine_until = ${until}, rev = rev + 1 where person_id = ${personId} returning ${accountColumns(sql)}`
}

/** Gives one account another level. */
export async function updateLevel(sql: Sql, accountId: string, level: UserAccessLevel): Promise<AccountRow> {
  const [row] = await sql<[AccountRow]>`
    update account set level = ${level}, rev = rev + 1 where id = ${accountId} returning ${accountColumns(sql)}`
  return row
}

/** Accounts of the team at exactly this level, in order of username. */
export async function selectTeam(sql: Sql, level: 'moderator' | 'serviceteam' | 'tho'): Promise<AccountRow[]> {
  return await sql<
    AccountRow[]
  >`select ${accountColumns(sql)} from account where level = ${level} and level >= 'moderator' order by username_key`
}
