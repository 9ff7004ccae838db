// The consuming end of a BullMQ queue, with the watch that BullMQ needs: connections that come back,
// deliveries that must not stop, closing that must not wait for ever.
import { randomUUID } from 'node:crypto'
import { Queue, Worker, type JobsOptions, type WorkerOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Node } from './ctx.ts'
import type { Log } from '../base/log.ts'
import { openRedis } from '../bus/redis-connection.ts'
import { queuePrefix } from '../bus/redis-keys.ts'

const heartbeatEveryMs = 10_000
const silentAfterMs = 60_000
const heartbeat = 'heartbeat'
/** BullMQ waits for the jobs under way, and for connections that may never come. */
const closeWithinMs = 12_000

/** A connection for BullMQ; `null` retries for ever, as its workers demand. */
export function queueConnection(url: string, log: Log, maxRetriesPerRequest: number | null, more: { commandTimeout?: number } = {}): Redis {
  const redis = openRedis(url, { maxRetriesPerRequest, retryStrategy: (attempt) => Math.min(100 * attempt, 1000), ...more })
  redis.on('error', (error) => log.debug({ err: error }, 'queue connection'))
  return redis
}

/** The producing end of a queue whose jobs need not survive anything; commands fail while Redis is away. */
export function openQueue<Data>({
  name,
  redisUrl,
  redisPrefix,
  log,
  commandTimeoutMs,
}: {
  name: string
  redisUrl: string
  redisPrefix: string
  log: Log
  commandTimeoutMs: number
}): { redis: Redis; queue: Queue<Data> } {
  const redis = queueConnection(redisUrl, log, 1, { commandTimeout: commandTimeoutMs })
  const queue = new Queue<Data>(name, {
    connection: redis,
    prefix: queuePrefix(redisPrefix),
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  })
  queue.on('error', (error) => log.debug({ err: error, queue: name }, 'queue'))
  return { redis, queue }
}

export interface ConsumerOptions<Data> {
  name: string
  redisUrl: string
  redisPrefix: string
  jobs: JobsOptions
  worker: Omit<WorkerOptions, 'connection' | 'prefix'>
  deliver(data: Data): Promise<void>
  /** Called when BullMQ has stopped delivering although Redis is there. */
  onSilence(): void
}

/** A queue that is being worked on. */
export interface Consumer<Data> {
  /** False while Redis is away. */
  readonly up: boolean
  /** Adds a job; ignored if a job of that id is in the queue already. */
  add(items: readonly { id: string; data: Data }[]): Promise<void>
  /** Takes no more jobs, finishes those under way, closes the connections. */
  stop(): Promise<void>
}

/** Starts consuming a queue; resolves when it is running. */
export async function consume<Data extends object>({ log, clock }: Node, options: ConsumerOptions<Data>): Promise<Consumer<Data>> {
  const { name, redisUrl, deliver, onSilence } = options
  const prefix = queuePrefix(options.redisPrefix)
  const queueRedis = queueConnection(redisUrl, log, 1)
  const workerRedis = queueConnection(redisUrl, log, null)
  const queue = new Queue(name, { connection: queueRedis, prefix, defaultJobOptions: options.jobs })
  const worker = new Worker(
    name,
    async (job) => {
      if (job.name !== heartbeat) await deliver(job.data as Data)
    },
    { ...options.worker, connection: workerRedis, prefix },
  )
  queue.on('error', (error) => log.debug({ err: error, queue: name }, 'queue'))
  worker.on('error', (error) => log.debug({ err: error, queue: name }, 'queue worker'))

  let beat: { id: string; sentMs: number } | undefined
  /** One heartbeat at a time waits at the head of the queue; any worker may take it. */
  async function beatOnce(): Promise<void> {
    const now = clock.elapsed()
    try {
      if (queueRedis.status !== 'ready') beat = undefined
      else if (!beat || !(await queue.getJob(beat.id))) {
        beat = { id: `${heartbeat}-${randomUUID()}`, sentMs: now }
        await queue.add(heartbeat, {}, { jobId: beat.id, lifo: true })
      } else if (now - beat.sentMs > silentAfterMs) onSilence()
    } catch {
      beat = undefined
    }
  }
  const stopBeating = clock.every(heartbeatEveryMs, () => void beatOnce())
  await worker.waitUntilReady()

  return {
    get up() {
      return queueRedis.status === 'ready'
    },
    async add(items) {
      await queue.addBulk(items.map(({ id, data }) => ({ name, data, opts: { jobId: id } })))
    },
    async stop() {
      stopBeating()
      // Without Redis the end of a job cannot be reported anyway.
      await within(closeWithinMs, worker.close(queueRedis.status !== 'ready'))
      // It has a connection of its own, too.
      void worker.disconnect().catch(() => undefined)
      void queue.close().catch(() => undefined)
      queueRedis.disconnect()
      workerRedis.disconnect()
    },
  }
}

/** Real time: in tests the clock may stand still. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => undefined), waited])
  clearTimeout(timer)
}
