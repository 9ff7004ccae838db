// Statements about blocks and mutes.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'

/** Locks primary accounts, always in the same order. */
export async function lockPersons(sql: Sql, personIds: readonly string[]): Promise<void> {
  await sql`select from account where id = any(${personIds}) order by id for no key update`
}

/** Users on a person's block list, in order of username. */
export async function selectBlocks(sql: Sql, personId: string): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    select ${accountColumns(sql)} from block join account on account.id = block.blocked_id where block.person_id = ${personId}
      order by username_key`
}

export async function isOnBlockList(sql: Sql, personId: string, accountId: string): Promise<boolean> {
  const [row] = await sql`select from block where person_id = ${personId} and blocked_id = ${accountId}`
  return row !== undefined
}

/** Whether any account of a person is on another's block list. */
export async function hasBlocked(sql: Sql, personId: string, otherPersonId: string): Promise<boolean> {
  const [row] = await sql`
    select from block join account on account.id = blocked_id where block.person_id = ${personId}
      and account.person_id = ${otherPersonId} limit 1`
  return row !== undefined
}

/** False when it was on the list already. */
export async function insertBlock(sql: Sql, personId: string, accountId: string, now: Date): Promise<boolean> {
  const result =
    await sql`insert into block (person_id, blocked_id, created_at) values (${personId}, ${accountId}, ${now}) on conflict do nothing`
  return result.count > 0
}

/** False when it was not on the list. */
export async function deleteBlock(sql: Sql, personId: string, accountId: string): Promise<boolean> {
  const result = await sql`delete from block where person_id = ${personId} and blocked_id = ${accountId}`
  return result.count > 0
}

/** All accounts of these persons. */
export async function selectAccountIds(sql: Sql, personIds: readonly string[]): Promise<string[]> {
  return (await sql<{ id: string }[]>`select id from account where person_id = any(${personIds})`).map(({ id }) => id)
}

/** Users that an account has muted, in order of username. */
export async function selectMutes(sql: Sql, accountId: string): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    select ${accountColumns(sql)} from mute join account on account.id = mute.muted_id where mute.account_id = ${accountId}
      order by username_key`
}

/** False when it was muted already. */
export async function insertMute(sql: Sql, accountId: string, mutedId: string, now: Date): Promise<boolean> {
  const result =
    await sql`insert into mute (account_id, muted_id, created_at) values (${accountId}, ${mutedId}, ${now}) on conflict do nothing`
  return result.count > 0
}

/** False when it was not muted. */
export async function deleteMute(sql: Sql, accountId: string, mutedId: string): Promise<boolean> {
  const result = await sql`delete from mute where account_id = ${accountId} and muted_id = ${mutedId}`
  return result.count > 0
}

/** Persons that a person blocks or is blocked by. */
export async function selectBlockedPersons(sql: Sql, personId: string): Promise<string[]> {
  const [row] = await sql<[{ ids: string[] }]>`select blocked_persons(${personId}) as ids`
  return row.ids
}
