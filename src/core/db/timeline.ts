// Which history of Postgres this is: a standby that becomes the primary begins another one, in which what the last primary had
// committed at the end may be missing.
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from './connection.ts'
import { isRefusal } from './errors.ts'

const askAgainMs = 100

/** The number of the present timeline, as names of WAL files begin with it; undefined from a standby. */
async function selectTimeline(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<[{ timeline: string | null }]>`
    select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`
  return row.timeline === null ? undefined : Number.parseInt(row.timeline, 16)
}

/** Asked again whenever connections were lost: without that, no other server can be the primary. */
export class Timeline {
  readonly #sql: () => Sql
  readonly #onOther: () => void
  #known: number | undefined
  #isDue = false
  #isAsking = false
  #closed = false

  /** `onOther`: what is kept in memory may be ahead of Postgres. */
  constructor(sql: () => Sql, onOther: () => void) {
    this.#sql = sql
    this.#onOther = onOther
  }

  /** Learns which one it is; false where Postgres does not say, as some that are rented. It has to be there. */
  async begin(): Promise<boolean> {
    try {
      this.#known = await selectTimeline(this.#sql())
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    return this.#known !== undefined
  }

  /** A connection was lost: the next one may lead elsewhere. */
  suspect(): void {
    if (this.#known === undefined || this.#closed) return
    this.#isDue = true
    if (!this.#isAsking) void this.#askUntilKnown()
  }

  close(): void {
    this.#closed = true
  }

  async #askUntilKnown(): Promise<void> {
    this.#isAsking = true
    while (this.#isDue && !this.#closed) {
      this.#isDue = false
      const now = await selectTimeline(this.#sql()).catch(() => undefined)
      if (now === undefined) {
        this.#isDue = true
        await pause(askAgainMs, undefined, { ref: false })
      } else if (now !== this.#known) {
        this.#known = now
        this.#onOther()
      }
    }
    this.#isAsking = false
  }
}
