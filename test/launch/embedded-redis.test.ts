// The WebAssembly Valkey does what the product asks of a Redis, and does it at once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { Queue, QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { startRedis } from '../../src/embedded/redis.ts'
import { ownRedis } from '../support/services.ts'

test('embedded redis wants its password', async (t) => {
  const { url } = await ownRedis(t, { engine: 'wasm' })
  const stranger = new Redis(Number(new URL(url).port), { retryStrategy: () => null })
  const error = await event(stranger, 'error')
  stranger.disconnect()
  assert.match(String(error), /NOAUTH/)
})

test('embedded redis never evicts', async (t) => {
  const { connect } = await setUp(t)
  assert.deepEqual(await connect().config('GET', 'maxmemory-policy'), ['maxmemory-policy', 'noeviction'])
})

test('embedded redis answers each command at once', async (t) => {
  const { connect } = await setUp(t)
  const redis = connect()
  await redis.ping()
  const started = performance.now()
  for (let count = 0; count < 100; count++) await redis.incr('count')
  // With one event-loop step per event, each answer would wait up to 100 ms.
  assert.ok(performance.now() - started < 2000)
  assert.equal(await redis.get('count'), '100')
})

test('embedded redis takes input that is larger than one read', async (t) => {
  const { connect } = await setUp(t)
  const redis = connect()
  const value = 'x'.repeat(1_000_000)
  await redis.set('large', value)
  assert.equal(await redis.get('large'), value)
})

test('embedded redis carries messages to subscribers', async (t) => {
  const { connect } = await setUp(t)
  const [subscriber, publisher] = [connect(), connect()]
  await subscriber.subscribe('deck')
  const message = once(subscriber, 'message')
  assert.equal(await publisher.publish('deck', 'hello'), 1)
  assert.deepEqual(await message, ['deck', 'hello'])
})

test('embedded redis runs Lua and lets keys expire', async (t) => {
  const { connect } = await setUp(t)
  const redis = connect()
  assert.equal(await redis.eval('return redis.call("INCRBY", KEYS[1], ARGV[1])', 1, 'sum', 5), 5)
  await redis.set('short', 'lived', 'PX', 30)
  const deadline = Date.now() + 5000
  while (await redis.exists('short')) assert.ok(Date.now() < deadline, 'the key expires')
})

test('embedded redis runs BullMQ jobs', async (t) => {
  const { url } = await ownRedis(t, { engine: 'wasm' })
  const connection = { url, maxRetriesPerRequest: null }
  const worker = new Worker<number, number>('double', async (job) => job.data * 2, { connection })
  const queue = new Queue<number, number>('double', { connection })
  // From the first event on: one that comes before it listens would be missed, and waited for.
  const events = new QueueEvents('double', { connection, lastEventId: '0-0' })
  try {
    await events.waitUntilReady()
    const jobs = await queue.addBulk([1, 2, 3].map((data) => ({ name: 'number', data })))
    const delayed = await queue.add('number', 4, { delay: 20 })
    // With a limit, it says which of them it waits for.
    const results = [...jobs, delayed].map((job) => job.waitUntilFinished(events, 60_000))
    assert.deepEqual(await Promise.all(results), [2, 4, 6, 8])
  } finally {
    // Before its Redis stops: closing waits for answers.
    await Promise.all([worker.close(), queue.close(), events.close()])
  }
})

test('embedded redis comes back on its port', async (t) => {
  const { connect, service } = await setUp(t)
  const redis = connect()
  await redis.set('key', 'value')
  const lost = event(redis, 'close')
  await service.crash()
  await lost
  const back = event(redis, 'ready')
  await service.restart()
  await back
  assert.equal(await redis.get('key'), null)
})

test('embedded redis refuses a port in use', async (t) => {
  const first = await startRedis({ engine: 'wasm' })
  t.after(() => first.stop())
  await assert.rejects(startRedis({ engine: 'wasm', port: first.port }), { name: 'OperatorError', message: /address already in use/ })
})

/** Unlike `once`, does not mind the errors that come before. */
function event(client: Redis, name: string): Promise<unknown> {
  return new Promise((resolve) => {
    client.once(name, resolve)
  })
}

async function setUp(t: TestContext) {
  const clients: Redis[] = []
  // Before the server stops: ioredis waits two seconds for one that is gone.
  t.after(() => clients.forEach((client) => client.disconnect()))
  const service = await ownRedis(t, { engine: 'wasm' })
  const connect = () => {
    const client = new Redis(service.url, { retryStrategy: () => 20 })
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }
  return { service, connect }
}
