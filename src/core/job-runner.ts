// Carries jobs from the outbox to BullMQ and runs them. Postgres is the truth: Redis may lose every job,
// and a job may be delivered twice, without any effect being lost or doubled.
import { randomUUID } from 'node:crypto'
import { Queue, Worker, type Job } from 'bullmq'
import { Redis } from 'ioredis'
import { Ctx, type Node, type Tx } from './ctx.ts'
import { countFailure, markDue, outboxChannel, queueName, takeJob, type JobName, type JobPayloads } from './jobs.ts'

/** What a job does, inside the transaction that removes its outbox row. */
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
const heartbeatEveryMs = 10_000
const silentAfterMs = 60_000

interface Delivery {
  /** Outbox id; absent in a heartbeat. */
  id?: number
}

export interface JobRunner {
  /** Stops taking jobs, finishes those under way, closes the connections. */
  stop(): Promise<void>
}

/** Starts relaying and running jobs. `onSilence` is called when BullMQ has stopped delivering although Redis is there. */
export async function startJobRunner(node: Node, options: { redisUrl: string, redisPrefix: string, handlers: JobHandlers, sweeps: readonly Sweep[], onSilence: () => void }): Promise<JobRunner> {
  const { redisUrl, redisPrefix, handlers, sweeps } = options
  const log = node.log
  const connect = (maxRetriesPerRequest: number | null) => {
    const redis = new Redis(redisUrl, { maxRetriesPerRequest, retryStrategy: (attempt) => Math.min(100 * attempt, 2000) })
    redis.on('error', (error) => log.debug({ err: error }, 'job connection'))
    return redis
  }
  const queueRedis = connect(1)
  const workerRedis = connect(null)
  const prefix = `${redisPrefix}:bull`
  const queue = new Queue<Delivery>(queueName, { connection: queueRedis, prefix, defaultJobOptions: { removeOnComplete: true, removeOnFail: 1000 } })
  const worker = new Worker<Delivery>(queueName, deliver, { connection: workerRedis, prefix, concurrency })
  queue.on('error', (error) => log.debug({ err: error }, 'job queue'))
  worker.on('error', (error) => log.debug({ err: error }, 'job worker'))

  let beat: { id: string, sentMs: number } | undefined
  let relaying: Promise<void> | undefined
  let again = false
  let stopping = false

  async function deliver({ data }: Job<Delivery>): Promise<void> {
    if (data.id !== undefined) await runJob(data.id)
  }

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
      if (name) await countFailure(node.db.sql, id).catch(() => undefined)
      throw error
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
    if (queueRedis.status !== 'ready') return
    const due = await markDue(node.db.sql, new Date(node.clock.now()), lostAfterMs, batch)
    if (due.length === 0) return
    await queue.addBulk(due.map(({ id, attempt }) => ({ name: queueName, data: { id }, opts: { jobId: `outbox-${id}-${attempt}` } })))
    if (due.length === batch) again = true
  }

  /** One heartbeat at a time waits at the head of the queue; any worker may take it. */
  async function heartbeat(): Promise<void> {
    const now = node.clock.now()
    try {
      if (queueRedis.status !== 'ready') beat = undefined
      else if (!beat || !await queue.getJob(beat.id)) {
        beat = { id: `heartbeat-${randomUUID()}`, sentMs: now }
        await queue.add('heartbeat', {}, { jobId: beat.id, lifo: true })
      } else if (now - beat.sentMs > silentAfterMs) options.onSilence()
    } catch {
      beat = undefined
    }
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

  const timers = [
    node.clock.every(relayEveryMs, relay),
    node.clock.every(heartbeatEveryMs, () => void heartbeat()),
    ...sweeps.map((each) => node.clock.every(each.everyMs, () => void sweep(each))),
  ]
  const unlisten = await node.db.listen(outboxChannel, relay, relay)
  await worker.waitUntilReady()
  relay()
  for (const each of sweeps) void sweep(each)

  return {
    async stop() {
      stopping = true
      for (const cancel of timers) cancel()
      await unlisten().catch(() => undefined)
      await relaying
      await worker.close()
      await queue.close()
      queueRedis.disconnect()
      workerRedis.disconnect()
    },
  }
}

function contextFor(node: Node, requestId: string): Ctx<undefined> {
  return new Ctx(node, undefined, { requestId, log: node.log })
}

