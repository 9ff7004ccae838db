// The bus in memory and over Redis, and what only a real Redis can do: go away, hang, and deliver rubbish.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { Redis } from 'ioredis'
import { decodeMessage, encodeMessage, messagesVersion, type Bus } from '../../src/core/bus/bus.ts'
import { RedisBus } from '../../src/core/bus/bus-redis.ts'
import { systemClock, type Clock } from '../../src/core/base/clock.ts'
import { outcomeKnownMs, statementTimeoutMs } from '../../src/core/db/limits.ts'
import { createLog } from '../../src/core/base/log.ts'
import { busContract, countResets, record, within } from '../contract/bus.ts'
import { FakeClock, LeapingClock, setMachineClock } from '../support/fake-clock.ts'
import { linkTo, type Link } from '../support/link.ts'
import { MemoryBus, MemoryHub } from '../support/memory-bus.ts'
import { ownRedis } from '../support/services.ts'
import { until } from '../support/until.ts'

const log = createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent', 'bus-test')
const redisUrl = process.env['TEST_REDIS_URL'] ?? ''

busContract('MemoryBus', async () => {
  const hub = new MemoryHub()
  return {
    join: async () => new MemoryBus(hub, () => undefined),
    disconnect: async () => hub.disconnect(),
    reconnect: async () => hub.reconnect(),
  }
})

busContract('RedisBus', async (t) => {
  const link = await linkTo(t, redisUrl)
  const prefix = newPrefix()
  const buses: Bus[] = []
  return {
    async join() {
      const bus = newBus(t, link.url, prefix)
      await bus.whenUp()
      buses.push(bus)
      return bus
    },
    async disconnect() {
      link.cut()
      await until(() => buses.every(({ up }) => !up), 'all nodes notice')
    },
    async reconnect() {
      link.mend()
      await until(() => buses.every(({ up }) => up), 'all nodes are up')
    },
  }
})

test('RedisBus: comes back after Redis has crashed', async (t) => {
  const redis = await ownRedis(t)
  const prefix = newPrefix()
  const buses = [newBus(t, redis.url, prefix), newBus(t, redis.url, prefix)] as const
  await Promise.all(buses.map((bus) => bus.whenUp()))
  const received = await record(buses[1], 'a')
  const resets = buses.map(countResets)
  for (const round of [1, 2]) {
    await redis.crash()
    await until(() => buses.every(({ up }) => !up), 'both nodes notice')
    buses[0].publish('a', 'lost')
    await redis.restart()
    for (const count of resets) await until(() => count() >= round, 'every node is told to reset')
    await until(() => buses.every(({ up }) => up), 'both nodes are up')
    await buses[0].publishConfirmed('a', round)
  }
  assert.deepEqual(received, [1, 2])
})

test('RedisBus: a node that was cut off is reset, and so are those that did not hear it', async (t) => {
  const { near, far, link } = await twoNodes(t)
  const [nearResets, farResets] = [countResets(near), countResets(far)]
  const [atNear, atFar] = [await record(near, 'a'), await record(far, 'a')]
  link.cut()
  await until(() => !near.up, 'the node notices')
  await within(far.publishConfirmed('a', 'not heard here'), 3000)
  near.publish('a', 'not heard there')
  link.mend()
  await until(() => nearResets() > 0 && farResets() > 0, 'both are told to reset')
  await until(() => near.up, 'the node is up')
  await near.publishConfirmed('a', 'x')
  await far.publishConfirmed('a', 'y')
  assert.deepEqual(atNear, ['not heard there', 'x', 'y'])
  assert.deepEqual(atFar, ['not heard here', 'x', 'y'])
})

test('RedisBus: nothing arrives twice when a connection breaks with messages under way', async (t) => {
  const { near, far, link } = await twoNodes(t)
  const atFar = (await record(far, 'a')) as number[]
  for (let round = 0; round < 8; round++) {
    const settling: Promise<boolean>[] = []
    for (let index = 0; index < 20; index++) {
      settling.push(near.publishConfirmed('a', round * 20 + index))
      if (index % 5 === 0) await new Promise(setImmediate)
      if (index === round * 2) link.cut()
    }
    await within(Promise.all(settling), 5000)
    link.mend()
    await until(() => near.up, 'the node is up')
  }
  await near.publishConfirmed('a', 1000)
  assert.deepEqual(
    atFar,
    [...new Set(atFar)].toSorted((a, b) => a - b),
  )
  assert.equal(atFar.at(-1), 1000)
})

