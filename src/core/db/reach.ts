// For those who have one client of postgres.js, without what `connection.ts` does for servers: finds the primary among several hosts.
import { setTimeout as pause } from 'node:timers/promises'
import { hostCountOf } from '../base/postgres-url.ts'

/** A client, whatever its columns are called. */
type AnyClient = (statement: TemplateStringsArray) => PromiseLike<unknown>

const reachWithinMs = 10_000

/**
 * Connects a client that was made for `url`.
 *
 * @throws when nobody answers there, or none of several hosts as the primary.
 */
export async function reach(sql: AnyClient, url: string): Promise<void> {
  const hosts = hostCountOf(url)
  if (hosts <= 1) return void (await sql`select 1`)
  // As long as all refuse, postgres.js asks one after the other without an end.
  const late = new AbortController()
  const gaveUp = pause(reachWithinMs, undefined, { signal: late.signal }).then(() => {
    throw new Error('no host answers as the primary')
  })
  gaveUp.catch(() => undefined)
  try {
    await Promise.race([connect(sql, hosts), gaveUp])
  } finally {
    late.abort()
  }
}

/** When a host says nothing at all, postgres.js goes on to the next one only for the next statement. */
async function connect(sql: AnyClient, hosts: number): Promise<void> {
  for (let left = hosts; ; left--) {
    try {
      return void (await sql`select 1`)
    } catch (error) {
      if (left === 1) throw error
    }
  }
}
