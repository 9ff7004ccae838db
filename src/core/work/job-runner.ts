// Carries jobs from the outbox to BullMQ and runs them. Postgres is the truth: Redis may lose every job,
// and a job may be delivered twice, without any effect being lost or doubled.
import { Ctx, type Node, type Tx } from './ctx.ts'
import { translateDbError } from '../db/errors.ts'
import { AppError, originOf } from '../base/errors.ts'
import { countFailure, markDue, queueName, takeJobs, unmark, type DueJob, type JobName, type JobPayloads } from '../outbox/jobs.ts'
import { consume } from './queue.ts'

/** Runs a job, inside the transaction that removes its outbox row. */
export type JobHandlers = { [Name in JobName]: (tx: Tx<undefined>, payload: JobPayloads[Name]) => Promise<void> }

/**
 * Jobs of which those that wait are done together, in one transaction: what several of them ask for, in as few payloads as
 * it takes. When that fails, each is done by itself.
 */
export type JobsTogether = { [Name in JobName]?: (payloads: readonly JobPayloads[Name][]) => readonly JobPayloads[Name][] }

/** A kind of job, as a feature declares it. */
export interface Job<Name extends JobName> {
  readonly name: Name
  run(tx: Tx<undefined>, payload: JobPayloads[Name]): Promise<void>
  /** See `JobsTogether`. */
  together?(payloads: readonly JobPayloads[Name][]): readonly JobPayloads[Name][]
}
export type AnyJob = { [Name in JobName]: Job<Name> }[JobName]

/** Declares a kind of job. */
export const job = <Name extends JobName>(name: Name, run: Job<Name>['run'], together?: Job<Name>['together']): AnyJob =>
  ({ name, run, ...(together ? { together } : {}) }) as unknown as AnyJob

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
/** Jobs that are done together. */
const mostTogether = 50

interface Delivery {
  /** Outbox ids: several of jobs that are done together. */
  ids: number[]
}

export interface JobRunner {
  /** Stops taking jobs, finishes those under way, closes the connections. */
  stop(): Promise<void>
}

/** Starts relaying and running jobs. `onSilence` is called when BullMQ has stopped delivering although Redis is there. */
export async function startJobRunner(
  node: Node,
  options: {
    redisUrl: string
    redisPrefix: string
    handlers: JobHandlers
    together?: JobsTogether
    sweeps: readonly Sweep[]
    onSilence: () => void
  },
): Promise<JobRunner> {
  const { redisUrl, redisPrefix, handlers, together = {}, sweeps, onSilence } = options
  const log = node.log
  let relaying: Promise<void> | undefined
  let again = false
  let stopping = false

  async function runJobs(ids: readonly number[]): Promise<void> {
    const startedMs = node.clock.elapsed()
    let name: JobName | undefined
    let requestId: string | undefined
    let count = 0
    try {
      await contextFor(node, `job-${ids[0]}`).transaction(async (tx) => {
        const taken = await takeJobs(tx.sql, ids)
        const [first] = taken
        count = taken.length
        if (!first) return
        name = first.job
        requestId = first.requestId
        const merge = (together[name] ?? same) as (payloads: readonly unknown[]) => readonly unknown[]
        for (const payload of merge(taken.map((job) => job.payload))) await handlers[name](tx, payload as never)
      })
      if (!name || count === 0) return
      node.metrics.jobsDone.inc({ job: name, outcome: 'done' }, count)
      const ms = Math.round(node.clock.elapsed() - startedMs)
      node.metrics.jobSeconds.observe({ job: name }, ms / 1000)
      log.info({ job: name, outboxId: ids[0], count, requestId, ms }, 'job done')
    } catch (error) {
      // One of them may be to blame: the others must not suffer.
      if (ids.length > 1 && !(translateDbError(error) instanceof AppError)) return await runOneByOne(ids)
      node.metrics.jobsDone.inc({ job: name ?? 'unknown', outcome: 'failed' })
      log.warn({ err: error, job: name, outboxId: ids[0], requestId }, 'job failed, it will be tried again')
      if (name) await countFailure(node.db.sql, ids, originOf(error)).catch(() => undefined)
      // BullMQ keeps the words of an error in Redis, and whatever hangs on it.
      // oxlint-disable-next-line preserve-caught-error
      throw new Error(originOf(error))
    }
  }

  async function runOneByOne(ids: readonly number[]): Promise<void> {
    let failure: unknown
    for (const id of ids)
      await runJobs([id]).catch((error: unknown) => {
        failure = error
      })
    if (failure) throw failure
  }

  /** Jobs that go out together: those of one name where that is wanted, else each by itself. */
  function deliveriesOf(due: readonly DueJob[]): DueJob[][] {
    const open = new Map<JobName, DueJob[]>()
    const deliveries: DueJob[][] = []
    for (const each of due) {
      const others = open.get(each.job)
      if (others && others.length < mostTogether) others.push(each)
      else {
        const delivery = [each]
        deliveries.push(delivery)
        if (together[each.job]) open.set(each.job, delivery)
      }
    }
    return deliveries
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
    const deliveries = deliveriesOf(due).map((delivery) => {
      const [{ id, attempt }] = delivery as [DueJob]
      return { id: `outbox-${id}-${attempt}`, data: { ids: delivery.map((each) => each.id) } }
    })
    try {
      await jobs.add(deliveries)
    } catch (error) {
      // Redis takes nothing, for want of memory or disk: they shall not wait for their turn when it does again.
      await unmark(node.db.sql, due)
      throw error
    }
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
    deliver: ({ ids }) => runJobs(ids),
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

const same = <Payload>(payloads: readonly Payload[]) => payloads

function contextFor(node: Node, requestId: string): Ctx<undefined> {
  return new Ctx(node, undefined, { requestId, log: node.log })
}
