// One time for all nodes: that of the database they share.
import { systemClock, type Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Sql } from './db.ts'

const measurements = 3
const worthMentioningMs = 1000

/** Shows the database's time, as of the last measurement, whatever the clock of the machine shows. */
export class DatabaseClock implements Clock {
  #offsetMs = 0
  readonly elapsed = systemClock.elapsed
  readonly after = systemClock.after
  readonly every = systemClock.every

  now(): number {
    return systemClock.now() + this.#offsetMs
  }

  /** Measures how far the machine's clock is off, if the answer comes quickly enough to tell. */
  async adjust(sql: Sql, log: Log): Promise<void> {
    let best: { offsetMs: number; errorMs: number } | undefined
    for (let round = 0; round < measurements; round++) {
      const sentMs = systemClock.now()
      const [{ ms }] = await sql<[{ ms: number }]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
      const receivedMs = systemClock.now()
      const measured = { offsetMs: Math.round(ms - (sentMs + receivedMs) / 2), errorMs: (receivedMs - sentMs) / 2 + 1 }
      if (!best || measured.errorMs < best.errorMs) best = measured
    }
    if (!best) return
    const offsetMs = Math.abs(best.offsetMs) <= best.errorMs ? 0 : best.offsetMs
    if (Math.abs(offsetMs - this.#offsetMs) >= worthMentioningMs)
      log.warn({ offsetMs }, "the clock of this machine is not the database's, whose time is used")
    this.#offsetMs = offsetMs
  }
}
