// Creates that are repeated with the same Idempotency-Key.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createAccount, testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { body, refused } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { storedImage } from '../support/images.ts'
import { write } from '../support/microblog.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const fez = { fezType: 'gaming', title: 'A title', info: 'Some info', minCapacity: 0, maxCapacity: 0, initialUsers: [] }

/** One user's clients of both nodes. */
async function newUser(): Promise<[Client, Client]> {
  const { token } = await createAccount(nodes.sql)
  return [nodes.client(token, 0), nodes.client(token, 1)]
}

const create = (client: Client, key: string, body: object = fez) =>
  client.post('/fez/create', body, { headers: { 'idempotency-key': key } })
const owned = async (client: Client) => (await client.get('/fez/owner')).body.paginator.total as number

test('POST /fez/create with an Idempotency-Key: at once on two nodes, one chat and one answer', async () => {
  const [here, there] = await newUser()
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index % 2 === 0 ? here : there, key)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ body }) => body.fezID)).size, 1)
  for (const { body } of answers) assert.deepEqual(body, answers[0]?.body)
  assert.equal(await owned(here), 1)
})

test('POST /fez/create with an Idempotency-Key: repeated later, the same answer and no second chat', async () => {
  const [here, there] = await newUser()
  const key = randomUUID()
  const [first, second] = [await create(here, key), await create(there, key)]
  assert.deepEqual([second.status, second.body.fezID], [201, first.body.fezID])
  assert.equal(await owned(there), 1)
})

test('POST /fez/create with an Idempotency-Key: another body is refused with 422', async () => {
  const [here, there] = await newUser()
  const key = randomUUID()
  assert.equal((await create(here, key)).status, 201)
  assert.equal((await create(there, key, { ...fez, title: 'Another' })).status, 422)
  assert.equal(await owned(here), 1)
})

test('POST /fez/create with an Idempotency-Key: another user and another key are independent', async () => {
  const [[first], [second]] = [await newUser(), await newUser()]
  const key = randomUUID()
  const ids = [await create(first, key), await create(second, key), await create(first, randomUUID())].map(
    ({ body }) => body.fezID as string,
  )
  assert.equal(new Set(ids).size, 3)
})

test('POST /fez/create with an Idempotency-Key: a refused attempt does not use the key up', async () => {
  const [here] = await newUser()
  const key = randomUUID()
  assert.equal((await create(here, key, { ...fez, title: 'x' })).status, 400)
  assert.equal((await create(here, key)).status, 201)
})

test('a post with a picture, repeated with its Idempotency-Key, is answered although nobody may post there any more', async () => {
  const [here, there] = await newUser()
  const moderator = nodes.client((await createAccount(nodes.sql, { level: 'moderator' })).token)
  const post = { text: 'a picture', images: [{ filename: storedImage(nodes) }] }
  const fezID = (await body(here.post('/fez/create', fez), 201)).fezID as string
  const { forumID } = await startForum(here, 'A forum with pictures')
  const asked = await write(moderator, 'Who has a picture?')
  for (const [path, close] of [
    [`/fez/${fezID}/post`, () => moderator.post(`/mod/fez/${fezID}/setstate/locked`)],
    [`/forum/${forumID}/create`, () => moderator.post(`/mod/forum/${forumID}/setstate/locked`)],
    [`/microblog/${asked}/reply`, () => moderator.delete(`/microblog/${asked}`)],
  ] as const) {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await body(here.post(path, post, { headers }), 201)
    assert.ok((await close()).status < 300)
    assert.ok((await here.post(path, { ...post, text: 'another' })).status >= 400)
    const second = await body(there.post(path, post, { headers }), 201)
    for (const field of ['postID', 'twarrtID', 'images', 'image']) assert.deepEqual(second[field], first[field], `${path} ${field}`)
  }
})

test('POST /user/password, repeated with its Idempotency-Key after its answer was lost, is answered; without, the password is wrong', async () => {
  const [here, there] = await newUser()
  const change = { currentPassword: testPassword, newPassword: 'another password' }
  const headers = { 'idempotency-key': randomUUID() }
  await body(here.post('/user/password', change, { headers }), 201)
  await body(there.post('/user/password', change, { headers }), 201)
  assert.match(await refused(there.post('/user/password', change), 400), /wrong/)
  await body(there.post('/user/password', { currentPassword: 'another password', newPassword: testPassword }), 201)
})

test('POST /fez/create with an unusable Idempotency-Key: 400', async () => {
  const [here] = await newUser()
  for (const key of ['a b', 'a'.repeat(201)]) assert.equal((await create(here, key)).status, 400, key)
  assert.equal((await create(here, '')).status, 201)
  assert.equal(await owned(here), 1)
})
