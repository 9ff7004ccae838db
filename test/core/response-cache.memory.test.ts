// What stays in memory, by itself: when an answer or a row is made again, whoever asks. Time and changes are the test's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WrittenTables } from '../../src/core/db/written.ts'
import { tables } from '../../src/features.ts'
import { ResponseCache, sourcesOf } from '../../src/core/http/response-cache.ts'
import { Reply } from '../../src/core/http/route.ts'
import { jsonText } from '../../src/core/base/json-text.ts'
import { Versions, invalidationTopic, slotsOfPart, type Slot } from '../../src/core/live/versions.ts'
import { LiveRows } from '../../src/core/live/live-rows.ts'
import type { Viewer } from '../../src/core/base/viewer.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { until } from '../support/until.ts'

const secondMs = 1000
const viewer = (id: string, revision = 1) => ({ id, revision, ownRevision: revision }) as Viewer

/** Changes of a node that hears of all there are, and a way to make one. */
function heardVersions(): { versions: Versions; change: (table: string, id: string) => void } {
  const versions = new Versions({ up: true, onReset: () => undefined })
  let hear: (id: string, changed: readonly Slot[]) => void = () => assert.fail('nobody listens')
  versions.follow({
    listen: (topic, listener) => {
      assert.equal(topic.name, invalidationTopic.name)
      hear = listener as typeof hear
    },
    watch: () => undefined,
  })
  return { versions, change: (table, id) => hear('all', slotsOfPart(table, id)) }
}

test('writes that no answer waits for: in force here at once, and told to the others together, within a second', async () => {
  const versions = new Versions({ up: true, onReset: () => undefined })
  const told: (readonly Slot[])[] = []
  versions.tellBy({ publishElsewhere: (_kind, _id, written) => void told.push(written as readonly Slot[]) })
  const [one, other] = [slotsOfPart('fez', 'one'), slotsOfPart('fez', 'other')]
  const before = versions.of(one)
  versions.noteWritten(one)
  assert.ok((versions.of(one) as number) > (before as number))
  versions.noteWritten(other)
  versions.noteWritten(one)
  assert.equal(told.length, 0)
  const startedMs = performance.now()
  await until(() => told.length > 0, 'the others are told')
  assert.ok(performance.now() - startedMs < secondMs)
  assert.deepEqual(new Set(told[0]), new Set([...one, ...other]))
  versions.tellOthers()
  assert.equal(told.length, 1)
  // A node that stops does not keep it to itself.
  versions.noteWritten(one)
  versions.tellOthers()
  assert.deepEqual(told[1], one)
})

test('an event about an id counts for its part of each table, and for what may show any; what was not heard before, for the part alone', () => {
  const versions = new Versions({ up: true, onReset: () => undefined })
  const [[part, any], [otherPart]] = [slotsOfPart('fez', 'one'), slotsOfPart('fez', 'other')]
  const counts = () => [part, any, otherPart].map((slot) => versions.count(slot))
  versions.notePart(['fez', 'fez_post'], 'one')
  assert.deepEqual(counts(), [1, 1, 0])
  versions.noteUnheard(['fez', 'fez_post'], 'one')
  assert.deepEqual(counts(), [2, 1, 0])
})

/** Answers of one route; each is made with what `body` is then. */
function answersOf(body: () => unknown) {
  const { versions, change } = heardVersions()
  const clock = new FakeClock()
  const answers = new ResponseCache({ versions, clock, common: () => 0, maxBytes: 1_000_000 })
  const sources = sourcesOf({ tables: ['forum'] }, versions, new WrittenTables(tables).ofEveryAnswer)
  const ask = (who: Viewer): Reply<unknown> => {
    const make = () => answers.make('key', sources, who, {}, () => new Reply(200, jsonText(body())))
    return (answers.find('key', sources, who) ?? make()) as Reply<unknown>
  }
  return { ask, change, clock }
}

const textOf = ({ body }: Reply<unknown>): string => String(body)

test('ResponseCache: a change that nobody has announced shows after thirty seconds, and when the clock was set back', () => {
  let row = 'before'
  const { ask, clock } = answersOf(() => row)
  const who = viewer('a')
  assert.equal(textOf(ask(who)), '"before"')
  row = 'after'
  clock.advance(29 * secondMs)
  assert.equal(textOf(ask(who)), '"before"')
  clock.advance(secondMs)
  assert.equal(textOf(ask(who)), '"after"')
  row = 'later'
  clock.advance(-secondMs)
  assert.equal(textOf(ask(who)), '"later"')
})

test('ResponseCache: none for a channel of the same account that was made again, whatever its numbers are', () => {
  let row = 'before'
  const { ask } = answersOf(() => row)
  const [closed, open] = [viewer('a'), viewer('a')]
  assert.equal(textOf(ask(closed)), '"before"')
  row = 'after'
  assert.equal(textOf(ask(open)), '"after"')
})

test('ResponseCache: the tag of a long one is another when only its end is', () => {
  let end = 'a'
  const { ask, change } = answersOf(() => [...Array.from({ length: 1000 }, () => 'the same for all'), end])
  const who = viewer('a')
  const tags = ['a', 'b', 'a'].map((each) => {
    end = each
    change('forum', 'any')
    return ask(who).headers['ETag']
  })
  assert.notEqual(tags[0], tags[1])
  assert.equal(tags[0], tags[2])
})

/** Rows of one kind; each read waits until the test ends it, and brings what `text` is then. */
function rowsOf() {
  const { versions, change } = heardVersions()
  const clock = new FakeClock()
  const reads: ((text: string) => void)[] = []
  const rows = new LiveRows<{ text: string }>({
    versions,
    clock,
    parts: ['forum'],
    maxBytes: 1_000_000,
    bytesOf: () => 10,
    read: (ids) => new Promise((resolve) => reads.push((text) => resolve(new Map(ids.map((id) => [id, { text }]))))),
  })
  const ask = async () => (await rows.of(['a'])).get('a')?.text
  return { ask, change, clock, reads }
}

test('LiveRows: a change that nobody has announced shows after thirty seconds, and when the clock was set back', async () => {
  const { ask, clock, reads } = rowsOf()
  const [first, early] = [ask(), async () => ask()]
  reads[0]?.('before')
  assert.equal(await first, 'before')
  clock.advance(29 * secondMs)
  assert.equal(await early(), 'before')
  clock.advance(secondMs)
  const second = ask()
  assert.equal(reads.length, 2)
  reads[1]?.('after')
  assert.equal(await second, 'after')
  clock.advance(-secondMs)
  const third = ask()
  assert.equal(reads.length, 3)
  reads[2]?.('later')
  assert.equal(await third, 'later')
})

test('LiveRows: who asks after a change does not get what was being read before it, and nobody does later', async () => {
  const { ask, change, reads } = rowsOf()
  const [sooner, beside] = [ask(), ask()]
  assert.equal(reads.length, 1, 'those who ask for the same share a reading')
  change('forum', 'a')
  const later = ask()
  assert.equal(reads.length, 2)
  reads[1]?.('after')
  assert.equal(await later, 'after')
  reads[0]?.('before')
  assert.deepEqual(await Promise.all([sooner, beside]), ['before', 'before'])
  // The older reading ended last.
  const again = ask()
  reads[2]?.('after')
  assert.equal(await again, 'after')
})
