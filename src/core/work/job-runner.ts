// Carries jobs from the outbox to BullMQ and runs them. Postgres is the truth: Redis may lose every job,
// and a job may be delivered twice, without any effect being lost or doubled.
import { Ctx, type Node, type Tx } from './ctx.ts'
import { translateDbError } from '../db/errors.ts'
import { AppError, originOf } from '../base/errors.ts'
import {
  countFailure,
  markDue,
  queueName,
  selectPayload,
  takeJobs,
  unmark,
  type DueJob,
  type JobName,
  type JobPayloads,
  type TakenJob,
} from '../outbox/jobs.ts'
import type { JobRunCounter } from './job-runs.ts'
import { consume, type Consumer } from './queue.ts'

/** Runs a job, inside the transaction that removes its outbox row. `prepared`: what its preparation has resolved with. */
export type JobHandlers = { [Name in JobName]: (tx: Tx<undefined>, payload: JobPayloads[Name], prepared: never) => Promise<void> }

/** What takes long and writes nothing, as a fetch from elsewhere: done before the transaction, which would hold a connection all the while. */
export type JobPreparations = { [Name in JobName]?: (ctx: Ctx<undefined>, payload: JobPayloads[Name]) => Promise<unknown> }

/**
 * Jobs of which those that wait are done together, in one transaction: what several of them ask for, in as few payloads as
 * it takes. When that fails, each is done by itself.
 */
export type JobsTogether = { [Name in JobName]?: (payloads: readonly JobPayloads[Name][]) => readonly JobPayloads[Name][] }

/** A kind of job, as a feature declares it. */
export interface Job<Name extends JobName, Prepared> {
  readonly name: Name
  run(tx: Tx<undefined>, payload: JobPayloads[Name], prepared: Prepared): Promise<void>
  /** See `JobPreparations`. Those that are prepared are not done together. */
  prepare?(ctx: Ctx<undefined>, payload: JobPayloads[Name]): Promise<Prepared>
  /** A table without whose rows there is nothing to do: while it is empty, no such job is written. */
  onlyWith?: string
  /** See `JobsTogether`. */
  together?(payloads: readonly JobPayloads[Name][]): readonly JobPayloads[Name][]
}
export type AnyJob = { [Name in JobName]: Job<Name, unknown> }[JobName]

/** Declares a kind of job. */
export const job = <Name extends JobName, Prepared = undefined>(
  name: Name,
  run: Job<Name, Prepared>['run'],
  more: Pick<Job<Name, Prepared>, 'prepare' | 'onlyWith' | 'together'> = {},
): AnyJob => ({ name, run, ...more }) as unknown as AnyJob

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
  job: JobName
  /** Outbox ids: several of jobs that are done together. */
  ids: number[]
}

export interface JobRunner {
  /** Stops taking jobs, finishes those under way, closes the connections. */
  stop(): Promise<void>
}

interface RunnerOptions {
  redisUrl: string
  redisPrefix: string
  handlers: JobHandlers
  prepare?: JobPreparations
  together?: JobsTogether
  sweeps: readonly Sweep[]
  runs: JobRunCounter
  onSilence: () => void
}

/** Starts relaying and running jobs. `onSilence` is called when BullMQ has stopped delivering although Redis is there. */
export async function startJobRunner(
  node: Node,
  { redisUrl, redisPrefix, sweeps, onSilence, ...options }: RunnerOptions,
): Promise<JobRunner> {
  const delivered = new DeliveredJobs(node, options)
  const jobs = await consume<Delivery>(node, {
    name: queueName,
    redisUrl,
    redisPrefix,
    onSilence,
    jobs: { removeOnComplete: true, removeOnFail: 1000 },
    worker: { concurrency },
    deliver: ({ job, ids }) => delivered.run(job, ids),
  })
  const relay = new Relay(node, jobs, (name) => options.together?.[name] !== undefined)
  const swept = new Sweeps(node)
  const timers = [
    node.clock.every(relayEveryMs, () => relay.wake()),
    ...sweeps.map((each) => node.clock.every(each.everyMs, () => void swept.run(each))),
  ]
  const stopHearing = await node.jobWakeUp.subscribe(() => relay.wake())
  relay.wake()
  for (const each of sweeps) void swept.run(each)

  return {
    async stop() {
      swept.stop()
      for (const cancel of timers) cancel()
      stopHearing()
      await relay.stop()
      await jobs.stop()
    },
  }
}

