// Channels and their registry, on a clock that stands still and with reads that end when told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Sealed } from '../../src/core/bus/bus.ts'
import { Channel } from '../../src/core/live/channel.ts'
import { createLog } from '../../src/core/base/log.ts'
import { Channels, type ChannelKind, type KeyedKind } from '../../src/core/live/registry.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { MemoryBus, MemoryHub } from '../support/memory-bus.ts'
import { randomTest } from '../support/random-runs.ts'

const log = createLog('silent', 'channel-test')
const id = 'the only one'

/** The state is a list of numbers; event `seq` appends one. `opaque`: only Postgres knows what. `broken`: cannot be applied. */
interface Appended {
  seq: number
  value: number
  how: 'plain' | 'opaque' | 'broken'
}

interface Read {
  /** What the statement sees, as soon as it runs. */
  seen: readonly number[] | undefined
  ran: boolean
  resolve: (snapshot: readonly number[] | undefined) => void
  reject: (error: Error) => void
}

/** Stands in for Postgres, and for what hangs on the channel. */
class World {
  /** The row; undefined when it does not exist. */
  stored: number[] | undefined = []
  /** Reads under way, oldest first. */
  readonly reads: Read[] = []
  readCount = 0
  busy = false
  /** What the sockets got, over all installs and events. */
  sent: number[] = []
  readonly closed: List[] = []
  failInstall = false

  read(): Promise<readonly number[] | undefined> {
    this.readCount++
    return new Promise((resolve, reject) => this.reads.push({ seen: undefined, ran: false, resolve, reject }))
  }

  commit(how: Appended['how'] = 'plain'): Appended {
    this.stored ??= []
    const seq = this.stored.length + 1
    this.stored = [...this.stored, seq * 10]
    return { seq, value: seq * 10, how }
  }

  /** The oldest statement that has not run sees the row as it is now. */
  run(): void {
    const read = this.reads.find(({ ran }) => !ran)
    if (!read) return
    read.ran = true
    read.seen = this.stored
  }

  /** The oldest read ends. */
  answer(): void {
    const read = this.reads.shift()
    if (!read) return
    read.resolve(read.ran ? read.seen : this.stored)
  }

  fail(): void {
    this.reads.shift()?.reject(new Error('Postgres is away'))
  }
}

class List extends Channel<Appended, readonly number[]> {
  readonly world: World
  values: readonly number[] = []

  constructor(world: World, clock: FakeClock) {
    super(id, clock, log)
    this.world = world
  }

  get busy(): boolean {
    return this.world.busy
  }

  protected override read(): Promise<readonly number[] | undefined> {
    return this.world.read()
  }

  protected override install(snapshot: readonly number[]): void {
    if (this.world.failInstall) throw new Error('on purpose')
    assert.ok(snapshot.length >= this.values.length, 'state never goes back')
    this.world.sent.push(...snapshot.slice(this.values.length))
    this.values = snapshot
  }

  protected override apply({ seq, value, how }: Appended): void | 'reload' {
    if (seq <= this.values.length) return
    if (how === 'broken') throw new Error('on purpose')
    if (how === 'opaque' || seq > this.values.length + 1) return 'reload'
    this.values = [...this.values, value]
    this.world.sent.push(value)
  }

  protected override onClose(): void {
    this.world.closed.push(this)
  }
}

type TestNode = { world: World; clock: FakeClock }
const kind: ChannelKind<List, Appended, TestNode> = { name: 'list', tables: [], create: ({ world, clock }) => new List(world, clock) }

/** One node on a bus of its own. */
async function newNode() {
  const [world, clock, hub] = [new World(), new FakeClock(), new MemoryHub()]
  const bus = new MemoryBus(hub, () => undefined, clock)
  const channels = new Channels<TestNode>({ world, clock }, bus, clock)
  await channels.start()
  const registry = channels.of(kind)
  return {
    world,
    clock,
    hub,
    bus,
    channels,
    registry,
    /** A channel that is live. */
    async live(): Promise<List> {
      const getting = registry.get(id)
      await turn()
      world.answer()
      const channel = await getting
      assert.ok(channel?.live)
      return channel
    },
  }
}

/** Everything that can go on without a read ending has gone on afterwards. */
const turn = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve)
  })

/** Whether a promise has been settled yet, and how. */
function outcome(promise: Promise<unknown>): { state: 'pending' | 'resolved' | 'rejected' } {
  const seen: ReturnType<typeof outcome> = { state: 'pending' }
  promise.then(
    () => {
      seen.state = 'resolved'
    },
    () => {
      seen.state = 'rejected'
    },
  )
  return seen
}

