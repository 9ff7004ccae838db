// Writes that wait go to Postgres together: one statement and one commit for many requests, and one turn in
// which their events are published. Each request keeps its own rules, refusal, Idempotency-Key and answer.
import { allChanges, changesOf, publishEvents, type Affected, type Ctx, type Node, type NotedEvent, Tx } from './ctx.ts'
import { Batcher, hasAnswer, type Outcome } from '../db/batcher.ts'
import { type Sql } from '../db/db.ts'
import { isRetryable, mayHaveWritten, translateDbError } from '../db/errors.ts'
import { AppError } from '../base/errors.ts'
import { claimKeys, releaseKeys, Replay, storeAnswers, type IdempotencyKey } from '../db/idempotency.ts'
import { insertOutbox } from '../outbox/jobs.ts'
import type { Viewer } from '../base/viewer.ts'

/** One of the writes of a batch; its events and jobs are noted in its own `tx`. */
export interface Write<Item, V extends Viewer | undefined> {
  readonly tx: Tx<V>
  readonly item: Item
}

/** Writes of one kind, such as posts in chats. */
export interface WriterKind<Item, Answer, V extends Viewer | undefined> {
  readonly name: string
  /** The row that a write locks. Writes with the same key are made in the order in which they came. */
  keyOf(item: Item): string
  /** The channel that a write changes: it is invalidated when nobody knows how the write ended. */
  affected(item: Item): Affected | undefined
  /** True when `write` sends no more than one statement for writes that are all like this one. */
  isOneStatement(ctx: Ctx<V>, item: Item): boolean
  /** The statement writes a job about this one. */
  writesJob(item: Item): boolean
  /**
   * Makes all of these writes, or refuses them one by one; see `BatcherOptions` for `wait`. Nothing may stay
   * of one that is refused. Answers are something that JSON can hold.
   */
  write(sql: Sql, writes: readonly Write<Item, V>[], wait: boolean): Promise<Outcome<Answer>[]>
}

/** A write, and the request that wants it. */
interface Unit<Item, V extends Viewer | undefined> {
  ctx: Ctx<V>
  item: Item
  key: IdempotencyKey | undefined
}

/** The written item, and the events to publish about it. */
interface Written<Answer> {
  answer: Answer
  events: readonly NotedEvent[]
  /** Of all that were written together. */
  changes: readonly NotedEvent[]
  /** Resolves when the confirmed events are in force on all nodes; undefined when there are none, or nothing is published yet. */
  published: Promise<unknown> | undefined
}

const maxAttempts = 3

/** The writers of a node, one for each kind. */
export class Writers {
  readonly #writers = new Map<string, Writer<never, never, never>>()

  /** Resolves with the answer when the write has committed and its confirmed events are in force on all nodes. */
  write<Item, Answer, V extends Viewer | undefined>(kind: WriterKind<Item, Answer, V>, ctx: Ctx<V>, item: Item): Promise<Answer> {
    // Writers of all kinds live in one map; each is typed again where it is asked for.
    let writer = this.#writers.get(kind.name) as unknown as Writer<Item, Answer, V> | undefined
    if (!writer) {
      writer = new Writer(ctx.node, kind)
      this.#writers.set(kind.name, writer as unknown as Writer<never, never, never>)
    }
    return writer.write(ctx, item)
  }
}

class Writer<Item, Answer, V extends Viewer | undefined> {
  readonly #node: Node
  readonly #kind: WriterKind<Item, Answer, V>
  readonly #batcher: Batcher<Unit<Item, V>, Written<Answer>>

