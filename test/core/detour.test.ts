// A server that is cut off from Redis alone, and from neither Postgres nor its phones: what is done through it counts at the other
// server, which hears of it by way of Postgres.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, createChat, people, say, type Person } from '../support/fez.ts'
import { linkTo, type Link } from '../support/link.ts'
import { listed, write } from '../support/microblog.ts'
import { until } from '../support/until.ts'

interface Case {
  nodes: TestNodes
  /** Between the first server and Redis. */
  link: Link
  ann: Person
  bob: Person
  fezID: string
}

/** Ann owns a chat with Bob; the other server has it and both of them in memory. */
async function newCase(t: TestContext): Promise<Case> {
  const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
  const link = await linkTo(t, redisUrl)
  const nodes = await startTestNodes(2, { redisUrls: [link.url, redisUrl] })
  t.after(async () => {
    link.mend()
    await nodes.stop()
  })
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(ann.one, { initialUsers: [bob.id] })
  const at = { nodes, link, ann, bob, fezID }
  assert.equal(await isMember(at), true)
  return at
}

const isMember = async ({ bob, fezID }: Case) => {
  const { status, body: fez } = await bob.two.get(`/fez/${fezID}`)
  return status === 200 && (fez as { members?: object }).members !== undefined
}
const remove = async ({ ann, bob, fezID }: Case) => await body(ann.one.post(`/fez/${fezID}/user/${bob.id}/remove`))

test('whoever is removed through a server that was just cut off from Redis is out at the other one when that is answered', async (t) => {
  const at = await newCase(t)
  at.link.cut()
  await remove(at)
  assert.equal(await isMember(at), false)
})

test('the same when nothing arrives any more, and nobody is told', async (t) => {
  const at = await newCase(t)
  at.link.freeze()
  await remove(at)
  assert.equal(await isMember(at), false)
})

test('long after a server was cut off from Redis, a block through it is in force at the other one when it is answered', async (t) => {
  const at = await newCase(t)
  const { ann, bob, link } = at
  const twarrtID = await write(bob.one, 'Land ho')
  const sees = async () => (await listed(ann.two, '')).includes(twarrtID)
  await until(sees, 'the post is at the other server')
  link.cut()
  // The other one has given it up by now.
  await remove(at)
  await block(ann, bob)
  assert.equal(await sees(), false)
})

test('posts through a server that is cut off from Redis come to sockets at the other one, each once', async (t) => {
  const { ann, bob, fezID, link } = await newCase(t)
  const socket = await bob.two.socket(`/fez/${fezID}/socket`)
  await say(ann.one, fezID, 'Post 0')
  link.cut()
  const texts = ['Post 1', 'Post 2', 'Post 3']
  for (const text of texts) await say(ann.one, fezID, text)
  await socket.count(4)
  link.mend()
  await say(ann.two, fezID, 'Post 4')
  await socket.count(5)
  await socket.flushed()
  assert.deepEqual(
    socket.frames.map(({ text }) => text),
    ['Post 0', ...texts, 'Post 4'],
  )
})