test('RedisBus: nothing is confirmed that a node cannot have heard which was there a moment ago', async (t) => {
  const { near, far, link, prefix } = await twoNodes(t)
  const redis = new Redis(redisUrl)
  t.after(() => redis.disconnect())
  await record(near, 'a')
  // Far knows what near hears once it got a beat that says so.
  const knows = new Promise<void>((resolve) => {
    redis.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => {
      const [sender, , topics] = decodeMessage(bytes) as [string, number, string[]]
      if (sender === near.nodeId && topics.includes('a')) resolve()
    })
  })
  await redis.subscribe(`${prefix}:bus:alive`)
  await knows
  assert.equal(await far.publishConfirmed('a', 'x'), true)
  // With a key it is the same, whoever holds that.
  assert.equal(await far.publishConfirmed('a', 'x', 'key'), true)
  link.cut()
  const other = new Redis(redisUrl)
  t.after(() => other.disconnect())
  await until(async () => Number((await other.pubsub('NUMSUB', `${prefix}:bus:a`))[1]) === 0, 'Redis knows that it is gone')
  assert.equal(await within(far.publishConfirmed('a', 'y'), 3000), false)
  assert.equal(await within(far.publishConfirmed('a', 'y', 'key'), 3000), false)
})

test('RedisBus: a key that Redis did not let a node hold is not trusted, and is held as soon as it may be', async (t) => {
  const { near, far, admin, may } = await twoNodesOfOwnRedis(t)
  const received = await record(near, 'a')
  await near.hold('a', 'before')
  const resets = countResets(near)
  await may('-subscribe')
  await near.hold('a', 'refused')
  assert.equal(near.up, false)
  await admin.call('ACL', 'LOG', 'RESET')
  await until(async () => ((await admin.call('ACL', 'LOG')) as unknown[]).length > 0, 'it is refused again')
  assert.equal(near.up, false)
  await may('+subscribe')
  await until(() => near.up && resets() > 0, 'the node is there again')
  for (const key of ['before', 'refused']) assert.equal(await far.publishConfirmed('a', key, key), true)
  assert.deepEqual(received, ['before', 'refused'])
})

test('RedisBus: where Redis does not say who listens, what has a key arrives, and nobody is told to read again', async (t) => {
  const { near, far, may } = await twoNodesOfOwnRedis(t)
  const received = await record(near, 'a')
  await near.hold('a', 'x')
  const resets = [near, far].map(countResets)
  await may('-pubsub')
  await within(far.publishConfirmed('a', 1, 'x'), 1900)
  await within(far.publishConfirmed('a', 2, 'nobody'), 1900)
  assert.deepEqual(received, [1])
  assert.deepEqual(
    resets.map((count) => count()),
    [0, 0],
  )
})

test('RedisBus: what has a key is confirmed also when somebody begins to hear its topic at that moment', async (t) => {
  const { near, link, prefix } = await twoNodes(t)
  const newcomer = new Redis(redisUrl)
  const said = newcomer.duplicate()
  t.after(() => [newcomer, said].forEach((client) => client.disconnect()))
  await newcomer.subscribe(`${prefix}:bus:a`)
  link.slow(200)
  // On its way to Redis while the beat of the newcomer is on its way here.
  const confirmed = near.publishConfirmed('a', 'x', 'key')
  await said.publish(`${prefix}:bus:alive`, encodeMessage([randomUUID(), performance.now(), ['a'], 2]))
  assert.equal(await confirmed, true)
})

test('RedisBus: Redis forgets keys that were released, also those released while the connection was away', async (t) => {
  const { near, link, prefix } = await twoNodes(t)
  const redis = new Redis(redisUrl)
  t.after(() => redis.disconnect())
  const held = async () => ((await redis.pubsub('CHANNELS', `${prefix}:bus:a#*`)) as string[]).map((name) => name.split('#')[1]).sort()
  await Promise.all(['x', 'y', 'z'].map((key) => near.hold('a', key)))
  assert.deepEqual(await held(), ['x', 'y', 'z'])
  near.release('a', 'x')
  await until(async () => !(await held()).includes('x'), 'one is forgotten')
  link.cut()
  await until(() => !near.up, 'the node notices')
  near.release('a', 'y')
  link.mend()
  await near.whenUp()
  assert.deepEqual(await held(), ['z'])
})

