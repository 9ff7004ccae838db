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

/** Which jobs of those that are not done; `kind` undefined: of all kinds. */
export interface JobFilter {
  states: readonly JobState[]
  kind: string | undefined
  start: number
  limit: number
}

/** A page of the jobs that are not done; failed ones first. */
export async function selectJobs(sql: Sql, now: Date, { states, kind, start, limit }: JobFilter): Promise<JobRow[]> {
  return await sql<JobRow[]>`
    select * from (${jobs(sql, now)}) as job where state = any(${states as string[]}) and ${kind === undefined ? sql`true` : sql`job = ${kind}`}
    order by array_position(array['failed', 'retrying', 'running', 'due', 'later'], state), run_at, id limit ${limit} offset ${start}`
}

/** How many jobs are in each state, of one kind or of all. */
export async function countJobs(sql: Sql, now: Date, kind: string | undefined): Promise<Record<JobState, number>> {
  const rows = await sql<{ state: JobState; number: number }[]>`
    select state, count(*)::int as number from (${jobs(sql, now)}) as job
    where ${kind === undefined ? sql`true` : sql`job = ${kind}`} group by state`
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

export interface JobKindRow {
  job: string
  due: number
  later: number
  running: number
  retrying: number
  failed: number
  /** Of the last hour. */
  doneInHour: number
  failedInHour: number
  msInHour: number
  longestMs: number
  lastAt: Date | null
  pausedBy: string | null
  pausedAt: Date | null
}

/** Each kind of job, with those that nothing is known of. */
export async function selectJobKinds(sql: Sql, kinds: readonly string[], now: Date, hourAgo: Date): Promise<JobKindRow[]> {
  return await sql<JobKindRow[]>`
    with waiting as (
      select job, count(*) filter (where state = 'due')::int as due, count(*) filter (where state = 'later')::int as later,
        count(*) filter (where state = 'running')::int as running, count(*) filter (where state = 'retrying')::int as retrying,
        count(*) filter (where state = 'failed')::int as failed
      from (${jobs(sql, now)}) as job group by job
    ), ran as (
      select job, sum(done) filter (where at > ${hourAgo})::int as done_in_hour, sum(failed) filter (where at > ${hourAgo})::int as failed_in_hour,
        sum(ms) filter (where at > ${hourAgo})::float8 as ms_in_hour, max(longest_ms) filter (where at > ${hourAgo}) as longest_ms, max(at) as last_at
      from job_run group by job
    )
    select kind.job, coalesce(due, 0) as due, coalesce(later, 0) as later, coalesce(running, 0) as running, coalesce(retrying, 0) as retrying,
      coalesce(failed, 0) as failed, coalesce(done_in_hour, 0) as done_in_hour, coalesce(failed_in_hour, 0) as failed_in_hour,
      coalesce(ms_in_hour, 0) as ms_in_hour, coalesce(longest_ms, 0) as longest_ms, last_at, paused_by, paused_at
    from unnest(${kinds as string[]}::text[]) with ordinality as kind (job, number)
    left join waiting using (job) left join ran using (job) left join paused_job using (job)
    order by number`
}

export interface JobStepRow {
  at: Date
  done: number
  failed: number
  ms: number
  longestMs: number
}

/** What jobs of a kind have come to since a moment, in steps of so many minutes; undefined: those of all kinds. */
export async function selectJobSteps(sql: Sql, job: string | undefined, since: Date, stepMinutes: number): Promise<JobStepRow[]> {
  return await sql<JobStepRow[]>`
    select date_bin(${stepMinutes} * interval '1 minute', at, 'epoch') as at, sum(done)::int as done, sum(failed)::int as failed, sum(ms)::float8 as ms, max(longest_ms) as longest_ms
    from job_run where at > ${since} and ${job === undefined ? sql`true` : sql`job = ${job}`} group by 1 order by 1`
}

/** Hands out no jobs of a kind; whether that is new. */
export async function insertPause(sql: Sql, job: string, pausedBy: string, now: Date): Promise<boolean> {
  const { count } = await sql`
    insert into paused_job (job, paused_by, paused_at) values (${job}, ${pausedBy}, ${now}) on conflict do nothing`
  return count > 0
}

/** Hands out jobs of a kind again; whether that is new. */
export async function deletePause(sql: Sql, job: string): Promise<boolean> {
  return (await sql`delete from paused_job where job = ${job}`).count > 0
}

/** Makes all jobs of a kind that have failed for good due, as if they had never failed; how many. */
export async function renewFailedJobs(sql: Sql, job: string): Promise<number> {
  const { count } = await sql`
    update outbox set failures = 0, attempt = 0, relayed_at = null, run_at = null
    where id in (select id from outbox where job = ${job} and failures >= ${maxFailures} order by id for update skip locked)`
  return count
}

/** Removes all jobs of a kind that have failed for good; how many. */
export async function deleteFailedJobs(sql: Sql, job: string): Promise<number> {
  const { count } = await sql`
    delete from outbox where id in (select id from outbox where job = ${job} and failures >= ${maxFailures} order by id for update skip locked)`
  return count
}
