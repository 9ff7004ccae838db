// A process whose load is over gives back the memory that it does not need.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const rest = new URL('../../src/core/base/rest.js', import.meta.url).href

/** Works for a moment, then rests; prints what was given back. `live`: objects that stay; `everyMs`: between two looks. */
const run = (live: number, everyMs: number) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { giveBackAtRest } from ${JSON.stringify(rest)}
      giveBackAtRest({ debug: (figures) => { console.log(JSON.stringify(figures)); process.exit() } }, ${everyMs})
      globalThis.live = Array.from({ length: ${live} }, (_, id) => ({ id, name: 'user ' + id }))
      const end = Date.now() + 1500
      while (Date.now() < end) { Array.from({ length: 100_000 }, (_, id) => ({ id })); await new Promise(setImmediate) }
      setTimeout(() => process.exit(), ${10 * everyMs})`,
    ],
    { encoding: 'utf8' },
  )

test('a load leaves free memory in the heap: it is given back when there was nothing to do for a while', () => {
  const outcomes: string[] = []
  // V8 may have given back most of it by itself: then once more.
  const gaveBack = () => {
    // From the first resting look to the fourth it takes longer than the five seconds over which V8 counts what was allocated.
    const { stdout, stderr } = run(10_000, 1800)
    assert.equal(stderr, '')
    outcomes.push(stdout)
    const { givenBackMb, pauseMs } = JSON.parse(stdout)
    return givenBackMb >= 2 && pauseMs >= 0
  }
  assert.ok(gaveBack() || gaveBack() || gaveBack(), outcomes.join())
})

test('a large heap is left alone: collecting it would hold up the loop', () => {
  const { stdout, stderr } = run(3_000_000, 300)
  assert.deepEqual([stdout, stderr], ['', ''])
})