/** Runs jobs that BullMQ has delivered. */
class DeliveredJobs {
  readonly #node: Node
  readonly #handlers: JobHandlers
  readonly #preparations: JobPreparations
  readonly #together: JobsTogether
  readonly #runs: JobRunCounter
  /** While one is prepared its row is not locked, so that it may be delivered again. */
  readonly #preparing = new Set<number>()

  constructor(
    node: Node,
    { handlers, prepare = {}, together = {}, runs }: Pick<RunnerOptions, 'handlers' | 'prepare' | 'together' | 'runs'>,
  ) {
    this.#node = node
    this.#handlers = handlers
    this.#preparations = prepare
    this.#together = together
    this.#runs = runs
  }

  /** In one transaction. @throws Error without words of the job, when they are to be tried again. */
  async run(job: JobName, ids: readonly number[]): Promise<void> {
    const node = this.#node
    const startedMs = node.clock.elapsed()
    const ctx = contextFor(node, `job-${ids[0]}`)
    let taken: readonly TakenJob[] = []
    let isPreparing = true
    try {
      const prepared = await this.#prepare(ctx, job, ids)
      if (prepared === 'not ours') return
      isPreparing = false
      await ctx.transaction(async (tx) => {
        taken = await takeJobs(tx.sql, ids)
        await this.#handle(tx, taken, prepared)
      })
      if (taken[0]) this.#noteDone(taken[0], ids, taken.length, startedMs)
    } catch (error) {
      // One of them may be to blame: the others must not suffer.
      if (ids.length > 1 && !(translateDbError(error) instanceof AppError)) return await this.#runOneByOne(job, ids)
      this.#noteFailed(job, ids, error, { startedMs, requestId: taken[0]?.requestId })
      // Where it was not even taken, Postgres is to blame.
      if (isPreparing || taken[0]) await countFailure(node.db.sql, ids, originOf(error)).catch(() => undefined)
      // BullMQ keeps the words of an error in Redis, and whatever hangs on it.
      // oxlint-disable-next-line preserve-caught-error
      throw new Error(originOf(error))
    }
  }

  /** `not ours`: it is done, or being prepared here. */
  async #prepare(ctx: Ctx<undefined>, job: JobName, [id]: readonly number[]): Promise<unknown> {
    const prepare = this.#preparations[job] as ((ctx: Ctx<undefined>, payload: unknown) => Promise<unknown>) | undefined
    if (!prepare || id === undefined) return undefined
    if (this.#preparing.has(id)) return 'not ours'
    this.#preparing.add(id)
    try {
      const row = await selectPayload(ctx.sql, id)
      return row ? await prepare(ctx, row.payload) : 'not ours'
    } finally {
      this.#preparing.delete(id)
    }
  }

  async #handle(tx: Tx<undefined>, taken: readonly TakenJob[], prepared: unknown): Promise<void> {
    const name = taken[0]?.job
    if (name === undefined) return
    const merge = (this.#together[name] ?? same) as (payloads: readonly unknown[]) => readonly unknown[]
    for (const payload of merge(taken.map((job) => job.payload))) await this.#handlers[name](tx, payload as never, prepared as never)
  }