test('RedisBus: while a node of an earlier version is there, everybody gets what has a key', async (t) => {
  const prefix = newPrefix()
  const [bus, other] = [newBus(t, redisUrl, prefix), newBus(t, redisUrl, prefix)]
  await Promise.all([bus.whenUp(), other.whenUp()])
  const passed = await record(other, 'a')
  await bus.publishConfirmed('a', 1, 'x')
  assert.deepEqual(passed, [])
  const earlier = new Redis(redisUrl)
  t.after(() => earlier.disconnect())
  // One that holds no keys, and one that holds those of chats alone.
  for (const holds of [[], [true]]) {
    const id = randomUUID()
    await earlier.publish(`${prefix}:bus:alive`, encodeMessage([id, performance.now(), ['a'], ...holds]))
    await until(async () => {
      await bus.publishConfirmed('a', 2, 'x')
      return passed.length > 0
    }, 'it is known')
    // Its farewell.
    await earlier.publish(`${prefix}:bus:alive`, encodeMessage([id, 0, []]))
    await until(async () => {
      passed.length = 0
      await bus.publishConfirmed('a', 3, 'x')
      return passed.length === 0
    }, 'it has gone')
  }
})

test('RedisBus: a burst for several keys comes in one frame where most nodes hold one of them, else in one for each', async (t) => {
  const prefix = newPrefix()
  const nodes = Array.from({ length: 5 }, () => newBus(t, redisUrl, prefix))
  const [bus, holder] = nodes as [RedisBus, RedisBus]
  await Promise.all(nodes.map((node) => node.whenUp()))
  await knowsTopic(t, prefix, nodes, 'a')
  const passed = await Promise.all(nodes.slice(2).map((node) => record(node, 'a')))
  const keys = ['x', 'y']
  await Promise.all(keys.map((key) => holder.hold('a', key)))
  const received = await record(holder, 'a')
  // By now it is known how many hold each.
  for (const key of keys) await bus.publishConfirmed('a', 'first', key)
  const burst = async (sent: number) => {
    for (const key of keys) bus.publish('a', [key, sent], key)
    await until(() => received.filter((message) => Array.isArray(message) && message[1] === sent).length === 2, 'both arrive')
    await bus.publishConfirmed('a', 'end')
  }
  await burst(1)
  for (const each of passed) assert.deepEqual(each, ['end'])
  await Promise.all(nodes.slice(2).flatMap((node) => keys.map((key) => node.hold('a', key))))
  for (const key of keys) await bus.publishConfirmed('a', 'first', key)
  for (const node of nodes.slice(3)) for (const key of keys) node.release('a', key)
  // Four of five held both, as far as is known: those who have released them get the burst, too.
  await burst(2)
  for (const each of passed.slice(1)) assert.deepEqual(each.slice(-3), [['x', 2], ['y', 2], 'end'])
})

