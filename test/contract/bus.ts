// What every bus promises, whatever carries its messages.
import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { Sealed, type Bus } from '../../src/core/bus/bus.ts'
import type { ChatPost, FezEvent } from '../../src/fez/events.ts'
import { until } from '../support/until.ts'

/** Nodes that can hear each other, and an outage of what connects them. */
export interface BusPlace {
  /** One more node, connected; closed after the test. */
  join(): Promise<Bus>
  /** Nodes cannot hear each other any more. Resolves when all have noticed. */
  disconnect(): Promise<void>
  /** Resolves when all nodes are up. */
  reconnect(): Promise<void>
}

/** Runs the suite. `open` makes a place for one test. */
export function busContract(name: string, open: (t: TestContext) => Promise<BusPlace>): void {
  describe(name, () => {
    test('publish: calls the handlers of this node before it returns, and once', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const [here, there] = [await record(bus, 'a'), await record(other, 'a')]
      bus.publish('a', 'x')
      assert.deepEqual(here, ['x'])
      await until(() => there.length > 0, 'remote delivery')
      await bus.publishConfirmed('a', 'end')
      assert.deepEqual(here, ['x', 'end'])
      assert.deepEqual(there, ['x', 'end'])
    })

    test('tell: a node that was away gets it when it is back; each once; none from before its start', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const received = [await record(bus, 'a'), await record(other, 'a')]
      assert.equal(await bus.publishDurably('a', 'first', 1), true)
      assert.equal(await bus.publishDurably('a', 'first', 1), true)
      for (const each of received) assert.deepEqual(each, [1])
      // In the same millisecond nobody knows which came first.
      const sentMs = Date.now()
      await until(() => Date.now() > sentMs, 'the clock')
      const late = await record(await place.join(), 'a')
      await place.disconnect()
      assert.equal(await bus.publishDurably('a', 'lost', 0), false)
      await place.reconnect()
      assert.equal(await other.publishDurably('a', 'second', 2), true)
      await until(() => late.length > 0, 'delivery')
      for (const each of received)
        assert.deepEqual(
          each.filter((value) => value !== 0),
          [1, 2],
        )
      assert.deepEqual(late, [2])
    })

    test('publish: reaches all handlers of the topic and of no other', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const [first, second, elsewhere] = [await record(other, 'a'), await record(other, 'a'), await record(other, 'b')]
      bus.publish('a', 1)
      await bus.publishConfirmed('a', 2)
      assert.deepEqual([first, second, elsewhere], [[1, 2], [1, 2], []])
    })

    test('publish and publishConfirmed: messages of one node come in order', async (t) => {
      const place = await open(t)
      const [bus, second, third] = [await place.join(), await place.join(), await place.join()]
      const received = [await record(bus, 'a'), await record(second, 'a'), await record(third, 'a')]
      const sent = Array.from({ length: 500 }, (_, index) => index)
      for (const index of sent) {
        if (index % 7 === 0) void bus.publishConfirmed('a', index)
        else bus.publish('a', index)
        // Lets some go out in turns of the loop of their own.
        if (index % 50 === 0) await new Promise(setImmediate)
      }
      await bus.publishConfirmed('a', 'end')
      for (const messages of received) assert.deepEqual(messages, [...sent, 'end'])
    })

    test('publish: an event of a chat arrives as it was sent', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const there = await record(other, 'a')
      await bus.publishConfirmed('a', posted)
      assert.deepEqual(plain(there), plain([posted]))
    })

    test('publish: a sealed part of a message arrives as it was sent', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const [here, there] = [await record(bus, 'a'), await record(other, 'a')]
      await bus.publishConfirmed('a', ['head', new Sealed(posted)])
      for (const [message] of [here, there]) {
        const [head, part] = message as [string, Sealed]
        assert.equal(head, 'head')
        assert.ok(part instanceof Sealed)
        // Several handlers may open it.
        for (let times = 0; times < 2; times++) assert.deepEqual(plain(part.open()), plain(posted))
      }
    })

    test('publish: whatever JSON can hold, dates and bytes arrive as they were sent, fields without a value are left out', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const there = await record(other, 'a')
      await fc.assert(
        fc.asyncProperty(messages, async (message) => {
          there.length = 0
          await bus.publishConfirmed('a', message)
          assert.deepEqual(plain(there), plain([message]))
        }),
        { numRuns: 100 },
      )
    })

    test('hold: what has a key comes to its publisher and to those that hold it, in order, until they release it', async (t) => {
      const place = await open(t)
      const [bus, holder, other] = [await place.join(), await place.join(), await place.join()]
      const [here, held, passed] = [await record(bus, 'a'), await record(holder, 'a'), await record(other, 'a')]
      await Promise.all([holder.hold('a', 'x'), holder.hold('a', 'y'), other.hold('a', 'y')])
      // Alone in its turn, and with one that is waited for, so that it goes to those who hold the key.
      for (const sent of [1, 2, 3]) {
        bus.publish('a', sent, 'x')
        await bus.publishHere('a', sent + 0.5, 'x')
        assert.equal(await bus.publishConfirmed('a', -sent, 'x'), true)
      }
      assert.equal(await bus.publishConfirmed('a', 'y', 'y'), true)
      assert.equal(await bus.publishConfirmed('a', 'nobody', 'z'), true)
      const ofX = [1, 1.5, -1, 2, 2.5, -2, 3, 3.5, -3]
      assert.deepEqual(here, [...ofX, 'y', 'nobody'])
      assert.deepEqual(held, [...ofX, 'y'])
      assert.deepEqual(passed, ['y'])
      holder.release('a', 'x')
      await bus.publishConfirmed('a', 'released', 'x')
      // Twice: it needs as many releases.
      await Promise.all([holder.hold('a', 'x'), holder.hold('a', 'x')])
      await bus.publishConfirmed('a', 'held again', 'x')
      assert.equal(held.at(-1), 'held again')
      holder.release('a', 'x')
      await bus.publishConfirmed('a', 'held still', 'x')
      assert.equal(held.at(-1), 'held still')
      holder.release('a', 'x')
      await bus.publishConfirmed('a', 'released again', 'x')
      assert.equal(held.at(-1), 'held still')
      assert.equal(passed.length, 1)
    })

    test('hold: released and held again at once, it is in force', async (t) => {
      const place = await open(t)
      const [bus, holder] = [await place.join(), await place.join()]
      const held = await record(holder, 'a')
      const first = holder.hold('a', 'x')
      holder.release('a', 'x')
      await Promise.all([first, holder.hold('a', 'x')])
      await bus.publishConfirmed('a', 1, 'x')
      for (let round = 0; round < 3; round++) {
        holder.release('a', 'x')
        await holder.hold('a', 'x')
        await bus.publishConfirmed('a', 'again', 'x')
      }
      assert.deepEqual(held, [1, 'again', 'again', 'again'])
    })

    test('hold: many keys in one turn, and messages of one node for each come in order', async (t) => {
      const place = await open(t)
      const [bus, holder] = [await place.join(), await place.join()]
      const held = await record(holder, 'a')
      const keys = Array.from({ length: 2500 }, (_, index) => `key ${index}`)
      await Promise.all(keys.map((key) => holder.hold('a', key)))
      const chosen = [keys[0], keys[1200], keys.at(-1)] as string[]
      for (let sent = 0; sent < 300; sent++) {
        for (const key of chosen) bus.publish('a', [key, sent], key)
        if (sent % 50 === 0) await new Promise(setImmediate)
      }
      for (const key of chosen) assert.equal(await bus.publishConfirmed('a', [key, 300], key), true)
      for (const key of chosen)
        assert.deepEqual(
          (held as [string, number][]).filter(([of]) => of === key).map(([, sent]) => sent),
          Array.from({ length: 301 }, (_, sent) => sent),
        )
    })

    test('hold: what was held during an outage is in force when it is over', async (t) => {
      const place = await open(t)
      const [bus, holder] = [await place.join(), await place.join()]
      const held = await record(holder, 'a')
      await holder.hold('a', 'before')
      await holder.hold('a', 'left')
      await place.disconnect()
      await holder.hold('a', 'meanwhile')
      holder.release('a', 'left')
      await place.reconnect()
      for (const key of ['before', 'left', 'meanwhile']) assert.equal(await bus.publishConfirmed('a', key, key), true)
      assert.deepEqual(held, ['before', 'meanwhile'])
    })

    test('publishElsewhere: comes to the other nodes alone', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const [here, there] = [await record(bus, 'a'), await record(other, 'a')]
      bus.publishElsewhere('a', 1)
      await until(() => there.length > 0, 'delivery')
      await bus.publishConfirmed('a', 2)
      assert.deepEqual([here, there], [[2], [1, 2]])
    })

    test('publishConfirmed: waits for the handlers of all nodes', async (t) => {
      const place = await open(t)
      const [bus, second, third] = [await place.join(), await place.join(), await place.join()]
      const finish: (() => void)[] = []
      for (const each of [bus, second, third]) await each.subscribe('a', () => new Promise<void>((resolve) => finish.push(resolve)))
      let settled = false
      const settling = bus.publishConfirmed('a', 'x').then(() => {
        settled = true
      })
      await until(() => finish.length === 3, 'all handlers called')
      for (const end of finish) {
        // A round trip on the same way shows that nothing has come back too early.
        await bus.publishConfirmed('b', 'x')
        assert.equal(settled, false)
        end()
      }
      await settling
    })

    test('publishConfirmed: resolves without subscribers anywhere', async (t) => {
      const place = await open(t)
      const bus = await place.join()
      await place.join()
      await bus.publishConfirmed('nobody', 'x')
    })

    test('publishConfirmed: resolves after two seconds when a handler never ends', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      await other.subscribe('a', () => new Promise<void>(() => undefined))
      await within(bus.publishConfirmed('a', 'x'), 4000)
    })

    test('handlers that fail: hurt nobody else', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      for (const each of [bus, other]) {
        await each.subscribe('a', () => {
          throw new Error('on purpose')
        })
        await each.subscribe('a', async () => {
          throw new Error('on purpose')
        })
      }
      const [here, there] = [await record(bus, 'a'), await record(other, 'a')]
      bus.publish('a', 1)
      await bus.publishConfirmed('a', 2)
      assert.deepEqual(
        [here, there],
        [
          [1, 2],
          [1, 2],
        ],
      )
    })

    test('publish: a message that cannot be sent makes the others re-read, and nothing is thrown', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const there = await record(other, 'a')
      const before = countResets(other)
      bus.publish('a', { toSend: () => undefined })
      await bus.publishConfirmed('a', { toSend: () => undefined })
      await until(() => before() > 0, 'the other node re-reads')
      await until(() => bus.up, 'the bus is up')
      await bus.publishConfirmed('a', 'x')
      assert.deepEqual(there, ['x'])
    })

    test('unsubscribe: ends delivery to this handler only', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const stays = await record(other, 'a')
      const leaves: unknown[] = []
      const leave = await other.subscribe('a', (message) => void leaves.push(message))
      await bus.publishConfirmed('a', 1)
      leave()
      leave()
      await bus.publishConfirmed('a', 2)
      assert.deepEqual([stays, leaves], [[1, 2], [1]])
    })

    test('unsubscribe and subscribe again: messages come again', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const leave = await other.subscribe('a', () => undefined)
      leave()
      const again = await record(other, 'a')
      await bus.publishConfirmed('a', 1)
      assert.deepEqual(again, [1])
    })

    test('close: the others do not wait for a node that is gone', async (t) => {
      const place = await open(t)
      const [bus, other] = [await place.join(), await place.join()]
      const [here, there] = [await record(bus, 'a'), await record(other, 'a')]
      await other.close()
      // Two seconds are what it would wait.
      await within(bus.publishConfirmed('a', 'x'), 1900)
      assert.deepEqual([here, there], [['x'], []])
    })

    test('outage: every node knows, still serves itself, and is told to reset when it is over', async (t) => {
      const place = await open(t)
      const buses = [await place.join(), await place.join(), await place.join()]
      const [bus, second] = buses as [Bus, Bus, Bus]
      const received = await Promise.all(buses.map((each) => record(each, 'a')))
      assert.deepEqual(
        buses.map(({ up }) => up),
        [true, true, true],
      )
      await place.disconnect()
      assert.deepEqual(
        buses.map(({ up }) => up),
        [false, false, false],
      )

      second.onReset(() => {
        throw new Error('on purpose')
      })
      const resets = buses.map(countResets)
      bus.publish('a', 'lost')
      assert.deepEqual(received[0], ['lost'])
      await within(bus.publishConfirmed('a', 'lost too'), 3000)
      const late = await record(second, 'late')
      await place.reconnect()
      for (const count of resets) await until(() => count() > 0, 'every node is told to reset')
      assert.deepEqual(
        buses.map(({ up }) => up),
        [true, true, true],
      )
      assert.deepEqual(received, [['lost', 'lost too'], [], []])

      await bus.publishConfirmed('a', 'back')
      await bus.publishConfirmed('late', 'x')
      for (const messages of received) assert.equal(messages.at(-1), 'back')
      assert.deepEqual(late, ['x'])
    })
  })
}

