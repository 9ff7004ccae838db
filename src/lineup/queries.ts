// Statements about who appears at which event.
import type { Sql } from '../core/db/db.ts'

/** A performer at an event. */
export interface AppearanceRow {
  eventId: string
  performerId: string
  name: string
  photo: string | null
  isOfficial: boolean
}

/** Number of changes of performers so far. */
export async function selectLineupVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select version from performer_change`
  return row?.version ?? 0
}

/** All performers at all events, those of an event in the order of their names. */
export async function selectAppearances(sql: Sql): Promise<AppearanceRow[]> {
  return await sql<AppearanceRow[]>`
    select event_id, performer.id as performer_id, name, photo, is_official
    from performer_event join performer on performer.id = performer_id
    where deleted_at is null order by sort_key, name collate "C", performer.id`
}
