// What has been written lately, on any node: a table, or a part of one that has a name of its own. Answers in
// memory are good as long as nothing that they were made of has changed.
import type { Bus } from '../bus/bus.ts'
import type { Channels, Topic, Watcher } from './registry.ts'

/** Places of what a transaction has changed. */
export const changesTopic: Topic<readonly Place[]> = { name: 'changes' }
export const changesId = 'all'

/** Names share their places: of two in one place, each change counts for both. A number of a place has 16 bits. */
const places = 65_536
/** After a write that nobody announces, its statement has ended. */
const strayMs = 1000

export type Place = number

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

// V8 has many kinds of strings, and where all of them come it looks a method up for each call.
const { charCodeAt } = String.prototype

/** FNV-1a, going on from the hash of what comes before `text`. */
function hashOn(hash: number, text: string): number {
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ charCodeAt.call(text, at), fnvPrime)
  return hash
}

const placeAt = (hash: number): Place => (hash >>> 0) % places

/** The place of a name. */
export const placeOf = (name: string): Place => placeAt(hashOn(fnvOffset, name))

/** A part of a table that has an id, such as the rows of one account. */
export const partOf = (table: string, id: string): string => `${table}/${id}`

/** Counts the changes of all parts of a table. */
export const anyPartOf = (table: string): string => `${table}/*`

/** Of each table, what the names of its parts begin with, and the place of any. */
const partsOfTables = new Map<string, { hash: number; any: Place }>()

/** Where a change of a part of a table counts. */
export function placesOfPart(table: string, id: string): [Place, Place] {
  let known = partsOfTables.get(table)
  if (!known) partsOfTables.set(table, (known = { hash: hashOn(fnvOffset, partOf(table, '')), any: placeOf(anyPartOf(table)) }))
  return [placeAt(hashOn(known.hash, id)), known.any]
}

/** Counts changes by the places of their names. */
export class Changes implements Watcher {
  readonly #counts = new Uint32Array(places)
  /** Counts reasons to know nothing. */
  #resets = 0
  #strayUntilMs = 0
  readonly #bus: Pick<Bus, 'up'>
  readonly #tables = new Set<string>()

  constructor(bus: Pick<Bus, 'up' | 'onReset'>) {
    this.#bus = bus
    bus.onReset(() => this.#resets++)
  }

  /** Begins to hear of changes. */
  follow(channels: Pick<Channels<unknown>, 'listen' | 'watch'>): void {
    channels.listen(changesTopic, (_id, changed) => this.#count(changed))
    // Of transactions whose outcome nobody knows.
    channels.watch(changesTopic.name, changesId, this)
  }

  /**
   * A number that grows with every change of one of these, and stays the same without one; undefined while changes may be
   * getting lost.
   */
  stamp(of: readonly Place[]): number | undefined {
    if (!this.#bus.up || (this.#strayUntilMs > 0 && this.#isStray())) return undefined
    let sum = this.#resets
    for (const place of of) sum += this.#counts[place] as number
    return sum
  }

  /** How often something in this place has changed. */
  count(place: Place): number {
    return this.#counts[place] as number
  }

  /** Answers are made of this table. */
  watchTable(table: string): void {
    this.#tables.add(table)
  }

  /** Something was written outside of a transaction of the product: by a program that looks after the database itself. */
  noteStray(tables: Iterable<string>): void {
    const watched = [...tables].filter((table) => this.#tables.has(table))
    if (watched.length === 0) return
    this.#count(watched.map(placeOf))
    this.#strayUntilMs = performance.now() + strayMs
  }

  /** Whatever was known may be wrong. */
  reset(): void {
    this.#resets++
  }

  observe(): void {}

  async reload(): Promise<void> {
    this.#resets++
  }

  #count(changed: readonly Place[]): void {
    for (const place of changed) this.#counts[place] = (this.#counts[place] as number) + 1
  }

  #isStray(): boolean {
    if (performance.now() < this.#strayUntilMs) return true
    this.#strayUntilMs = 0
    return false
  }
}