test('get: reads once for all who ask, then answers at once', async () => {
  const { world, registry } = await newNode()
  world.commit()
  const asking = [registry.get(id), registry.get(id), registry.get(id)]
  await turn()
  assert.equal(registry.hot(id), undefined)
  world.answer()
  const found = await Promise.all(asking)
  assert.equal(new Set(found).size, 1)
  assert.deepEqual(found[0]?.values, [10])
  assert.equal(registry.hot(id), found[0])
  assert.equal(await registry.get(id), found[0])
  assert.equal(world.readCount, 1)
})

test('events: wait for a load under way and are applied once, in order', async () => {
  const { world, channels, registry } = await newNode()
  const getting = registry.get(id)
  await turn()
  const [first, second] = [world.commit(), world.commit()]
  world.run()
  const third = world.commit()
  const settled = [first, second, third].map((event) => outcome(channels.publishConfirmed('list', id, event)))
  await turn()
  assert.deepEqual(
    settled.map(({ state }) => state),
    ['pending', 'pending', 'pending'],
  )
  world.answer()
  assert.deepEqual((await getting)?.values, [10, 20, 30])
  await turn()
  assert.deepEqual(
    settled.map(({ state }) => state),
    ['resolved', 'resolved', 'resolved'],
  )
  assert.equal(world.readCount, 1)
})

test('events: a gap means reload, and the event is in force when its promise resolves', async () => {
  const { world, channels, live } = await newNode()
  const channel = await live()
  world.commit()
  const settling = channels.publishConfirmed('list', id, world.commit())
  assert.deepEqual(channel.values, [])
  world.answer()
  await turn()
  world.answer()
  await settling
  assert.deepEqual(channel.values, [10, 20])
  assert.ok(channel.live)
})

test('events: one that cannot be applied costs a reload and nothing else', async () => {
  const { world, channels, live } = await newNode()
  const channel = await live()
  for (const loading of [false, true]) {
    const reloading = loading ? channel.reload() : undefined
    await turn()
    world.run()
    const settling = channels.publishConfirmed('list', id, world.commit('broken'))
    if (loading) world.answer()
    await turn()
    world.answer()
    await settling
    await reloading
    assert.deepEqual(channel.values, world.stored)
    assert.ok(channel.live)
  }
})

test('events: without a channel they are dropped, and the first read sees their effect', async () => {
  const { world, channels, live } = await newNode()
  await channels.publishConfirmed('list', id, world.commit())
  assert.deepEqual((await live()).values, [10])
  assert.equal(world.readCount, 1)
})

test('reload: has what was committed before the call; any number of calls during a read cost one more', async () => {
  const { world, live } = await newNode()
  const channel = await live()
  const first = outcome(channel.reload())
  await turn()
  world.run()
  world.commit()
  const later = Array.from({ length: 10 }, () => outcome(channel.reload()))
  world.answer()
  await turn()
  assert.equal(first.state, 'resolved')
  assert.deepEqual(
    later.map(({ state }) => state),
    later.map(() => 'pending'),
  )
  world.answer()
  await turn()
  assert.deepEqual(
    later.map(({ state }) => state),
    later.map(() => 'resolved'),
  )
  assert.deepEqual(channel.values, [10])
  assert.equal(world.readCount, 3)
})

test('reload: who asks again and again keeps nobody waiting', async () => {
  const { world, registry, hub } = await newNode()
  hub.disconnect()
  const asked: { state: string }[] = []
  for (let round = 0; round < 20; round++) {
    asked.push(outcome(registry.get(id)))
    await turn()
    world.answer()
    await turn()
    // The read that was under way when the last but one asked has ended, and one more.
    for (const { state } of asked.slice(0, -2)) assert.equal(state, 'resolved')
  }
})

test('failed load: everybody who waited is told, and the next call reads again', async () => {
  const { world, registry } = await newNode()
  const asking = [registry.get(id), registry.get(id)]
  await turn()
  world.fail()
  for (const each of asking) await assert.rejects(each, /Postgres is away/)
  assert.equal(registry.size, 0)
  const again = registry.get(id)
  await turn()
  world.answer()
  assert.ok((await again)?.live)
})

