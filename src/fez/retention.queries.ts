// Statements about private chats in which nobody has written for long.
import type { Sql } from '../core/db/db.ts'

const isSilent = (sql: Sql, before: Date) => sql`fez_type in ('closed', 'open') and deleted_at is null and updated_at < ${before}`

export async function countSilentChats(sql: Sql, before: Date): Promise<number> {
  const [row] = await sql<[{ n: number }]>`select count(*)::int as n from fez where ${isSilent(sql, before)}`
  return row.n
}

/** Some of them, locked until the transaction ends; none that another transaction holds. */
export async function lockSilentChats(sql: Sql, before: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from fez where ${isSilent(sql, before)} limit ${limit} for update skip locked`
  return rows.map(({ id }) => id)
}

/** Deletes chats for all their members; returns the number of each event. */
export async function softDeleteChats(sql: Sql, ids: readonly string[], now: Date): Promise<{ id: string; seq: number }[]> {
  return await sql<{ id: string; seq: number }[]>`
    with gone as (update fez_member set left_at = ${now} where fez_id = any (${ids}::uuid[]) and left_at is null)
    update fez set seq = seq + 1, deleted_at = ${now}, updated_at = ${now} where id = any (${ids}::uuid[]) returning id, seq`
}