  constructor(node: Node, kind: WriterKind<Item, Answer, V>) {
    this.#node = node
    this.#kind = kind
    this.#batcher = new Batcher({
      keyOf: ({ item }) => kind.keyOf(item),
      run: (units, wait) => this.#run(units, wait),
      ended: (outcomes) => this.#publish(outcomes),
    })
  }

  async write(ctx: Ctx<V>, item: Item): Promise<Answer> {
    const key = ctx.takeIdempotencyKey()
    try {
      const { answer, published } = await this.#batcher.add({ ctx, item, key })
      if (published) await published
      return answer
    } catch (error) {
      // Nothing was written with it.
      ctx.returnIdempotencyKey(key)
      throw error
    }
  }

  /** In one turn, so that the bus and each socket get all of it together. */
  #publish(outcomes: readonly Outcome<Written<Answer>>[]): void {
    const published = new Map<readonly NotedEvent[], Promise<unknown> | undefined>()
    for (const outcome of outcomes) {
      if (!hasAnswer(outcome)) continue
      const written = outcome.answer
      const { events, changes } = written
      const own = publishEvents(this.#node, events)
      if (!published.has(changes)) published.set(changes, publishEvents(this.#node, changes))
      const shared = published.get(changes)
      written.published = own && shared ? Promise.all([own, shared]) : (own ?? shared)
    }
  }

  async #run(units: readonly Unit<Item, V>[], wait: boolean): Promise<Outcome<Written<Answer>>[]> {
    const repeated = repetitionsIn(units)
    if (repeated.size > 0) return await this.#inTwoRounds(units, repeated, wait)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#commit(units, wait)
      } catch (error) {
        // Repeated, these might be there twice.
        if (mayHaveWritten(error)) {
          this.#invalidate(units)
          throw error
        }
        if (attempt < maxAttempts && isRetryable(error)) continue
        // There may be one that Postgres cannot take: the others must not suffer.
        if (units.length > 1 && !(translateDbError(error) instanceof AppError)) return await this.#oneByOne(units, wait)
        throw error
      }
    }
  }

  async #oneByOne(units: readonly Unit<Item, V>[], wait: boolean): Promise<Outcome<Written<Answer>>[]> {
    const outcomes: Outcome<Written<Answer>>[] = []
    for (const unit of units)
      outcomes.push(...(await this.#run([unit], wait).catch((refusal: unknown): Outcome<Written<Answer>>[] => [{ refusal }])))
    return outcomes
  }

  /** A request that came twice: the second gets the answer of the first. */
  async #inTwoRounds(
    units: readonly Unit<Item, V>[],
    repeated: ReadonlySet<Unit<Item, V>>,
    wait: boolean,
  ): Promise<Outcome<Written<Answer>>[]> {
    const byUnit = new Map<Unit<Item, V>, Outcome<Written<Answer>>>()
    for (const round of [units.filter((unit) => !repeated.has(unit)), [...repeated]]) {
      const outcomes = await this.#run(round, wait)
      for (const [index, unit] of round.entries()) byUnit.set(unit, outcomes[index] as Outcome<Written<Answer>>)
    }
    return units.map((unit) => byUnit.get(unit) as Outcome<Written<Answer>>)
  }

  async #commit(units: readonly Unit<Item, V>[], wait: boolean): Promise<Outcome<Written<Answer>>[]> {
    const { db, jobWakeUp } = this.#node
    const isOneStatement = units.every(({ ctx, item, key }) => !key && this.#kind.isOneStatement(ctx, item))
    let prevented: (Outcome<Answer> | undefined)[] = []
    let claimed = units
    let txs: Tx<V>[] = []
    let outcomes: Outcome<Answer>[] = []
    const write = async (sql: Sql) => {
      txs = claimed.map(({ ctx }) => new Tx(ctx, sql))
      const writes = claimed.map(({ item }, index) => ({ tx: txs[index] as Tx<V>, item }))
      outcomes = writes.length === 0 ? [] : await this.#kind.write(sql, writes, wait)
      if (isOneStatement && txs.some(({ outbox }) => outbox.length > 0)) throw new Error('a statement alone has no jobs')
    }
    if (isOneStatement) await db.statement(write)
    else
      await db.transaction(
        async (sql) => {
          prevented = await claimedBy(sql, units)
          claimed = units.filter((_, index) => prevented[index] === undefined)
          await write(sql)
        },
        (sql) =>
          finish(
            sql,
            txs,
            claimed.map(({ key }, index) => ({ key, outcome: outcomes[index] as Outcome<Answer> })),
          ),
      )
    if (txs.some(({ outbox }) => outbox.length > 0) || units.some(({ item }) => this.#kind.writesJob(item))) jobWakeUp.send()
    const changes = changesOf(txs.filter((_, index) => hasAnswer(outcomes[index] as Outcome<Answer>)))
    let at = 0
    return units.map((_, index) => {
      const replayed = prevented[index]
      const outcome = replayed ?? (outcomes[at] as Outcome<Answer>)
      const events = replayed ? [] : (txs[at++] as Tx<V>).events
      return hasAnswer(outcome)
        ? { answer: { answer: outcome.answer, events, changes: replayed ? [] : changes, published: undefined } }
        : outcome
    })
  }

  #invalidate(units: readonly Unit<Item, V>[]): void {
    const affected = units.flatMap(({ item }) => this.#kind.affected(item) ?? [])
    const byKey = new Map(affected.map(({ topic, id }) => [`${topic.name}:${id}`, { kind: topic.name, id }]))
    this.#node.versions.reset()
    this.#node.channels.invalidate([...byKey.values(), allChanges])
  }
}

/** Takes the keys of all; undefined for those that are to be written. */
async function claimedBy<Answer>(
  sql: Sql,
  units: readonly { key: IdempotencyKey | undefined }[],
): Promise<(Outcome<Answer> | undefined)[]> {
  const keys = units.flatMap(({ key }) => key ?? [])
  if (keys.length === 0) return []
  const failures = await claimKeys(sql, keys)
  let at = 0
  return units.map(({ key }) => {
    const failure = key && failures[at++]
    if (failure instanceof Replay) return { answer: failure.answer as Answer }
    return failure && { refusal: failure }
  })
}

/** Writes the jobs and what repetitions of the requests are to be answered with. */
async function finish(
  sql: Sql,
  txs: readonly { outbox: Tx['outbox'] }[],
  ended: readonly { key: IdempotencyKey | undefined; outcome: Outcome<unknown> }[],
): Promise<void> {
  const outbox = txs.flatMap((tx) => tx.outbox)
  const answers = ended.flatMap(({ key, outcome }) => (key && hasAnswer(outcome) ? [{ key, answer: outcome.answer }] : []))
  const released = ended.flatMap(({ key, outcome }) => (key && !hasAnswer(outcome) ? [key] : []))
  await Promise.all([
    outbox.length > 0 && insertOutbox(sql, outbox),
    answers.length > 0 && storeAnswers(sql, answers),
    released.length > 0 && releaseKeys(sql, released),
  ])
}

/** Items whose Idempotency-Key an earlier item has. */
function repetitionsIn<U extends { key: IdempotencyKey | undefined }>(units: readonly U[]): Set<U> {
  const seen = new Set<string>()
  return new Set(
    units.filter(({ key }) => {
      if (!key) return false
      const id = JSON.stringify([key.accountId, key.route, key.key])
      const isRepeated = seen.has(id)
      seen.add(id)
      return isRepeated
    }),
  )
}
