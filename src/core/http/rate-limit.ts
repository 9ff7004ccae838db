// Counting attempts across nodes. Counts live in Redis with an expiry; while Redis is away each node
// counts for itself.
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'

/** `points` attempts in `seconds`. The name is part of the key in Redis. */
export interface RateRule {
  readonly name: string
  readonly points: number
  readonly seconds: number
}

export interface RateLimiter {
  /** Counts one attempt. Returns the seconds to wait, 0 when it is within the rule. */
  take(rule: RateRule, key: string): Promise<number>
  /** Seconds to wait, without counting; 0 when an attempt is within the rule. */
  secondsToWait(rule: RateRule, key: string): Promise<number>
  /** Forgets what was counted. */
  forget(rule: RateRule, key: string): Promise<void>
}

/** Counts in a Redis, below the prefix of an installation. */
export function createRateLimiter(redis: Redis, prefix: string): RateLimiter {
  const limiters = new Map<string, RateLimiterAbstract>()
  const of = (rule: RateRule): RateLimiterAbstract => {
    let limiter = limiters.get(rule.name)
    if (!limiter) {
      const options = { keyPrefix: `${prefix}:rate:${rule.name}`, points: rule.points, duration: rule.seconds }
      limiter = new RateLimiterRedis({
        ...options,
        storeClient: redis,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(options),
      })
      limiters.set(rule.name, limiter)
    }
    return limiter
  }
  const seconds = (result: RateLimiterRes) => Math.max(1, Math.ceil(result.msBeforeNext / 1000))

  return {
    async take(rule, key) {
      try {
        await of(rule).consume(key)
        return 0
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return seconds(refusal)
        throw refusal
      }
    },
    async secondsToWait(rule, key) {
      const found = await of(rule).get(key)
      return found && found.consumedPoints >= rule.points ? seconds(found) : 0
    },
    async forget(rule, key) {
      await of(rule).delete(key)
    },
  }
}
