// Answers of one chat that look the same for many readers, as text.

/** A few of them: readers who hold different things for read, and pages other than the last. */
const maxTexts = 16

/** Texts that are good as long as all that they are made of is the same. */
export class Pages {
  #madeOf: readonly unknown[] = []
  readonly #texts = new Map<string, string>()

  /** The text kept under `key`, or the one made now. */
  text(madeOf: readonly unknown[], key: string, make: () => string): string {
    if (madeOf.length !== this.#madeOf.length || madeOf.some((source, index) => source !== this.#madeOf[index])) {
      this.#texts.clear()
      this.#madeOf = madeOf
    }
    let text = this.#texts.get(key)
    if (text === undefined) {
      if (this.#texts.size >= maxTexts) this.#texts.clear()
      this.#texts.set(key, text = make())
    }
    return text
  }
}
