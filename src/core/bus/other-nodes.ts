// Who else is on the bus, and what they hear: as their beats tell, and as Redis counts. Times are of `performance.now()`.

/** A node silent for this long has died, perhaps with a change written and not yet published. */
export const silentMs = 3000
/**
 * For how long nobody else hears a topic, from when Redis was asked who does. A node that has come waits as long for those
 * who do not answer it.
 */
export const aloneMs = 1000
/** So long a node that counts as dead may come back. */
const deadMs = 10 * 60_000
/** Between two beats: clocks do not go equally fast, ways change, and the clock of a machine that is suspended stands still. */
const mostDriftMs = 50

interface OtherNode {
  /** When it was heard last. What lay in the way may be older than what is yet to be read. */
  heardMs: number
  /** When it sent what was heard last, of the time here. */
  sentMs: number
  /** How far its time is behind, with the usual way of a beat. */
  behindMs: number
  /** What it hears. */
  topics: readonly string[]
  /** It has begun to hear something that these do not name yet. */
  hearsMore: boolean
  /** It holds keys of every kind, and its acknowledgements say of whom they are, as those of earlier versions do not. */
  isCurrent: boolean
}

/** What one node knows of the others. */
export class OtherNodes {
  readonly #nodes = new Map<string, OtherNode>()
  /** Those that are not heard. Of one that never was it is not known what it hears. */
  readonly #dead = new Map<string, { diedMs: number; topics: readonly string[] | undefined }>()
  /** Until when no other node hears a topic. */
  readonly #aloneUntilMs = new Map<string, number>()
  /** Counts nodes that have come, and topics that one began to hear. */
  #arrivals = 0

  /** Those who may hear a topic: also such as count as dead, and only stand still or are cut off. */
  mayHear(topic: string): string[] {
    const now = performance.now()
    for (const [id, { diedMs }] of this.#dead) if (now - diedMs > deadMs) this.#dead.delete(id)
    return [...this.#nodes, ...this.#dead].flatMap(([id, { topics }]) => (topics === undefined || topics.includes(topic) ? [id] : []))
  }

  /** One that is not heard has given a sign of life in another way. */
  noteApart(id: string): void {
    if (!this.#nodes.has(id)) this.#dead.set(id, { diedMs: performance.now(), topics: this.#dead.get(id)?.topics })
  }

  get arrivals(): number {
    return this.#arrivals
  }

  /** A node has given a sign of life, at `sentMs` of its own time. Returns true when it is new. */
  heard(id: string, sentMs: number, topics: readonly string[], isCurrent: boolean): boolean {
    const before = this.#nodes.get(id)
    const behindMs = Math.min(performance.now() - sentMs, (before?.behindMs ?? Infinity) + mostDriftMs)
    this.#dead.delete(id)
    this.#nodes.set(id, { heardMs: performance.now(), sentMs: sentMs + behindMs, behindMs, topics, hearsMore: false, isCurrent })
    return before === undefined
  }

  /** A node has said farewell. */
  left(id: string): void {
    this.#nodes.delete(id)
    this.#dead.delete(id)
  }

  /** A node has come, or begins to hear something: nobody is alone until Redis has been asked again. */
  arrived(id: string): void {
    const node = this.#nodes.get(id)
    if (node) node.hearsMore = true
    this.#arrivals++
    this.forgetAlone()
  }

  /** This node has heard nothing for a while, which is no fault of theirs: all count as heard now. */
  excuse(): void {
    const now = performance.now()
    for (const node of this.#nodes.values()) node.heardMs = node.sentMs = now
  }

  /** Forgets the nodes that have been silent for too long; returns their ids. */
  takeDead(): string[] {
    const now = performance.now()
    const dead = Array.from(this.#nodes).flatMap(([id, { sentMs }]) => (now - sentMs > silentMs ? [id] : []))
    for (const id of dead) {
      this.#dead.set(id, { diedMs: now, topics: this.#nodes.get(id)?.topics ?? [] })
      this.#nodes.delete(id)
    }
    return dead
  }

  /** How many of them hear a topic. */
  listenersOf(topic: string): number {
    let count = 0
    for (const { topics } of this.#nodes.values()) if (topics.includes(topic)) count++
    return count
  }

  /** Those that may hear a topic and have given a sign of life within so many milliseconds. */
  heardWithin(ms: number, topic: string): string[] {
    const now = performance.now()
    return Array.from(this.#nodes).flatMap(([id, { heardMs, topics, hearsMore }]) =>
      now - heardMs <= ms && (hearsMore || topics.includes(topic)) ? [id] : [],
    )
  }

  /** It is of this version. */
  isCurrent(id: string): boolean {
    return this.#nodes.get(id)?.isCurrent === true
  }

  /** True when what has a key may go to those alone that hold it. */
  allHoldKeys(): boolean {
    for (const { isCurrent } of this.#nodes.values()) if (!isCurrent) return false
    return true
  }

  /** Redis said that so many others hear a topic, when it was asked at `askedMs`. */
  counted(topic: string, others: number, askedMs: number): void {
    if (others === 0 && this.listenersOf(topic) === 0) this.#aloneUntilMs.set(topic, askedMs + aloneMs)
    else this.#aloneUntilMs.delete(topic)
  }

  /** True while it is certain that none of them hears a topic. */
  noneHears(topic: string): boolean {
    return performance.now() < (this.#aloneUntilMs.get(topic) ?? 0)
  }

  /** It is not certain any more. */
  forgetAlone(): void {
    this.#aloneUntilMs.clear()
  }
}
