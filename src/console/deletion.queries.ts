// Statements that delete a person's accounts: what is theirs goes, what others read stays without their name.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { DeclaredTable } from '../core/db/tables.ts'

/** An account that is about to go. */
export interface LeavingAccount extends AccountRow {
  special: boolean
}

/** All accounts of a person, locked until the transaction ends; the primary one first. */
export async function lockLeaving(sql: Sql, personId: string): Promise<LeavingAccount[]> {
  // Without the primary account nobody can add another one.
  await sql`select from account where id = ${personId} for update`
  return await sql<LeavingAccount[]>`
    select ${accountColumns(sql)}, account.special from account where person_id = ${personId} and deleted_at is null
    order by id <> person_id, id for update`
}

/** Deletes what nobody else has a use for, as each table declares it. */
export async function deleteOwnRows(sql: Sql, tables: readonly DeclaredTable[], accountIds: readonly string[]): Promise<void> {
  const theirs = (column: string) => sql`${sql(column)} = any (${accountIds}::uuid[])`
  await sql`delete from performer_event where performer_id in (select id from performer where ${theirs('account_id')})`
  for (const { name, persons = {} } of tables)
    for (const [column, onDeletion] of Object.entries(persons))
      if (onDeletion === 'removed') await sql`delete from ${sql(name)} where ${theirs(column)}`
  // Whoever has used a code cannot use it again; its user of a chat elsewhere is forgotten.
  await sql`update registration_code set chat_username = null where ${theirs('person_id')}`
}

/** Takes their photos and their items off for everybody; returns the names of the pictures of these, and of their profiles. */
export async function deletePictures(sql: Sql, accountIds: readonly string[], now: Date): Promise<string[]> {
  const gone = await sql<{ image: string }[]>`
    update stream_photo set deleted_at = ${now} where author_id = any (${accountIds}::uuid[]) and deleted_at is null returning image`
  const items = await sql<{ image: string | null }[]>`
    update quartermaster_item set deleted_at = ${now} where owner_id = any (${accountIds}::uuid[]) and deleted_at is null returning image`
  const own = await sql<{ image: string }[]>`
    select user_image as image from account where id = any (${accountIds}::uuid[]) and user_image is not null
    union select photo from performer where account_id = any (${accountIds}::uuid[]) and photo is not null`
  return [...gone, ...items, ...own].flatMap(({ image }) => image ?? [])
}

/** Files that were made for them with their own data. */
export async function selectOwnDataFiles(sql: Sql, accountIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ file: string }[]>`
    select input->>'file' as file from operation where kind = 'own-data' and person_id = any (${accountIds}::uuid[])`
  return rows.map(({ file }) => file)
}

/** Takes name, profile, password and rights from an account. */
export async function anonymizeAccount(sql: Sql, accountId: string, username: string, now: Date): Promise<AccountRow> {
  const [row] = await sql<[AccountRow]>`
    update account set username = ${username}, username_key = lower(${username}), look = null, folded_look = null, user_search = '',
      level = 'unverified', roles = '{}', password_hash = '', recovery_key_hash = null, recovery_failures = 0, temp_quarantine_until = null,
      token_nonce = null, token_digest = null, moderation_status = 'normal', display_name = null, real_name = null,
      preferred_pronoun = null, home_location = null, room_number = null, email = null, message = null, about = null,
      dinner_team = null, discord_username = null, user_image = null, profile_updated_at = ${now}, rev = rev + 1,
      deleted_at = ${now}
    where id = ${accountId} returning ${accountColumns(sql)}`
  return row
}

/** How many groups of theirs are still to take place. */
export async function countOwnGroups(sql: Sql, accountIds: readonly string[], floatingNow: Date): Promise<number> {
  const [row] = await sql<[{ n: number }]>`
    select count(*)::int as n from fez where owner_id = any (${accountIds}::uuid[]) and deleted_at is null and not cancelled
      and fez_type not in ('closed', 'open', 'personalEvent')
      and (coalesce(end_time, start_time) > ${floatingNow} or coalesce(end_time, start_time) is null)`
  return row.n
}

/** Names of all accounts of a person, the primary one first. */
export async function selectAccounts(sql: Sql, personId: string): Promise<{ id: string; username: string }[]> {
  return await sql<{ id: string; username: string }[]>`
    select id, username from account where person_id = ${personId} and deleted_at is null order by id <> person_id, created_at, id`
}
