// Tells workers that jobs were committed, so that these do not wait for the next look at the outbox. By
// the bus: transactions that NOTIFY are let commit only one after another by Postgres.
import type { Bus } from '../realtime/bus.ts'

const topic = 'jobs'
/** Jobs of so long are told of together. */
const togetherMs = 5

/** Rings at every worker. One that does not hear it finds the jobs a second later. */
export class JobWakeUp {
  readonly #bus: Bus
  #pending = false

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** To be called once jobs are committed. Real time, which does not stand still in tests. */
  send(): void {
    if (this.#pending) return
    this.#pending = true
    setTimeout(() => {
      this.#pending = false
      this.#bus.publish(topic, null)
    }, togetherMs).unref()
  }

  /** Calls `answer` at every ring; returns the way to end that. */
  async subscribe(onWakeUp: () => void): Promise<() => void> {
    this.#bus.onReset(onWakeUp)
    return await this.#bus.subscribe(topic, onWakeUp)
  }
}
