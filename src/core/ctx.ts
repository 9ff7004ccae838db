// The context that a request or a job carries through services: the node's parts, the caller, and transactions
// whose events leave only after commit.
import type { Authenticator } from './http/admission.ts'
import type { Bus } from './realtime/bus.ts'
import type { Channel } from './realtime/channel.ts'
import type { Leases } from './realtime/leases.ts'
import type { Clock, Random } from './clock.ts'
import type { Config } from './config.ts'
import { isConnectionLoss, isRetryable, type Db, type Sql } from './db/db.ts'
import { noSuchRoute } from './errors.ts'
import type { JobWakeUp } from './jobs/job-wake-up.ts'
import { insertOutbox, type JobName, type JobOrigin, type JobPayloads, type OutboxEntry } from './jobs/jobs.ts'
import type { Files } from './files/files.ts'
import type { RequestHead } from './http/head.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { ChannelKind, Channels, Topic } from './realtime/registry.ts'
import type { RateLimiter } from './http/rate-limit.ts'
import type { Viewer } from './viewer.ts'
import { claimKey, Replay, storeAnswer, type IdempotencyKey } from './http/idempotency.ts'

/** Hands a frame to all subscribers of a native topic on this node. */
export interface SocketPublisher {
  publish(topic: string, frame: Uint8Array): void
}

/** One process and what it shares between requests. Features add what they keep on a node by declaration merging. */
export interface Node {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly db: Db
  readonly bus: Bus
  readonly channels: Channels<Node>
  readonly sockets: SocketPublisher
  /** Stored images. */
  readonly files: Files
  readonly metrics: Metrics
  readonly rateLimiter: RateLimiter
  readonly jobWakeUp: JobWakeUp
  readonly leases: Leases
  readonly authenticator: Authenticator
  /** Key of access tokens; never in the database. */
  readonly tokenSecret: string
}

/** A channel family of this product. */
export type Kind<C extends Channel<E, unknown>, E> = ChannelKind<C, E, Node>

/** `until` says where it must be in force before the request is answered. */
type NotedEvent = { kind: string; id: string; event: unknown; until: 'later' | 'here' | 'everywhere' }

/**
 * One unit of work. `V` is the caller: `Viewer` on routes that demand one, possibly undefined on open
 * routes and in jobs.
 */
export class Ctx<V extends Viewer | undefined = Viewer> {
  readonly node: Node
  readonly viewer: V
  readonly requestId: string
  readonly log: Log
  /** Where the request came from: only for throttling and logs. */
  readonly address: string
  readonly idempotencyKey: IdempotencyKey | undefined
  /** Of the request; absent in jobs. */
  readonly head: RequestHead | undefined
  /** True for a HEAD, which changes nothing. */
  readonly readOnly: boolean
  /** The key belongs to the first transaction of its request. */
  #keyTaken = false

  constructor(
    node: Node,
    viewer: V,
    options: {
      requestId: string
      log: Log
      address?: string
      head?: RequestHead
      readOnly?: boolean
      idempotencyKey?: IdempotencyKey | undefined
    },
  ) {
    this.node = node
    this.viewer = viewer
    this.requestId = options.requestId
    this.log = options.log
    this.address = options.address ?? ''
    this.idempotencyKey = options.idempotencyKey
    this.head = options.head
    this.readOnly = options.readOnly ?? false
  }

  /** Key of the browser session by which the caller was recognised; empty for all other callers. */
  get sessionKey(): string {
    return this.head?.sessionKey ?? ''
  }

  /** For single statements outside a transaction. */
  get sql(): Sql {
    return this.node.db.sql
  }

  get nowMs(): number {
    return this.node.clock.now()
  }

  /** The live channel of a kind, or undefined when its row does not exist. */
  channel<C extends Channel<E, unknown>, E>(kind: Kind<C, E>, id: string): Promise<C | undefined> {
    return this.node.channels.of(kind).get(id)
  }

  /**
   * Runs `work` in one transaction; repeats it on serialisation failures and deadlocks. Noted events
   * leave after the commit, and the promise resolves when all nodes have applied the confirmed ones.
   *
   * `work` returns something JSON can hold. With an Idempotency-Key, a repetition changes nothing and
   * resolves with what `work` returned the first time.
   *
   * `alone`: `work` sends one statement only, and does not fail after it. That is a transaction by
   * itself, which need not be begun and committed unless there is an Idempotency-Key.
   *
   * @throws AppError 404 at a HEAD: a GET that is there to change something has none.
   */
  async transaction<T>(work: (tx: Tx<V>) => Promise<T>, { alone = false } = {}): Promise<T> {
    if (this.readOnly) throw noSuchRoute()
    const { events, answer } = await this.#committed(work, alone)
    await this.#send(events)
    return answer
  }

