// Clocks that a test moves.
import type { TestContext } from 'node:test'
import { systemClock, type Clock } from '../../src/core/base/clock.ts'

interface Timer {
  dueMs: number
  everyMs: number | undefined
  callback: () => void
}

/** Stands still until `advance`. */
export class FakeClock implements Clock {
  #nowMs: number
  readonly #timers = new Set<Timer>()

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs
  }

  now(): number {
    return this.#nowMs
  }

  elapsed(): number {
    return this.#nowMs
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#add({ dueMs: this.#nowMs + delayMs, everyMs: undefined, callback })
  }

  every(intervalMs: number, callback: () => void): () => void {
    return this.#add({ dueMs: this.#nowMs + intervalMs, everyMs: intervalMs, callback })
  }

  /** Lets this much time pass; what falls due on the way is called in order. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms
    for (;;) {
      let next: Timer | undefined
      for (const timer of this.#timers) if (timer.dueMs <= untilMs && (!next || timer.dueMs < next.dueMs)) next = timer
      if (!next) break
      this.#nowMs = Math.max(this.#nowMs, next.dueMs)
      if (next.everyMs === undefined) this.#timers.delete(next)
      else next.dueMs += next.everyMs
      next.callback()
    }
    this.#nowMs = untilMs
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }
}

/** Real time with leaps: for whole nodes, whose timers have to run. Timers come soon after a leap, not because of it. */
export class LeapingClock implements Clock {
  #leapsMs = 0
  #setMs = 0
  readonly after = systemClock.after
  readonly every = systemClock.every

  now(): number {
    return systemClock.now() + this.#leapsMs + this.#setMs
  }

  elapsed(): number {
    return systemClock.elapsed() + this.#leapsMs
  }

  /** So much time passes at once. */
  leap(ms: number): void {
    this.#leapsMs += ms
  }

  /** Somebody sets the clock, forwards or back. */
  set(ms: number): void {
    this.#setMs += ms
  }
}

const { Date: RealDate } = globalThis

/** Lets this process see the clock of its machine so many ms ahead, until the test ends. */
export function setMachineClock(t: Pick<TestContext, 'after'>, aheadMs: number): void {
  t.after(() => {
    globalThis.Date = RealDate
  })
  globalThis.Date = class extends RealDate {
    constructor(...values: []) {
      super(...(values.length === 0 ? ([RealDate.now() + aheadMs] as unknown as []) : values))
    }
    static override now(): number {
      return RealDate.now() + aheadMs
    }
  } as DateConstructor
}
