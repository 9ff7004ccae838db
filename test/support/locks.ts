// Locks that a test holds, so that what it wants to happen at the same moment does.
import postgres from 'postgres'
import { until } from './until.ts'

export interface HeldLock {
  /** How many statements of others wait for a lock now. */
  waiting(): Promise<number>
  /** Resolves when so many statements of others wait for a lock. */
  awaited(count?: number): Promise<void>
  /** Resolves when nobody waits for a lock any more. */
  abandoned(withinMs?: number): Promise<void>
  release(): Promise<void>
}

/** Holds what a statement locks, in a transaction of its own. */
export async function hold(databaseUrl: string, statement: string): Promise<HeldLock> {
  const client = postgres(databaseUrl, { max: 1 })
  await client.unsafe('begin')
  await client.unsafe(statement)
  const waiting = async () => {
    // Within a transaction Postgres shows the connections that were there when it was first asked.
    await client`select pg_stat_clear_snapshot()`
    return (await client`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length
  }
  return {
    waiting,
    awaited: (count = 1) => until(async () => (await waiting()) >= count, `${count} wait for the lock`),
    abandoned: (withinMs) => until(async () => (await waiting()) === 0, 'nobody waits for the lock', withinMs),
    async release() {
      await client.unsafe('rollback')
      await client.end()
    },
  }
}
