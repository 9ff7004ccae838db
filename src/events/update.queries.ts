// Statements about uploaded calendars and the log of updates.
import type { Sql } from '../core/db/db.ts'
import type { JsonText } from '../core/json-text.ts'
import type { ScheduledEvent } from './rows.ts'
import type { EventUpdateDifferenceData } from './schemas.ts'

/** Keeps a calendar in place of the one before. */
export async function upsertUpload(sql: Sql, calendar: string, uploaderId: string, now: Date): Promise<void> {
  await sql`
    insert into schedule_upload (calendar, uploader_id, uploaded_at) values (${calendar}, ${uploaderId}, ${now})
    on conflict (only_one) do update set calendar = excluded.calendar, uploader_id = excluded.uploader_id,
      uploaded_at = excluded.uploaded_at`
}

export async function selectUpload(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ calendar: string }[]>`select calendar from schedule_upload`
  return row?.calendar
}

export interface NewLogEntry {
  automatic: boolean
  changeCount: number
  /** As it is sent. */
  difference?: object
  error?: string
  /** Absent for an automatic one. */
  actorId?: string
  /** All events before it. */
  before?: readonly ScheduledEvent[]
  /** The update that it undoes. */
  undoes?: number
}

/** Writes an entry. One that changed something takes the place of the one before as what can be undone. */
export async function insertLogEntry(sql: Sql, entry: NewLogEntry, now: Date): Promise<void> {
  const { automatic, changeCount, difference, error, actorId, before, undoes } = entry
  const kept = changeCount > 0 ? before : undefined
  if (changeCount > 0) await sql`update schedule_log set before = null where before is not null`
  await sql`
    insert into schedule_log (automatic, change_count, difference, error, created_at, actor_id, before, undoes)
    values (${automatic}, ${changeCount}, ${difference ? sql.json(difference as never) : null}, ${error ?? null}, ${now},
      ${actorId ?? null}, ${kept ? sql.json(kept as never) : null}, ${undoes ?? null})`
}

/** The events before an update, when it can be undone; null when it cannot, undefined when there is no such entry. */
export async function selectKeptSchedule(sql: Sql, entryId: number): Promise<ScheduledEvent[] | null | undefined> {
  type Stored = Omit<ScheduledEvent, 'startTime' | 'endTime'> & { startTime: string; endTime: string }
  const [row] = await sql<{ before: Stored[] | null }[]>`select before from schedule_log where id = ${entryId}`
  return row?.before
    ? row.before.map((event) => ({ ...event, startTime: new Date(event.startTime), endTime: new Date(event.endTime) }))
    : (row?.before as null | undefined)
}

/** The id of the latest entry: every change of the schedule writes one, under the lock of the schedule; 0 when there was none. */
export async function selectLastUpdate(sql: Sql): Promise<number> {
  const [row] = await sql<[{ id: number }]>`select coalesce(max(id), 0) as id from schedule_log`
  return row.id
}

export interface LogRow {
  id: number
  automatic: boolean
  changeCount: number
  error: string | null
  createdAt: Date
  actorId: string | null
  undoes: number | null
  undoable: boolean
  created: number
  deleted: number
  timeChanged: number
  locationChanged: number
  minorChanged: number
}

/** The latest entries, newest first. */
export async function selectLog(sql: Sql, limit: number): Promise<LogRow[]> {
  const count = (list: string) => sql`coalesce(jsonb_array_length(difference->${list}::text), 0)`
  return await sql<LogRow[]>`
    select id, automatic, change_count, error, created_at, actor_id, undoes, before is not null as undoable,
      ${count('createdEvents')} as created, ${count('deletedEvents')} as deleted, ${count('timeChangeEvents')} as time_changed,
      ${count('locationChangeEvents')} as location_changed, ${count('minorChangeEvents')} as minor_changed
    from schedule_log order by id desc limit ${limit}`
}

/** The changes of a log entry, as JSON; null when there were none, undefined when there is no such entry. */
export async function selectLoggedDifference(sql: Sql, entryId: number): Promise<JsonText<EventUpdateDifferenceData> | null | undefined> {
  const [row] = await sql<
    { difference: JsonText<EventUpdateDifferenceData> | null }[]
  >`select difference::text from schedule_log where id = ${entryId}`
  return row?.difference
}
