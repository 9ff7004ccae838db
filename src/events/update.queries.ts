// Statements about uploaded calendars and the log of updates.
import type { Sql } from '../core/db/db.ts'
import type { JsonText } from '../core/base/json-text.ts'
import type { ScheduledEvent } from './rows.ts'
import type { EventUpdateDifferenceData } from './schemas.ts'

/** Keeps a calendar in place of the one before. */
export async function upsertUpload(sql: Sql, calendar: string, uploaderId: string, now: Date): Promise<void> {
  await sql`
    insert into schedule_upload (calendar, uploader_id, uploaded_at) values (${calendar}, ${uploaderId}, ${now})
    on conflict (only_one) do update set calendar = excluded.calendar, uploader_id = excluded.uploader_id,
      uploaded_at = excluded.uploaded_at`
}

export interface UploadRow {
  calendar: string
  uploadedAt: Date
}

export async function selectUpload(sql: Sql): Promise<UploadRow | undefined> {
  const [row] = await sql<UploadRow[]>`select calendar, uploaded_at from schedule_upload`
  return row
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
  /** It takes an earlier entry back: an update, or an undo. */
  undo?: Undo
}

/** An entry that takes another one back. */
export interface Undo {
  undoes: number
  /** False when that one was an undo itself: its update is applied again. */
  isUndo: boolean
}

/** So many updates can be undone, one after the other. */
const keptUpdates = 20

/**
 * Writes an entry. One that changed something can be undone, and so can those before it, newest first; after an update of its own
 * what was undone before cannot be applied again. Returns its id.
 */
export async function insertLogEntry(sql: Sql, entry: NewLogEntry, now: Date): Promise<number> {
  const { automatic, changeCount, difference, error, actorId, before, undo } = entry
  const kept = changeCount > 0 ? before : undefined
  if (undo) await sql`update schedule_log set before = null where id = ${undo.undoes}`
  else if (changeCount > 0) await sql`update schedule_log set before = null where before is not null and is_undo`
  const [row] = await sql<[{ id: number }]>`
    insert into schedule_log (automatic, change_count, difference, error, created_at, actor_id, before, undoes, is_undo)
    values (${automatic}, ${changeCount}, ${difference ? sql.json(difference as never) : null}, ${error ?? null}, ${now},
      ${actorId ?? null}, ${kept ? sql.json(kept as never) : null}, ${undo?.undoes ?? null}, ${undo?.isUndo ?? false})
    returning id`
  if (kept)
    await sql`
      update schedule_log set before = null where id in (
        select id from schedule_log where before is not null and not is_undo order by id desc offset ${keptUpdates})`
  return row.id
}

/** What there is to undo of an entry. */
export interface KeptSchedule {
  isUndo: boolean
  /** No later one of its kind has to be undone first. */
  isNext: boolean
  /** The events before it; null when they are not kept any more. */
  before: ScheduledEvent[] | null
}

/** The newest entry that can be undone, or the newest undo that can be taken back. */
const isNextOf = (sql: Sql) => sql`
  before is not null and id = (select max(other.id) from schedule_log other where other.before is not null and other.is_undo = log.is_undo)`

/** Undefined when there is no such entry. */
export async function selectKeptSchedule(sql: Sql, entryId: number): Promise<KeptSchedule | undefined> {
  type Stored = Omit<ScheduledEvent, 'startTime' | 'endTime'> & { startTime: string; endTime: string }
  const [row] = await sql<(Omit<KeptSchedule, 'before'> & { before: Stored[] | null })[]>`
    select before, is_undo, ${isNextOf(sql)} as is_next from schedule_log log where id = ${entryId}`
  const eventOf = (event: Stored): ScheduledEvent => ({
    ...event,
    startTime: new Date(event.startTime),
    endTime: new Date(event.endTime),
  })
  return row && { ...row, before: row.before && row.before.map(eventOf) }
}

/** The id of the latest entry: every change of the schedule writes one, under the lock of the schedule; 0 when there was none. */
export async function selectLastUpdate(sql: Sql): Promise<number> {
  const [row] = await sql<[{ id: number }]>`select coalesce(max(id), 0) as id from schedule_log`
  return row.id
}

/** The id of the latest entry that changed something; 0 when there was none. */
export async function selectLastChange(sql: Sql): Promise<number> {
  const [row] = await sql<[{ id: number }]>`select coalesce(max(id), 0) as id from schedule_log where change_count > 0`
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
  isUndo: boolean
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
    select id, automatic, change_count, error, created_at, actor_id, undoes, is_undo, ${isNextOf(sql)} as undoable,
      ${count('createdEvents')} as created, ${count('deletedEvents')} as deleted, ${count('timeChangeEvents')} as time_changed,
      ${count('locationChangeEvents')} as location_changed, ${count('minorChangeEvents')} as minor_changed
    from schedule_log log order by id desc limit ${limit}`
}

/** The changes of a log entry, as JSON; null when there were none, undefined when there is no such entry. */
export async function selectLoggedDifference(sql: Sql, entryId: number): Promise<JsonText<EventUpdateDifferenceData> | null | undefined> {
  const [row] = await sql<
    { difference: JsonText<EventUpdateDifferenceData> | null }[]
  >`select difference::text from schedule_log where id = ${entryId}`
  return row?.difference
}
