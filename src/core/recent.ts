// A cache of what was used last, of bounded weight.

interface Entry<Value> {
  value: Value
  weight: number
}

/**
 * Keeps what was used last, in two generations: what was used since the older one was full, and that one.
 * Cheaper than an order of use, and holds at most twice the weight of a generation.
 */
export class Recent<Key, Value> {
  #recent = new Map<Key, Entry<Value>>()
  #older = new Map<Key, Entry<Value>>()
  /** Of `#recent`. */
  #weight = 0
  readonly #maxWeight: number

  /** `maxWeight` of one generation, in whatever unit `set` is called with. */
  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  /** True until anything was displaced. */
  get hasRoom(): boolean {
    return this.#older.size === 0
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key)
    if (recent) return recent.value
    const older = this.#older.get(key)
    if (older) this.#keep(key, older)
    return older?.value
  }

  set(key: Key, value: Value, weight: number): void {
    this.#keep(key, { value, weight })
  }

  #keep(key: Key, entry: Entry<Value>): void {
    if (this.#weight > this.#maxWeight) {
      this.#older = this.#recent
      this.#recent = new Map()
      this.#weight = 0
    }
    this.#recent.set(key, entry)
    this.#weight += entry.weight
  }
}
