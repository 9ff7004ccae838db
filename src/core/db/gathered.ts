// Reads that many ask for one by one, such as what is known of a caller, as few statements: when thousands of phones
// come at once, each asks for itself, and Postgres is asked for all of them.
import type { Db, Sql } from './db.ts'

/** In one statement, where no other number is given. */
const mostKeys = 200
/** At once: one is read by Postgres while the answer to the other is taken in. */
const maxUnderWay = 2

type Reader<Value> = (sql: Sql, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>

interface Waiting<Value> {
  resolve(value: Value | undefined): void
  reject(error: unknown): void
}

/** Rows by one of their columns, which they may share. */
export function groupedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const others = groups.get(keyOf(row))
    if (others) others.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

class Gatherer<Value> {
  readonly #db: Db
  readonly #read: Reader<Value>
  readonly #maxKeys: number
  #waiting = new Map<string, Waiting<Value>[]>()
  #underWay = 0

  constructor(db: Db, read: Reader<Value>, maxKeys: number) {
    this.#db = db
    this.#read = read
    this.#maxKeys = maxKeys
  }

  get(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(key)
      if (others) others.push({ resolve, reject })
      else this.#waiting.set(key, [{ resolve, reject }])
      this.#next()
    })
  }

  /** Whatever waits when a statement begins is in it: nobody gets an answer that is older than their question. */
  #next(): void {
    if (this.#underWay >= maxUnderWay || this.#waiting.size === 0) return
    const batch = new Map<string, Waiting<Value>[]>()
    for (const [key, askers] of this.#waiting) {
      if (batch.size === this.#maxKeys) break
      batch.set(key, askers)
      this.#waiting.delete(key)
    }
    this.#underWay++
    void this.#readAll(batch)
  }

  async #readAll(batch: ReadonlyMap<string, Waiting<Value>[]>): Promise<void> {
    try {
      const found = await this.#read(this.#db.sql, [...batch.keys()])
      for (const [key, askers] of batch) for (const { resolve } of askers) resolve(found.get(key))
    } catch (error) {
      for (const askers of batch.values()) for (const { reject } of askers) reject(error)
    } finally {
      this.#underWay--
      this.#next()
    }
  }
}

/**
 * Makes a reader of one out of a reader of many. A question that comes alone is asked at once; those that come while
 * others are under way are the next statement together, with `maxKeys` keys at most. It begins after each of them was asked.
 */
export function gathered<Value>(read: Reader<Value>, maxKeys = mostKeys): (db: Db, key: string) => Promise<Value | undefined> {
  const gatherers = new WeakMap<Db, Gatherer<Value>>()
  return (db, key) => {
    let gatherer = gatherers.get(db)
    if (!gatherer) gatherers.set(db, (gatherer = new Gatherer(db, read, maxKeys)))
    return gatherer.get(key)
  }
}
