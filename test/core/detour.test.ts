// A server that is cut off from Redis alone, and from neither Postgres nor its phones: what is done through it counts at the other
// server, which hears of it by way of Postgres.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startTestNodes } from '../support/app.ts'
import { block, body, createChat, mute, people, say, type Person } from '../support/fez.ts'
import { linkTo, type Link } from '../support/link.ts'
import { listed, write } from '../support/microblog.ts'
import { until } from '../support/until.ts'

interface Case {
  /** Between the first server and Redis. */
  link: Link
  ann: Person
  bob: Person
  carol: Person
  fezID: string
}

/** Ann owns a chat with Bob; the other server has it and both of them in memory. */
async function newCase(t: TestContext, { cutsBoth = false } = {}): Promise<Case> {
  const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
  const link = await linkTo(t, redisUrl)
  const nodes = await startTestNodes(2, { redisUrls: [link.url, cutsBoth ? link.url : redisUrl] })
  t.after(async () => {
    link.mend()
    await nodes.stop()
  })
  const [ann, bob, carol] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(ann.one, { initialUsers: [bob.id] })
  const at = { link, ann, bob, carol, fezID }
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

test('whoever is removed through a server whose link to Redis is frozen is out at the other one when that is answered', async (t) => {
  const at = await newCase(t)
  at.link.freeze()
  await remove(at)
  assert.equal(await isMember(at), false)
})

/** Cuts the first server off for so long that the other one has given it up, and has read everything again. */
async function cutForLong({ link, ann, carol }: Case): Promise<void> {
  link.cut()
  await mute(ann, carol)
}

test('long after a server was cut off from Redis, a block through it is in force at the other one when it is answered', async (t) => {
  const at = await newCase(t)
  const { ann, bob } = at
  const twarrtID = await write(bob.one, 'Land ho')
  const sees = async () => (await listed(ann.two, '')).includes(twarrtID)
  await until(sees, 'the post is at the other server')
  await cutForLong(at)
  await block(ann, bob)
  assert.equal(await sees(), false)
})

test('posts through a server that is cut off from Redis come to sockets at the other one, each once', async (t) => {
  const at = await newCase(t)
  const { ann, bob, fezID, link } = at
  const socket = await bob.two.socket(`/fez/${fezID}/socket`)
  await say(ann.one, fezID, 'Post 0')
  await cutForLong(at)
  const texts = ['Post 1', 'Post 2', 'Post 3']
  for (const text of texts) await say(ann.one, fezID, text)
  // Sooner than the other server reads everything again, for the statements of one that has died.
  await until(() => socket.frames.length >= 4, 'the posts arrive', 6000)
  link.mend()
  await say(ann.two, fezID, 'Post 4')
  await socket.count(5)
  await socket.flushed()
  assert.deepEqual(
    socket.frames.map(({ text }) => text),
    ['Post 0', ...texts, 'Post 4'],
  )
})

test('where all servers are cut off from Redis, a change is in force when it is answered, and nobody is waited for', async (t) => {
  const at = await newCase(t, { cutsBoth: true })
  await cutForLong(at)
  const beganMs = performance.now()
  await remove(at)
  // As long as it takes until a server that looks for frames trusts nothing any more.
  assert.ok(performance.now() - beganMs < 1500)
  assert.equal(await isMember(at), false)
})
