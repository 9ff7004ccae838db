// The context that a request or a job carries through services: the node's parts, the caller, and transactions
// whose events leave only after commit.
import type { AccessLog } from '../base/access-log.ts'
import type { Bus } from '../bus/bus.ts'
import type { Channel } from '../live/channel.ts'
import type { Leases } from '../bus/leases.ts'
import type { Clock, Random } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { type Db, type Sql } from '../db/db.ts'
import { isRetryable, mayHaveWritten } from '../db/errors.ts'
import { tablesWritten } from '../db/transaction.ts'
import type { WrittenTables } from '../db/written.ts'
import { noSuchRoute } from '../base/errors.ts'
import type { JobWakeUp } from '../outbox/job-wake-up.ts'
import { insertOutbox, type JobName, type JobPayloads, type OutboxEntry } from '../outbox/jobs.ts'
import type { Files } from '../files/files.ts'
import type { ServiceHead } from './request-head.ts'
import type { Log } from '../base/log.ts'
import type { SingleFlight } from '../base/single-flight.ts'
import type { Metrics } from '../base/metrics.ts'
import { invalidationId, invalidationTopic, slotOf, slotsOfPart, type Slot, type Versions } from '../live/versions.ts'
import type { ChannelKind, Channels, Topic } from '../live/registry.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Viewer } from '../base/viewer.ts'
import { claimKeys, Replay, selectReplay, storeAnswers, type IdempotencyKey } from '../db/idempotency.ts'
import type { WriterKind, Writers } from './writers.ts'

/** The open sockets of this node. */
export interface Sockets {
  /** Hands a text frame to all subscribers of a socket topic. */
  publish(topic: string, frame: Uint8Array): void
  /** Closes the sockets of users whom the server is closed to by now. */
  closeShutOut(): void
}

/** Room for files of people. The product provides it. */
export interface Room {
  /** Refuses a caller for whom nothing more is kept, before any of a body with files is written; `bytes`: its length, as far as known. */
  require(ctx: Ctx<Viewer | undefined>, bytes: number): Promise<void>
}

/** An answer as it goes out, for another answer that holds it. */
export interface InnerAnswer {
  etag: string
  json: string | Buffer
}

/** GETs within a request. */
export interface Inner {
  /** Whether the caller may ask this GET: nothing but rights, gate and switches counts. */
  mayAsk(ctx: Ctx, path: string): boolean
  /**
   * The answer that the caller would get to this GET now: from memory where that has it. Undefined where they would be
   * refused. Without `marks` it notes nothing as seen.
   */
  get(ctx: Ctx, path: string, options?: { query?: string; marks?: boolean }): Promise<InnerAnswer | undefined>
}

/** One process and what it shares between requests. The edge and the features add what they keep on a node by declaration merging. */
export interface Node {
  readonly config: Config
  readonly log: Log
  readonly accessLog: AccessLog
  readonly clock: Clock
  readonly random: Random
  readonly db: Db
  readonly bus: Bus
  readonly channels: Channels<Node>
  readonly writers: Writers
  readonly versions: Versions
  /** What many ask for at once, by keys that name all that it depends on. */
  readonly flights: SingleFlight<unknown>
  readonly writtenTables: WrittenTables
  /** Tables without whose rows jobs of a kind are not written. */
  readonly jobsOnlyWith: ReadonlyMap<JobName, string>
  readonly sockets: Sockets
  readonly inner: Inner
  /** Stored images. */
  readonly files: Files
  readonly room: Room
  readonly metrics: Metrics
  readonly rateLimiter: RateLimiter
  readonly jobWakeUp: JobWakeUp
  readonly leases: Leases
  /** Key of access tokens; never in the database. */
  readonly tokenSecret: string
}

/** A channel family of this product. */
export type Kind<C extends Channel<E, unknown>, E> = ChannelKind<C, E, Node>

/** An event that leaves when its transaction has committed. */
export type NotedEvent = {
  kind: string
  id: string
  event: unknown
  /** Where it must be in force before the request is answered. `soon`: of versions that other nodes need not know at once. */
  until: 'soon' | 'later' | 'here' | 'everywhere'
}