test('RedisBus: what is confirmed for several keys in one turn is one frame where there is one node, and else for those that hold them', async (t) => {
  const prefix = newPrefix()
  const alone = newBus(t, redisUrl, prefix)
  await alone.whenUp()
  const received = await record(alone, 'a')
  const frames: string[] = []
  await watchPublished(t, redisUrl, prefix, (name) => {
    if (/^a(?:#|$)/.test(name)) frames.push(name)
  })
  const keys = ['x', 'y', 'z']
  const confirmAll = () => Promise.all(keys.map((key) => alone.publishConfirmed('a', key, key)))
  assert.deepEqual(await confirmAll(), [true, true, true])
  await until(() => frames.length > 0, 'it is sent')
  assert.deepEqual(frames, ['a'])
  assert.deepEqual(received, keys)
  const others = Array.from({ length: 7 }, () => newBus(t, redisUrl, prefix))
  await Promise.all(others.map((other) => other.whenUp()))
  const passed = await Promise.all(others.map((other) => record(other, 'a')))
  await knowsTopic(t, prefix, [alone, ...others], 'a')
  await (others[0] as RedisBus).hold('a', 'x')
  for (const key of keys) await alone.publishConfirmed('a', 'first', key)
  frames.length = 0
  for (const each of passed) each.length = 0
  assert.deepEqual(await confirmAll(), [true, true, true])
  await until(() => frames.length === 3, 'three are sent')
  assert.deepEqual(frames.toSorted(), ['a#x', 'a#y', 'a#z'])
  assert.deepEqual(passed[0], ['x'])
  assert.deepEqual(passed.slice(1).flat(), [])
})

test('RedisBus: a node that dies holds nobody up', async (t) => {
  const { near, far, link } = await twoNodes(t)
  await near.subscribe('a', () => new Promise<void>(() => undefined))
  const settling = far.publishConfirmed('a', 'x')
  link.cut()
  await within(settling, 4000)
  await within(far.publishConfirmed('a', 'y'), 4000)
})

test('RedisBus: a node that stands still holds others up for as long as it may trust what it knows, and hears all of it before it does again', async (t) => {
  const link = await linkTo(t, redisUrl)
  const prefix = newPrefix()
  const [still, far, other] = [newBus(t, link.url, prefix), newBus(t, redisUrl, prefix), newBus(t, redisUrl, prefix)]
  await Promise.all([still, far, other].map((each) => each.whenUp()))
  const [atStill, atOther] = await Promise.all([still, other].map((each) => record(each, 'a')))
  await record(far, 'a')
  await still.hold('a', 'key')
  await knowsTopic(t, prefix, [still, far, other], 'a')
  assert.equal(await far.publishConfirmed('a', 'before'), true)
  atOther?.splice(0)
  link.freeze()
  let isConfirmed = false
  const first = far.publishConfirmed('a', 'first').then(() => (isConfirmed = true))
  await until(() => {
    assert.ok(!isConfirmed || !still.up, 'what it trusts is right')
    return !still.up
  }, 'it trusts nothing any more')
  await first
  for (let at = 0; at < 20; at++) assert.equal(await within(far.publishConfirmed('a', at), 1500), true)
  assert.deepEqual(atOther, ['first', ...Array.from({ length: 20 }, (_, at) => at)])
  // The living are waited for.
  let release = () => {}
  const late = new Promise<void>((resolve) => (release = resolve))
  await other.subscribe('a', () => late)
  const awaited = far.publishConfirmed('a', 'end')
  assert.equal(await Promise.race([awaited, far.publishConfirmed('b', 'meanwhile').then(() => 'not yet')]), 'not yet')
  release()
  assert.equal(await within(awaited, 1500), true)
  // Redis does not count it any more.
  const redis = new Redis(redisUrl)
  t.after(() => redis.disconnect())
  await until(async () => Number((await redis.pubsub('NUMSUB', `${prefix}:bus:a#key`))[1]) === 0, 'it is cut off')
  // The other one may have done that, a moment before this one counts it as dead.
  await until(() => far.publishConfirmed('a', 'with a key', 'key'), 'it is not missed any more')
  assert.equal(await within(far.publishConfirmed('a', 'with a key', 'key'), 1500), true)
  const resets = countResets(still)
  link.mend()
  await until(() => still.up && resets() > 0, 'it is there again, and reads everything')
  assert.equal(await far.publishConfirmed('a', 'again', 'key'), true)
  assert.equal(atStill?.at(-1), 'again')
})

test('RedisBus: where a node that stands still may not be cut off, what has its key waits two seconds for it, and nothing else does', async (t) => {
  const { near: still, far, link, admin, may } = await twoNodesOfOwnRedis(t)
  const heard = await record(still, 'a')
  await record(far, 'a')
  await still.hold('a', 'key')
  assert.equal(await far.publishConfirmed('a', 'before', 'key'), true)
  await may('-client|kill')
  await admin.call('ACL', 'LOG', 'RESET')
  link.freeze()
  await until(async () => ((await admin.call('ACL', 'LOG')) as unknown[]).length > 0, 'it is refused to cut it off')
  assert.equal(await within(far.publishConfirmed('a', 'with its key', 'key'), 3500), false)
  assert.equal(await within(far.publishConfirmed('a', 'to all'), 1500), true)
  const resets = countResets(still)
  link.mend()
  await until(() => still.up, 'it is there again')
  assert.ok(resets() > 0 || heard.includes('with its key'), 'it has missed nothing, or knows that it may have')
  assert.equal(await far.publishConfirmed('a', 'again', 'key'), true)
  assert.equal(heard.at(-1), 'again')
})

test('RedisBus: acknowledgements of a node of an earlier version count, and it gets such as it knows', async (t) => {
  const prefix = newPrefix()
  const bus = newBus(t, redisUrl, prefix)
  await bus.whenUp()
  await record(bus, 'a')
  const [earlier, hearing] = [new Redis(redisUrl), new Redis(redisUrl)]
  t.after(() => [earlier, hearing].forEach((client) => client.disconnect()))
  const id = randomUUID()
  const send = (channel: string, content: unknown) => earlier.publish(`${prefix}:bus:${channel}`, encodeMessage(content))
  const frames: [sender: string, ackId: number][] = []
  const acknowledged: unknown[] = []
  hearing.on('messageBuffer', (channel: Buffer, bytes: Buffer) => {
    const content = decodeMessage(bytes)
    if (channel.toString().endsWith(`:ack:${id}`)) acknowledged.push(content)
    else frames.push(content as [string, number])
  })
  await hearing.subscribe(`${prefix}:bus:a`, `${prefix}:bus:ack:${id}`)
  const beating = setInterval(() => void send('alive', [id, performance.now(), ['a'], true]), 200)
  t.after(() => clearInterval(beating))
  let isConfirmed = false
  const confirmed = bus.publishConfirmed('a', 'x').then((all) => (isConfirmed = all))
  await until(() => frames.length === 1, 'the earlier node has it')
  const [sender, ackId] = frames[0] as [string, number]
  await send('a', [id, 7, ['y'], messagesVersion])
  await until(() => acknowledged.length === 1, 'what it says is acknowledged')
  assert.deepEqual(acknowledged, [7])
  assert.equal(isConfirmed, false)
  await send(`ack:${sender}`, ackId)
  assert.equal(await within(confirmed, 1500), true)
})

test('RedisBus: durable messages stay for a node that was cut off, whatever the clocks of machines show', async (t) => {
  const clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }
  const link = await linkTo(t, redisUrl)
  const prefix = newPrefix()
  const [near, far] = [newBus(t, link.url, prefix, clock), newBus(t, redisUrl, prefix, clock)]
  await Promise.all([near.whenUp(), far.whenUp()])
  const received = await record(near, 'a')
  link.cut()
  await until(() => !near.up, 'the node notices')
  for (const [index, aheadMs] of [0, 3 * 3_600_000, -3 * 3_600_000].entries()) {
    setMachineClock(t, aheadMs)
    await far.publishDurably('a', `message ${index}`, index)
  }
  link.mend()
  await until(() => received.length === 3, 'all three are heard')
  assert.deepEqual(received, [0, 1, 2])
})

test('RedisBus: durable messages stay for a node that was cut off while the clock of all was set back', async (t) => {
  const clock = new LeapingClock()
  const link = await linkTo(t, redisUrl)
  const prefix = newPrefix()
  const far = newBus(t, redisUrl, prefix, clock)
  await far.whenUp()
  await far.publishDurably('a', 'before', 'before')
  const near = newBus(t, link.url, prefix, clock)
  await near.whenUp()
  const received = await record(near, 'a')
  await far.publishDurably('a', 'heard', 'heard')
  await until(() => received.length === 1, 'the first is heard')
  link.cut()
  await until(() => !near.up, 'the node notices')
  clock.set(-3_600_000)
  await far.publishDurably('a', 'missed', 'missed')
  link.mend()
  await until(() => received.length === 2, 'the second is heard')
  assert.deepEqual(received, ['heard', 'missed'])
})

test('RedisBus: durable messages that could not be read when the node came back are read as soon as they can be', async (t) => {
  const { near, far, link, may } = await twoNodesOfOwnRedis(t)
  const received = await record(near, 'a')
  const resets = countResets(near)
  link.cut()
  await until(() => !near.up, 'the node notices')
  await far.publishDurably('a', 'missed', 'missed')
  await may('-zrange')
  link.mend()
  await until(() => resets() > 0, 'the node is back')
  assert.deepEqual(received, [])
  await may('+zrange')
  await until(() => received.length > 0, 'it is heard')
  assert.deepEqual(received, ['missed'])
})

test('RedisBus: a kept message that cannot be read keeps nothing from those behind it', async (t) => {
  const { near, far, link, admin, prefix } = await twoNodesOfOwnRedis(t)
  const received = await record(near, 'a')
  link.cut()
  await until(() => !near.up, 'the node notices')
  await admin.zadd(`${prefix}:bus:durable`, Date.now() - 1000, Buffer.from([0xc1]))
  await far.publishDurably('a', 'missed', 'missed')
  link.mend()
  await until(() => received.length > 0, 'it is heard')
  assert.deepEqual(received, ['missed'])
})

test('RedisBus: a node that Redis did not let listen tries until it may', async (t) => {
  const { near, far, link, admin, may } = await twoNodesOfOwnRedis(t)
  const received = await record(near, 'a')
  link.cut()
  await until(() => !near.up, 'the node notices')
  await may('-subscribe')
  await admin.call('ACL', 'LOG', 'RESET')
  link.mend()
  await until(async () => ((await admin.call('ACL', 'LOG')) as unknown[]).length > 0, 'it is refused')
  assert.equal(near.up, false)
  await may('+subscribe')
  await near.whenUp()
  assert.equal(await far.publishConfirmed('a', 'x'), true)
  assert.deepEqual(received, ['x'])
})

test('RedisBus: nothing says that a node is there after its farewell, however many come at that moment', async (t) => {
  const prefix = newPrefix()
  const leaving = newBus(t, redisUrl, prefix)
  await leaving.whenUp()
  const [listener, others] = [new Redis(redisUrl), new Redis(redisUrl)]
  t.after(() => [listener, others].forEach((redis) => redis.disconnect()))
  const channel = `${prefix}:bus:alive`
  const sent: number[] = []
  listener.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => {
    const [sender, sentMs] = decodeMessage(bytes) as [string, number]
    if (sender === leaving.nodeId) sent.push(sentMs)
  })
  await listener.subscribe(channel)
  const over = new AbortController()
  const arriving = (async () => {
    while (!over.signal.aborted)
      await Promise.all(Array.from({ length: 50 }, () => others.publish(channel, encodeMessage([randomUUID(), 1, []]))))
  })()
  await until(() => sent.length > 100, 'it greets who comes')
  await leaving.close()
  over.abort()
  await arriving
  await listener.ping()
  assert.equal(sent.at(-1), 0)
})

