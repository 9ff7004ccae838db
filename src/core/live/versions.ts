// Versions: numbers that grow with every write, on any node, to a table, or to a part of one that has a name of its own.
// What is in memory is good as long as the versions of all that it was made of are the same.
import { fnv1a } from '../base/fnv.ts'
import type { Bus } from '../bus/bus.ts'
import type { Channels, Topic, Watcher } from './registry.ts'

/** Slots of what a transaction has written. */
export const invalidationTopic: Topic<readonly Slot[]> = { name: 'invalidation' }
export const invalidationId = 'all'

/** Names share their slots: of two in one slot, each write counts for both. A number of a slot has 16 bits. */
const slots = 65_536
/** Within this time other nodes know of writes whose answers have not waited for that. */
const tellWithinMs = 400
/** After a write that nobody announces, its statement has ended. */
const strayMs = 1000

/** Where the writes to what has some name are counted. */
export type Slot = number

const slotAt = (hash: number): Slot => (hash >>> 0) % slots

/** The slot of a name. */
export const slotOf = (name: string): Slot => slotAt(fnv1a(name))

/** A part of a table that has an id, such as the rows of one account. */
export const partOf = (table: string, id: string): string => `${table}/${id}`

/** Counts the writes to all parts of a table. */
export const anyPartOf = (table: string): string => `${table}/*`

/** Of each table, what the names of its parts begin with, and the slot of any. */
const partsOfTables = new Map<string, { hash: number; any: Slot }>()

/** Where a write to a part of a table counts. */
export function slotsOfPart(table: string, id: string): [Slot, Slot] {
  let known = partsOfTables.get(table)
  if (!known) partsOfTables.set(table, (known = { hash: fnv1a(partOf(table, '')), any: slotOf(anyPartOf(table)) }))
  return [slotAt(fnv1a(id, known.hash)), known.any]
}

/** The versions of a node. */
export class Versions implements Watcher {
  readonly #counts = new Uint32Array(slots)
  /** Counts reasons to know nothing. */
  #resets = 0
  #strayUntilMs = 0
  readonly #bus: Pick<Bus, 'up'>
  readonly #tables = new Set<string>()
  #tell: ((written: readonly Slot[]) => void) | undefined
  /** Written here, and not yet told to the other nodes. */
  readonly #untold = new Set<Slot>()

  constructor(bus: Pick<Bus, 'up' | 'onReset'>) {
    this.#bus = bus
    bus.onReset(() => this.#resets++)
  }

  /** Begins to tell other nodes of writes. */
  tellBy(channels: Pick<Channels<unknown>, 'publishElsewhere'>): void {
    this.#tell = (written) => channels.publishElsewhere(invalidationTopic.name, invalidationId, written)
  }

  /** Begins to hear of writes. */
  follow(channels: Pick<Channels<unknown>, 'listen' | 'watch'>): void {
    channels.listen(invalidationTopic, (_id, written) => this.#count(written))
    // Of transactions whose outcome nobody knows.
    channels.watch(invalidationTopic.name, invalidationId, this)
  }

  /**
   * The version of all of these together: it grows with every write to one of them, and stays the same without one. Undefined
   * while writes of other nodes may be getting lost.
   */
  of(slots: readonly Slot[]): number | undefined {
    if (!this.#bus.up || (this.#strayUntilMs > 0 && this.#isStray())) return undefined
    let sum = this.#resets
    for (const slot of slots) sum += this.#counts[slot] as number
    return sum
  }

  /** The version of one alone: for what adds it to such a sum. */
  count(slot: Slot): number {
    return this.#counts[slot] as number
  }

  /** Something in memory is made of this table. */
  watchTable(table: string): void {
    this.#tables.add(table)
  }

  /** Something was written outside of a transaction of the product: by a program that looks after the database itself. */
  noteStray(tables: Iterable<string>): void {
    const watched = [...tables].filter((table) => this.#tables.has(table))
    if (watched.length === 0) return
    this.#count(watched.map(slotOf))
    this.#strayUntilMs = performance.now() + strayMs
  }

  /** Something was written here, and nobody waits until the other nodes know. They are told of many such writes together. */
  noteWritten(written: readonly Slot[]): void {
    this.#count(written)
    // In real time, also in tests: it spares the network.
    if (this.#untold.size === 0) setTimeout(() => this.tellOthers(), tellWithinMs).unref()
    for (const slot of written) this.#untold.add(slot)
  }

  /** Tells the other nodes now. */
  tellOthers(): void {
    if (this.#untold.size === 0) return
    const written = [...this.#untold]
    this.#untold.clear()
    this.#tell?.(written)
  }

  /** An event has said that rows that belong to an id were written. */
  notePart(tables: readonly string[], id: string): void {
    for (const table of tables) this.#count(slotsOfPart(table, id))
  }

  /** Nothing was heard of an id so far: what is known of its rows may be older than what was said to those who hear. */
  noteUnheard(tables: readonly string[], id: string): void {
    for (const table of tables) this.#count([slotsOfPart(table, id)[0]])
  }

  /** Whatever was known may be wrong. */
  reset(): void {
    this.#resets++
  }

  observe(): void {}

  async reload(): Promise<void> {
    this.#resets++
  }

  #count(written: readonly Slot[]): void {
    for (const slot of written) this.#counts[slot] = (this.#counts[slot] as number) + 1
  }

  #isStray(): boolean {
    if (performance.now() < this.#strayUntilMs) return true
    this.#strayUntilMs = 0
    return false
  }
}
