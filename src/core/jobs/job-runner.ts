// Carries jobs from the outbox to BullMQ and runs them. Postgres is the truth: Redis may lose every job,
// and a job may be delivered twice, without any effect being lost or doubled.
import { Ctx, type Node, type Tx } from '../ctx.ts'
import { originOf } from '../errors.ts'
import { countFailure, markDue, queueName, takeJob, type JobName, type JobPayloads } from './jobs.ts'
import { consume } from './queue.ts'

/** Runs a job, inside the transaction that removes its outbox row. */
export type JobHandlers = { [Name in JobName]: (tx: Tx<undefined>, payload: JobPayloads[Name]) => Promise<void> }

/** Work that finds its own input in Postgres, again and again. Two workers doing it at once must do no harm. */
export interface Sweep {
  name: string
  everyMs: number
  run(ctx: Ctx<undefined>): Promise<void>
}

const relayEveryMs = 1000
/** A job handed out this long ago, still in the outbox and not under way, was lost, or its worker was. */
const lostAfterMs = 5000
const batch = 500
const concurrency = 8

interface Delivery {
  /** Outbox id. */
  id: number
}

export interface JobRunner {
  /** Stops taking jobs, finishes those under way, closes the connections. */
  stop(): Promise<void>
}

/** Starts relaying and running jobs. `onSilence` is called when BullMQ has stopped delivering although Redis is there. */
export async function startJobRunner(
  node: Node,
  options: { redisUrl: string; redisPrefix: string; handlers: JobHandlers; sweeps: readonly Sweep[]; onSilence: () => void },
): Promise<JobRunner> {
  const { redisUrl, redisPrefix, handlers, sweeps, onSilence } = options
  const log = node.log
  let relaying: Promise<void> | undefined
  let again = false
  let stopping = false

  async function runJob(id: number): Promise<void> {
    const startedMs = node.clock.now()
    let name: JobName | undefined
    let requestId: string | undefined
    try {
      await contextFor(node, `job-${id}`).transaction(async (tx) => {
        const taken = await takeJob(tx.sql, id)
        if (!taken) return
        name = taken.job
        requestId = taken.requestId
        await handlers[taken.job](tx, taken.payload as never)
      })
      if (!name) return
      node.metrics.jobsDone.inc({ job: name, outcome: 'done' })
      const ms = node.clock.now() - startedMs
      node.metrics.jobSeconds.observe({ job: name }, ms / 1000)
      log.info({ job: name, outboxId: id, requestId, ms }, 'job done')
    } catch (error) {
      node.metrics.jobsDone.inc({ job: name ?? 'unknown', outcome: 'failed' })
      log.warn({ err: error, job: name, outboxId: id, requestId }, 'job failed, it will be tried again')
      if (name) await countFailure(node.db.sql, id, originOf(error)).catch(() => undefined)
      // BullMQ keeps the words of an error in Redis, and whatever hangs on it.
      // oxlint-disable-next-line preserve-caught-error
      throw new Error(originOf(error))
    }
  }

  /** One relay at a time; a wake-up during one makes another follow. */
  function relay(): void {
    if (stopping) return
    if (relaying) {
      again = true
      return
    }
    relaying = relayDue()
      .catch((error: unknown) => log.warn({ err: error }, 'outbox could not be relayed'))
      .finally(() => {
        relaying = undefined
        if (!again) return
        again = false
        relay()
      })
  }

  async function relayDue(): Promise<void> {
    // While Redis is away the rows stay unmarked, so that they go out at once when it is back.
    if (!jobs.up) return
    const due = await markDue(node.db.sql, new Date(node.clock.now()), lostAfterMs, batch)
    if (due.length === 0) return
    await jobs.add(due.map(({ id, attempt }) => ({ id: `outbox-${id}-${attempt}`, data: { id } })))
    if (due.length === batch) again = true
  }

  const sweepsUnderWay = new Set<string>()
  async function sweep({ name, run }: Sweep): Promise<void> {
    if (sweepsUnderWay.has(name) || stopping) return
    sweepsUnderWay.add(name)
    try {
      await run(contextFor(node, `sweep-${name}`))
    } catch (error) {
      log.warn({ err: error, sweep: name }, 'sweep failed')
    } finally {
      sweepsUnderWay.delete(name)
    }
  }

  const jobs = await consume<Delivery>(node, {
    name: queueName,
    redisUrl,
    redisPrefix,
    onSilence,
    jobs: { removeOnComplete: true, removeOnFail: 1000 },
    worker: { concurrency },
    deliver: ({ id }) => runJob(id),
  })
  const timers = [node.clock.every(relayEveryMs, relay), ...sweeps.map((each) => node.clock.every(each.everyMs, () => void sweep(each)))]
  const stopHearing = await node.jobWakeUp.subscribe(relay)
  relay()
  for (const each of sweeps) void sweep(each)

  return {
    async stop() {
      stopping = true
      for (const cancel of timers) cancel()
      stopHearing()
      await relaying
      await jobs.stop()
    },
  }
}

function contextFor(node: Node, requestId: string): Ctx<undefined> {
  return new Ctx(node, undefined, { requestId, log: node.log })
}
