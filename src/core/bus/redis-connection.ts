// Connections to Redis: to one server, or to whichever a group of Sentinels says is the primary.
import { Redis, type RedisOptions } from 'ioredis'
import { sentinelsIn } from '../base/redis-url.ts'

/** A server that has not answered for so long hangs, or its machine is gone. Workers let it wait for jobs for up to ten seconds. */
const silentMs = 20_000

/**
 * A connection to the server of an address: the only place that makes one. When another server becomes the primary, a connection to
 * the one before ends, and its next attempt goes to the new one.
 */
export function openRedis(url: string, options: RedisOptions): Redis {
  const common: RedisOptions = {
    // A server that was the primary answers so: the connection ends. What was refused is not done, and not sent again.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    socketTimeout: silentMs,
    ...options,
  }
  const sentinels = sentinelsIn(url)
  if (!sentinels) return new Redis(url, common)
  const { hosts, name, username, password, sentinelPassword, tls } = sentinels
  return new Redis({
    ...common,
    sentinels: hosts,
    name,
    sentinelRetryStrategy: options.retryStrategy ?? ((attempt) => Math.min(50 * attempt, 1000)),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(tls ? { tls: {}, enableTLSForSentinelMode: true } : {}),
  })
}
