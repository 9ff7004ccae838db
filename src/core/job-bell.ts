// Tells workers that jobs were committed, so that these do not wait for the next look at the outbox. By
// the bus: transactions that NOTIFY are let commit only one after another by Postgres.
import type { Bus } from './bus.ts'

const topic = 'jobs'
/** Jobs of so long are told of together. */
const togetherMs = 5

/** Rings at every worker. One that does not hear it finds the jobs a second later. */
export class JobBell {
  readonly #bus: Bus
  #ringing = false

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** To be called once jobs are committed. Real time, which does not stand still in tests. */
  ring(): void {
    if (this.#ringing) return
    this.#ringing = true
    setTimeout(() => {
      this.#ringing = false
      this.#bus.publish(topic, null)
    }, togetherMs).unref()
  }

  /** Calls `answer` at every ring; returns the way to end that. */
  async hear(answer: () => void): Promise<() => void> {
    this.#bus.onReset(answer)
    return await this.#bus.subscribe(topic, answer)
  }
}
