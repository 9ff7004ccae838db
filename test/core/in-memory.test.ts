// What the caches of a node are built of: single-flight, memos, and the order of feeds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Memo } from '../../src/core/base/memo.ts'
import { SingleFlight } from '../../src/core/base/single-flight.ts'
import { FeedOrder } from '../../src/core/live/feed.ts'

/** Runs that end when they are told to, in the order in which they began. */
function runs() {
  const under: { resolve(value: string): void; reject(error: Error): void }[] = []
  return {
    under,
    begin: () => new Promise<string>((resolve, reject) => under.push({ resolve, reject })),
  }
}

test('a run is shared by those alone who ask for what it is made of, until it ends, however it ends', async () => {
  const flights = new SingleFlight<string>()
  const { under, begin } = runs()
  const first = begin()
  flights.add('key', [1, 'a'], first)
  assert.equal(flights.find('key', [1, 'a']), first)
  for (const other of [[2, 'a'], [1], [1, 'a', 'b']]) assert.equal(flights.find('key', other), undefined)
  assert.equal(flights.find('other', [1, 'a']), undefined)
  const second = begin()
  flights.add('key', [2, 'a'], second)
  under[0]?.resolve('late')
  await first
  assert.equal(flights.find('key', [2, 'a']), second, 'the end of an older run ends no newer one')
  under[1]?.reject(new Error('lost'))
  await assert.rejects(second)
  assert.equal(flights.find('key', [2, 'a']), undefined)
})

test('whoever asks while a run is under way gets the one after it, together with all others, even when the first fails', async () => {
  const flights = new SingleFlight<unknown>()
  const { under, begin } = runs()
  const first = flights.after('key', begin)
  const others = [flights.after('key', begin), flights.after('key', begin)]
  const elsewhere = flights.after('elsewhere', async () => 'at once')
  assert.equal(await elsewhere, 'at once')
  assert.equal(under.length, 1)
  under[0]?.reject(new Error('lost'))
  await assert.rejects(first)
  while (under.length < 2) await new Promise(setImmediate)
  under[1]?.resolve('again')
  assert.deepEqual(await Promise.all(others), ['again', 'again'])
  assert.equal(under.length, 2)
})

test('a memo is made again when one of its sources is another, and only then', () => {
  const memo = new Memo<number | undefined>()
  let made = 0
  const get = (...of: unknown[]) => memo.get(of, () => ++made)
  assert.equal(memo.has([]), false)
  assert.deepEqual([get(1, 'a'), get(1, 'a'), get(1, 'b'), get(1), get(1, undefined), get(1, 'a')], [1, 1, 2, 3, 4, 5])
  assert.deepEqual([memo.has([1, 'a']), memo.has([1, 'b'])], [true, false])
  const nothing = new Memo<undefined>()
  let tries = 0
  for (let time = 0; time < 2; time++) nothing.get([], () => void tries++)
  assert.equal(tries, 1, 'a value may be undefined')
})

test('events of feeds that come in any order, some twice, some after a reading, are taken once each and in their turn', () => {
  const anyOrder = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 12 }), fc.boolean()), { maxLength: 60 })
  fc.assert(
    fc.property(anyOrder, (arrivals) => {
      const order = new FeedOrder<number>()
      const at = new Map([
        ['a', 0],
        ['b', 0],
      ])
      const seen = new Map([
        ['a', new Set<number>()],
        ['b', new Set<number>()],
      ])
      for (const [feed, seq, readsAgain] of arrivals) {
        const position = () => at.get(feed) as number
        const turn = order.turnOf(feed, position(), seq)
        const isNew = seq > position() && !seen.get(feed)?.has(seq)
        assert.equal(turn, isNew ? (seq === position() + 1 ? 'next' : 'early') : 'past')
        seen.get(feed)?.add(seq)
        if (turn === 'early') order.hold(feed, seq, seq)
        if (turn === 'next') {
          at.set(feed, seq)
          for (let next = order.next(feed, position()); next !== undefined; next = order.next(feed, position())) {
            assert.equal(next, position() + 1)
            at.set(feed, next)
          }
        }
        if (readsAgain) {
          at.set(feed, Math.max(position(), seq))
          order.readAgain((each) => at.get(each) as number)
          for (const each of order.feeds())
            for (let next = order.next(each, at.get(each) as number); next !== undefined; next = order.next(each, at.get(each) as number))
              at.set(each, next)
        }
        const waiting = [...(seen.get(feed) ?? [])].filter((each) => each > position())
        assert.deepEqual(
          [...order.held(feed).keys()].toSorted((a, b) => a - b),
          waiting.toSorted((a, b) => a - b),
        )
      }
    }),
  )
})
