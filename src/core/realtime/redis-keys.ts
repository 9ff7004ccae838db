// All keys of this product in Redis.
import { Redis } from 'ioredis'

/** The beginning of all keys of an installation. */
export const defaultRedisPrefix = 'qd'

/** Where the job queues of an installation lie. The braces keep all of their keys on one server of a cluster, which scripts need. */
export const queuePrefix = (prefix: string): string => `${prefix}:{bull}`

const perScan = 1000

/** Removes every key that begins with the prefix of an installation. */
export async function forgetKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 3 })
  redis.on('error', () => undefined)
  try {
    for (let cursor = '0'; ;) {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', perScan)
      // One by one: in a cluster they are on several servers.
      await Promise.all(keys.map((key) => redis.unlink(key)))
      if (next === '0') return
      cursor = next
    }
  } finally {
    redis.disconnect()
  }
}
