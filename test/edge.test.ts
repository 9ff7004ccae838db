// The HTTP edge: what every route has in common, and what hostile clients send.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from './support/app.ts'

let nodes: TestNodes
before(async () => { nodes = await startTestNodes() })
after(() => nodes.stop())

test('GET /client/health: says that the stores answer', async () => {
  const answer = await nodes.client().get('/client/health')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { status: 200, reason: 'OK', error: false })
})

test('unknown path: 404 with an ErrorResponse', async () => {
  const answer = await nodes.client().get('/no/such/path')
  assert.equal(answer.status, 404)
  assert.deepEqual(answer.body, { error: true, status: 404, reason: 'Nothing exists at this path.' })
})

test('GET /notification/user: answers without a login', async () => {
  const answer = await nodes.client().get('/notification/user')
  assert.equal(answer.status, 200)
  assert.equal(answer.body.newFezMessageCount, 0)
})
