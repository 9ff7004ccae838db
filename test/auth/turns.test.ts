// Whose password is hashed next: first come, first served, no address before another, and nobody waits in vain.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turns, type Claim, type Lane } from '../../src/auth/turns.ts'
import { AppError } from '../../src/core/base/errors.ts'

const hashMs = 5

interface Refused {
  label: string
  status: number
  retryAfterSeconds: number
  atMs: number
}

interface Added {
  /** It is for a name that nobody has. */
  isDecoy?: boolean
  hashes?: number
}

type Add = (label: string, claim: Claim, options?: Added) => void

/** Places that are taken; what waits for them is done, one after another, each in a time that is measured. */
async function inOrder(fill: (add: Add, pass: (ms: number) => void) => void, { places = 1, tookMs = hashMs } = {}) {
  let nowMs = 0
  const turns = new Turns(places, () => nowMs)
  // What it knows of times.
  for (let before = 0; before < 50; before++)
    await turns.run(known('before'), async () => {
      nowMs += tookMs
    })
  const done: string[] = []
  const waitsMs = new Map<string, number>()
  const refused: Refused[] = []
  const releases: (() => void)[] = []
  const held = Array.from({ length: places }, () =>
    turns.run(known('the one at work'), () => new Promise<void>((resolve) => releases.push(resolve))),
  )
  const all: Promise<void>[] = []
  fill(
    (label, claim, { isDecoy = false, hashes = 1 } = {}) => {
      const addedMs = nowMs
      const work = async () => {
        waitsMs.set(label, nowMs - addedMs)
        nowMs += tookMs * hashes
        done.push(label)
      }
      const idle = async (waitMs: number) => {
        waitsMs.set(label, waitMs)
        done.push(`idle ${label}`)
      }
      all.push(
        turns.run(claim, work, { hashes, ...(isDecoy && { instead: idle }) }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
          refused.push({ label, status: error.status, retryAfterSeconds: error.retryAfterSeconds ?? 0, atMs: nowMs - addedMs })
        }),
      )
    },
    (ms) => {
      nowMs += ms
    },
  )
  for (const release of releases) release()
  await Promise.all([...held, ...all])
  return { done, refused, waitsMs }
}

const by = (lane: Lane) => (from: string) => ({ lane, from })
const [known, stranger, newcomer] = [by('known'), by('stranger'), by('newcomer')]
const ofLabel = (done: readonly string[], start: string) => done.filter((each) => each.startsWith(start))

