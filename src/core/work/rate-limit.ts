// Counting attempts across nodes. Counts live in Redis with an expiry; while Redis is away each node
// counts for itself.
import type { Redis } from 'ioredis'
import { RateLimiterMemory } from 'rate-limiter-flexible'

/** `points` attempts in `seconds`. The name is part of the key in Redis. */
export interface RateRule {
  readonly name: string
  readonly points: number
  readonly seconds: number
}

/** What one attempt counts for: a rule, and whose attempts it counts. */
export type Count = readonly [rule: RateRule, key: string]

export interface RateLimiter {
  /** Counts one attempt. Returns the seconds to wait, 0 when it is within the rule. */
  take(rule: RateRule, key: string): Promise<number>
  /** Counts one attempt for all of these in one round trip, or for none when one of them is used up: then returns the seconds to wait. */
  takeAll(counts: readonly Count[]): Promise<number>
  /** Takes back one attempt each. */
  giveBack(counts: readonly Count[]): Promise<void>
  /** Seconds to wait for the last of these, without counting; 0 when an attempt is within all rules. */
  secondsToWait(counts: readonly Count[]): Promise<number>
}

const waitOf = `
local wait = 0
for at, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[at * 2 - 1]) then wait = math.max(wait, redis.call('PTTL', key), 1) end
end
`

const waitScript = `${waitOf} return wait`

const takeScript = `${waitOf}
if wait > 0 then return wait end
for at, key in ipairs(KEYS) do
  if redis.call('INCR', key) == 1 then redis.call('EXPIRE', key, ARGV[at * 2]) end
end
return 0`

const giveBackScript = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
return 0`

/** Counts in a Redis, below the prefix of an installation. */
export function createRateLimiter(redis: Redis, prefix: string): RateLimiter {
  const here = createNodeCounts()

  /** In milliseconds. */
  async function run(script: string, counts: readonly Count[]): Promise<number> {
    const keys = counts.map(([{ name }, key]) => `${prefix}:{rate}:${name}:${key}`)
    return (await redis.eval(script, keys.length, ...keys, ...counts.flatMap(([{ points, seconds }]) => [points, seconds]))) as number
  }
  const seconds = (ms: number) => Math.ceil(ms / 1000)
  const isThere = () => redis.status === 'ready'

  const limiter: RateLimiter = {
    take: (rule, key) => limiter.takeAll([[rule, key]]),
    async takeAll(counts) {
      if (!isThere()) return await here.takeAll(counts)
      return await run(takeScript, counts).then(seconds, () => here.takeAll(counts))
    },
    async giveBack(counts) {
      if (!isThere()) return await here.giveBack(counts)
      await run(giveBackScript, counts).catch(() => here.giveBack(counts))
    },
    async secondsToWait(counts) {
      if (!isThere()) return await here.secondsToWait(counts)
      return await run(waitScript, counts).then(seconds, () => here.secondsToWait(counts))
    },
  }
  return limiter
}

/** Counts in the memory of this node. */
function createNodeCounts(): Omit<RateLimiter, 'take'> {
  const limiters = new Map<string, RateLimiterMemory>()
  const of = ({ name, points, seconds: duration }: RateRule): RateLimiterMemory => {
    let limiter = limiters.get(name)
    if (!limiter) limiters.set(name, (limiter = new RateLimiterMemory({ keyPrefix: name, points, duration })))
    return limiter
  }
  const secondsToWait = async (counts: readonly Count[]): Promise<number> => {
    const waits = counts.map(async ([rule, key]) => {
      const found = await of(rule).get(key)
      return found && found.consumedPoints >= rule.points ? Math.max(1, Math.ceil(found.msBeforeNext / 1000)) : 0
    })
    return Math.max(...(await Promise.all(waits)))
  }
  return {
    secondsToWait,
    async takeAll(counts) {
      const wait = await secondsToWait(counts)
      if (wait === 0) await Promise.all(counts.map(([rule, key]) => of(rule).penalty(key)))
      return wait
    },
    async giveBack(counts) {
      await Promise.all(counts.map(async ([rule, key]) => (await of(rule).get(key)) && (await of(rule).reward(key))))
    },
  }
}
