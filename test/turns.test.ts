// Whose password is checked next: no address stands before another, nobody waits behind what need not be done.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turns, type Claim } from '../src/auth/turns.ts'
import { AppError } from '../src/core/errors.ts'

/** One place that is taken; what waits for it is done, one after another, when it is given back. */
async function inOrder(fill: (add: (label: string, claim: Claim, isDecoy?: boolean) => void) => void) {
  const turns = new Turns(1)
  const done: string[] = []
  const refused: { label: string; status: number; retryAfterSeconds: number | undefined }[] = []
  let release = () => {}
  const held = turns.run({ lane: 'known', from: 'the one at work' }, () => new Promise<void>((resolve) => (release = resolve)))
  const all: Promise<void>[] = []
  fill((label, claim, isDecoy = false) => {
    const note = (how: string) => async () => void done.push(how + label)
    all.push(
      turns.run(claim, note(''), isDecoy ? note('idle ') : undefined).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
        refused.push({ label, status: error.status, retryAfterSeconds: error.retryAfterSeconds })
      }),
    )
  })
  release()
  await Promise.all([held, ...all])
  return { done, refused }
}

const stranger = (from: string): Claim => ({ lane: 'stranger', from })
const known = (from: string): Claim => ({ lane: 'known', from })

describe('turns', () => {
  it('go round the addresses, however much one of them sends', async () => {
    const { done } = await inOrder((add) => {
      for (let index = 0; index < 1000; index++) add(`flood ${index}`, stranger('10.0.0.1'))
      add('Ann', stranger('10.0.0.2'))
      add('Bob', stranger('10.0.0.3'))
    })
    assert.equal(done.length, 1002)
    assert.ok(done.indexOf('Ann') <= 2 && done.indexOf('Bob') <= 2, done.slice(0, 5).join())
  })

  it('are first for those who were there before, in order, and go round their addresses too', async () => {
    const { done } = await inOrder((add) => {
      for (let index = 0; index < 100; index++) add(`stranger ${index}`, stranger('10.0.0.1'))
      for (let index = 0; index < 100; index++) add(`known ${index}`, known('10.0.0.1'))
      add('Ann', known('10.0.0.2'))
    })
    assert.deepEqual(done.slice(0, 4), ['known 0', 'Ann', 'known 1', 'known 2'])
    assert.equal(done[101], 'stranger 99', 'of strangers at one address the newest')
  })

  it('cost names that nobody has nothing in a crowd: who came with them waits for a few', async () => {
    for (const place of [0, 500, 999]) {
      const { done } = await inOrder((add) => {
        for (let index = 0; index < 1000; index++) {
          if (index === place) add('Ann', stranger('10.0.0.1'))
          add(`nobody ${index}`, stranger('10.0.0.1'), true)
        }
      })
      const before = done.slice(0, done.indexOf('Ann')).filter((each) => !each.startsWith('idle')).length
      assert.ok(before <= 10, `${before} before her at place ${place}`)
    }
  })

  it('are the same for all names where there is no crowd', async () => {
    const { done } = await inOrder((add) => {
      for (let index = 0; index < 10; index++) add(`nobody ${index}`, stranger('10.0.0.1'), true)
    })
    assert.ok(done.every((each) => !each.startsWith('idle')))
  })

  it('are refused when too many wait: 429 with Retry-After, for those from where most come', async () => {
    const { done, refused } = await inOrder((add) => {
      add('Ann', stranger('10.0.0.2'))
      for (let index = 0; index < 2000; index++) add(`flood ${index}`, stranger('10.0.0.1'))
      for (let index = 0; index < 600; index++) add(`known ${index}`, known('10.0.0.1'))
      add('Bob', known('10.0.0.2'))
    })
    assert.ok(done.includes('Ann') && done.includes('Bob'))
    assert.equal(refused.length, 2601 + 1 - 1500 - 500)
    assert.ok(refused.every(({ status, retryAfterSeconds }) => status === 429 && (retryAfterSeconds ?? 0) > 0))
  })
})
