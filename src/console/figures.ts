// How the servers are doing: each node samples itself every five seconds and keeps an hour of it in memory. What all
// of them show together is added up when somebody asks.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Ctx, type Node } from '../core/work/ctx.ts'
import { durationBuckets, loopDelayEveryMs, type Fault } from '../core/base/metrics.ts'
import { ClusterQuery, type Answers } from '../core/bus/cluster-query.ts'
import { userKind } from '../users/channel.ts'
import { insertFaults } from './faults.queries.ts'

export const sampleEveryMs = 5000
const samplesKept = (60 * 60_000) / sampleEveryMs
const mebibyte = 1024 * 1024
/** Two weeks: longer than most events last. */
const faultsKeptMs = 14 * 24 * 60 * 60_000

/** What one node did in five seconds, and how it was at the end of them. */
export interface Sample {
  /** Number of five seconds since 1970. */
  slot: number
  /** Users with a notification socket here. */
  online: number
  /** Notification sockets and sockets of chats. */
  sockets: number
  requests: number
  errors: number
  posts: number
  /** Requests by how long they took: one count for each bound of the metrics, and one beyond. */
  buckets: number[]
  /** Milliseconds that a turn of the loop was late: the worst of a hundred. */
  lag: number
  memoryMb: number
  /** Percent of one core. */
  cpu: number
}

/** The answer of one node. */
export interface NodeFigures {
  source: string
  startedMs: number
  samples: Sample[]
  faults: Fault[]
}

interface Question {
  /** Samples after this slot. */
  since: number
  faults: boolean
}

/** Patterns of the routes that write posts for others to read. */
const posting =
  /^\/api\/v3\/(fez\/:fezID\/post|forum\/:forum_id\/create|forum\/categories\/:category_id\/create|(microblog|twitarr)\/(create|:post_id\/reply|:twarrt_id\/reply))$/

/** The samples of this node, and the way to those of all. */
export class Figures {
  readonly #node: Node
  readonly #nodes: ClusterQuery<Question, NodeFigures>
  readonly #source: string
  readonly #startedMs: number
  readonly #samples: Sample[] = []
  readonly #delay = monitorEventLoopDelay({ resolution: loopDelayEveryMs })
  #totals: Totals
  #cpu = process.cpuUsage()
  #sampledMs: number
  readonly #saved = new WeakSet<Fault>()
  #isSaving = false
  #stop: () => void = () => undefined

  constructor(node: Node, source: string) {
    this.#node = node
    this.#nodes = new ClusterQuery(node.bus, 'figures')
    this.#source = source
    this.#startedMs = node.clock.now()
    this.#sampledMs = node.clock.elapsed()
    this.#totals = totalsOf(node)
  }

