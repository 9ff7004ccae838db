// Statements about jobs for those who look after them.
import type { Sql } from '../core/db/db.ts'
import { maxFailures } from '../core/outbox/jobs.ts'

export type JobState = 'due' | 'later' | 'running' | 'retrying' | 'failed'

/** A job that was handed to a worker so long ago at most, and has not failed, is with it. */
const handedOutMs = 60_000

export interface JobRow {
  id: number
  job: string
  state: JobState
  runAt: Date
  createdAt: Date
  failures: number
  lastError: string | null
  requestId: string
}

const jobs = (sql: Sql, now: Date) => sql`
  select id::float8 as id, job, coalesce(run_at, created_at) as run_at, created_at, failures, last_error, request_id,
    case when failures >= ${maxFailures} then 'failed' when failures > 0 then 'retrying' when run_at > ${now} then 'later'
      when relayed_at > ${now}::timestamptz - ${handedOutMs} * interval '1 millisecond' then 'running' else 'due' end as state
  from outbox`

/** A page of the jobs that are not done; failed ones first. */
export async function selectJobs(sql: Sql, now: Date, states: readonly JobState[], start: number, limit: number): Promise<JobRow[]> {
  return await sql<JobRow[]>`
    select * from (${jobs(sql, now)}) as job where state = any(${states as string[]})
    order by array_position(array['failed', 'retrying', 'running', 'due', 'later'], state), run_at, id limit ${limit} offset ${start}`
}

/** How many jobs are in each state. */
export async function countJobs(sql: Sql, now: Date): Promise<Record<JobState, number>> {
  const rows = await sql<{ state: JobState; number: number }[]>`
    select state, count(*)::int as number from (${jobs(sql, now)}) as job group by state`
  return { due: 0, later: 0, running: 0, retrying: 0, failed: 0, ...Object.fromEntries(rows.map(({ state, number }) => [state, number])) }
}

/** Makes a job due at once, as if it had never failed; its name, or undefined when it is done or under way. */
export async function renewJob(sql: Sql, id: number): Promise<string | undefined> {
  const [row] = await sql<{ job: string }[]>`
    update outbox set failures = 0, attempt = 0, relayed_at = null, run_at = null
    where id = (select id from outbox where id = ${id} for update skip locked) returning job`
  return row?.job
}

/** Removes a job; its name, or undefined when it is done or under way. */
export async function deleteJob(sql: Sql, id: number): Promise<string | undefined> {
  const [row] = await sql<{ job: string }[]>`
    delete from outbox where id = (select id from outbox where id = ${id} for update skip locked) returning job`
  return row?.job
}