test('failed load: a channel with sockets comes back by itself, and sends what was missed', async () => {
  const { world, clock, live } = await newNode()
  world.busy = true
  const channel = await live()
  for (const fail of [
    () => world.fail(),
    () => {
      world.failInstall = true
      world.answer()
    },
  ]) {
    const reloading = channel.reload()
    reloading.catch(() => undefined)
    await turn()
    fail()
    await assert.rejects(reloading)
    world.failInstall = false
    world.commit()
    assert.equal(world.reads.length, 0)
    clock.advance(500)
    await turn()
    world.answer()
    await turn()
    assert.ok(channel.live)
    assert.deepEqual(channel.values, world.stored)
    assert.deepEqual(world.sent, world.stored)
  }
})

test('failed load: a channel with sockets is read again by the next event, which is in force when its promise resolves', async () => {
  const { world, channels, live } = await newNode()
  world.busy = true
  const channel = await live()
  const reloading = outcome(channel.reload())
  await turn()
  world.fail()
  await turn()
  assert.equal(reloading.state, 'rejected')
  const settled = outcome(channels.publishConfirmed('list', id, world.commit()))
  await turn()
  assert.equal(settled.state, 'pending')
  world.answer()
  await turn()
  assert.equal(settled.state, 'resolved')
  assert.deepEqual(channel.values, [10])
})

test('failed load: an idle channel is not read again and not kept', async () => {
  const { world, clock, registry, live } = await newNode()
  const channel = await live()
  const reloading = channel.reload()
  reloading.catch(() => undefined)
  await turn()
  world.fail()
  await assert.rejects(reloading)
  clock.advance(5000)
  await turn()
  assert.equal(world.reads.length, 0)
  const again = registry.get(id)
  await turn()
  world.fail()
  await assert.rejects(again)
  assert.equal(registry.size, 0)
  assert.deepEqual(world.closed, [channel])
})

test('missing row: no channel stays, and every call looks again', async () => {
  const { world, registry } = await newNode()
  world.stored = undefined
  for (const _round of [1, 2]) {
    const getting = registry.get(id)
    await turn()
    world.answer()
    assert.equal(await getting, undefined)
    assert.equal(registry.size, 0)
  }
  assert.equal(world.readCount, 2)
  assert.equal(world.closed.length, 2)
})

test('missing row: who asks after it was created gets it, although a read that began before is under way', async () => {
  const { world, registry } = await newNode()
  world.stored = undefined
  const early = registry.get(id)
  await turn()
  world.run()
  world.commit()
  const late = registry.get(id)
  world.answer()
  await turn()
  world.answer()
  assert.equal(await early, undefined)
  assert.deepEqual((await late)?.values, [10])
})

test('missing row: one that went away closes its channel', async () => {
  const { world, channels, registry, live } = await newNode()
  const channel = await live()
  const event = world.commit('opaque')
  const settling = channels.publishConfirmed('list', id, event)
  world.stored = undefined
  await turn()
  world.answer()
  await settling
  assert.ok(channel.closed)
  const again = registry.get(id)
  await turn()
  world.answer()
  assert.equal(await again, undefined)
})

test('eviction: idle channels go after ten minutes, used and busy ones stay', async () => {
  const { world, clock, registry, channels, live } = await newNode()
  const channel = await live()
  const minutes = (count: number) => clock.advance(count * 60_000)
  minutes(9)
  assert.equal(registry.hot(id), channel)
  minutes(9)
  assert.equal(registry.peek(id), channel)
  world.busy = true
  minutes(30)
  assert.equal(registry.peek(id), channel)
  world.busy = false
  minutes(1)
  assert.equal(registry.peek(id), undefined)
  assert.ok(channel.closed)
  channel.close()
  assert.deepEqual(world.closed, [channel])
  await channels.publishConfirmed('list', id, world.commit())
  assert.deepEqual(channel.values, [])
  assert.notEqual(await live(), channel)
  channels.stop()
})

test('eviction: a read under way for an evicted channel revives nothing', async () => {
  const { world, clock, registry, channels, live } = await newNode()
  const channel = await live()
  const reloading = channel.reload()
  await turn()
  clock.advance(20 * 60_000)
  world.answer()
  await reloading
  assert.ok(channel.closed)
  assert.equal(registry.size, 0)
  channels.stop()
})

