// Frames that Redis did not take, by way of Postgres. A node that is cut off from Redis alone goes on writing; without a detour the
// others would go on answering from what they knew before, for as long as that lasts. Times are of `performance.now()`.
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

/** What goes to one channel of Redis, without the prefix of its names. */
export interface DetourFrame {
  channel: string
  frame: Buffer
}

/** One that is stored. */
export interface StoredFrame extends DetourFrame {
  /** Grows, but one may be seen before another one with a lower id. */
  id: number
  sender: string
}

/** Channels of no frames, but of marks of nodes. Those of a node are in the order of their bytes. */
export const apartMark = 'apart'
export const backMark = 'back'

/** Where frames and marks are kept for ten minutes at least. */
export interface DetourStore {
  /** Resolves when all can be seen by everybody. */
  put(sender: string, frames: readonly DetourFrame[]): Promise<void>
  /** All since an id that are younger than a minute, by id. */
  after(id: number): Promise<StoredFrame[]>
  /** What the last mark of each node says. */
  marks(): Promise<Mark[]>
}

/** What a node has said last. One that is apart trusts nothing that it has in memory. */
export interface Mark {
  nodeId: string
  isApart: boolean
}

/** A node that Redis does not take anything from says so as often, whether or not it has something to tell. */
const markEveryMs = 2000
/** So long after the last sign the others look for what it has put. */
const watchMs = 10_000
/** For so long a node that watches trusts what it has in memory after it began to look, with success. */
const lookTrustMs = 1500
/** By then a frame with a lower id is there, too. */
const settledMs = 10_000
/** How long it is tried to put something. */
const patienceMs = 8000
const retryMs = 500
/** So long the marks of those that have come since are there for certain. */
const knownMs = 9 * 60_000
/** How often it is asked whether the others are apart, too. */
const askEveryMs = 200
/** Of timers and machines that are busy. */
const slackMs = 500
/** Those that are made later come behind: bytes of positive numbers are in the order of these. */
function markOf(channel: string): DetourFrame {
  const frame = Buffer.alloc(8)
  frame.writeDoubleBE(performance.now())
  return { channel, frame }
}