test('RedisBus: a Redis that hangs counts as away', async (t) => {
  const { near, far, link } = await twoNodes(t)
  const farResets = countResets(far)
  link.freeze()
  // The first may still arrive when all is well again in time; by the second the connection has been given up.
  for (const message of ['x', 'y']) await within(near.publishConfirmed('a', message), 4000)
  await until(() => !near.up, 'the node notices')
  assert.equal(farResets(), 0)
  link.mend()
  await until(() => near.up, 'the node is up')
  await until(() => farResets() > 0, 'the other node is told to reset')
})

test('RedisBus: a node that only listens notices that its connection has died', async (t) => {
  const link = await linkTo(t, redisUrl)
  const clock = new FakeClock()
  const bus = newBus(t, link.url, newPrefix(), clock)
  await until(() => bus.up, 'the node is up')
  const resets = countResets(bus)
  link.freeze()
  clock.advance(10_000)
  await until(() => !bus.up, 'the node notices')
  assert.equal(resets(), 0)
  link.cut()
  link.mend()
  await until(() => bus.up && resets() > 0, 'the node is up and was told to reset')
})

test('RedisBus: a node that heard nothing for a while, and then everything, needs no reset', async (t) => {
  const { near, far, link } = await twoNodes(t)
  const received = await record(near, 'a')
  const resets = countResets(near)
  link.freeze()
  const settling = far.publishConfirmed('a', 'x')
  await settling
  assert.ok(!near.up, 'whoever has not heard does not trust what it knows once the other goes on')
  link.mend()
  await until(() => near.up, 'the node is up')
  await until(() => received.length === 1, 'the message came')
  assert.equal(resets(), 0)
})

