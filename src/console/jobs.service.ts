// Jobs: how each kind does, what is not done; paused, tried again, dropped.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { audit } from '../moderation/audit.service.ts'
import {
  countJobs,
  deleteFailedJobs,
  deleteJob,
  deletePause,
  insertPause,
  renewFailedJobs,
  renewJob,
  selectJobKinds,
  selectJobs,
  selectJobSteps,
  type JobKindRow,
  type JobState,
} from './jobs.queries.ts'
import type { JobHistoryData, JobKindData, JobListData, JobNumberData } from './schemas.ts'

export const jobStates = ['failed', 'retrying', 'running', 'due', 'later'] as const satisfies readonly JobState[]
const longestPage = 200

/** A page of the jobs that are not done; failed ones first. */
export async function listJobs(
  ctx: Ctx,
  { state, job: kind, ...page }: { state?: JobState | undefined; job?: string | undefined; start?: number; limit?: number },
): Promise<JobListData> {
  const { start, limit } = pageOf(page, longestPage)
  const now = new Date(ctx.nowMs)
  const states: readonly JobState[] = state ? [state] : jobStates
  const [counts, rows] = await Promise.all([countJobs(ctx.sql, now, kind), selectJobs(ctx.sql, now, { states, kind, start, limit })])
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

/** Of work on pictures, which requests wait for: it is in no outbox, and cannot wait. */
const imageKind = 'image'
const hourMs = 60 * 60_000
const historyMs = { day: 24 * hourMs, week: 7 * 24 * hourMs }
export type JobHistorySpan = keyof typeof historyMs
/** Of one point of a plot. */
const historyMinutes = { day: 15, week: 120 }

const kindsOf = ({ features }: Ctx['node']): string[] => features.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name)).sort()

/** Each kind of job with what waits, what was done in the last hour, and whether it is paused. */
export async function listJobKinds(ctx: Ctx): Promise<JobKindData[]> {
  const rows = await selectJobKinds(ctx.sql, [...kindsOf(ctx.node), imageKind], new Date(ctx.nowMs), new Date(ctx.nowMs - hourMs))
  await ctx.node.accounts.load(new Set(rows.flatMap(({ pausedBy }) => pausedBy ?? [])))
  return rows.map((row) => kindData(ctx, row))
}

function kindData({ node }: Ctx, row: JobKindRow): JobKindData {
  const { job, due, later, running, retrying, failed, doneInHour, failedInHour, msInHour, longestMs, lastAt, pausedBy, pausedAt } = row
  const ended = doneInHour + failedInHour
  return {
    job,
    mayPause: job !== imageKind,
    ...{ due, later, running, retrying, failed },
    doneInHour,
    failedInHour,
    ...(ended > 0 ? { averageMs: Math.round(msInHour / ended), longestMs } : {}),
    ...(lastAt ? { lastAt } : {}),
    ...(pausedBy && pausedAt ? { pausedBy: node.accounts.get(pausedBy).header, pausedAt } : {}),
  }
}

/** What jobs of a kind, or all, have come to, step by step; a step in which there was none is left out. */
export async function jobHistory(
  ctx: Ctx,
  { job, span = 'day' }: { job?: string | undefined; span?: JobHistorySpan | undefined },
): Promise<JobHistoryData> {
  const minutes = historyMinutes[span]
  const rows = await selectJobSteps(ctx.sql, job, new Date(ctx.nowMs - historyMs[span]), minutes)
  return {
    minutes,
    steps: rows.map(({ at, done, failed, ms, longestMs }) => ({
      at,
      done,
      failed,
      averageMs: Math.round(ms / (done + failed)),
      longestMs,
    })),
  }
}

/** Nobody works on jobs of this kind until they go on; those under way are finished. */
export async function pauseJobs(ctx: Ctx, job: string): Promise<void> {
  requirePausable(ctx, job)
  await ctx.transaction(async (tx) => {
    if (await insertPause(tx.sql, job, ctx.viewer.id, tx.now)) await auditKind(tx, 'pauseJobs', job)
  })
}

/** Jobs of this kind go on. */
export async function resumeJobs(ctx: Ctx, job: string): Promise<void> {
  requirePausable(ctx, job)
  await ctx.transaction(async (tx) => {
    if (await deletePause(tx.sql, job)) await auditKind(tx, 'resumeJobs', job)
  })
  ctx.node.jobWakeUp.send()
}

/** Tries all of a kind again that have failed for good. */
export async function retryFailedJobs(ctx: Ctx, job: string): Promise<JobNumberData> {
  const number = await ctx.transaction((tx) => changeFailed(tx, 'retryJob', job, renewFailedJobs))
  ctx.node.jobWakeUp.send()
  return { number }
}

/** Gives all of a kind up that have failed for good. */
export async function dropFailedJobs(ctx: Ctx, job: string): Promise<JobNumberData> {
  return { number: await ctx.transaction((tx) => changeFailed(tx, 'dropJob', job, deleteFailedJobs)) }
}

async function changeFailed(tx: Tx, action: 'retryJob' | 'dropJob', job: string, change: typeof renewFailedJobs): Promise<number> {
  const number = await change(tx.sql, job)
  if (number > 0) await audit(tx, { action, subject: { type: 'job', id: job }, details: { job, number } })
  return number
}

function requirePausable({ node }: Ctx, job: string): void {
  if (!kindsOf(node).includes(job)) throw notAvailable('job')
}

const auditKind = (tx: Tx, action: 'pauseJobs' | 'resumeJobs', job: string) =>
  audit(tx, { action, subject: { type: 'job', id: job }, details: { job } })
