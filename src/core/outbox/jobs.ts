// Work that a request does not wait for. A job is an outbox row first, written in the transaction
// that wants it; BullMQ only carries its id. The row goes when the job's own transaction commits,
// so its effect in Postgres happens once however often it is delivered.
import type { Sql } from '../db/db.ts'

/** Every job and its payload: features add theirs by declaration merging, and name its function in their manifest. */
// oxlint-disable-next-line no-empty-interface -- filled by features
export interface JobPayloads {}
export type JobName = keyof JobPayloads

/** A job that failed this often is left in the outbox for the operator to look at. */
export const maxFailures = 20

/** The one BullMQ queue; a job's data is its outbox id. */
export const queueName = 'jobs'

export interface OutboxEntry {
  job: JobName
  payload: unknown
  /** Undefined: as soon as the transaction has committed, whatever the clock says by then. */
  runAt: Date | undefined
  requestId: string
  /** A table: while it is empty, the job is not written. */
  onlyWith?: string | undefined
}

/** A job to be handed out. */
export interface DueJob {
  id: number
  attempt: number
  job: JobName
}

/** A job taken by a worker. */
export interface TakenJob {
  id: number
  job: JobName
  payload: unknown
  requestId: string
}

/**
 * Writes the noted jobs, without those that nothing wants. It is one statement, sent at once, because COMMIT follows in the same
 * pipeline. postgres.js takes a list of dates for one date: they go as text.
 */
export async function insertOutbox(sql: Sql, entries: readonly OutboxEntry[]): Promise<void> {
  const tables = new Set(entries.flatMap(({ onlyWith }) => onlyWith ?? []))
  const isWanted = [...tables].reduce(
    (others, table) => sql`${others} or (only_with = ${table} and exists (select from ${sql(table)}))`,
    sql`only_with is null`,
  )
  await sql`
    insert into outbox (job, payload, run_at, request_id)
    select job, payload, run_at, request_id from unnest(
      ${entries.map(({ job }) => job)}::text[], ${entries.map(({ payload }) => JSON.stringify(payload))}::text[]::jsonb[],
      ${entries.map(({ runAt }) => runAt?.toISOString() ?? null)}::text[]::timestamptz[],
      ${entries.map(({ requestId }) => requestId)}::text[], ${entries.map(({ onlyWith }) => onlyWith ?? null)}::text[])
      as entry (job, payload, run_at, request_id, only_with)
    where ${isWanted}`
}

/**
 * For the `with` of a statement that writes the subject of a job: writes the job too, which runs at once. `of` continues
 * after `select`: the payload, made of columns, and where these come from.
 */
export const insertedJob = (sql: Sql, job: JobName, requestId: string, of: ReturnType<Sql>) => sql`
  insert into outbox (job, request_id, payload) select ${job}, ${requestId}, ${of}`

/**
 * Hands out due jobs that were never handed out, or so long ago that Redis or a worker must have
 * lost them; the wait grows with every time, up to six times `lostAfterMs`. One that seems to have been handed out in the
 * future is handed out again: the clock was set back. Jobs under way are locked and left out, and so are kinds that are paused.
 */
export async function markDue(sql: Sql, now: Date, lostAfterMs: number, limit: number): Promise<DueJob[]> {
  return await sql<DueJob[]>`
    update outbox set relayed_at = ${now}, attempt = attempt + 1
    where id in (
      select id from outbox
      where (run_at is null or run_at <= ${now}) and failures < ${maxFailures} and job not in (select job from paused_job)
        and (relayed_at is null
        or relayed_at not between ${now}::timestamptz - least(attempt, 6) * ${lostAfterMs} * interval '1 millisecond'
          and ${now}::timestamptz + ${lostAfterMs} * interval '1 millisecond')
      order by id limit ${limit} for update skip locked)
    returning id, attempt, job`
}

/** Takes back that jobs were handed out: they were not. One that is under way after all is left out. */
export async function unmark(sql: Sql, jobs: readonly DueJob[]): Promise<void> {
  await sql`
    update outbox set relayed_at = null, attempt = attempt - 1
    where id in (select id from outbox where id = any (${jobs.map(({ id }) => id)}) order by id for update skip locked)`
}

/** The payload of a job; undefined when it is done. */
export async function selectPayload(sql: Sql, id: number): Promise<{ payload: unknown } | undefined> {
  const [row] = await sql<{ payload: unknown }[]>`select payload from outbox where id = ${id}`
  return row
}

/** Locks and removes the rows of jobs; those that are done already, or being done elsewhere, are left out. */
export async function takeJobs(sql: Sql, ids: readonly number[]): Promise<TakenJob[]> {
  const taken = await sql<TakenJob[]>`
    delete from outbox where id in (select id from outbox where id = any (${ids}) order by id for update skip locked)
    returning id, job, payload, request_id`
  return taken.toSorted((a, b) => a.id - b.id)
}

/** Counts a failure of jobs, whose own transaction is rolled back, and keeps what kind of error it was. */
export async function countFailure(sql: Sql, ids: readonly number[], reason: string): Promise<void> {
  await sql`update outbox set failures = failures + 1, last_error = ${reason} where id = any (${ids})`
}

/** Jobs that wait or are under way, and the age of the oldest due one in seconds. */
export async function outboxBacklog(sql: Sql, now: Date): Promise<{ waiting: number; oldestSeconds: number }> {
  const [row] = await sql<{ waiting: number; oldestSeconds: number }[]>`
    select count(*)::int as waiting, coalesce(extract(epoch from ${now}::timestamptz - min(coalesce(run_at, created_at))), 0)::float8
      as oldest_seconds
    from outbox where run_at is null or run_at <= ${now}`
  return row ?? { waiting: 0, oldestSeconds: 0 }
}