test('RedisBus: the death of a node makes the others reset, its farewell does not', async (t) => {
  const link = await linkTo(t, redisUrl)
  const prefix = newPrefix()
  const [leaving, dying, staying] = [newBus(t, redisUrl, prefix), newBus(t, link.url, prefix), newBus(t, redisUrl, prefix)]
  await Promise.all([leaving, dying, staying].map((bus) => bus.whenUp()))
  const resets = countResets(staying)
  await leaving.close()
  link.cut()
  await until(() => resets() > 0, 'the one that stays is reset')
  assert.equal(resets(), 1)
})

test('RedisBus: the death of a node makes the others reset again when none of its statements can go on', async (t) => {
  const link = await linkTo(t, redisUrl)
  const prefix = newPrefix()
  const clock = new FakeClock()
  const [dying, staying] = [newBus(t, link.url, prefix), newBus(t, redisUrl, prefix, clock)]
  await until(() => dying.up && staying.up, 'both are up')
  const resets = countResets(staying)
  link.cut()
  await until(() => resets() > 0, 'the one that stays is reset')
  clock.advance(statementTimeoutMs)
  assert.equal(resets(), 1)
  clock.advance(outcomeKnownMs - statementTimeoutMs)
  assert.equal(resets(), 2)
})

test('RedisBus: a node that started without Redis resets when it is there', async (t) => {
  const link = await linkTo(t, redisUrl)
  link.cut()
  const bus = newBus(t, link.url, newPrefix())
  const resets = countResets(bus)
  const received = await record(bus, 'a')
  await assert.rejects(bus.whenUp(50), /could not be reached/)
  link.mend()
  await bus.whenUp()
  assert.equal(resets(), 1)
  await bus.publishConfirmed('a', 'x')
  assert.deepEqual(received, ['x'])
})

