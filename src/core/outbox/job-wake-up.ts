// Wakes workers when jobs were committed, so that these do not wait for the next sweep of the outbox. Over
// the bus, because Postgres commits transactions that NOTIFY one after another.
import type { Bus } from '../bus/bus.ts'

const topic = 'jobs'
/** One wake-up covers all jobs committed in this time. */
const togetherMs = 5
/** Where there are many jobs: they gather, and workers take them together. */
const apartMs = 50

/** Wakes every worker. One that misses the message finds the jobs a second later. */
export class JobWakeUp {
  readonly #bus: Bus
  #pending = false
  #sentMs = -Infinity

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** To be called after jobs were committed. Uses real time, also in tests. */
  send(): void {
    if (this.#pending) return
    this.#pending = true
    setTimeout(
      () => {
        this.#pending = false
        this.#sentMs = performance.now()
        this.#bus.publish(topic, null)
      },
      Math.max(togetherMs, this.#sentMs + apartMs - performance.now()),
    ).unref()
  }

  /** Calls `onWakeUp` at every wake-up; returns a function that ends the subscription. */
  async subscribe(onWakeUp: () => void): Promise<() => void> {
    this.#bus.onReset(onWakeUp)
    return await this.#bus.subscribe(topic, onWakeUp)
  }
}
