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

/** Where frames are kept for a minute at least. */
export interface DetourStore {
  /** Resolves when all can be seen by everybody. */
  put(sender: string, frames: readonly DetourFrame[]): Promise<void>
  /** All since an id that are younger than a minute, by id. */
  after(id: number): Promise<StoredFrame[]>
}

/** A node that Redis does not reach says so as often, whether or not it has something to tell. */
const announceEveryMs = 2000
/** So long after the last sign the others look for what it has put. */
const watchMs = 10_000
/** For so long a node that watches trusts what it has in memory after it began to look, with success. */
const lookTrustMs = 1500
/** By then a frame with a lower id is there, too. */
const settledMs = 10_000
/** How long it is tried to put something. */
const patienceMs = 8000
const retryMs = 500
/** Of timers and machines that are busy. */
const slackMs = 500
/** Of an announcement. Nobody hears it. */
const announcement: DetourFrame = { channel: '', frame: Buffer.alloc(0) }

/** One node's end of it. */
export class Detour {
  readonly #store: DetourStore
  readonly #nodeId: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #onFrame: (frame: DetourFrame) => void
  #waiting: DetourFrame[] = []
  #putting: Promise<boolean> | undefined
  /** While Redis takes nothing from this node: when the others have noticed that, and until when they look for what it puts. */
  #apart: { noticedMs: number; lookedForUntilMs: number } | undefined
  #announcedMs = -Infinity
  #watchUntilMs = -Infinity
  /** That somebody is cut off is known, and not only to be found out. */
  #isSure = false
  #lookedMs = -Infinity
  #isLooking = false
  /** Ids, and when they were seen: the oldest first. */
  readonly #seen = new Map<number, number>()
  /** None that is to come has an id up to this one. */
  #settledId = 0

  constructor(options: { store: DetourStore; nodeId: string; clock: Clock; log: Log; onFrame: (frame: DetourFrame) => void }) {
    this.#store = options.store
    this.#nodeId = options.nodeId
    this.#clock = options.clock
    this.#log = options.log
    this.#onFrame = options.onFrame
  }

  /** Redis takes nothing from this node, which the others notice at `noticedMs`. To be called every half second while it lasts. */
  apart(noticedMs: number): void {
    this.#apart ??= { noticedMs, lookedForUntilMs: noticedMs + watchMs }
    this.#apart.noticedMs = Math.max(this.#apart.noticedMs, noticedMs)
    const now = performance.now()
    if (now - this.#announcedMs < announceEveryMs) return
    this.#announcedMs = now
    this.add(announcement)
  }

  /** Redis takes what this node sends. */
  back(): void {
    this.#apart = undefined
    this.#announcedMs = -Infinity
  }

  /** Redis has not taken a frame. */
  add(frame: DetourFrame): void {
    this.#waiting.push(frame)
    void this.#put()
  }

  /** Resolves with true when every other node has heard what was added until now, or trusts nothing that it has in memory. */
  async told(): Promise<boolean> {
    if (!(await this.#put()) || !this.#apart) return false
    const { noticedMs, lookedForUntilMs } = this.#apart
    const now = performance.now()
    if (now > lookedForUntilMs) return false
    const untilMs = Math.max(noticedMs, now) + lookTrustMs + slackMs
    await new Promise<void>((resolve) => this.#clock.after(untilMs - now, resolve))
    return true
  }

  /** Somebody may be cut off, and surely is with `isSure`: what they put is looked for from now on. */
  watch(isSure: boolean): void {
    const now = performance.now()
    if (isSure && !this.#isSure) this.#lookedMs = now
    this.#isSure ||= isSure
    this.#watchUntilMs = now + watchMs
    void this.look()
  }

  /** False while something that was put may not have been seen yet. */
  get trusted(): boolean {
    const now = performance.now()
    return !this.#isSure || now > this.#watchUntilMs || now < this.#lookedMs + lookTrustMs
  }

  /** To be called every half second. */
  async look(): Promise<void> {
    const askedMs = performance.now()
    if (askedMs > this.#watchUntilMs) {
      this.#isSure = false
      return
    }
    if (this.#isLooking) return
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
    this.#isSure = true
    this.#watchUntilMs = nowMs + watchMs
    if (stored.channel !== announcement.channel) this.#onFrame(stored)
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