test('RedisBus: survives frames that are not its own', async (t) => {
  const prefix = newPrefix()
  const bus = newBus(t, redisUrl, prefix)
  await bus.whenUp()
  const resets = countResets(bus)
  const received = await record(bus, 'a')
  const stranger = new Redis(redisUrl)
  t.after(() => stranger.disconnect())
  for (const bytes of [Buffer.alloc(0), Buffer.from([0xc1]), Buffer.from('hello'), randomBytes(100)]) {
    for (const topic of ['a', 'reset', `ack:${bus.nodeId}`]) await stranger.publish(`${prefix}:bus:${topic}`, bytes)
  }
  await bus.publishConfirmed('a', 'x')
  assert.ok(resets() > 0, 'what it could not read may have been important')
  assert.equal(received.at(-1), 'x')
})

test('RedisBus: what nodes of another version write makes a node read again, once for many, before it is confirmed', async (t) => {
  const prefix = newPrefix()
  const bus = newBus(t, redisUrl, prefix)
  await bus.whenUp()
  const resets = countResets(bus)
  const received = await record(bus, 'a')
  const [stranger, listener] = [new Redis(redisUrl), new Redis(redisUrl)]
  t.after(() => [stranger, listener].forEach((redis) => redis.disconnect()))
  const confirmed: { ackId: unknown; resets: number }[] = []
  listener.on('messageBuffer', (_channel, bytes: Buffer) => confirmed.push({ ackId: decodeMessage(bytes), resets: resets() }))
  const sender = randomUUID()
  await listener.subscribe(`${prefix}:bus:ack:${sender}`)
  const send = (...frame: unknown[]) => stranger.publish(`${prefix}:bus:a`, encodeMessage([sender, ...frame]))
  await send(1, ['newer'], messagesVersion + 1)
  await send(2, ['older'])
  await send(0, ['unconfirmed', 'unconfirmed'])
  await until(() => confirmed.length === 2, 'both are confirmed')
  assert.deepEqual(confirmed, [
    { ackId: 1, resets: 1 },
    { ackId: 2, resets: 1 },
  ])
  await send(0, ['unconfirmed'])
  await until(() => resets() === 2, 'the next one counts, too')
  await send(0, ['understood'], messagesVersion)
  await until(() => received.length > 0, 'it is heard')
  assert.deepEqual(received, ['understood'])
  assert.equal(resets(), 2)
})

test('RedisBus: kept messages of another version are passed over', async (t) => {
  const { near, far, link, admin, prefix } = await twoNodesOfOwnRedis(t)
  const received = await record(near, 'a')
  link.cut()
  await until(() => !near.up, 'the node notices')
  for (const kept of [
    ['newer', 'a', 'newer', messagesVersion + 1],
    ['older', 'a', 'older'],
  ])
    await admin.zadd(`${prefix}:bus:durable`, Date.now() - 1000, encodeMessage(kept))
  await far.publishDurably('a', 'missed', 'missed')
  link.mend()
  await until(() => received.length > 0, 'it is heard')
  assert.deepEqual(received, ['missed'])
})

test('RedisBus: a node that is alone sends nothing; who comes, or begins to listen, gets everything from then on', async (t) => {
  const redis = await ownRedis(t)
  const prefix = newPrefix()
  const first = newBus(t, redis.url, prefix)
  await first.whenUp()
  const here = (await record(first, 'a')) as number[]
  const alone = await sendsNothing(t, redis.url, prefix, first)
  await until(alone, 'the node knows that it is alone')
  const second = newBus(t, redis.url, prefix)
  await second.whenUp()
  for (const _ of [1, 2, 3]) {
    await until(alone, 'the node knows that nobody else listens')
    const done = new AbortController()
    let next = here.length
    const publishing = (async () => {
      for (; !done.signal.aborted; next++) {
        first.publish('a', next)
        await new Promise(setImmediate)
      }
    })()
    const there: unknown[] = []
    const stop = await second.subscribe('a', (message) => void there.push(message))
    // What was published last may have been left out: nobody listened then.
    const from = next + 1
    await until(() => there.length >= 20, 'messages come')
    done.abort()
    await publishing
    await first.publishConfirmed('a', next)
    assert.deepEqual(
      there.filter((message) => (message as number) >= from),
      Array.from({ length: next + 1 - from }, (_each, index) => from + index),
    )
    stop()
  }
})

test('RedisBus: a node that was alone when it was cut off tells those who have come meanwhile', async (t) => {
  const redis = await ownRedis(t)
  const link = await linkTo(t, redis.url)
  const prefix = newPrefix()
  const first = newBus(t, link.url, prefix)
  await first.whenUp()
  await record(first, 'a')
  await until(await sendsNothing(t, redis.url, prefix, first), 'the node knows that it is alone')
  link.cut()
  const second = newBus(t, redis.url, prefix)
  await second.whenUp()
  const resets = countResets(second)
  link.mend()
  await until(() => resets() > 0, 'the newer one is told to reset')
})

