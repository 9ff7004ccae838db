// Which frames of this node have yet to be acknowledged by those who got them.
import type { Log } from '../base/log.ts'

interface Awaited {
  topic: string
  /** Unknown until Redis has said how many nodes got the frame. */
  missing: number | undefined
  /** How many nodes Redis counts for the topic. */
  listeners: number
  received: number
  /** Who has acknowledged it, of those that say who they are. */
  from: string[]
  /** It has come back to this node, and with it all that Redis took before it. */
  isBack: boolean
  done: (all: boolean) => void
}

/** Counts acknowledgements by the numbers that frames carry; 0 is the number of a frame that nobody waits for. */
export class Acknowledgements {
  readonly #awaited = new Map<number, Awaited>()
  readonly #listenersOf: (topic: string) => number
  readonly #trustingOf: (topic: string) => readonly string[] | undefined
  readonly #log: Log
  #lastId = 0

  /**
   * `listenersOf` says how many nodes hear a topic, this one included, as far as is known. `trustingOf` says which of the others may
   * trust what they have in memory; undefined when it is not certain that those are all.
   */
  constructor(options: { listenersOf: (topic: string) => number; trustingOf: (topic: string) => readonly string[] | undefined; log: Log }) {
    this.#listenersOf = options.listenersOf
    this.#trustingOf = options.trustingOf
    this.#log = options.log
  }

  /** Nothing is waited for. */
  get none(): boolean {
    return this.#awaited.size === 0
  }

  /**
   * Begins to wait for a frame, and returns its number. `done` is called once: with true when all nodes that hear the topic and
   * may trust what they have in memory have acknowledged it; with false when that cannot be said. `after` calls back when the wait
   * has been long enough, and returns how to prevent it.
   */
  begin(topic: string, after: (giveUp: () => void) => () => void, done: (all: boolean) => void): number {
    const ackId = ++this.#lastId
    const cancel = after(() => {
      this.#log.warn({ ackId }, 'a node did not acknowledge in time')
      this.failed(ackId)
    })
    const end = (all: boolean) => {
      cancel()
      this.#awaited.delete(ackId)
      done(all)
    }
    this.#awaited.set(ackId, { topic, missing: undefined, listeners: 0, received: 0, from: [], isBack: false, done: end })
    return ackId
  }

  /** Redis has passed a frame on to so many nodes, and counts so many for its topic: more, where the frame is for those alone that hold a key. */
  sent(ackId: number, receivers: number, listeners = receivers): void {
    const awaited = this.#awaited.get(ackId)
    if (!awaited) return
    awaited.missing = receivers
    awaited.listeners = listeners
    this.#doneIfAll(awaited)
  }

  /** One of them has acknowledged it. Those of earlier versions do not say who they are. */
  received(ackId: number, nodeId?: string): void {
    const awaited = this.#awaited.get(ackId)
    if (!awaited) return
    awaited.received++
    if (nodeId !== undefined) awaited.from.push(nodeId)
    this.#doneIfAll(awaited)
  }

  /** It has come back to this node. */
  back(ackId: number): void {
    const awaited = this.#awaited.get(ackId)
    if (!awaited) return
    awaited.isBack = true
    this.received(ackId)
  }

  /** A node that is waited for may trust no more what it has in memory. */
  lookAgain(): void {
    for (const awaited of this.#awaited.values()) this.#doneIfAll(awaited)
  }

  /** It was not sent, or not in time. */
  failed(ackId: number): void {
    this.#awaited.get(ackId)?.done(false)
  }

  /** Waits for nothing any longer. */
  close(): void {
    for (const { done } of this.#awaited.values()) done(false)
  }

  #doneIfAll({ topic, missing, listeners, received, from, isBack, done }: Awaited): void {
    if (missing === undefined) return
    // Who goes on after standing still hears this before it trusts its memory again.
    const isKnown = received >= missing || (isBack && this.#trustingOf(topic)?.every((id) => from.includes(id)))
    // A node that sent a message a moment ago and does not listen now is about to come back.
    if (isKnown) done(listeners >= this.#listenersOf(topic))
  }
}
