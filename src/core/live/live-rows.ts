// Live rows: what lists are made of, in memory. Rows of things that have an id, each until something of that thing is written.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { SingleFlight } from '../base/single-flight.ts'
import { anyPartOf, partOf, slotOf, type Slot, type Versions } from './versions.ts'

/** No row is older, whatever its version says: something may have been written past the product. */
const maxAgeMs = 30_000

interface Entry<Row> {
  version: number
  madeMs: number
  /** Undefined when there is none. */
  row: Row | undefined
}

export interface LiveRowsOptions<Row> {
  versions: Versions
  clock: Clock
  /** Tables of which any write counts for all rows. */
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
export class LiveRows<Row extends object> {
  readonly #options: LiveRowsOptions<Row>
  readonly #entries: LRUCache<string, Entry<Row>>
  readonly #flights = new SingleFlight<ReadonlyMap<string, Row>>()
  readonly #whole: readonly Slot[]

  constructor(options: LiveRowsOptions<Row>) {
    this.#options = options
    const { versions, tables = [], parts = [], maxBytes, bytesOf } = options
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ row }) => 100 + (row ? bytesOf(row) : 0) })
    for (const table of [...tables, ...parts]) versions.watchTable(table)
    this.#whole = [...tables.flatMap((table) => [slotOf(table), slotOf(anyPartOf(table))]), ...parts.map(slotOf)]
  }

  /**
   * Rows as Postgres has them, of ids that exist: those in memory, and the others read together. Those that are not
   * `enough` for what they are wanted for are read too.
   */
  async of(ids: readonly string[], enough: (row: Row, id: string) => boolean = () => true): Promise<ReadonlyMap<string, Row>> {
    const { versions, clock, parts = [], read } = this.#options
    const partsOf = this.#options.partsOf ?? ((id: string) => parts.map((table) => partOf(table, id)))
    const whole = versions.of(this.#whole)
    if (whole === undefined) return ids.length === 0 ? new Map() : await read(ids)
    const nowMs = clock.now()
    const rows = new Map<string, Row>()
    const missing = new Map<string, number>()
    const awaited = new Map<string, Promise<ReadonlyMap<string, Row>>>()
    for (const id of ids) {
      let version = whole
      for (const name of partsOf(id)) version += versions.count(slotOf(name))
      const known = this.#entries.get(id)
      if (known?.version === version && nowMs - known.madeMs < maxAgeMs && nowMs >= known.madeMs) {
        if (!known.row) continue
        if (enough(known.row, id)) {
          rows.set(id, known.row)
          continue
        }
      }
      const reading = this.#flights.find(id, [version])
      if (reading) awaited.set(id, reading)
      else missing.set(id, version)
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
    for (const [id, version] of missing) {
      awaited.set(id, reading)
      this.#flights.add(id, [version], reading)
    }
    reading.then(
      (rows) => {
        for (const [id, version] of missing) this.#entries.set(id, { version, madeMs, row: rows.get(id) })
      },
      () => undefined,
    )
  }
}
