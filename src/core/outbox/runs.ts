// What jobs have come to, by kind, in steps of time.
import type { Sql } from '../db/db.ts'

/** Steps of the counts. */
const runsEveryMs = 5 * 60_000
const keptMs = 14 * 24 * 60 * 60_000

/** Of one kind of job. */
export interface JobRuns {
  job: string
  done: number
  failed: number
  /** Of all of them together. */
  ms: number
  longestMs: number
}

/** Adds to the counts of this moment, and forgets those of long ago. */
export async function addJobRuns(sql: Sql, runs: readonly JobRuns[], now: Date): Promise<void> {
  const at = new Date(Math.floor(now.getTime() / runsEveryMs) * runsEveryMs)
  await sql`
    with forgotten as (delete from job_run where at < ${new Date(now.getTime() - keptMs)})
    insert into job_run (at, job, done, failed, ms, longest_ms)
    select ${at}, job, done, failed, ms, "longestMs"
    from jsonb_to_recordset(${sql.json(runs as never)}) as one (job text, done int, failed int, ms bigint, "longestMs" int)
    on conflict (at, job) do update set done = job_run.done + excluded.done, failed = job_run.failed + excluded.failed,
      ms = job_run.ms + excluded.ms, longest_ms = greatest(job_run.longest_ms, excluded.longest_ms)`
}