  async start(): Promise<void> {
    this.#delay.enable()
    this.#stop = this.#node.clock.every(sampleEveryMs, () => {
      this.sample()
      void this.saveFaults()
    })
    await this.#nodes.start(({ since, faults }) => ({
      source: this.#source,
      startedMs: this.#startedMs,
      samples: this.#samples.filter(({ slot }) => slot > since),
      faults: faults ? this.#unsaved() : [],
    }))
  }

  stop(): void {
    this.#stop()
    this.#delay.disable()
  }

  #unsaved(): Fault[] {
    return this.#node.metrics.faults.filter((fault) => !this.#saved.has(fault))
  }

  /** Keeps what this node failed at where it outlives the node; what cannot be written now is written later. */
  async saveFaults(): Promise<void> {
    const faults = this.#unsaved()
    if (faults.length === 0 || this.#isSaving) return
    this.#isSaving = true
    const { clock, log } = this.#node
    const ctx = new Ctx(this.#node, undefined, { requestId: 'faults', log })
    try {
      await ctx.statement((tx) => insertFaults(tx.sql, this.#source, faults, new Date(clock.now() - faultsKeptMs)))
      for (const fault of faults) this.#saved.add(fault)
    } catch (error) {
      log.debug({ err: error }, 'faults could not be kept')
    } finally {
      this.#isSaving = false
    }
  }

  /** Of all nodes. */
  async ask(question: Question): Promise<Answers<NodeFigures>> {
    return await this.#nodes.ask(question)
  }

  /** Accounts that are here: they have a socket, or have asked for something within the last minute or so. */
  present(): string[] {
    return Array.from(this.#node.channels.of(userKind).values())
      .filter(({ live, sockets, unusedSweeps }) => live && (sockets.any || unusedSweeps <= 1))
      .map(({ id }) => id)
  }

  sample(): void {
    const { clock } = this.#node
    const sampledMs = clock.elapsed()
    const seconds = Math.max(0.001, (sampledMs - this.#sampledMs) / 1000)
    const totals = totalsOf(this.#node)
    const before = this.#totals
    const { user, system } = process.cpuUsage(this.#cpu)
    const slot = Math.round(clock.now() / sampleEveryMs)
    // A timer that was late may come twice within five seconds.
    const users = Array.from(this.#node.channels.of(userKind).values())
    const same = this.#samples.at(-1)?.slot === slot ? this.#samples.pop() : undefined
    this.#samples.push({
      slot,
      online: users.filter(({ sockets }) => sockets.notification.length > 0).length,
      sockets: users.reduce((sum, { sockets }) => sum + sockets.notification.length + sockets.chats.length, 0),
      requests: totals.requests - before.requests + (same?.requests ?? 0),
      errors: totals.errors - before.errors + (same?.errors ?? 0),
      posts: totals.posts - before.posts + (same?.posts ?? 0),
      buckets: totals.buckets.map((count, index) => count - (before.buckets[index] as number) + (same?.buckets[index] ?? 0)),
      lag: round(Math.max(0, this.#delay.percentile(99) / 1e6 - loopDelayEveryMs)),
      memoryMb: residentMb() ?? this.#samples.at(-1)?.memoryMb ?? 0,
      cpu: round((user + system) / 1e4 / seconds),
    })
    if (this.#samples.length > samplesKept) this.#samples.shift()
    this.#delay.reset()
    this.#totals = totals
    this.#cpu = process.cpuUsage()
    this.#sampledMs = sampledMs
  }
}

/** Undefined when no file can be opened: Linux says it in one. */
function residentMb(): number | undefined {
  try {
    return Math.round(process.memoryUsage.rss() / mebibyte)
  } catch {
    return undefined
  }
}

const round = (value: number): number => (Number.isFinite(value) ? Math.round(value * 10) / 10 : 0)

interface Totals {
  requests: number
  errors: number
  posts: number
  buckets: number[]
}

function totalsOf({ metrics }: Node): Totals {
  const totals: Totals = { requests: 0, errors: 0, posts: 0, buckets: [...durationBuckets, Infinity].map(() => 0) }
  for (const { method, path, byStatus } of metrics.tallies()) {
    const isPosting = method === 'POST' && posting.test(path)
    for (const [status, { count, buckets }] of byStatus) {
      totals.requests += count
      if (status >= 500) totals.errors += count
      if (isPosting && status < 300) totals.posts += count
      let within = 0
      for (const [index, inBucket] of buckets.entries()) {
        totals.buckets[index] = (totals.buckets[index] as number) + inBucket
        within += inBucket
      }
      totals.buckets[durationBuckets.length] = (totals.buckets[durationBuckets.length] as number) + count - within
    }
  }
  return totals
}

/** Milliseconds that a share of the requests did not exceed, read off the buckets; undefined without requests. */
export function percentile(buckets: readonly number[], share: number): number | undefined {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  for (const [index, count] of buckets.entries()) {
    const [low, high] = [durationBuckets[index - 1] ?? 0, durationBuckets[index] ?? (durationBuckets.at(-1) as number) * 2]
    if (seen + count >= share * total && count > 0) return round((low + ((share * total - seen) / count) * (high - low)) * 1000)
    seen += count
  }
  return undefined
}

const figures = new WeakMap<Node, Figures>()

/** Begins to sample. Every process on the bus has to, workers too, or the others would wait for its answers. */
export async function startFigures(node: Node, source: string): Promise<Figures> {
  const started = new Figures(node, source)
  figures.set(node, started)
  await started.start()
  return started
}

/** The figures of a node that has started. */
export function figuresIn(node: Node): Figures {
  const found = figures.get(node)
  if (!found) throw new Error('figures are not sampled here')
  return found
}
