// Feeds: the events of a key, numbered without holes. Nodes may get them in another order; whoever follows a feed takes each in its
// turn.

/** `past`: accounted for, or waiting already. `next`: its turn. `early`: one before it is still on its way, or lost. */
export type Turn = 'past' | 'next' | 'early'

/**
 * Holds the events that came before their turn, of all feeds that somebody follows. How far they have come in each is theirs to
 * know: thousands follow dozens of feeds, in which nearly everything comes in order.
 */
export class FeedOrder<Event> {
  /** By feed, then by number. */
  #early: Map<string, Map<number, Event>> | undefined

  /** What is to be done with an event. `at`: every one up to this number is accounted for. */
  turnOf(feed: string, at: number, seq: number): Turn {
    if (seq <= at) return 'past'
    if (seq === at + 1) return 'next'
    return this.#early?.get(feed)?.has(seq) ? 'past' : 'early'
  }

  /** Holds an early event. */
  hold(feed: string, seq: number, event: Event): void {
    this.#early ??= new Map<string, Map<number, Event>>()
    const held = this.#early.get(feed)
    if (held) held.set(seq, event)
    else this.#early.set(feed, new Map([[seq, event]]))
  }

  /** Takes out the event whose turn it is after `at`, if it came early. */
  next(feed: string, at: number): Event | undefined {
    const held = this.#early?.get(feed)
    const event = held?.get(at + 1)
    if (held && event !== undefined) this.#drop(feed, held, [at + 1])
    return event
  }

  /** The feeds in which some wait. */
  feeds(): string[] {
    return this.#early ? [...this.#early.keys()] : []
  }

  /** The events that wait in a feed. */
  held(feed: string): ReadonlyMap<number, Event> {
    return this.#early?.get(feed) ?? none
  }

  /** Forgets all that is accounted for, after feeds were read again. `at` says of each how far; what is next then is to be taken. */
  readAgain(at: (feed: string) => number): void {
    for (const [feed, held] of this.#early ?? none)
      this.#drop(
        feed,
        held,
        [...held.keys()].filter((seq) => seq <= at(feed)),
      )
  }

  #drop(feed: string, held: Map<number, Event>, numbers: readonly number[]): void {
    for (const seq of numbers) held.delete(seq)
    if (held.size === 0) this.#early?.delete(feed)
  }
}

const none: ReadonlyMap<never, never> = new Map<never, never>()
