// Reads that take long, at a standby of Postgres that has everything that was committed before.
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from './connection.ts'
import { isOfThisServer } from './errors.ts'
import type { Readers } from './readers.ts'

/** How long a read may wait for the standby, before the primary answers it. */
const waitMs = 300
const lookEveryMs = 10
/** How long the primary answers all of them after that. */
const restMs = 1000

/** How many long reads were answered where. */
export type LongReads = Readonly<Record<'standby' | 'primary', number>>

/** A standby, as one that may be behind, away or promoted at any moment. */
export class Standby {
  readonly #readers: Readers
  readonly #primary: () => Sql
  #restsUntilMs = 0
  readonly #counts = { standby: 0, primary: 0 }

  constructor(readers: Readers, primary: () => Sql) {
    this.#readers = readers
    this.#primary = primary
  }

  get counts(): LongReads {
    return this.#counts
  }

  /** Runs work that only reads. It sees everything that was committed before, through whichever server. */
  async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    if (!(await this.#hasAll())) return await this.#atPrimary(work)
    try {
      const result = await work(this.#readers.sql)
      this.#counts.standby++
      return result
    } catch (error) {
      if (!isOfThisServer(error)) throw error
      this.#rest()
      return await this.#atPrimary(work)
    }
  }

  #atPrimary<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#counts.primary++
    return work(this.#primary())
  }

  /** Whether it has replayed, within a moment, all that the primary has committed by now. */
  async #hasAll(): Promise<boolean> {
    if (performance.now() < this.#restsUntilMs) return false
    const late = new AbortController()
    const gaveUp = pause(waitMs, false, { signal: late.signal }).catch(() => false)
    const hasAll = await Promise.race([this.#replays(late.signal).catch(() => false), gaveUp])
    late.abort()
    if (!hasAll) this.#rest()
    return hasAll
  }

  async #replays(late: AbortSignal): Promise<boolean> {
    // A commit is answered once it is flushed.
    const [{ lsn }] = await this.#primary()<[{ lsn: string }]>`select pg_current_wal_flush_lsn() as lsn`
    for (;;) {
      // One that has been promoted replays no more.
      const [{ hasAll }] = await this.#readers.sql<[{ hasAll: boolean | null }]>`
        select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as has_all`
      if (hasAll) return true
      await pause(lookEveryMs, undefined, { signal: late })
    }
  }

  #rest(): void {
    this.#restsUntilMs = performance.now() + restMs
  }
}
