// Work on images, done by workers while the request that brought the image waits. The order goes
// through a BullMQ queue of its own, the outcome comes back over the bus. Neither has to survive
// anything: a request whose order is lost answers 503, and its client repeats it.
import type { Bus } from '../core/bus/bus.ts'
import type { Clock } from '../core/base/clock.ts'
import type { Node } from '../core/work/ctx.ts'
import { unavailable } from '../core/base/errors.ts'
import type { Log } from '../core/base/log.ts'
import type { JobRunCounter } from '../core/work/job-runs.ts'
import { consume, openQueue } from '../core/work/queue.ts'

/** An order to process one uploaded image. Paths are below the root of stored images. */
export interface ImageOrder {
  /** The upload. Its owner removes it; an order without it is dropped. */
  source: string
  /** Name to store it under, without an extension. */
  name: string
  /** Cut out the square in the middle. */
  square: boolean
  /** Keep GIF and WebP, and so their movement. */
  animations: boolean
  /** Comes from the store of another server: what would be stored like this keeps its bytes. */
  stored?: boolean
  /** Folder below the root for what is made; undefined: the root itself. */
  into?: string
}

/** The image is stored under this name with so many pixels, or cannot be: then a sentence that says why. */
export type ImageOutcome = { filename: string; width: number; height: number } | { refused: string }

/** The requests' end. */
export interface ImageQueue {
  /** @throws AppError 503 when it is not done within `withinMs`, or cannot be. */
  process(order: ImageOrder, withinMs?: number): Promise<ImageOutcome>
  close(): Promise<void>
}

const queueName = 'images'
/** Below the time a request may take. */
const deadlineMs = 15_000
/** Requests of one node that may wait at once. */
const maxWaiting = 100
const commandTimeoutMs = 3000
const checkEveryMs = 250

interface Delivery {
  order: ImageOrder
  id: string
  replyTo: string
}

interface Reply {
  id: string
  /** Absent when the work failed for no fault of the image. */
  outcome?: ImageOutcome | undefined
}

const busy = (cause?: unknown) => unavailable('busy', 'Images cannot be processed at the moment. Try again in a moment.', cause)

/** Connects to the queue. */
export function createImageQueue({
  redisUrl,
  redisPrefix,
  bus,
  clock,
  log,
}: {
  redisUrl: string
  redisPrefix: string
  bus: Bus
  clock: Clock
  log: Log
}): ImageQueue {
  const { redis, queue } = openQueue<Delivery>({ name: queueName, redisUrl, redisPrefix, log, commandTimeoutMs })
  const replyTo = `images:${bus.nodeId}`
  const waiting = new Map<string, (reply: Reply | Error) => void>()
  const listening = bus.subscribe(replyTo, (message) => {
    const reply = message as Reply
    waiting.get(reply.id)?.(reply)
  })
  // Over a dead bus no outcome can come.
  const stopChecking = clock.every(checkEveryMs, () => {
    if (!bus.up) for (const end of waiting.values()) end(busy('the bus is down'))
  })
  let counter = 0

  return {
    async process(order, withinMs = deadlineMs) {
      await listening
      if (!bus.up || redis.status !== 'ready' || waiting.size >= maxWaiting)
        throw busy(`${waiting.size} images wait, Redis is ${redis.status}`)
      const id = `${bus.nodeId}-${++counter}`
      return await new Promise<ImageOutcome>((resolve, reject) => {
        const cancel = clock.after(withinMs, () => end(busy('no outcome in time')))
        const end = (reply: Reply | Error) => {
          cancel()
          waiting.delete(id)
          if (reply instanceof Error) reject(reply)
          else if (reply.outcome) resolve(reply.outcome)
          else reject(busy('the worker has failed'))
        }
        waiting.set(id, end)
        queue.add('image', { id, replyTo, order }, { jobId: id }).catch((error: unknown) => end(busy(error)))
      })
    },
    async close() {
      stopChecking()
      for (const end of waiting.values()) end(busy('stopping'))
      // Waits for a connection that may never come.
      void queue.close().catch(() => undefined)
      redis.disconnect()
    },
  }
}

/** One is being worked on while the next is fetched. */
const concurrency = 2
/** Renewed while the work goes on; past it another worker takes over. */
const lockMs = 8000

/**
 * Starts taking orders. `work` rejects for faults that are not the image's. `onSilence` is called when BullMQ has
 * stopped delivering although Redis is there.
 */
export async function startImageWorker(
  node: Node,
  options: {
    redisUrl: string
    redisPrefix: string
    work: (order: ImageOrder) => Promise<ImageOutcome>
    runs: JobRunCounter
    onSilence: () => void
  },
): Promise<{ stop(): Promise<void> }> {
  const { redisUrl, redisPrefix, work, runs, onSilence } = options
  const { log, clock } = node

  async function deliver({ id, replyTo, order }: Delivery): Promise<void> {
    const startedMs = clock.elapsed()
    const outcome = await work(order).catch((error: unknown) => {
      log.error({ err: error, requestId: id }, 'an image could not be processed')
      return undefined
    })
    node.metrics.jobsDone.inc({ job: 'image', outcome: !outcome ? 'failed' : 'refused' in outcome ? 'refused' : 'done' })
    const ms = clock.elapsed() - startedMs
    node.metrics.jobSeconds.observe({ job: 'image' }, ms / 1000)
    runs.note('image', outcome ? 'done' : 'failed', ms)
    node.bus.publish(replyTo, { id, outcome } satisfies Reply)
  }

  return await consume<Delivery>(node, {
    name: queueName,
    redisUrl,
    redisPrefix,
    onSilence,
    deliver,
    jobs: { removeOnComplete: true, removeOnFail: true },
    worker: { concurrency, lockDuration: lockMs, stalledInterval: lockMs / 2, maxStalledCount: 2 },
  })
}

declare module '../core/work/ctx.ts' {
  interface Node {
    /** Processes uploaded images. */
    readonly images: ImageQueue
  }
}