  /** Records in a transaction that the caller has seen the content of the answer. A HEAD shows nothing. */
  async markSeen(work: (tx: Tx<V>) => Promise<unknown>, options?: { alone: boolean }): Promise<void> {
    if (!this.readOnly) await this.transaction(work, options)
  }

  async #committed<T>(work: (tx: Tx<V>) => Promise<T>, alone: boolean): Promise<{ events: NotedEvent[]; answer: T }> {
    const key = this.#keyTaken ? undefined : this.idempotencyKey
    this.#keyTaken = true
    for (let attempt = 1; ; attempt++) {
      let tx: Tx<V> | undefined
      try {
        let answer: T | undefined
        if (alone && !key) {
          answer = await this.node.db.statement((sql) => work((tx = new Tx(this, sql))))
          if (tx && tx.outbox.length > 0) throw new Error('a statement alone has no jobs')
          if (tx?.wroteJobs) this.node.jobWakeUp.send()
          return { events: tx?.events ?? [], answer }
        }
        await this.node.db.transaction(
          async (sql) => {
            tx = new Tx(this, sql)
            if (key) await claimKey(sql, key)
            answer = await work(tx)
          },
          async (sql) => {
            await Promise.all([tx && tx.outbox.length > 0 && insertOutbox(sql, tx.outbox), key && storeAnswer(sql, key, answer)])
          },
        )
        if (tx && (tx.outbox.length > 0 || tx.wroteJobs)) this.node.jobWakeUp.send()
        return { events: tx?.events ?? [], answer: answer as T }
      } catch (error) {
        if (error instanceof Replay) return { events: [], answer: error.answer as T }
        if (tx && isConnectionLoss(error)) this.node.channels.invalidate([...tx.concerned, ...tx.events])
        if (attempt >= 3 || !isRetryable(error)) throw error
      }
    }
  }

  async #send(events: NotedEvent[]): Promise<void> {
    const confirmations: Promise<unknown>[] = []
    for (const { kind, id, event, until } of events) {
      if (until === 'everywhere') confirmations.push(this.node.channels.publishConfirmed(kind, id, event))
      else if (until === 'here') confirmations.push(this.node.channels.publishHere(kind, id, event))
      else this.node.channels.publish(kind, id, event)
    }
    if (confirmations.length > 0) await Promise.all(confirmations)
  }
}

/** The caller may be anybody, logged in or not. */
export type OpenCtx = Ctx<Viewer | undefined>

/** A running transaction: the only way to write. */
export class Tx<V extends Viewer | undefined = Viewer> {
  readonly ctx: Ctx<V>
  readonly sql: Sql
  /** Time of the transaction. */
  readonly now: Date
  readonly events: NotedEvent[] = []
  /** Channels that change although no event says so yet. */
  readonly concerned: { kind: string; id: string }[] = []
  readonly outbox: OutboxEntry[] = []
  /** A statement has written jobs of its own. */
  wroteJobs = false

  constructor(ctx: Ctx<V>, sql: Sql) {
    this.ctx = ctx
    this.sql = sql
    this.now = new Date(ctx.nowMs)
  }

  get viewer(): V {
    return this.ctx.viewer
  }

  /** Channel to invalidate if the outcome of a single statement is unknown. */
  concerns(topic: Topic<unknown>, id: string): void {
    this.concerned.push({ kind: topic.name, id })
  }

  /** Notes an event for all nodes; it leaves after the commit and nobody waits for it. */
  emit<E>(topic: Topic<E>, id: string, event: NoInfer<E>): void {
    this.events.push({ kind: topic.name, id, event, until: 'later' })
  }

  /** As `emit`, and the answer waits until this node has applied it: for numbers that somebody who is waiting for it may ask for next. */
  emitHere<E>(topic: Topic<E>, id: string, event: NoInfer<E>): void {
    this.events.push({ kind: topic.name, id, event, until: 'here' })
  }

  /** As `emit`, and the answer waits until every node has applied it: for changes of who may see or do what. */
  emitConfirmed<E>(topic: Topic<E>, id: string, event: NoInfer<E>): void {
    this.events.push({ kind: topic.name, id, event, until: 'everywhere' })
  }

  /** Notes a job; its row commits with this transaction. */
  enqueue<Name extends JobName>(job: Name, payload: JobPayloads[Name], runAt?: Date): void {
    this.outbox.push({ job, payload, runAt: runAt ?? this.now, atOnce: runAt === undefined, requestId: this.ctx.requestId })
  }

  /** For a statement that writes a job itself, with `insertedJob`. */
  jobOrigin(): JobOrigin {
    this.wroteJobs = true
    return { runAt: this.now, requestId: this.ctx.requestId }
  }
}
