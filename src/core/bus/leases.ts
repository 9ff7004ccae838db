// Names that one holder at a time may have, across nodes. They are keys in Redis with an expiry, so that
// leases of a node that died become free by themselves.
import type { Redis } from 'ioredis'
import type { Clock } from '../base/clock.ts'

/** Every call is about all of the names or none. Rejects while Redis is away. */
export interface Leases {
  /** False when somebody has one of them. */
  acquire(names: readonly string[], holder: string): Promise<boolean>
  /** To be called every few seconds. False when Redis had forgotten some; those that nobody took meanwhile are held again. */
  renew(names: readonly string[], holder: string): Promise<boolean>
  release(names: readonly string[], holder: string): Promise<void>
}

const expiryMs = 10_000
const patienceMs = 2000

const acquireScript = `
for _, key in ipairs(KEYS) do if redis.call('EXISTS', key) == 1 then return 0 end end
for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
return 1`

const renewScript = `
local kept = 1
for _, key in ipairs(KEYS) do
  local holder = redis.call('GET', key)
  if holder ~= ARGV[1] then kept = 0 end
  if not holder or holder == ARGV[1] then redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
end
return kept`

const releaseScript = `
for _, key in ipairs(KEYS) do if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end end
return 1`

/** Leases in a Redis, below the prefix of an installation. */
export function createLeases(redis: Redis, prefix: string, clock: Clock): Leases {
  async function run(script: string, names: readonly string[], holder: string): Promise<boolean> {
    const keys = names.map((name) => `${prefix}:{lease}:${name}`)
    let cancel = () => {}
    const late = new Promise<never>((_, reject) => {
      cancel = clock.after(patienceMs, () => reject(new Error('Redis does not answer')))
    })
    try {
      return (await Promise.race([redis.eval(script, keys.length, ...keys, holder, expiryMs), late])) === 1
    } finally {
      cancel()
    }
  }

  return {
    acquire: (names, holder) => run(acquireScript, names, holder),
    renew: (names, holder) => run(renewScript, names, holder),
    async release(names, holder) {
      await run(releaseScript, names, holder)
    },
  }
}
