// Gathers what waits: the next batch is what came while the last one was under way, and answered. What comes
// alone goes at once.
import { unavailable } from '../base/errors.ts'

/** How one item of a batch ended. `busy`: somebody else holds what its key names, and nothing was done. */
export type Outcome<Answer> = { answer: Answer } | { refusal: unknown } | 'busy'

export const hasAnswer = <Answer>(outcome: Outcome<Answer>): outcome is { answer: Answer } =>
  typeof outcome === 'object' && 'answer' in outcome

export interface BatcherOptions<Item, Answer> {
  /** A resource that an item needs exclusively, such as a row that it locks. */
  keyOf(item: Item): string
  /**
   * Does a batch; resolves with an outcome for each item, in order. When `wait` is false, it takes only what
   * nobody else holds and says `busy` for the rest. When it is true, all items have the same key, and it waits.
   */
  run(items: readonly Item[], wait: boolean): Promise<Outcome<Answer>[]>
  /** Called with what `run` has resolved with, before the items are answered. */
  ended?(outcomes: readonly Outcome<Answer>[]): void
}

const maxBatch = 200
/** Far more than requests are admitted at once: a bound for the case that nothing moves. */
const maxWaiting = 5000

interface Entry<Item, Answer> {
  item: Item
  key: string
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** Runs one batch at a time, and beside it those that wait for a busy key, one for each key. */
export class Batcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer>
  #waiting: Entry<Item, Answer>[] = []
  #underWay = false
  /** Keys that a batch of their own waits for. Their items stay in order: later ones come after it. */
  readonly #held = new Set<string>()

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = options
  }

  /** Resolves or rejects with what became of the item. */
  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) throw unavailable('busy', 'The server is busy, please try again.')
      this.#waiting.push({ item, key: this.#options.keyOf(item), resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#underWay || this.#waiting.length === 0) return
    const batch: Entry<Item, Answer>[] = []
    const rest: Entry<Item, Answer>[] = []
    for (const entry of this.#waiting) (batch.length < maxBatch && !this.#held.has(entry.key) ? batch : rest).push(entry)
    if (batch.length === 0) return
    this.#waiting = rest
    this.#underWay = true
    void this.#run(batch, false).then((busy) => {
      this.#holdAll(busy)
      const next = () => {
        this.#underWay = false
        this.#next()
      }
      // One alone has nobody to wait for.
      if (batch.length === 1 && this.#waiting.length === 0) next()
      else afterNextReads(next)
    })
  }

  #holdAll(busy: readonly Entry<Item, Answer>[]): void {
    const byKey = new Map<string, Entry<Item, Answer>[]>()
    for (const entry of busy) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry])
    for (const [key, entries] of byKey) {
      this.#held.add(key)
      void this.#run(entries, true).then(() => {
        this.#held.delete(key)
        this.#next()
      })
    }
  }

  /** Answers all entries but those that are busy, and resolves with these; never rejects. */
  async #run(batch: readonly Entry<Item, Answer>[], wait: boolean): Promise<Entry<Item, Answer>[]> {
    let outcomes: Outcome<Answer>[]
    try {
      outcomes = await this.#options.run(
        batch.map(({ item }) => item),
        wait,
      )
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return []
    }
    this.#options.ended?.(outcomes)
    const busy: Entry<Item, Answer>[] = []
    for (const [index, entry] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome === 'busy' && !wait) busy.push(entry)
      else if (outcome === undefined || outcome === 'busy') entry.reject(new Error('a batch has left out one of its items'))
      else if ('refusal' in outcome) entry.reject(outcome.refusal)
      else entry.resolve(outcome.answer)
    }
    return busy
  }
}

/**
 * Calls `work` when the loop has written what it was given and read what came meanwhile: those who were just answered have
 * more to write. Otherwise the first of them would be a batch, and all others the next: twice the statements, and twice
 * the frames for everybody who reads along.
 */
function afterNextReads(work: () => void): void {
  // The first comes before the next reads of the loop, the second after them.
  setImmediate(() => setImmediate(work))
}
