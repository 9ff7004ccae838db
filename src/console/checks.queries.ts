// Statements of the checks.
import type { Sql } from '../core/db/db.ts'

export interface Figures {
  openReports: number
  oldestReportAt: Date | null
  /** Also those outside of the trip. */
  allEvents: number
  codes: number
  people: number
}

/** Numbers that somebody may have to do something about. */
export async function selectState(sql: Sql): Promise<Figures> {
  const [row] = await sql<[Figures]>`
    select (select count(*)::int from report where not is_closed) as open_reports,
      (select min(created_at) from report where not is_closed) as oldest_report_at,
      (select count(*)::int from event where deleted_at is null) as all_events,
      (select count(*)::int from registration_code) as codes,
      (select count(*)::int from account where not special and level <> 'client' and deleted_at is null) as people`
  return row
}

/** Jobs that have failed for good, and those that have waited for more than five minutes. */
export async function selectTroubledJobs(
  sql: Sql,
  now: Date,
  maxFailures: number,
): Promise<{ failed: number; overdue: number; paused: number }> {
  const [row] = await sql<[{ failed: number; overdue: number; paused: number }]>`
    select count(*) filter (where failures >= ${maxFailures})::int as failed,
      count(*) filter (where failures < ${maxFailures} and coalesce(run_at, created_at) < ${now}::timestamptz - interval '5 minutes'
        and job not in (select job from paused_job))::int as overdue,
      (select count(*)::int from paused_job) as paused
    from outbox`
  return row
}
