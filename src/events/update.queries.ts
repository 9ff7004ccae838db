// Statements about uploaded calendars and the log of updates.
import type { Sql } from '../core/db/db.ts'
import type { JsonText } from '../core/json-text.ts'
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
}

export async function insertLogEntry(sql: Sql, { automatic, changeCount, difference, error }: NewLogEntry, now: Date): Promise<void> {
  await sql`
    insert into schedule_log (automatic, change_count, difference, error, created_at)
    values (${automatic}, ${changeCount}, ${difference ? sql.json(difference as never) : null}, ${error ?? null}, ${now})`
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
}

/** The latest entries, newest first. */
export async function selectLog(sql: Sql, limit: number): Promise<LogRow[]> {
  return await sql<LogRow[]>`select id, automatic, change_count, error, created_at from schedule_log order by id desc limit ${limit}`
}

/** The changes of a log entry, as JSON; null when there were none, undefined when there is no such entry. */
export async function selectLoggedDifference(sql: Sql, entryId: number): Promise<JsonText<EventUpdateDifferenceData> | null | undefined> {
  const [row] = await sql<
    { difference: JsonText<EventUpdateDifferenceData> | null }[]
  >`select difference::text from schedule_log where id = ${entryId}`
  return row?.difference
}
