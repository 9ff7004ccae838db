// Redis as a Cluster: all keys lie on one of its servers, and all nodes and workers find it, also when it is another one.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import { systemClock } from '../../src/core/base/clock.ts'
import { createLog } from '../../src/core/base/log.ts'
import { RedisBus } from '../../src/core/bus/bus-redis.ts'
import { openRedis, redisPrefixFor } from '../../src/core/bus/redis-connection.ts'
import { forgetKeys } from '../../src/core/bus/redis-keys.ts'
import { busContract, record } from '../contract/bus.ts'
import { startTestNodes } from '../support/app.ts'
import { whatGoesOn } from '../support/goes-on.ts'
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts'
import { until } from '../support/until.ts'

let shared: RedisCluster
const ends: (() => unknown)[] = []
before(async () => {
  shared = await startRedisCluster({ after: (end) => ends.push(end) })
})
after(async () => {
  for (const end of ends) await end()
})

const log = createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent', 'bus-test')

function newBus(t: Pick<TestContext, 'after'>, prefix: string): RedisBus {
  const bus = new RedisBus({ url: shared.url, prefix, clock: systemClock, log })
  t.after(() => bus.close())
  return bus
}
const newPrefix = () => `{qd}${randomBytes(6).toString('hex')}`

busContract('RedisBus in a Cluster', async (t) => {
  const prefix = newPrefix()
  const buses: RedisBus[] = []
  return {
    async join() {
      const bus = newBus(t, prefix)
      await bus.whenUp()
      buses.push(bus)
      return bus
    },
    async disconnect() {
      shared.setDown(true)
      await until(() => buses.every(({ up }) => !up), 'all nodes notice')
    },
    async reconnect() {
      shared.setDown(false)
      await until(() => buses.every(({ up }) => up), 'all nodes are up', 30_000)
    },
  }
})

test('who listens is counted, also after the keys were handed over to another server', async (t) => {
  const prefix = newPrefix()
  const [one, other] = [newBus(t, prefix), newBus(t, prefix)]
  const areUp = () => Promise.all([one, other].map((bus) => bus.whenUp(30_000)))
  // Before their first beats, which say it.
  const heard = await record(other, 'a')
  await record(one, 'a')
  await areUp()
  await other.hold('a', 'key')
  const isConfirmed = async (text: string) => {
    await areUp()
    // True when all that Redis counts have acknowledged it, and it counts all that are there.
    return (await one.publishConfirmed('a', text)) && (await one.publishConfirmed('a', `${text} with a key`, 'key'))
  }
  await until(() => isConfirmed('at first'), 'it is confirmed')
  assert.deepEqual(heard.slice(-2), ['at first', 'at first with a key'])
  await shared.handOver()
  await until(() => isConfirmed('then'), 'it is confirmed again', 30_000)
  assert.deepEqual(heard.slice(-2), ['then', 'then with a key'])
})

test('in a Cluster everything lies on one of its servers, and all go where that is handed over, and when it dies', async (t) => {
  const cluster = await startRedisCluster(t)
  const redisPrefix = redisPrefixFor(cluster.url)
  const nodes = await startTestNodes(2, { redisUrl: cluster.url, redisPrefix, workers: 1 })
  t.after(() => nodes.stop())
  const goesOn = await whatGoesOn(nodes)
  await goesOn('at first')
  const keys = await cluster.keys()
  assert.ok(keys.length > 5)
  assert.deepEqual(
    keys.filter((key) => !key.startsWith(`${redisPrefix}:`)),
    [],
  )

  await cluster.handOver()
  await goesOn('another one has the keys')
  await cluster.crash()
  await goesOn('that one is gone')
  assert.deepEqual(cluster.refused, [])
})

test('a wipe removes from a Cluster what is of the product, and nothing else', async (t) => {
  const cluster = await startRedisCluster(t)
  const redis = openRedis(cluster.url, {}).on('error', () => undefined)
  t.after(() => redis.disconnect())
  const others = ['{qd}', '{qd}else:1']
  // More than one command removes.
  const ours = Array.from({ length: 1500 }, (_, index) => `{qd}:{rate}:${index}`)
  await redis.mset(Object.fromEntries([...ours, ...others].map((key) => [key, 'x'])))
  await forgetKeys(cluster.url, redisPrefixFor(cluster.url))
  assert.deepEqual((await cluster.keys()).toSorted(), others)
})
