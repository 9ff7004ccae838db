// What of chats grows old, and statements about private ones in which nobody has written for long.
import type { Sql } from '../core/db/db.ts'
import { isEmpty, oldRows, oldVersions } from '../core/work/old-rows.ts'

const ofChats = ['fez', 'privateEvent'] as const

const posts = {
  kind: 'deleted',
  table: 'fez_post',
  key: 'int',
  about: [['fezPost'], 'id'],
  first: { poll: { column: 'post_id', where: ['place', 'fez'] } },
} as const

export const oldChats = [
  oldRows(posts),
  oldRows({ ...posts, old: (sql, before) => sql`deleted_at is null and fez_id in (select id from fez where deleted_at < ${before})` }),
  oldRows({
    kind: 'deleted',
    table: 'fez',
    key: 'uuid',
    ready: (sql) => isEmpty(sql, 'fez_post', 'fez_post.fez_id', 'fez.id'),
    about: [ofChats, 'id'],
    first: { poll: 'fez_id', fez_edit: 'fez_id', fez_inbox_reader: 'fez_id', fez_member: 'fez_id' },
  }),
  oldVersions('fez_edit', [ofChats, 'fez_id']),
]

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
