// All keys of this product in Redis.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { openRedis } from './redis-connection.ts'

/** Where the job queues of an installation lie. BullMQ wants the braces, which keep the keys of a script on one server of a Cluster. */
export const queuePrefix = (prefix: string): string => `${prefix}:{bull}`

const perScan = 1000

/** Removes every key that begins with the prefix of an installation. */
export async function forgetKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = openRedis(redisUrl, { maxRetriesPerRequest: 3 })
  redis.on('error', () => undefined)
  try {
    for (let cursor = '0'; ;) {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', perScan)
      if (keys.length > 0) await redis.unlink(...keys)
      if (next === '0') break
      cursor = next
    }
    await rewriteLog(redis)
  } finally {
    redis.disconnect()
  }
}

const rewriteWithinMs = 20_000

/** Of a Redis that writes a log of all changes to its disk: it begins with what is there now. */
async function rewriteLog(redis: Redis): Promise<void> {
  const isOver = async () => {
    const info = await redis.info('persistence')
    return info.includes('aof_rewrite_in_progress:0') && info.includes('aof_rewrite_scheduled:0')
  }
  if (!(await redis.info('persistence')).includes('aof_enabled:1')) return
  // A Redis of somebody else may not allow it.
  await redis.bgrewriteaof().catch(() => undefined)
  const deadlineMs = performance.now() + rewriteWithinMs
  while (!(await isOver()) && performance.now() < deadlineMs) await sleep(50)
}
