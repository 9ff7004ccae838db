// Virtual time: timers and turns of the loop of many simulated machines in one process, one after the other in an order that
// follows from the seed alone. An hour passes as fast as what happens in it can be computed.
import type { Clock } from '../../src/core/base/clock.ts'

/** A simulated machine that runs the product: what it has asked for comes while it runs. */
export class Machine {
  readonly name: string
  /** Until then it stands still, as a stopped process does: what falls due meanwhile comes afterwards, in order. */
  standsUntilMs = 0
  isDead = false
  /** How far its clock is ahead. */
  aheadMs = 0

  constructor(name: string) {
    this.name = name
  }
}

interface Event {
  atMs: number
  order: number
  /** Null: of the world itself, which never stands still. */
  machine: Machine | null
  work: (() => void) | undefined
}

/** Real functions, which are replaced for the code that is simulated. */
const real = { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval, now: performance.now.bind(performance) }

/** What code gets for a timer. */
class Timer {
  cancel: () => void = () => {}
  unref(): this {
    return this
  }
}

/** The time of one world. */
export class VirtualTime {
  nowMs = 0
  /** Whose code runs. */
  running: Machine | null = null
  /** A binary heap: the next event first. */
  readonly #events: Event[] = []
  #order = 0

  /** Calls `work` after so many ms, as part of the machine that runs now unless another one is named. Returns how to prevent it. */
  after(delayMs: number, work: () => void, machine: Machine | null = this.running): () => void {
    const event: Event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, machine, work }
    this.#push(event)
    return () => {
      event.work = undefined
    }
  }

  /** Calls `work` again and again, as `after` does once. */
  every(intervalMs: number, work: () => void, machine: Machine | null = this.running): () => void {
    let stop = () => {}
    const next = () => {
      stop = this.after(
        intervalMs,
        () => {
          next()
          work()
        },
        machine,
      )
    }
    next()
    return () => stop()
  }

  /** Runs what falls due until then. */
  async passUntil(untilMs: number): Promise<void> {
    for (;;) {
      const next = this.#events[0]
      if (!next || next.atMs > untilMs) break
      this.#pop()
      if (!next.work || next.machine?.isDead) continue
      if (next.machine && next.machine.standsUntilMs > next.atMs) {
        next.atMs = next.machine.standsUntilMs
        this.#push(next)
        continue
      }
      this.nowMs = Math.max(this.nowMs, next.atMs)
      await this.as(next.machine, next.work)
    }
    this.nowMs = Math.max(this.nowMs, untilMs)
  }

  /** Lets a machine do something, and all that follows from it before its next turn. */
  async as(machine: Machine | null, work: () => void): Promise<void> {
    this.running = machine
    work()
    // Everything that waits for no timer and no network runs to its end in here.
    await new Promise((resolve) => real.setImmediate(resolve))
    this.running = null
  }

  /** The clock of a machine. */
  clockOf(machine: Machine): Clock {
    return {
      now: () => startMs + this.nowMs + machine.aheadMs,
      elapsed: () => this.nowMs,
      after: (delayMs, callback) => this.after(delayMs, callback, machine),
      every: (intervalMs, callback) => this.every(intervalMs, callback, machine),
    }
  }

  /** Timers and turns of this process are virtual from now on. Returns how to end that. */
  takeOver(): () => void {
    const once = (work: () => void, delayMs = 0) => {
      const timer = new Timer()
      timer.cancel = this.after(delayMs, work)
      return timer
    }
    const repeated = (work: () => void, intervalMs = 0) => {
      const timer = new Timer()
      timer.cancel = this.every(intervalMs, work)
      return timer
    }
    const cancel = (timer?: Timer) => timer?.cancel()
    Object.assign(globalThis, {
      setImmediate: (work: () => void) => once(work),
      setTimeout: once,
      setInterval: repeated,
      clearTimeout: cancel,
      clearInterval: cancel,
    })
    performance.now = () => this.nowMs
    return () => {
      const { now, ...timers } = real
      Object.assign(globalThis, timers)
      performance.now = now
    }
  }

  #push(event: Event): void {
    const heap = this.#events
    let at = heap.length
    heap.push(event)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (isBefore(heap[above] as Event, event)) break
      heap[at] = heap[above] as Event
      at = above
    }
    heap[at] = event
  }

  #pop(): void {
    const heap = this.#events
    const last = heap.pop() as Event
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Event, heap[below] as Event)) below++
      if (isBefore(last, heap[below] as Event)) break
      heap[at] = heap[below] as Event
      at = below
    }
    heap[at] = last
  }
}

const startMs = Date.UTC(2026, 0, 1)

const isBefore = (one: Event, other: Event): boolean => one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
