// Statements about barrels.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'

export interface BarrelRow {
  id: string
  accountId: string
  kind: 'seamonkey' | 'userWords'
  name: string
}

const barrelColumns = (sql: Sql) => sql`id, account_id, kind, name`

/** An account's barrels: word lists, then user lists, each in order of name. */
export async function selectBarrels(sql: Sql, accountId: string): Promise<BarrelRow[]> {
  return await sql<BarrelRow[]>`
    select ${barrelColumns(sql)} from barrel where account_id = ${accountId} order by kind desc, lower(name), name, id`
}

export async function selectBarrel(sql: Sql, barrelId: string): Promise<BarrelRow | undefined> {
  const [row] = await sql<BarrelRow[]>`select ${barrelColumns(sql)} from barrel where id = ${barrelId}`
  return row
}

/** Locks a barrel's row: it must not go while it is filled. */
export async function lockBarrel(sql: Sql, barrelId: string): Promise<BarrelRow | undefined> {
  const [row] = await sql<BarrelRow[]>`select ${barrelColumns(sql)} from barrel where id = ${barrelId} for update`
  return row
}

export async function insertBarrel(sql: Sql, { id, accountId, kind, name }: BarrelRow, now: Date): Promise<void> {
  await sql`insert into barrel (id, account_id, kind, name, created_at) values (${id}, ${accountId}, ${kind}, ${name}, ${now})`
}

export async function updateBarrelName(sql: Sql, barrelId: string, name: string): Promise<void> {
  await sql`update barrel set name = ${name} where id = ${barrelId}`
}

/** Takes what is in it along. */
export async function deleteBarrel(sql: Sql, barrelId: string): Promise<void> {
  await sql`delete from barrel where id = ${barrelId}`
}

/** Users of a barrel, in order of username. */
export async function selectBarrelUsers(sql: Sql, barrelId: string): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    select ${accountColumns(sql)} from barrel_user join account on account.id = barrel_user.user_id where barrel_id = ${barrelId}
      order by username_key`
}

/** Adds the users who are not in it. */
export async function insertBarrelUsers(sql: Sql, barrelId: string, userIds: readonly string[]): Promise<void> {
  await sql`insert into barrel_user (barrel_id, user_id) select distinct ${barrelId}::uuid, unnest(${userIds}::uuid[])
    on conflict do nothing`
}

/** False when the user was not in it. */
export async function deleteBarrelUser(sql: Sql, barrelId: string, userId: string): Promise<boolean> {
  const result = await sql`delete from barrel_user where barrel_id = ${barrelId} and user_id = ${userId}`
  return result.count > 0
}

/** Words of a barrel, in order. */
export async function selectBarrelWords(sql: Sql, barrelId: string): Promise<string[]> {
  return (await sql<{ word: string }[]>`select word from barrel_word where barrel_id = ${barrelId} order by word`).map(({ word }) => word)
}

/** Adds the words that are not in it. */
export async function insertBarrelWords(sql: Sql, barrelId: string, words: readonly string[]): Promise<void> {
  await sql`insert into barrel_word (barrel_id, word) select distinct ${barrelId}::uuid, unnest(${words}::text[]) on conflict do nothing`
}

/** False when the word was not in it. */
export async function deleteBarrelWord(sql: Sql, barrelId: string, word: string): Promise<boolean> {
  const result = await sql`delete from barrel_word where barrel_id = ${barrelId} and word = ${word}`
  return result.count > 0
}
