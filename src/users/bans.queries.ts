// Statements about bans that have a reason or an end.
import type { Sql } from '../core/db/db.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'

export interface BanRow {
  personId: string
  reason: string
  until: Date | null
  levelBefore: UserAccessLevel
  bannedBy: string
  createdAt: Date
}

/** Notes a ban; one that was there before keeps the level that comes back. */
export async function upsertBan(sql: Sql, ban: BanRow): Promise<void> {
  await sql`
    insert into ban (person_id, reason, until, level_before, banned_by, created_at)
    values (${ban.personId}, ${ban.reason}, ${ban.until}, ${ban.levelBefore}, ${ban.bannedBy}, ${ban.createdAt})
    on conflict (person_id) do update set reason = excluded.reason, until = excluded.until, banned_by = excluded.banned_by,
      created_at = excluded.created_at`
}

export async function selectBan(sql: Sql, personId: string): Promise<BanRow | undefined> {
  const [row] = await sql<
    BanRow[]
  >`select person_id, reason, until, level_before, banned_by, created_at from ban where person_id = ${personId}`
  return row
}

/** Removes a ban; with `until` only the one that ends then. */
export async function deleteBan(sql: Sql, personId: string, until?: Date): Promise<BanRow | undefined> {
  const [row] = await sql<BanRow[]>`
    delete from ban where person_id = ${personId} and ${until ? sql`until = ${until}` : sql`true`}
    returning person_id, reason, until, level_before, banned_by, created_at`
  return row
}