describe('turns', () => {
  for (const claim of [known, stranger, newcomer])
    it(`come in the order in which people came: ${claim('').lane}`, async () => {
      const { done } = await inOrder((add) => {
        for (let index = 0; index < 300; index++) add(`${index}`, claim('10.0.0.1'))
      })
      assert.deepEqual(
        done,
        Array.from({ length: 300 }, (_, index) => `${index}`),
      )
    })

  it('go round the addresses, however much one of them sends', async () => {
    const { done } = await inOrder((add) => {
      for (let index = 0; index < 1000; index++) add(`flood ${index}`, stranger('10.0.0.1'))
      add('Ann', stranger('10.0.0.2'))
      add('Bob', stranger('10.0.0.3'))
    })
    assert.equal(done.length, 1002)
    assert.ok(done.indexOf('Ann') <= 2 && done.indexOf('Bob') <= 2, done.slice(0, 5).join())
    assert.ok(done.indexOf('Ann') < done.indexOf('Bob'), 'first come, first served')
  })

  it('of those who were there before are every second one, and those of newcomers every fourth', async () => {
    const { done } = await inOrder((add) => {
      for (const lane of ['newcomer', 'stranger', 'known'] as const)
        for (let index = 0; index < 100; index++) add(`${lane} ${index}`, { lane, from: '10.0.0.1' })
    })
    for (const [lane, share] of [
      ['known', 20],
      ['stranger', 10],
      ['newcomer', 10],
    ] as const)
      assert.deepEqual(
        ofLabel(done.slice(0, 40), lane),
        Array.from({ length: share }, (_, index) => `${lane} ${index}`),
      )
  })

  it('are no one else’s while nobody else waits', async () => {
    const { done } = await inOrder((add) => {
      for (let index = 0; index < 10; index++) add(`newcomer ${index}`, newcomer('10.0.0.1'))
      for (let index = 0; index < 10; index++) add(`known ${index}`, known('10.0.0.1'))
    })
    assert.equal(done.length, 20)
    assert.equal(ofLabel(done.slice(0, 15), 'known').length, 10)
  })

  it('cost names that nobody has nothing in a crowd: who came with them waits for a few', async () => {
    for (const place of [0, 500, 999]) {
      const { done } = await inOrder((add) => {
        for (let index = 0; index < 1000; index++) {
          if (index === place) add('Ann', stranger('10.0.0.1'))
          add(`nobody ${index}`, stranger('10.0.0.1'), { isDecoy: true })
        }
      })
      const before = done.slice(0, done.indexOf('Ann')).filter((each) => !each.startsWith('idle')).length
      assert.ok(before <= 10, `${before} before her at place ${place}`)
    }
  })

  it('of names that nobody has take as long in a crowd as those of others', async () => {
    const { waitsMs } = await inOrder((add) => {
      for (let index = 0; index < 200; index++) add(`wrong ${index}`, stranger('10.0.0.1'))
      add('nobody', stranger('10.0.0.1'), { isDecoy: true })
      add('somebody', stranger('10.0.0.1'))
    })
    assert.deepEqual([waitsMs.get('nobody'), waitsMs.get('somebody')], [200 * hashMs, 200 * hashMs])
  })

  it('are the same for all names where there is no crowd', async () => {
    const { done } = await inOrder((add) => {
      for (let index = 0; index < 10; index++) add(`nobody ${index}`, stranger('10.0.0.1'), { isDecoy: true })
    })
    assert.ok(done.every((each) => !each.startsWith('idle')))
  })

  it('that would come too late are refused at once, and after the time that is said there is room', async () => {
    const { done, refused } = await inOrder(
      (add) => {
        for (let index = 0; index < 1000; index++) add(`crowd ${index}`, newcomer('10.0.0.1'), { hashes: 2 })
        add('Ann', newcomer('10.0.0.2'))
        add('Bob', known('10.0.0.1'))
        add('Eve', stranger('10.0.0.1'))
      },
      { tookMs: 4.99 },
    )
    // Eight seconds are 801 accounts of two hashes.
    assert.deepEqual(ofLabel(done, 'crowd').length, 802)
    assert.equal(refused.length, 198)
    for (const { status, retryAfterSeconds, atMs } of refused) assert.deepEqual([status, retryAfterSeconds, atMs], [429, 9, 0])
    for (const name of ['Ann', 'Bob', 'Eve']) assert.ok(done.slice(0, 8).includes(name), `${name} need not wait for the crowd`)
  })

  it('come sooner with more places', async () => {
    const { refused } = await inOrder(
      (add) => {
        for (let index = 0; index < 2000; index++) add(`${index}`, stranger('10.0.0.1'))
      },
      { places: 2 },
    )
    assert.equal(refused.length, 0)
  })

  it('are refused by what hashes take on this machine', async () => {
    const { done, refused } = await inOrder(
      (add) => {
        for (let index = 0; index < 1000; index++) add(`${index}`, newcomer('10.0.0.1'))
      },
      { tookMs: 99 },
    )
    assert.deepEqual([done.length, refused.length], [81, 919])
  })

  it('count what waits in other lanes by its share alone', async () => {
    const { refused } = await inOrder((add) => {
      for (let index = 0; index < 1500; index++) add(`newcomer ${index}`, newcomer('10.0.0.1'))
      for (let index = 0; index < 500; index++) add(`known ${index}`, known('10.0.0.1'))
    })
    assert.deepEqual(refused, [])
  })

  it('that do not come in ten seconds after all are given up', async () => {
    const { done, refused, waitsMs } = await inOrder((add, pass) => {
      for (let index = 0; index < 700; index++) add(`old ${index}`, stranger('10.0.0.1'))
      pass(7000)
      for (let index = 0; index < 700; index++) add(`late ${index}`, stranger('10.0.0.2'))
    })
    assert.ok(refused.length > 0)
    assert.ok(
      refused.every(
        ({ label, status, retryAfterSeconds, atMs }) =>
          label.startsWith('old') && status === 429 && retryAfterSeconds > 0 && atMs <= 10_000 + hashMs,
      ),
    )
    assert.equal(done.length + refused.length, 1400)
    for (const [label, waitMs] of waitsMs) assert.ok(waitMs <= 10_000 + hashMs, `${label} has waited ${waitMs} ms`)
  })

  it('are refused when too many wait: those of where most come', async () => {
    const { done, refused } = await inOrder(
      (add) => {
        add('Ann', stranger('10.0.0.2'))
        for (let index = 0; index < 2500; index++) add(`flood ${index}`, stranger('10.0.0.1'))
        add('Bob', stranger('10.0.0.3'))
      },
      { tookMs: 1 },
    )
    assert.ok(done.includes('Ann') && done.includes('Bob'))
    assert.equal(refused.length, 502)
    assert.ok(refused.every(({ label, status, retryAfterSeconds }) => label.startsWith('flood') && status === 429 && retryAfterSeconds > 0))
  })

  it('of many who come again and again are fair: nobody waits for longer than all others together take', async () => {
    let nowMs = 0
    const turns = new Turns(1, () => nowMs)
    const waitsMs: number[] = []
    const people = 64
    const person = async () => {
      for (let times = 0; times < 20; times++) {
        const cameMs = nowMs
        await turns.run(
          newcomer('10.0.0.1'),
          async () => {
            waitsMs.push(nowMs - cameMs)
            nowMs += 2 * hashMs
            await Promise.resolve()
          },
          { hashes: 2 },
        )
      }
    }
    await Promise.all(Array.from({ length: people }, person))
    assert.ok(Math.max(...waitsMs) <= people * 2 * hashMs, `${Math.max(...waitsMs)} ms`)
  })
})
