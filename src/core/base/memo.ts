// Memo: a value with what it was made of, made again when one of these is another.
import { areSame } from './single-flight.ts'

/** One value. */
export class Memo<Value> {
  #of: readonly unknown[] | undefined
  #value: Value | undefined

  /** The value that was made of exactly these; `make` makes it when there is none. */
  get(of: readonly unknown[], make: () => Value): Value {
    if (this.#of === undefined || !areSame(this.#of, of)) {
      this.#value = make()
      this.#of = of
    }
    return this.#value as Value
  }

  /** True when its value was made of exactly these. */
  has(of: readonly unknown[]): boolean {
    return this.#of !== undefined && areSame(this.#of, of)
  }
}
