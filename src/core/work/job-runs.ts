// Counts what jobs come to: in memory, and every few seconds in Postgres, since figures are not worth a statement for each job.
import type { Node } from './ctx.ts'
import { addJobRuns, type JobRuns } from '../outbox/runs.ts'

const writeEveryMs = 5000

/** The counts of one worker. */
export class JobRunCounter {
  readonly #node: Node
  #counts = new Map<string, JobRuns>()
  #writing: Promise<void> = Promise.resolve()
  readonly #stopTimer: () => void

  constructor(node: Node) {
    this.#node = node
    this.#stopTimer = node.clock.every(writeEveryMs, () => this.#write())
  }

  /** Notes that so many of a kind were done together in so many milliseconds, or have failed. */
  note(job: string, outcome: 'done' | 'failed', ms: number, number = 1): void {
    const runs = this.#counts.get(job) ?? { job, done: 0, failed: 0, ms: 0, longestMs: 0 }
    const whole = Math.round(ms)
    runs[outcome] += number
    runs.ms += whole
    runs.longestMs = Math.max(runs.longestMs, whole)
    this.#counts.set(job, runs)
  }

  async stop(): Promise<void> {
    this.#stopTimer()
    this.#write()
    await this.#writing
  }

  #write(): void {
    if (this.#counts.size === 0) return
    const { db, clock, log } = this.#node
    const runs = [...this.#counts.values()]
    this.#counts = new Map()
    this.#writing = addJobRuns(db.sql, runs, new Date(clock.now())).catch((error: unknown) =>
      log.warn({ err: error }, 'what jobs came to could not be counted'),
    )
  }
}
