// What is small, or allowed, and costs much where it is unpacked or parsed as a whole, sent to routes that take a body. `npm
// run fuzz` sends all of it to every route.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fuzzBombs } from '../fuzz/fuzzer.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { knownImage, storedImage } from '../support/images.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1, { workers: 1, env: { WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' } })
  storedImage(nodes, knownImage)
})
after(() => nodes.stop())

test('bodies that cost much if they are read as a whole', async () => {
  assert.ok((await fuzzBombs(nodes, { every: 10 })) > 100)
})
