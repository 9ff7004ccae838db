// Time and chance, injected so that tests decide both.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The only source of time. Durations are in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. Somebody may set it, forwards or back. */
  now(): number
  /** Milliseconds since some moment, which nobody sets: to measure how long something takes. */
  elapsed(): number
  /** Calls back once; the returned function cancels. Does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void
  /** Calls back again and again; the returned function cancels. Does not keep the process alive. */
  every(intervalMs: number, callback: () => void): () => void
}

/** The only source of chance. */
export interface Random {
  uuid(): string
  bytes(count: number): Buffer
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
  every(intervalMs, callback) {
    const timer = setInterval(callback, intervalMs)
    timer.unref()
    return () => clearInterval(timer)
  },
}

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  below: (limit) => randomInt(limit),
}