  async #runOneByOne(job: JobName, ids: readonly number[]): Promise<void> {
    let failure: unknown
    for (const id of ids)
      await this.run(job, [id]).catch((error: unknown) => {
        failure = error
      })
    if (failure) throw failure
  }

  #noteDone({ job, requestId }: TakenJob, ids: readonly number[], count: number, startedMs: number): void {
    const { metrics, log, clock } = this.#node
    metrics.jobsDone.inc({ job, outcome: 'done' }, count)
    const ms = Math.round(clock.elapsed() - startedMs)
    metrics.jobSeconds.observe({ job }, ms / 1000)
    this.#runs.note(job, 'done', ms, count)
    log.info({ job, outboxId: ids[0], count, requestId, ms }, 'job done')
  }

  #noteFailed(
    job: JobName,
    ids: readonly number[],
    error: unknown,
    { startedMs, requestId }: { startedMs: number; requestId: string | undefined },
  ): void {
    const { metrics, log, clock } = this.#node
    metrics.jobsDone.inc({ job, outcome: 'failed' })
    this.#runs.note(job, 'failed', clock.elapsed() - startedMs, ids.length)
    log.warn({ err: error, job, outboxId: ids[0], requestId }, 'job failed, it will be tried again')
  }
}

/** Hands jobs that are due from the outbox to BullMQ. */
class Relay {
  readonly #node: Node
  readonly #queue: Consumer<Delivery>
  readonly #goesTogether: (name: JobName) => boolean
  #underWay: Promise<void> | undefined
  #again = false
  #stopping = false

  constructor(node: Node, queue: Consumer<Delivery>, goesTogether: (name: JobName) => boolean) {
    this.#node = node
    this.#queue = queue
    this.#goesTogether = goesTogether
  }

  /** One relay at a time; a wake-up during one makes another follow. */
  wake(): void {
    if (this.#stopping) return
    if (this.#underWay) {
      this.#again = true
      return
    }
    this.#underWay = this.#relayDue()
      .catch((error: unknown) => this.#node.log.warn({ err: error }, 'outbox could not be relayed'))
      .finally(() => {
        this.#underWay = undefined
        if (!this.#again) return
        this.#again = false
        this.wake()
      })
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#underWay
  }

  async #relayDue(): Promise<void> {
    const { db, clock } = this.#node
    // While Redis is away the rows stay unmarked, so that they go out at once when it is back.
    if (!this.#queue.up) return
    const due = await markDue(db.sql, new Date(clock.now()), lostAfterMs, batch)
    if (due.length === 0) return
    const deliveries = this.#deliveriesOf(due).map((delivery) => {
      const [{ id, attempt, job }] = delivery as [DueJob]
      return { id: `outbox-${id}-${attempt}`, data: { job, ids: delivery.map((each) => each.id) } }
    })
    try {
      await this.#queue.add(deliveries)
    } catch (error) {
      // Redis takes nothing, for want of memory or disk: they shall not wait for their turn when it does again.
      await unmark(db.sql, due)
      throw error
    }
    if (due.length === batch) this.#again = true
  }

  /** Jobs that go out together: those of one name where that is wanted, else each by itself. */
  #deliveriesOf(due: readonly DueJob[]): DueJob[][] {
    const open = new Map<JobName, DueJob[]>()
    const deliveries: DueJob[][] = []
    for (const each of due) {
      const others = open.get(each.job)
      if (others && others.length < mostTogether) others.push(each)
      else {
        const delivery = [each]
        deliveries.push(delivery)
        if (this.#goesTogether(each.job)) open.set(each.job, delivery)
      }
    }
    return deliveries
  }
}

/** Runs sweeps, each once at a time. */
class Sweeps {
  readonly #node: Node
  readonly #underWay = new Set<string>()
  #stopping = false

  constructor(node: Node) {
    this.#node = node
  }

  async run({ name, run }: Sweep): Promise<void> {
    if (this.#underWay.has(name) || this.#stopping) return
    this.#underWay.add(name)
    try {
      await run(contextFor(this.#node, `sweep-${name}`))
    } catch (error) {
      this.#node.log.warn({ err: error, sweep: name }, 'sweep failed')
    } finally {
      this.#underWay.delete(name)
    }
  }

  stop(): void {
    this.#stopping = true
  }
}

const same = <Payload>(payloads: readonly Payload[]) => payloads

function contextFor(node: Node, requestId: string): Ctx<undefined> {
  return new Ctx(node, undefined, { requestId, log: node.log })
}