test('reset: idle channels are forgotten, busy and loading ones read anew', async () => {
  const idle = await newNode()
  const forgotten = await idle.live()
  idle.hub.reconnect()
  assert.ok(forgotten.closed)
  assert.equal(idle.registry.size, 0)

  const busy = await newNode()
  busy.world.busy = true
  const kept = await busy.live()
  busy.world.commit()
  busy.hub.reconnect()
  assert.equal(busy.registry.hot(id), undefined)
  await turn()
  busy.world.answer()
  await turn()
  assert.equal(busy.registry.hot(id), kept)
  assert.deepEqual(busy.world.sent, [10])

  const loading = await newNode()
  const before = loading.registry.get(id)
  await turn()
  loading.world.run()
  loading.world.commit()
  loading.hub.reconnect()
  const after = loading.registry.get(id)
  loading.world.answer()
  assert.ok(await before)
  await turn()
  loading.world.answer()
  assert.deepEqual((await after)?.values, [10])
})

test('bus down: every call reads anew, and no answer is older than its question', async () => {
  const { world, registry, hub, live } = await newNode()
  const channel = await live()
  hub.disconnect()
  assert.equal(registry.hot(id), undefined)
  for (const value of [10, 20]) {
    world.commit()
    const getting = registry.get(id)
    await turn()
    world.answer()
    assert.equal((await getting)?.values.at(-1), value)
  }
  assert.equal(registry.peek(id), channel)
  assert.equal(world.readCount, 3)
})

test('publish: an event that no channel here wants is not opened; one that cannot be opened makes its channel read again', async () => {
  const { world, clock } = await newNode()
  const errors: unknown[] = []
  const bus = new MemoryBus(new MemoryHub(), (error) => errors.push(error), clock)
  const channels = new Channels<TestNode>({ world, clock }, bus, clock)
  await channels.start()
  const getting = channels.of(kind).get(id)
  await turn()
  world.answer()
  await getting
  const [reads, rubbish] = [world.readCount, Uint8Array.of(0xc1)]
  bus.publish('events', ['list', 'another', Sealed.of(rubbish)])
  const failedBefore = errors.length
  bus.publish('events', ['list', id, Sealed.of(rubbish)])
  await turn()
  assert.equal(world.readCount, reads + 1)
  // Sending it on fails each time; here it is opened once.
  assert.equal(failedBefore, 1)
  assert.equal(errors.length, 3)
})

test('publishConfirmed: resolves when the channels of all nodes have the event', async () => {
  const hub = new MemoryHub()
  const nodes = await Promise.all(
    [1, 2].map(async () => {
      const [world, clock] = [new World(), new FakeClock()]
      const bus = new MemoryBus(hub, () => undefined, clock)
      const channels = new Channels<TestNode>({ world, clock }, bus, clock)
      await channels.start()
      const getting = channels.of(kind).get(id)
      await turn()
      world.answer()
      const channel = await getting
      assert.ok(channel)
      return { world, channels, channel }
    }),
  )
  const [first, second] = nodes
  assert.ok(first && second)
  const event = first.world.commit('opaque')
  second.world.stored = first.world.stored
  const settled = outcome(first.channels.publishConfirmed('list', id, event))
  for (const { world } of nodes) {
    await turn()
    assert.equal(settled.state, 'pending')
    world.answer()
  }
  await turn()
  assert.equal(settled.state, 'resolved')
  for (const { channel } of nodes) assert.deepEqual(channel.values, [10])
})

test('events for servers only: a worker does not get them, reads such a channel each time, and cannot watch one', async () => {
  const hub = new MemoryHub()
  const [server, worker] = await Promise.all(
    [true, false].map(async (isServer) => {
      const [world, clock] = [new World(), new FakeClock()]
      const channels = new Channels<TestNode>({ world, clock }, new MemoryBus(hub, () => undefined, clock), clock, {
        serverKinds: ['list'],
        isServer,
      })
      await channels.start()
      const heard: string[] = []
      channels.listen({ name: 'list' }, () => heard.push('list'))
      channels.listen({ name: 'other' }, () => heard.push('other'))
      return { world, channels, heard, registry: channels.of(kind) }
    }),
  )
  assert.ok(server && worker)
  for (const from of [server, worker]) {
    for (const { heard } of [server, worker]) heard.length = 0
    await from.channels.publishConfirmed('list', id, { seq: 1, value: 1 })
    await from.channels.publishConfirmed('other', id, {})
    assert.deepEqual(server.heard, ['list', 'other'])
    assert.deepEqual(worker.heard, ['other'])
  }
  for (const { world, registry, reads } of [
    { ...server, reads: 1 },
    { ...worker, reads: 3 },
  ]) {
    for (let round = 0; round < 3; round++) {
      const getting = registry.get(id)
      await turn()
      if (world.readCount > round) world.answer()
      assert.ok(await getting)
    }
    assert.equal(world.readCount, reads)
  }
  const watcher = { observe: () => undefined, reload: () => Promise.resolve() }
  server.channels.watch('list', id, watcher)
  assert.throws(() => worker.channels.watch('list', id, watcher), /a worker hears no events/)
})

