// What lists are made of, in memory: rows of things that have an id, each until something of that thing is written.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { anyPartOf, partOf, placeOf, type Changes, type Place } from './changes.ts'

/** However sure we are, see `Answers`. */
const maxAgeMs = 30_000

interface Entry<Row> {
  stamp: number
  madeMs: number
  /** Undefined when there is none. */
  row: Row | undefined
}

interface UnderWay<Row> {
  stamp: number
  rows: Promise<ReadonlyMap<string, Row>>
}

export interface KeptRowsOptions<Row> {
  changes: Changes
  clock: Clock
  /** Tables of which any change counts for all rows. */
  tables?: readonly string[]
  /** Tables of which each row shows the part of its own id, as `Tx.changesPart` names it. */
  parts?: readonly string[]
  /** In place of that: the parts that a row shows, as `partOf` names them. */
  partsOf?(id: string): readonly string[]
  maxBytes: number
  bytesOf(row: Row): number
  /** Reads some of them in one statement; those that do not exist are left out. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Row>>
}

/** Rows of one kind. They are shared: nobody changes one. */
export class KeptRows<Row extends object> {
  readonly #options: KeptRowsOptions<Row>
  readonly #entries: LRUCache<string, Entry<Row>>
  readonly #underWay = new Map<string, UnderWay<Row>>()
  readonly #whole: readonly Place[]

  constructor(options: KeptRowsOptions<Row>) {
    this.#options = options
    const { changes, tables = [], parts = [], maxBytes, bytesOf } = options
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ row }) => 100 + (row ? bytesOf(row) : 0) })
    for (const table of [...tables, ...parts]) changes.watchTable(table)
    this.#whole = [...tables.flatMap((table) => [placeOf(table), placeOf(anyPartOf(table))]), ...parts.map(placeOf)]
  }

  /**
   * Rows as Postgres has them, of ids that exist: those in memory, and the others read together. Those that are not
   * `enough` for what they are wanted for are read too.
   */
  async of(ids: readonly string[], enough: (row: Row, id: string) => boolean = () => true): Promise<ReadonlyMap<string, Row>> {
    const { changes, clock, parts = [], read } = this.#options
    const partsOf = this.#options.partsOf ?? ((id: string) => parts.map((table) => partOf(table, id)))
    const whole = changes.stamp(this.#whole)
    if (whole === undefined) return ids.length === 0 ? new Map() : await read(ids)
    const nowMs = clock.now()
    const rows = new Map<string, Row>()
    const missing = new Map<string, number>()
    const awaited = new Map<string, Promise<ReadonlyMap<string, Row>>>()
    for (const id of ids) {
      let stamp = whole
      for (const name of partsOf(id)) stamp += changes.count(placeOf(name))
      const known = this.#entries.get(id)
      if (known?.stamp === stamp && nowMs - known.madeMs < maxAgeMs && nowMs >= known.madeMs) {
        if (!known.row) continue
        if (enough(known.row, id)) {
          rows.set(id, known.row)
          continue
        }
      }
      const underWay = this.#underWay.get(id)
      if (underWay?.stamp === stamp) awaited.set(id, underWay.rows)
      else missing.set(id, stamp)
    }
    if (missing.size > 0) this.#read(missing, nowMs, awaited)
    for (const [id, reading] of awaited) {
      const row = (await reading).get(id)
      if (row) rows.set(id, row)
    }
    return rows
  }

  #read(missing: ReadonlyMap<string, number>, madeMs: number, awaited: Map<string, Promise<ReadonlyMap<string, Row>>>): void {
    const reading = this.#options.read([...missing.keys()])
    for (const [id, stamp] of missing) {
      awaited.set(id, reading)
      this.#underWay.set(id, { stamp, rows: reading })
    }
    const forget = () => {
      for (const id of missing.keys()) if (this.#underWay.get(id)?.rows === reading) this.#underWay.delete(id)
    }
    reading.then((rows) => {
      forget()
      for (const [id, stamp] of missing) this.#entries.set(id, { stamp, madeMs, row: rows.get(id) })
    }, forget)
  }
}