/** One node's end of it. */
export class Detour {
  readonly #store: DetourStore
  readonly #nodeId: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #onFrame: (frame: StoredFrame) => void
  readonly #onBack: () => void
  #waiting: DetourFrame[] = []
  #putting: Promise<boolean> | undefined
  #asking: Promise<Mark[]> | undefined
  /**
   * While Redis takes nothing from this node, as before its start: when the others have noticed that, and until when they look for what
   * it puts.
   */
  #apart: { sinceMs: number; noticedMs: number; lookedForUntilMs: number } | undefined = {
    sinceMs: -Infinity,
    noticedMs: 0,
    lookedForUntilMs: -Infinity,
  }
  #markedMs = -Infinity
  /** It takes part again, and the others cannot know that yet. */
  #isReturning = false
  #isWatching = false
  #watchUntilMs = -Infinity
  #lookedMs = -Infinity
  #isLooking = false
  /** Ids, and when they were seen: the oldest first. */
  readonly #seen = new Map<number, number>()
  /** None that is to come has an id up to this one. */
  #settledId = 0

  /** `onFrame`: another node has put something, if only the mark that it is apart. `onBack`: until now others may have counted on it that this node trusts nothing. */
  constructor(options: {
    store: DetourStore
    nodeId: string
    clock: Clock
    log: Log
    onFrame: (frame: StoredFrame) => void
    onBack: () => void
  }) {
    this.#store = options.store
    this.#nodeId = options.nodeId
    this.#clock = options.clock
    this.#log = options.log
    this.#onFrame = options.onFrame
    this.#onBack = options.onBack
  }

  /** Redis takes nothing from this node, which the others notice at `noticedMs`. To be called every half second while it lasts. */
  apart(noticedMs: number): void {
    this.#isReturning = false
    this.#apart ??= { sinceMs: performance.now(), noticedMs, lookedForUntilMs: noticedMs + watchMs }
    this.#apart.noticedMs = Math.max(this.#apart.noticedMs, noticedMs)
    const now = performance.now()
    if (now - this.#markedMs < markEveryMs) return
    this.#markedMs = now
    this.add(markOf(apartMark))
  }

  /** Redis takes what this node sends. To be called every half second. */
  back(): void {
    if (!this.#apart || this.#isReturning) return
    this.#isReturning = true
    this.#waiting.push(markOf(backMark))
    void this.#put().then((isThere) => {
      const isStillBack = this.#isReturning
      this.#isReturning = false
      if (!isThere || !isStillBack) return
      this.#apart = undefined
      this.#markedMs = -Infinity
      this.watch()
      this.#onBack()
    })
  }

  /** Redis has not taken a frame. */
  add(frame: DetourFrame): void {
    this.#waiting.push(frame)
    void this.#put()
  }

  /**
   * Resolves with true when each of the other nodes that `others` names has heard what was added until now, or trusts nothing that it
   * has in memory.
   */
  async told(others: () => readonly string[]): Promise<boolean> {
    if (!(await this.#put()) || !this.#apart) return false
    const { noticedMs, lookedForUntilMs } = this.#apart
    const putMs = performance.now()
    const untilMs = Math.max(noticedMs, putMs) + lookTrustMs + slackMs
    for (;;) {
      if (await this.#areAllApart(others())) return true
      const now = performance.now()
      if (putMs > lookedForUntilMs) return false
      if (now >= untilMs) return true
      await new Promise<void>((resolve) => this.#clock.after(Math.min(askEveryMs, untilMs - now), resolve))
    }
  }

  /** All of these, and whoever is not known here. */
  async #areAllApart(others: readonly string[]): Promise<boolean> {
    if (!this.#apart || performance.now() - this.#apart.sinceMs > knownMs) return false
    try {
      const marks = new Map((await this.#marksFromNowOn()).map(({ nodeId, isApart }) => [nodeId, isApart]))
      marks.delete(this.#nodeId)
      return [...marks.values()].every((isApart) => isApart) && others.every((id) => marks.has(id))
    } catch {
      return false
    }
  }

  /** Those who ask in one turn are answered by one statement. */
  #marksFromNowOn(): Promise<Mark[]> {
    return (this.#asking ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#asking = undefined
        resolve(this.#store.marks())
      })
    }))
  }

  /** Somebody may be cut off: what they put is looked for from now on. */
  watch(): void {
    const now = performance.now()
    if (!this.#isWatching) this.#lookedMs = now
    this.#isWatching = true
    this.#watchUntilMs = now + watchMs
    void this.look()
  }

  /** False while something that was put may not have been seen yet, and while others may count on it. */
  get trusted(): boolean {
    if (this.#apart) return false
    // Asked with every request.
    return !this.#isWatching || performance.now() < this.#lookedMs + lookTrustMs
  }

  /** To be called every half second. */
  async look(): Promise<void> {
    const askedMs = performance.now()
    if (askedMs > this.#watchUntilMs) this.#isWatching = false
    if (!this.#isWatching || this.#isLooking) return
    this.#isLooking = true
    try {
      this.#settle(askedMs)
      for (const stored of await this.#store.after(this.#settledId)) this.#see(stored, askedMs)
      this.#lookedMs = askedMs
    } catch (error) {
      this.#log.debug({ err: error }, 'what others have put into Postgres could not be read')
    } finally {
      this.#isLooking = false
    }
  }

  #see(stored: StoredFrame, nowMs: number): void {
    if (this.#seen.has(stored.id)) return
    this.#seen.set(stored.id, nowMs)
    if (stored.sender === this.#nodeId) return
    this.#watchUntilMs = nowMs + watchMs
    if (stored.channel !== backMark) this.#onFrame(stored)
  }

  #settle(nowMs: number): void {
    for (const [id, seenMs] of this.#seen) {
      if (nowMs - seenMs < settledMs) return
      this.#seen.delete(id)
      this.#settledId = Math.max(this.#settledId, id)
    }
  }

  /** Resolves with true when all that waits was put. */
  async #put(): Promise<boolean> {
    const running = this.#putting
    // What is on its way was taken before.
    if (running) return (await running) && (this.#waiting.length === 0 || (await this.#put()))
    if (this.#waiting.length === 0) return true
    this.#putting = this.#putAll()
    try {
      return await this.#putting
    } finally {
      this.#putting = undefined
    }
  }

  async #putAll(): Promise<boolean> {
    const startedMs = performance.now()
    // Those of one turn go together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    const frames = this.#waiting
    this.#waiting = []
    for (;;) {
      try {
        await this.#store.put(this.#nodeId, frames)
        this.#noteLookedFor(startedMs)
        return true
      } catch (error) {
        this.#log.debug({ err: error }, 'what Redis did not take could not be put into Postgres either')
        if (performance.now() > startedMs + patienceMs) return false
        await new Promise<void>((resolve) => this.#clock.after(retryMs, resolve))
      }
    }
  }

  /** Something that was put at this time has the others look for more, unless they look no longer. */
  #noteLookedFor(putMs: number): void {
    const now = performance.now()
    if (this.#apart && now + slackMs < this.#apart.lookedForUntilMs) this.#apart.lookedForUntilMs = putMs + watchMs
  }
}