test('RedisBus: close is quick, whatever Redis does, and twice does no harm', async (t) => {
  const link = await linkTo(t, redisUrl)
  const bus = newBus(t, link.url, newPrefix())
  await bus.whenUp()
  link.freeze()
  const settling = bus.publishConfirmed('a', 'x')
  await within(bus.close(), 4000)
  await within(bus.close(), 4000)
  await within(settling, 4000)
  bus.publish('a', 'x')
  await within(bus.publishConfirmed('a', 'x'), 4000)
})

/** Resolves when a beat of each of these nodes has said that they hear the topic, and all have got it. */
async function knowsTopic(t: Pick<TestContext, 'after'>, prefix: string, nodes: readonly RedisBus[], topic: string): Promise<void> {
  const redis = new Redis(redisUrl)
  t.after(() => redis.disconnect())
  const missing = new Set<string>(nodes.map(({ nodeId }) => nodeId))
  const known = new Promise<void>((resolve) => {
    redis.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => {
      const [sender, , topics] = decodeMessage(bytes) as [string, number, string[]]
      if (topics.includes(topic)) missing.delete(sender)
      if (missing.size === 0) resolve()
    })
  })
  await Promise.all(nodes.map((node) => record(node, topic)))
  await redis.subscribe(`${prefix}:bus:alive`)
  await known
  // What comes to a node after the beats has come behind them.
  await Promise.all(nodes.map((node) => node.publishConfirmed(topic, 'beats were heard')))
}

const newPrefix = () => `t${randomBytes(6).toString('hex')}`

function newBus(t: Pick<TestContext, 'after'>, url: string, prefix: string, clock: Clock = systemClock): RedisBus {
  const bus = new RedisBus({ url, prefix, clock, log })
  t.after(() => bus.close())
  return bus
}

/**
 * Calls back with the topic (and `#` and the key) of each frame that comes to Redis from now on. Whoever subscribed
 * instead would be somebody to wait for.
 */
async function watchPublished(
  t: Pick<TestContext, 'after'>,
  url: string,
  prefix: string,
  onPublished: (name: string) => void,
): Promise<void> {
  const monitor = new Redis(url, { monitor: true })
  t.after(() => monitor.disconnect())
  // Where somebody's command comes in one piece with the answer to MONITOR, ioredis takes it for an answer that it has not
  // asked for, fails, and connects again: `redis.monitor()` would be rejected.
  monitor.on('error', () => undefined)
  monitor.on('monitor', (_time: string, [command = '', channel = '']: string[]) => {
    const start = `${prefix}:bus:`
    if (command.toLowerCase() === 'publish' && channel.startsWith(start)) onPublished(channel.slice(start.length))
  })
  await new Promise((resolve) => monitor.once('monitoring', resolve))
}

/** Publishes to `a`; true when nothing of that came to Redis. */
async function sendsNothing(t: Pick<TestContext, 'after'>, url: string, prefix: string, bus: Bus): Promise<() => Promise<boolean>> {
  const sent = { a: 0, b: 0 }
  await watchPublished(t, url, prefix, (name) => {
    if (name === 'a' || name === 'b') sent[name]++
  })
  return async () => {
    const before = { ...sent }
    bus.publish('a', 0)
    void bus.publishConfirmed('b', 'x')
    await until(() => sent.b > before.b, 'Redis gets what comes after it')
    return sent.a === before.a
  }
}

/** `near` is behind the link, `far` is not. */
async function twoNodes(
  t: Pick<TestContext, 'after'>,
  url = redisUrl,
): Promise<{ near: RedisBus; far: RedisBus; link: Link; prefix: string }> {
  const link = await linkTo(t, url)
  const prefix = newPrefix()
  const [near, far] = [newBus(t, link.url, prefix), newBus(t, url, prefix)]
  await Promise.all([near.whenUp(), far.whenUp()])
  return { near, far, link, prefix }
}

/** Of a Redis that can be told what its clients may do: `may('-zrange')` forbids a command, `may('+zrange')` allows it. */
async function twoNodesOfOwnRedis(t: Pick<TestContext, 'after'>) {
  const { url } = await ownRedis(t)
  const admin = new Redis(url)
  t.after(() => admin.disconnect())
  return { ...(await twoNodes(t, url)), admin, may: (rule: string) => admin.call('ACL', 'SETUSER', 'default', rule) }
}
