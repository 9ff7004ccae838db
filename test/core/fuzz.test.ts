// All routes, called with whatever their declarations allow and forbid, by all kinds of callers. `npm run
// fuzz` does the same with other seeds and for longer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/features.ts'
import { fuzz, fuzzLargest, fuzzPagesAndSockets } from '../fuzz/fuzzer.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { knownImage, storedImage } from '../support/images.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1, { workers: 1, env: { WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' } })
  storedImage(nodes, knownImage)
})
after(() => nodes.stop())

test('5,000 requests: no faults, no hangs, no secrets, and what is hidden looks like what is missing', async () => {
  const { succeeded, twins, statuses } = await fuzz(nodes, { requests: 5000, seed: 1 })
  assert.ok(twins > 200, `only ${twins} comparisons of hidden and missing things`)
  // A fuzzer that is always refused at the door finds nothing.
  assert.ok(
    succeeded.size > routes.length * 0.5,
    `only ${succeeded.size} of ${routes.length} routes were ever called with success: ${JSON.stringify(statuses)}`,
  )
})

test('the largest texts that can be sent', async () => {
  assert.ok((await fuzzLargest(nodes)) > 300)
})

test('pages outside of the API, upgrades to sockets, and credentials of all forms', () =>
  fuzzPagesAndSockets(nodes, { requests: 1000, seed: 1 }))