/** What arrives, as it arrives. */
export async function record(bus: Bus, topic: string): Promise<unknown[]> {
  const received: unknown[] = []
  await bus.subscribe(topic, (message) => void received.push(message))
  return received
}

/** Counts resets from now on. */
export function countResets(bus: Bus): () => number {
  let count = 0
  bus.onReset(() => {
    count++
  })
  return () => count
}

/** Fails when `work` takes longer. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${ms} ms`)), ms)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const author = {
  id: '7b1c8a52-9df1-4d43-8e9c-0d9ff2b9b1ce',
  personId: '7b1c8a52-9df1-4d43-8e9c-0d9ff2b9b1ce',
  level: 'verified',
  username: 'sam',
  displayName: null,
  userImage: null,
  preferredPronoun: 'they',
  rev: 3,
} as const

const posted: FezEvent = {
  type: 'posted',
  seq: 7,
  posts: [
    {
      post: {
        id: 12,
        fezId: author.id,
        authorId: author.id,
        text: 'Grüße 👩‍👩‍👧',
        image: null,
        createdAt: new Date(1_700_000_000_123),
      } as unknown as ChatPost['post'],
      author,
    },
  ],
  updatedAt: new Date(-1),
  chat: { fezType: 'closed', title: undefined },
}

const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.maxSafeInteger(),
  // The sign of zero is lost on the way; nothing counts on it.
  fc.double({ noNaN: true }).map((value) => value + 0),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 300 }),
)
const key = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((name) => name !== '__proto__')
const messages = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(key, fc.oneof(tie('any'), fc.constant(undefined)), { maxKeys: 4, noNullPrototype: true }),
})).any

/** Without what may differ: the class of bytes, fields that are there but undefined. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return `date ${value.getTime()}`
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, plain(item)]),
  )
}
