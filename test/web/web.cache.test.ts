// The answers that the browser app keeps: which of them may be shown when they change while they are asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cache, isOld, type Entry } from '../../src/web/cache.ts'
import { until } from '../support/until.ts'

const key = ['chat', '1']

/** A question whose answers the test gives. */
function asked(cache: Cache): { entry: Entry<string>; questions: ((answer: string) => void)[] } {
  const questions: ((answer: string) => void)[] = []
  const entry = cache.entry<string>(key)
  entry.read = () => new Promise((resolve) => questions.push(resolve))
  return { entry, questions }
}

test('an answer that was changed here while it was under way is asked for again, three times at most', async () => {
  const cache = new Cache()
  const { entry, questions } = asked(cache)
  cache.setQueryData(key, 'first')
  const reading = cache.read(entry)
  for (const round of [1, 2, 3]) {
    await until(() => questions.length === round, `question ${round}`)
    cache.setQueryData(key, `change ${round}`)
    questions.at(-1)?.(`answer ${round}`)
  }
  await reading
  // It is still older than the last change.
  assert.deepEqual([entry.data, questions.length, entry.isStale], ['answer 3', 3, true])
})

test('a change of what is not there yet: the answer under way is older, and asked for again', async () => {
  const cache = new Cache()
  const { entry, questions } = asked(cache)
  const reading = cache.read(entry)
  await until(() => questions.length === 1, 'the question')
  cache.setQueryData<string>(key, (before) => before && `${before}, changed`)
  questions[0]?.('before the change')
  await until(() => questions.length === 2, 'the second question')
  questions[1]?.('after the change')
  await reading
  assert.equal(entry.data, 'after the change')
})

test('what is forgotten while it is asked for is not shown by an older answer, however often it has changed before', async () => {
  const shown: unknown[] = []
  const cache = new Cache(({ data }) => shown.push(data))
  const { entry, questions } = asked(cache)
  cache.setQueryData(key, 'first')
  const reading = cache.read(entry)
  for (const round of [1, 2]) {
    await until(() => questions.length === round, `question ${round}`)
    cache.setQueryData(key, `change ${round}`)
    questions.at(-1)?.(`answer ${round}`)
  }
  await until(() => questions.length === 3, 'question 3')
  cache.forget({ queryKey: key })
  questions[2]?.('from before it was hidden')
  await until(() => questions.length === 4, 'question 4')
  assert.equal(entry.data, undefined)
  questions[3]?.('without it')
  await reading
  assert.deepEqual(shown, ['first', 'change 1', 'change 2', 'without it'])
})

test('the next page of a list is added to what is there then, not to what was forgotten and read again meanwhile', async () => {
  const cache = new Cache()
  const add = (before: string, more: string) => `${before} ${more}`
  cache.setQueryData(key, 'one')
  const second = cache.extend(key, () => Promise.resolve('two'), add)
  cache.setQueryData(key, 'ONE')
  await second
  assert.equal(cache.getQueryData(key), 'ONE two')
  const third = cache.extend(key, () => Promise.resolve('three, from before it was hidden'), add)
  cache.forget({ queryKey: key })
  cache.setQueryData(key, 'one two')
  await third
  assert.equal(cache.getQueryData(key), 'one two')
})

test('an answer from before the clock of the device was set back is old', () => {
  const cache = new Cache()
  cache.setQueryData(key, 'answer')
  const entry = cache.entry(key)
  entry.isStale = false
  assert.equal(isOld(entry, 20_000), false)
  entry.dataUpdatedAt += 60 * 60_000
  assert.equal(isOld(entry, 20_000), true)
})