test('a keyed kind: nothing is read before its events come, which they do as long as somebody here needs them', async () => {
  const [world, clock, hub] = [new World(), new FakeClock(), new MemoryHub()]
  const arriving: (() => void)[] = []
  const held = new Map<string, number>()
  class SlowBus extends MemoryBus {
    readonly #coming = new Map<string, Promise<void>>()
    override hold(topic: string, key: string): Promise<void> | undefined {
      const count = held.get(key) ?? 0
      held.set(key, count + 1)
      if (count > 0) return this.coming(topic, key)
      const coming = new Promise<void>((resolve) => {
        arriving.push(() => {
          this.#coming.delete(key)
          resolve(super.hold(topic, key))
        })
      })
      this.#coming.set(key, coming)
      return coming
    }
    override coming(_topic: string, key: string): Promise<void> | undefined {
      return this.#coming.get(key)
    }
    override release(topic: string, key: string): void {
      const left = (held.get(key) ?? 0) - 1
      if (left > 0) return void held.set(key, left)
      held.delete(key)
      super.release(topic, key)
    }
  }
  const [keyed, heard]: string[][] = [[], []]
  const hearing = {
    keyedKinds: [kind],
    onKeyed: (of: KeyedKind, changed: string) => void keyed?.push(`${of.name} ${changed}`),
    onHeard: (of: KeyedKind, begun: string) => void heard?.push(`${of.name} ${begun}`),
    serverKinds: [],
    isServer: true,
  }
  const channels = new Channels<TestNode>({ world, clock }, new SlowBus(hub, () => undefined, clock), clock, hearing)
  const other = new Channels<TestNode>({ world: new World(), clock }, new MemoryBus(hub, () => undefined, clock), clock, hearing)
  await Promise.all([channels.start(), other.start()])
  assert.throws(() => channels.listen({ name: 'list' }, () => undefined), /do not all come here/)

  const getting = channels.of(kind).get(id)
  await turn()
  // Also when it is told to read again meanwhile.
  hub.reconnect()
  await turn()
  assert.deepEqual([world.readCount, heard], [0, []])
  arriving.shift()?.()
  await turn()
  assert.deepEqual(heard, [`list ${id}`])
  // What is written from now on comes while Postgres is read.
  await other.publishConfirmed('list', 'another', world.commit('opaque'))
  const event = world.commit()
  other.publish('list', id, event)
  while (world.readCount < 1) await turn()
  world.answer()
  await turn()
  world.answer()
  const channel = await getting
  assert.deepEqual(channel?.values, world.stored)
  assert.ok(keyed?.includes(`list ${id}`))

  // Somebody who watches keeps the key when the channel goes.
  const watcher = { observe: () => undefined, reload: () => Promise.resolve() }
  channels.watch('list', id, watcher)
  await channels.whenHeard('list', [id])
  for (let sweeps = 0; sweeps < 12; sweeps++) channels.of(kind).sweep()
  assert.equal(channels.of(kind).size, 0)
  assert.deepEqual([...held], [[`list:${id}`, 1]])
  channels.unwatch('list', id, watcher)
  assert.equal(held.size, 0)
  channels.watch('list', id, watcher)
  let isHeard = false
  const hearingAgain = channels.whenHeard('list', [id]).then(() => (isHeard = true))
  await turn()
  assert.equal(isHeard, false)
  arriving.shift()?.()
  await hearingAgain
  assert.equal(heard?.length, 2)
})

test('watchers: get the events of their key, with or without a channel, also when they leave meanwhile', async () => {
  const { world, channels } = await newNode()
  const seen: string[] = []
  const leaving = {
    reload: () => Promise.resolve(),
    observe: () => {
      seen.push('leaving')
      channels.unwatch('list', id, leaving)
    },
  }
  const slow = {
    reload: () => Promise.resolve(),
    observe: async () => {
      seen.push('slow')
    },
  }
  for (const watcher of [leaving, slow]) {
    channels.watch('list', id, watcher)
    channels.watch('list', id, watcher)
  }
  channels.watch('list', 'another', slow)
  await channels.publishConfirmed('list', id, world.commit())
  await channels.publishConfirmed('list', id, world.commit())
  channels.unwatch('list', id, slow)
  channels.unwatch('list', id, slow)
  await channels.publishConfirmed('list', id, world.commit())
  assert.deepEqual(seen, ['leaving', 'slow', 'slow'])
})