/** A channel that a statement changes: it is invalidated when nobody knows how the statement ended. */
export interface Affected {
  topic: Topic<unknown>
  id: string
}

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
  readonly head: ServiceHead | undefined
  /** True for a HEAD, which changes nothing. */
  readonly readOnly: boolean
  /** The answer is for the next requests too, or for others under way: it may mark what was seen, and write nothing else. */
  readonly cached: boolean
  /** The key belongs to the first transaction of its request. */
  #keyTaken = false

  constructor(
    node: Node,
    viewer: V,
    options: {
      requestId: string
      log: Log
      address?: string
      head?: ServiceHead
      readOnly?: boolean
      cached?: boolean
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
    this.cached = options.cached ?? false
  }

  /** Key of the browser session by which the caller was recognised; empty for all other callers. */
  get sessionKey(): string {
    return this.head?.sessionKey ?? ''
  }

  /** For single statements outside a transaction that write nothing, or only tables that no answer is made of. */
  get sql(): Sql {
    return this.node.db.sql
  }

  /** For reads that may take long: they go to a standby where there is one, and may run twice. */
  readLong<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.node.db.readLong(work)
  }

  get nowMs(): number {
    return this.node.clock.now()
  }

  /** The live channel of a kind, or undefined when its row does not exist: at once when it is in memory. */
  channel<C extends Channel<E, unknown>, E>(kind: Kind<C, E>, id: string): C | Promise<C | undefined> {
    return this.node.channels.of(kind).hotOrGet(id)
  }

  /**
   * Runs `work` in one transaction; repeats it on serialisation failures and deadlocks. Noted events
   * leave after the commit, and the promise resolves when all nodes have applied the confirmed ones.
   *
   * `work` returns something JSON can hold. With an Idempotency-Key, a repetition changes nothing and
   * resolves with what `work` returned the first time.
   *
   * @throws AppError 404 at a HEAD: a GET that is there to change something has none.
   */
  async transaction<T>(work: (tx: Tx<V>) => Promise<T>): Promise<T> {
    this.#requireUnkept()
    if (this.readOnly) throw noSuchRoute()
    const key = this.takeIdempotencyKey()
    const { result, events } = await this.#repeated(async (begin) => {
      let answer: T | undefined
      let tx: Tx<V> | undefined
      try {
        await this.node.db.transaction(
          async (sql) => {
            tx = begin(sql)
            const [prevented] = key ? await claimKeys(sql, [key]) : []
            if (prevented) throw prevented
            answer = await work(tx)
          },
          async (sql) => {
            await Promise.all([tx && tx.outbox.length > 0 && insertOutbox(sql, tx.outbox), key && storeAnswers(sql, [{ key, answer }])])
          },
        )
      } catch (error) {
        if (error instanceof Replay) return { result: error.answer as T, events: [] }
        throw error
      }
      if (tx && tx.outbox.length > 0) this.node.jobWakeUp.send()
      return { result: answer as T, events: tx ? [...tx.events, ...changesOf([tx])] : [] }
    })
    await publishEvents(this.node, events)
    return result
  }

  /**
   * Notes that the caller has seen what the answer shows; a HEAD shows nothing. `work` sends one statement,
   * which is a transaction by itself, and has no jobs. `affected` is the channel that it changes, if any.
   */
  async markSeen(affected: Affected | undefined, work: (tx: Tx<V>) => Promise<unknown>): Promise<void> {
    if (!this.readOnly) await this.statement(work, affected)
  }

  /**
   * Runs `work`, which sends one statement: it is a transaction by itself, has no jobs, and what it has written stays when `work`
   * fails afterwards. `affected` is the channel that it changes, if any.
   */
  async statement<T>(work: (tx: Tx<V>) => Promise<T>, affected?: Affected): Promise<T> {
    if (this.readOnly) throw noSuchRoute()
    const { result, events } = await this.#repeated(async (begin) => {
      let tx: Tx<V> | undefined
      const done = await this.node.db.statement((sql) => work((tx = begin(sql))))
      if (tx && tx.outbox.length > 0) throw new Error('a statement alone has no jobs')
      return { result: done, events: tx ? [...tx.events, ...changesOf([tx])] : [] }
    }, affected)
    await publishEvents(this.node, events)
    return result
  }

  /** Writes together with what other requests write at the same time; see `WriterKind`. */
  write<Item, Answer>(kind: WriterKind<Item, Answer, V>, item: Item): Promise<Answer> {
    this.#requireUnkept()
    if (this.readOnly) throw noSuchRoute()
    return this.node.writers.write(kind, this, item)
  }

  /** True for a request that was answered before, by its Idempotency-Key: what it wants is there, whatever has happened since. */
  async isRepetition(): Promise<boolean> {
    return this.idempotencyKey !== undefined && (await selectReplay(this.sql, this.idempotencyKey)) !== undefined
  }

  /** The key of the request, for its first transaction only. */
  takeIdempotencyKey(): IdempotencyKey | undefined {
    const key = this.#keyTaken ? undefined : this.idempotencyKey
    this.#keyTaken = true
    return key
  }

  /** For a transaction that has changed nothing: the next one gets the key. */
  returnIdempotencyKey(key: IdempotencyKey | undefined): void {
    if (key) this.#keyTaken = false
  }

  /** A record of who has looked, for one, would be there for the first look alone. */
  #requireUnkept(): void {
    if (this.cached) throw new Error('a route whose answers are kept or shared must not write: of its requests only some are carried out')
  }

  /** Repeats what failed by a conflict. Where it is not known whether anything was changed, channels are invalidated. */
  async #repeated<T>(attempt: (begin: (sql: Sql) => Tx<V>) => Promise<T>, affected?: Affected): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      let tx: Tx<V> | undefined
      try {
        return await attempt((sql) => (tx = new Tx(this, sql)))
      } catch (error) {
        const known = affected ? [{ kind: affected.topic.name, id: affected.id }] : []
        const mayBeWritten = mayHaveWritten(error)
        if (tx && mayBeWritten) {
          this.node.versions.reset()
          this.node.channels.invalidate([...known, ...tx.events, allChanges])
        }
        if (attempts >= 3 || mayBeWritten || !isRetryable(error)) throw error
      }
    }
  }
}

