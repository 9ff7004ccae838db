// Statements about long work.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Sql } from '../core/db/db.ts'
import type { Note, NoteCode, NoteValues } from './notes.ts'

export interface OperationRow {
  id: string
  kind: string
  input: { file: string }
  state: 'waiting' | 'running' | 'done' | 'failed'
  note: string
  /** Null when the note is in the words of an error, or of an earlier version. */
  noteCode: NoteCode | null
  noteValues: NoteValues | null
  /** Null: the backup of the night. */
  askedBy: string | null
  createdAt: Date
  endedAt: Date | null
}

const columns = (sql: Sql) => sql`id, kind, input, state, note, note_code, note_values, asked_by, created_at, ended_at`

export async function insertOperation(
  sql: Sql,
  { id, kind, input, askedBy, now }: { id: string; kind: string; input: object; askedBy: string | null; now: Date },
): Promise<OperationRow> {
  const [row] = await sql<[OperationRow]>`
    insert into operation (id, kind, input, asked_by, created_at) values (${id}, ${kind}, ${sql.json(input as never)}, ${askedBy}, ${now})
    returning ${columns(sql)}`
  return row
}

/** The newest work of these kinds, whatever its state; `within`: ordered from its first moment on, and before its second. */
export async function selectOperations(
  sql: Sql,
  kinds: readonly string[],
  limit: number,
  within?: readonly [from: Date, to: Date],
): Promise<OperationRow[]> {
  return await sql<OperationRow[]>`
    select ${columns(sql)} from operation where kind = any(${kinds as string[]})
      ${within ? sql`and created_at >= ${within[0]} and created_at < ${within[1]}` : sql``}
    order by created_at desc, id limit ${limit}`
}

/** Work of this kind on this file that has not ended. */
export async function selectUnended(sql: Sql, kind: string): Promise<OperationRow | undefined> {
  const [row] = await sql<
    OperationRow[]
  >`select ${columns(sql)} from operation where kind = ${kind} and state in ('waiting', 'running') limit 1`
  return row
}

/** True while any long work waits or runs. */
export async function selectAnyUnended(sql: Sql): Promise<boolean> {
  return (await sql`select from operation where state in ('waiting', 'running') limit 1`).length > 0
}

/** Orders of a person's own data come one after another, until the transaction ends. */
export async function lockOwnData(sql: Sql, personId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('own data of ' || ${personId}, 0))`
}

/** Orders a file with a person's own data; false while one is being made. */
export async function insertOwnData(
  sql: Sql,
  { id, file, askedBy, personId, now }: { id: string; file: string; askedBy: string; personId: string; now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into operation (id, kind, input, asked_by, person_id, created_at)
    values (${id}, 'own-data', ${sql.json({ file } as never)}, ${askedBy}, ${personId}, ${now}) on conflict do nothing`
  return result.count > 0
}

/** Files with a person's own data, by whichever of their accounts, newest first. */
export async function selectOwnData(sql: Sql, personId: string, limit: number): Promise<OperationRow[]> {
  return await sql<OperationRow[]>`
    select ${columns(sql)} from operation where kind = 'own-data' and person_id = ${personId} order by created_at desc, id limit ${limit}`
}

/** What was done about the backup of the night since it was due; `busy` also while a backup is made that somebody ordered. */
export async function selectNight(sql: Sql, due: Date): Promise<{ busy: boolean; failures: number; lastEndedAt: Date | null }> {
  const [row] = await sql<[{ busy: boolean; failures: number; lastEndedAt: Date | null }]>`
    select coalesce(bool_or(state in ('waiting', 'running') or (state = 'done' and asked_by is null and created_at >= ${due})), false)
        as busy,
      count(*) filter (where state = 'failed' and asked_by is null and created_at >= ${due})::int as failures,
      max(ended_at) filter (where state = 'failed' and asked_by is null and created_at >= ${due}) as last_ended_at
    from operation where kind = 'backup' and (created_at >= ${due} or state in ('waiting', 'running'))`
  return row
}

/** The newest backup of a night. */
export async function selectLastNight(sql: Sql): Promise<OperationRow | undefined> {
  const [row] = await sql<OperationRow[]>`
    select ${columns(sql)} from operation where kind = 'backup' and asked_by is null order by created_at desc limit 1`
  return row
}

/** One at a time decides whether there is a backup to be made or tried, until the transaction ends. */
export async function lockBackupOrders(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock('backup orders')})`
}

/** Takes the work that has waited longest; undefined when none waits. */
export async function takeOperation(sql: Sql, now: Date): Promise<OperationRow | undefined> {
  const [row] = await sql<OperationRow[]>`
    update operation set state = 'running', beat_at = ${now}
    where id = (select id from operation where state = 'waiting' order by created_at limit 1 for update skip locked)
    returning ${columns(sql)}`
  return row
}

const noted = (sql: Sql, { text, code, values }: Note) =>
  sql`note = ${text}, note_code = ${code}, note_values = ${code === null ? null : sql.json(values as never)}`

export async function updateBeat(sql: Sql, id: string, note: Note, now: Date): Promise<void> {
  await sql`update operation set beat_at = ${now}, ${noted(sql, note)} where id = ${id} and state = 'running'`
}

export async function endOperation(sql: Sql, id: string, state: 'done' | 'failed', note: Note, now: Date): Promise<void> {
  await sql`update operation set state = ${state}, ${noted(sql, note)}, ended_at = ${now} where id = ${id}`
}

/** Work whose worker has not been heard of for so long has failed; one heard of in the future, before the clock was set back. */
export async function failLost(sql: Sql, lostAfterMs: number, note: Note, now: Date): Promise<void> {
  const [since, until] = [now.getTime() - lostAfterMs, now.getTime() + lostAfterMs]
  await sql`
    update operation set state = 'failed', ${noted(sql, note)}, ended_at = ${now}
    where state = 'running' and beat_at not between ${new Date(since)} and ${new Date(until)}`
}

/** Makes an empty database beside the one of this connection. */
export async function createScratch(sql: Sql, name: string): Promise<void> {
  await sql.unsafe(`create database "${name}" template template0`)
}

export async function dropScratch(sql: Sql, name: string): Promise<void> {
  await sql.unsafe(`drop database if exists "${name}" with (force)`)
}
