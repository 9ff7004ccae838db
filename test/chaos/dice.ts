// Randomness that can be had again: everything follows from the seed.

export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, not including, 1: mulberry32. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.roll() * limit)
  }

  chance(probability: number): boolean {
    return this.roll() < probability
  }

  among<T>(things: readonly T[]): T {
    return things[this.below(things.length)] as T
  }

  shuffled<T>(things: readonly T[]): T[] {
    const result = [...things]
    for (let last = result.length - 1; last > 0; last--) {
      const other = this.below(last + 1)
      ;[result[last], result[other]] = [result[other] as T, result[last] as T]
    }
    return result
  }

  /** One of the keys, as often as its weight says. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][]
    let left = this.roll() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) if ((left -= weight) < 0) return key
    return (entries[0] as [T, number])[0]
  }
}
