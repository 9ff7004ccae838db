// Answers about one chat that look the same for many readers, as JSON.
import type { JsonText } from '../core/base/json-text.ts'
import type { FezData } from './schemas.ts'

/** A few: readers whose read positions differ, and pages other than the last. */
const maxTexts = 16

/** Texts that are valid while everything they are made of is unchanged. */
export class Pages {
  #madeOf: readonly unknown[] = []
  readonly #texts = new Map<string, JsonText<FezData>>()

  /** The texts that were made of exactly these. */
  of(madeOf: readonly unknown[]): Map<string, JsonText<FezData>> {
    if (
      madeOf.length !== this.#madeOf.length ||
      madeOf.some((source, index) => source !== this.#madeOf[index]) ||
      this.#texts.size >= maxTexts
    ) {
      this.#texts.clear()
      this.#madeOf = madeOf
    }
    return this.#texts
  }
}