/**
 * Publishes what was noted in a transaction that has committed; resolves when the confirmed ones are in force on all nodes.
 * Undefined when there are none.
 */
export function publishEvents(node: Node, events: readonly NotedEvent[]): Promise<unknown> | undefined {
  const { channels } = node
  const confirmations: Promise<unknown>[] = []
  for (const { kind, id, event, until } of events) {
    if (until === 'everywhere') confirmations.push(channels.publishConfirmed(kind, id, event))
    else if (until === 'here') confirmations.push(channels.publishHere(kind, id, event))
    else if (until === 'soon') node.versions.noteWritten(event as readonly Slot[])
    else channels.publish(kind, id, event)
  }
  return confirmations.length > 0 ? Promise.all(confirmations) : undefined
}

/** For a transaction of unknown outcome. */
export const allChanges = { kind: invalidationTopic.name, id: invalidationId }

/** The event that says what was changed by transactions that have committed together. */
export function changesOf(txs: readonly Tx<Viewer | undefined>[]): NotedEvent[] {
  const slots = new Set<Slot>()
  let until: NotedEvent['until'] = 'soon'
  // Those that were written together share a client.
  const written = [...new Set(txs.map(({ sql }) => sql))].flatMap((sql) => [...tablesWritten(sql)])
  for (const table of txs[0]?.ctx.node.writtenTables.shown(written) ?? []) {
    const parts = partsOf(table, txs)
    if (parts) {
      for (const { id, confirmed } of parts) {
        if (id !== undefined) for (const slot of slotsOfPart(table, id)) slots.add(slot)
        if (confirmed) until = 'everywhere'
      }
    } else {
      slots.add(slotOf(table))
      until = 'everywhere'
    }
  }
  return slots.size === 0 ? [] : [{ ...allChanges, event: [...slots], until }]
}

/** Parts of tables that a transaction changes. */
interface ChangedPart {
  tables: readonly string[]
  /** Undefined for a part that no answer shows. */
  id: string | undefined
  confirmed: boolean
}

/** The changed parts of a table; undefined when one of the transactions did not say that it changes only a part of it. */
function partsOf(table: string, txs: readonly Tx<Viewer | undefined>[]): ChangedPart[] | undefined {
  const parts: ChangedPart[] = []
  for (const { changedParts } of txs) {
    const before = parts.length
    for (const part of changedParts) if (part.tables.includes(table)) parts.push(part)
    if (parts.length === before) return undefined
  }
  return parts
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
  readonly outbox: OutboxEntry[] = []

  constructor(ctx: Ctx<V>, sql: Sql) {
    this.ctx = ctx
    this.sql = sql
    this.now = new Date(ctx.nowMs)
  }

  get viewer(): V {
    return this.ctx.viewer
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

  /** See `changesPart`. */
  readonly changedParts: ChangedPart[] = []

  /**
   * Says that of these tables only this part is changed, so that fewer answers in memory are dropped: those that show this
   * part, and those that may show any. A change that answers know by several names has all of them, such as the thing and
   * the account of a reaction. Not `confirmed`: the answer does not wait until other nodes know.
   */
  changesPart(tables: readonly string[], id: string, { confirmed = true } = {}): void {
    this.changedParts.push({ tables, id, confirmed })
  }

  /** Says that of these tables only columns are changed that no answer in memory is made of. */
  changesUnshown(...tables: readonly string[]): void {
    this.changedParts.push({ tables, id: undefined, confirmed: false })
  }

  /** Notes a job, to be done at once or at a time; its row commits with this transaction. */
  enqueue<Name extends JobName>(job: Name, payload: JobPayloads[Name], runAt?: Date): void {
    this.outbox.push({ job, payload, runAt, requestId: this.ctx.requestId, onlyWith: this.ctx.node.jobsOnlyWith.get(job) })
  }
}
