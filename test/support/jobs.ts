// Workers that a test starts, disturbs and stops, and what they do when it says so.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Sql } from '../../src/core/db/db.ts'
import { Ctx } from '../../src/core/work/ctx.ts'
import { startJobRunner, type JobHandlers, type JobsTogether, type Sweep } from '../../src/core/work/job-runner.ts'
import { JobRunCounter } from '../../src/core/work/job-runs.ts'
import type { TestNodes } from './app.ts'
import { until } from './until.ts'

/** Starts a worker for each node that does these jobs and no others, and sweeps nothing; they stop after the test. */
export async function startWorkers(
  t: TestContext,
  nodes: TestNodes,
  handlers: Partial<JobHandlers>,
  together: JobsTogether = {},
): Promise<void> {
  const redisPrefix = `t${randomBytes(6).toString('hex')}`
  for (const { node } of nodes.apps) {
    const runs = new JobRunCounter(node)
    const runner = await startJobRunner(node, {
      redisUrl: process.env['TEST_REDIS_URL'] ?? '',
      redisPrefix,
      handlers: handlers as JobHandlers,
      together,
      sweeps: [],
      runs,
      onSilence: () => undefined,
    })
    t.after(async () => {
      await runner.stop()
      await runs.stop()
    })
  }
}

/** Sweeps once on each of these nodes, all at once. */
export async function sweep(nodes: Pick<TestNodes, 'apps'>, run: Sweep['run']): Promise<void> {
  await Promise.all(nodes.apps.map(({ node }) => run(new Ctx(node, undefined, { requestId: 'sweep', log: node.log }))))
}

/** A job whose delivery is lost comes again after 5 seconds, then 10, then 15. */
const lostThriceMs = 40_000

/** Whether no job waits or is under way, but for events of the sample schedule that begin soon: those are announced at their minute. */
export async function noJobIsLeft(sql: Sql): Promise<boolean> {
  return (await sql`select from outbox where not (job = 'event-starting' and run_at > created_at)`).length === 0
}

/** Resolves when no job waits or is under way. */
export async function jobsDone({ sql }: TestNodes): Promise<void> {
  await until(() => noJobIsLeft(sql), 'all jobs are done', lostThriceMs).catch(async (error: unknown) => {
    const waiting = await sql`select job, run_at, relayed_at, attempt, failures, last_error, clock_timestamp() as now from outbox`
    throw new Error(`jobs that wait: ${JSON.stringify(waiting)}`, { cause: error })
  })
}