// Any order of commits, deliveries, losses with a reset, reads and calls.
const action = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('commit', 'commit', 'commit opaque', 'commit broken') },
  { weight: 6, arbitrary: fc.constant('deliver') },
  { weight: 6, arbitrary: fc.constant('run') },
  { weight: 4, arbitrary: fc.constant('answer') },
  { weight: 4, arbitrary: fc.constantFrom('get', 'reload') },
  { weight: 1, arbitrary: fc.constantFrom('fail', 'lose', 'bus down', 'bus up', 'half a second') },
  { weight: 8, arbitrary: fc.constantFrom('microtask', 'turn') },
)

randomTest('channel', 'any interleaving: nothing is lost or doubled, the end is as in Postgres', 1000, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(action, { minLength: 5, maxLength: 80 }), async (busy, actions) => {
      const { world, clock, hub, channels, registry, live } = await newNode()
      const onTheWay: Appended[] = []
      const watched: { what: string; seen: { state: string } }[] = []
      const broken: unknown[] = []
      let delivered = 0
      let failures = 0
      const committed = () => world.stored?.length ?? 0

      /** What the state holds is always what was committed first; here it must be this much. */
      const holds = (channel: List | undefined, atLeast: number, what: string) => {
        assert.ok(channel, `${what}: the row exists`)
        assert.ok(channel.values.length >= atLeast, `${what}: ${channel.values.length} of ${atLeast}`)
        assert.deepEqual(channel.values, world.stored?.slice(0, channel.values.length))
      }
      const whenDone = <T>(what: string, promise: Promise<T>, check: (value: T) => void) => {
        watched.push({ what, seen: outcome(promise) })
        promise
          .then(check, (error: unknown) => {
            if (failures === 0) throw error
          })
          .catch((error: unknown) => broken.push(error))
      }
      const perform = (each: string) => {
        const channel = registry.peek(id)
        switch (each) {
          case 'commit':
            onTheWay.push(world.commit())
            break
          case 'commit opaque':
            onTheWay.push(world.commit('opaque'))
            break
          case 'commit broken':
            onTheWay.push(world.commit('broken'))
            break
          case 'deliver': {
            const event = onTheWay.shift()
            if (!event) break
            delivered = event.seq
            const failed = failures
            const listens = channel && (busy || !channel.cold) ? channel : undefined
            whenDone('settle', channels.publishConfirmed('list', id, event), () => {
              if (listens && failures === failed && !listens.closed) holds(listens, event.seq, 'settle')
            })
            break
          }
          case 'bus down':
            hub.disconnect()
            break
          // What was on the way is gone, and everybody re-reads.
          case 'lose':
          case 'bus up': {
            onTheWay.length = 0
            delivered = committed()
            hub.reconnect()
            break
          }
          case 'get': {
            const known = hub.connected ? delivered : committed()
            whenDone('get', registry.get(id), (found) => holds(found, known, 'get'))
            break
          }
          case 'reload': {
            const known = committed()
            if (channel)
              whenDone('reload', channel.reload(), () => {
                if (!channel.closed) holds(channel, known, 'reload')
              })
            break
          }
          case 'run':
            world.run()
            break
          case 'answer':
            world.answer()
            break
          case 'fail': {
            if (world.reads.length > 0) failures++
            world.fail()
            break
          }
          case 'half a second':
            clock.advance(500)
            break
          default:
        }
      }

      world.busy = busy
      await live()
      for (const each of actions) {
        perform(each)
        if (each === 'microtask') await Promise.resolve()
        // A failure is told before anything else happens: an event after it meets a cold channel.
        if (each === 'turn' || each === 'fail') await turn()
        const channel = registry.peek(id)
        if (channel?.live) holds(channel, 0, each)
      }

      // All is well from now on.
      hub.connected = true
      while (onTheWay.length > 0) perform('deliver')
      perform('get')
      for (let round = 0; round < 10; round++) {
        await turn()
        clock.advance(500)
        while (world.reads.length > 0) world.answer()
      }
      await turn()
      assert.deepEqual(broken, [])
      assert.deepEqual(
        watched.filter(({ seen }) => seen.state === 'pending').map(({ what }) => what),
        [],
      )
      const channel = registry.hot(id)
      holds(channel, committed(), 'the end')
      if (busy) assert.deepEqual(world.sent, world.stored)
      channels.stop()
    }),
    parameters,
  )
})
