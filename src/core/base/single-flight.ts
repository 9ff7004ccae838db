// Single-flight: those who ask for the same while it is being made share one run.

interface Flight<Result> {
  /** What it is made of. */
  of: readonly unknown[]
  result: Promise<Result>
  /** The run after it, for those who must not get what this one may have seen already. */
  next: Promise<Result> | undefined
}

/** True when both hold the same, one by one. */
export const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((source, index) => source === b[index])

/** Runs that are under way, by a key. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Flight<Result>>()

  /** The run under way for a key, if it is made of exactly these. */
  find(key: string, of: readonly unknown[]): Promise<Result> | undefined {
    const flight = this.#flights.get(key)
    return flight && areSame(flight.of, of) ? flight.result : undefined
  }

  /** From now until it has ended, `result` is the run under way for this key. */
  add(key: string, of: readonly unknown[], result: Promise<Result>): void {
    const flight: Flight<Result> = { of, result, next: undefined }
    this.#flights.set(key, flight)
    const end = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
    result.then(end, end)
  }

  /**
   * The result of a run that begins after this call: `run` now, or the one after that which is under way, with all others who wait
   * for it. That one may have looked before a change that they know of.
   */
  after<R extends Result>(key: string, run: () => Promise<R>): Promise<R> {
    const flight = this.#flights.get(key)
    if (!flight) return this.#begin(key, run)
    // All that ask under one key ask for the same.
    return (flight.next ??= flight.result.catch(() => undefined).then(() => this.#begin(key, run))) as Promise<R>
  }

  #begin<R extends Result>(key: string, run: () => Promise<R>): Promise<R> {
    const result = run()
    this.add(key, none, result)
    return result
  }
}

const none: readonly never[] = []
