// Jobs that are not done: looked at, tried again, dropped.
import type { Ctx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { audit } from '../moderation/audit.service.ts'
import { countJobs, deleteJob, renewJob, selectJobs, type JobState } from './jobs.queries.ts'
import type { JobListData } from './schemas.ts'

export const jobStates = ['failed', 'retrying', 'running', 'due', 'later'] as const satisfies readonly JobState[]
const longestPage = 200

/** A page of the jobs that are not done; failed ones first. */
export async function listJobs(
  ctx: Ctx,
  { state, ...page }: { state?: JobState | undefined; start?: number; limit?: number },
): Promise<JobListData> {
  const { start, limit } = pageOf(page, longestPage)
  const now = new Date(ctx.nowMs)
  const states: readonly JobState[] = state ? [state] : jobStates
  const [counts, rows] = await Promise.all([countJobs(ctx.sql, now), selectJobs(ctx.sql, now, states, start, limit)])
  return {
    jobs: rows.map(({ id, job, state: own, runAt, createdAt, failures, lastError, requestId }) => ({
      jobID: id,
      job,
      state: own,
      runAt,
      createdAt,
      failures,
      ...(lastError ? { lastError } : {}),
      requestID: requestId,
    })),
    ...counts,
    paginator: { total: states.reduce((sum, each) => sum + counts[each], 0), start, limit },
  }
}

/** Tries a job again at once. */
export async function retryJob(ctx: Ctx, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const job = await renewJob(tx.sql, id)
    if (job === undefined) throw notAvailable('job')
    await audit(tx, { action: 'retryJob', subject: { type: 'job', id: String(id) }, details: { job } })
  })
  ctx.node.jobWakeUp.send()
}

/** Gives a job up. */
export async function dropJob(ctx: Ctx, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const job = await deleteJob(tx.sql, id)
    if (job === undefined) throw notAvailable('job')
    await audit(tx, { action: 'dropJob', subject: { type: 'job', id: String(id) }, details: { job } })
  })
}
