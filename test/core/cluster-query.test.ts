// Questions to all nodes, and names that one node at a time may hold.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Redis } from 'ioredis'
import { createLeases, type Leases } from '../../src/core/bus/leases.ts'
import { systemClock } from '../../src/core/base/clock.ts'
import { messagesVersion } from '../../src/core/bus/bus.ts'
import { ClusterQuery } from '../../src/core/bus/cluster-query.ts'
import { MemoryBus, MemoryHub } from '../support/memory-bus.ts'
import { ownRedis } from '../support/services.ts'

const unexpected = (error: unknown) => {
  throw error
}

/** Nodes that answer a number by their own number times it; odd nodes do not answer zero. */
async function nodesOf(
  hub: MemoryHub,
  count: number,
): Promise<{ nodes: [ClusterQuery<number, string>, ...ClusterQuery<number, string>[]]; heard: [number, string][][] }> {
  const heard: [number, string][][] = []
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const node = new ClusterQuery<number, string>(new MemoryBus(hub, unexpected), 'numbers')
      const own: [number, string][] = []
      heard.push(own)
      await node.start((message, from) => {
        own.push([message, from])
        return message === 0 && index % 2 === 1 ? undefined : `${index}:${message}`
      })
      return node
    }),
  )
  return { nodes: nodes as [ClusterQuery<number, string>, ...ClusterQuery<number, string>[]], heard }
}

test('ask, broadcast: nodes with messages of another version hear nothing, and nobody waits for them', async () => {
  const hub = new MemoryHub()
  const {
    nodes: [first],
  } = await nodesOf(hub, 1)
  const heard: unknown[] = []
  const other = new MemoryBus(hub, unexpected)
  for (const topic of ['numbers', `numbers:${messagesVersion + 1}`]) await other.subscribe(topic, (message) => void heard.push(message))
  first.broadcast(1)
  assert.deepEqual(await first.ask(2), { answers: ['0:2'], complete: true })
  assert.deepEqual(heard, [])
})

test('ask: collects the answers of all nodes, of each question its own', async () => {
  const {
    nodes: [first, second = first],
  } = await nodesOf(new MemoryHub(), 3)
  const [one, two, none] = await Promise.all([first.ask(1), second.ask(2), first.ask(0)])
  assert.deepEqual(
    [one, two, none].map(({ answers, complete }) => [answers.toSorted(), complete]),
    [
      [['0:1', '1:1', '2:1'], true],
      [['0:2', '1:2', '2:2'], true],
      [['0:0', '2:0'], true],
    ],
  )
})

test('ask: says when not everybody may have heard', async () => {
  const hub = new MemoryHub()
  const {
    nodes: [first],
  } = await nodesOf(hub, 2)
  hub.disconnect()
  assert.deepEqual(await first.ask(1), { answers: ['0:1'], complete: false })
})

test('tell: reaches this node at once and all in order with questions, and is not answered', async () => {
  const {
    nodes: [first],
    heard,
  } = await nodesOf(new MemoryHub(), 2)
  first.broadcast(1)
  assert.deepEqual(
    heard[0]?.map(([message]) => message),
    [1],
  )
  const asked = first.ask(2)
  first.broadcast(3)
  await asked
  await first.ask(4)
  for (const own of heard)
    assert.deepEqual(
      own.map(([message]) => message),
      [1, 2, 3, 4],
    )
})

/** Leases of one more node. */
function leasesAt(t: TestContext, url: string): { leases: Leases; redis: Redis } {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 })
  redis.on('error', () => undefined)
  t.after(() => redis.disconnect())
  return { leases: createLeases(redis, 'test', systemClock), redis }
}

test('leases: all names or none, for one holder', async (t) => {
  const { url } = await ownRedis(t)
  const [{ leases: one, redis }, { leases: two }] = [leasesAt(t, url), leasesAt(t, url)]
  assert.equal(await one.acquire(['a', 'b'], 'x'), true)
  assert.equal(await two.acquire(['b', 'c'], 'y'), false)
  assert.equal(await two.acquire(['c'], 'y'), true, 'nothing was taken of what was refused')
  assert.equal(await two.renew(['a', 'b'], 'y'), false)
  await two.release(['a', 'b'], 'y')
  assert.equal(await one.renew(['a', 'b'], 'x'), true, 'only the holder gives them back')
  const winners = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).acquire(['d', 'e'], String(index))),
  )
  assert.equal(winners.filter(Boolean).length, 1)
  await one.release(['a', 'b'], 'x')
  assert.equal(await two.acquire(['a', 'b'], 'y'), true)
  for (const key of await redis.keys('test:*')) assert.ok((await redis.pttl(key)) > 0, 'everything expires')

  await redis.flushall()
  assert.equal(await two.renew(['a', 'b'], 'y'), false, 'forgotten')
  assert.equal(await one.acquire(['b'], 'x'), false, 'and held again')
})

test('leases: reject while Redis is away', async (t) => {
  const redis = await ownRedis(t)
  const { leases } = leasesAt(t, redis.url)
  await leases.acquire(['a'], 'x')
  await redis.crash()
  await assert.rejects(leases.acquire(['a'], 'x'))
  await assert.rejects(leases.renew(['a'], 'x'))
})
