// What the users did, when, and what they were told of it: all that the checker believes besides the rows.

/** How a request that changes something has ended. `open` while it is under way; `unknown`: no answer, or one that says to try again. */
export type Outcome = 'open' | 'done' | 'refused' | 'unknown'

/** A request that changes something. */
export interface Attempt {
  beganMs: number
  endedMs?: number
  outcome: Outcome
}

export type PostKind = 'chat' | 'forum' | 'blog'

/** A post as its author remembers it. */
export interface SentPost extends Attempt {
  /** No two are the same. */
  text: string
  kind: PostKind
  /** The chat or forum; empty in the microblog. */
  place: string
  authorId: string
  mentioned: readonly string[]
  words: readonly string[]
  /** Whether it was sent with a picture. */
  pictured: boolean
  /** From the answer. */
  id?: number
  images?: readonly string[]
}

/** A switch that requests turn: a block, a mute, a membership. */
export class Switch {
  #attempts: (Attempt & { value: boolean })[] = []
  /** What it may have been before the first of them. */
  #before: ReadonlySet<boolean>

  constructor(value: boolean) {
    this.#before = new Set([value])
  }

  /** A request begins that sets it to `value`. */
  begin(value: boolean, nowMs: number): Attempt {
    const attempt: Attempt & { value: boolean } = { beganMs: nowMs, outcome: 'open', value }
    this.#attempts.push(attempt)
    return attempt
  }

  /** All that it may have been at any time between the two. */
  during(fromMs: number, toMs: number): ReadonlySet<boolean> {
    let possible = new Set(this.#before)
    const seen = new Set<boolean>()
    for (const { beganMs, endedMs = Infinity, outcome, value } of this.#attempts) {
      if (outcome === 'refused') continue
      if (beganMs >= fromMs) for (const each of possible) seen.add(each)
      if (beganMs > toMs) return seen
      if (outcome === 'done' && endedMs < fromMs) {
        possible = new Set([value])
        seen.clear()
      } else if (outcome === 'done') {
        for (const each of possible) seen.add(each)
        seen.add(value)
        possible = new Set([value])
      } else possible.add(value)
    }
    for (const each of possible) seen.add(each)
    return seen
  }

  /** What it is now, if that is certain. */
  now(): boolean | undefined {
    const possible = this.during(performance.now(), Infinity)
    return possible.size === 1 ? [...possible][0] : undefined
  }

  /** Somebody has looked while nothing was under way. */
  settle(value: boolean): void {
    if (this.now() === value) return
    this.#attempts.push({ beganMs: performance.now(), endedMs: performance.now(), outcome: 'done', value })
  }
}

export type Certainty = 'yes' | 'no' | 'maybe'

/** Everybody's memories together. */
export class Logbook {
  readonly posts = new Map<string, SentPost>()
  /** By who hides and who is hidden. */
  readonly #mutes = new Map<string, Switch>()
  readonly #blocks = new Map<string, Switch>()
  /** What nobody should ever have seen, in sentences. */
  readonly complaints: string[] = []
  #number = 0

  /** A text that nobody has used. */
  newText(author: string, more: string): string {
    return `p${++this.#number} of ${author}${more === '' ? '' : ` ${more}`}`
  }

  complain(sentence: string): void {
    this.complaints.push(sentence)
  }

  relation(kind: 'mute' | 'block', who: string, whom: string): Switch {
    const relations = kind === 'mute' ? this.#mutes : this.#blocks
    const key = `${who} ${whom}`
    let found = relations.get(key)
    if (!found) relations.set(key, (found = new Switch(false)))
    return found
  }

  /** All relations that anybody ever touched. */
  *relations(): Iterable<{ kind: 'mute' | 'block'; who: string; whom: string; state: Switch }> {
    for (const [kind, relations] of [
      ['mute', this.#mutes],
      ['block', this.#blocks],
    ] as const) {
      for (const [key, state] of relations) {
        const [who = '', whom = ''] = key.split(' ')
        yield { kind, who, whom, state }
      }
    }
  }

  /** Whether an author was hidden from a reader all the time between the two. */
  hides(readerId: string, authorId: string, fromMs: number, toMs: number): Certainty {
    const states = [
      this.#mutes.get(`${readerId} ${authorId}`),
      this.#blocks.get(`${readerId} ${authorId}`),
      this.#blocks.get(`${authorId} ${readerId}`),
    ].map((state) => state?.during(fromMs, toMs))
    if (states.some((possible) => possible && !possible.has(false))) return 'yes'
    return states.some((possible) => possible?.has(true)) ? 'maybe' : 'no'
  }
}
