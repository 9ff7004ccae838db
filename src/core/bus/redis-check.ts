// Looks at a Redis before anything uses it.
import { openRedis } from './redis-connection.ts'

const answerWithinMs = 5000

export interface RedisState {
  version: string
  /** `standalone`, or what does not do: `cluster`, `sentinel`. */
  mode: string
  /** Undefined where it does not say: services that somebody else runs may forbid the question. */
  policy: string | undefined
}

/** @throws when it does not answer. */
export async function askRedis(url: string): Promise<RedisState> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: answerWithinMs,
    commandTimeout: answerWithinMs,
    retryStrategy: () => null,
  })
  let reason: Error | undefined
  redis.on('error', (error) => (reason = error))
  try {
    // The promise only says that the connection is closed.
    await redis.connect().catch((error: unknown) => {
      throw reason ?? error
    })
    const info = await redis.info('server')
    const policy = await redis.config('GET', 'maxmemory-policy').catch(() => undefined)
    return {
      version: /redis_version:([\d.]+)/.exec(info)?.[1] ?? '0.0',
      mode: /(?:redis|server)_mode:(\w+)/.exec(info)?.[1] ?? 'standalone',
      policy: Array.isArray(policy) ? String(policy[1]) : undefined,
    }
  } finally {
    redis.disconnect()
  }
}
