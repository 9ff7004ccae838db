// What concerns one person alone goes to the servers that have them, and waits for no others.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Redis } from 'ioredis'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { until } from '../support/until.ts'

const redisPrefix = `t${randomBytes(6).toString('hex')}`
const acknowledgements = `${redisPrefix}:bus:ack:`
let nodes: TestNodes
let redis: Redis
let listening: Redis
before(async () => {
  nodes = await startTestNodes(4, { redisPrefix })
  redis = new Redis(process.env['TEST_REDIS_URL'] as string)
  listening = redis.duplicate()
  await listening.psubscribe(`${acknowledgements}*`)
})
after(async () => {
  redis.disconnect()
  listening.disconnect()
  await nodes.stop()
})

let ends = 0

/** How many other servers something waits for. */
async function waitedFor(work: () => Promise<unknown>): Promise<number> {
  const end = `end ${++ends}`
  let count = 0
  let isOver = () => {}
  const over = new Promise<void>((resolve) => (isOver = resolve))
  const hear = (_pattern: string, _channel: string, message: string) => void (message === end ? isOver() : count++)
  listening.on('pmessage', hear)
  await work()
  // Behind all that was waited for.
  await redis.publish(acknowledgements, end)
  await over
  listening.off('pmessage', hear)
  return count
}

/** What somebody reads, marks and hides, which others are not shown. */
async function deedsOf(reader: Client, writer: Person, other: Person): Promise<Record<string, () => Promise<unknown>>> {
  const { forumID } = await startForum(writer.one, 'To be read')
  const [game] = (await body(reader.get('/boardgames?limit=1'))).gameArray
  const [song] = (await body(reader.get('/karaoke?search=a&limit=1'))).songs
  return {
    'a forum is opened': () => body(reader.get(`/forum/${forumID}`)),
    'a forum is muted': () => body(reader.post(`/forum/${forumID}/mute`), 201),
    'a game is a favorite': () => body(reader.post(`/boardgames/${game.gameID}/favorite`), 201),
    'a song is a favorite': () => body(reader.post(`/karaoke/${song.songID}/favorite`), 201),
    'somebody is muted': () => body(reader.post(`/users/${other.id}/mute`), 201),
  }
}

test('what a person reads and marks concerns the servers that have them', async () => {
  const [writer, reader, elsewhere, other] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const client = reader.clients[1] as Client
  for (const [what, deed] of Object.entries(await deedsOf(client, writer, other))) assert.equal(await waitedFor(deed), 0, what)
  // With the third and the fourth, too, which have them in memory.
  for (const each of elsewhere.clients.slice(1)) await body(each.get('/user/whoami'))
  const second = elsewhere.clients[1] as Client
  for (const [what, deed] of Object.entries(await deedsOf(second, writer, other))) assert.equal(await waitedFor(deed), 2, what)
})

test('opening a chat concerns the servers that have the person', async () => {
  const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(writer.one, [reader])
  await say(writer.one, chat, 'To be read')
  const [, second, third] = reader.clients as [Client, Client, Client]
  assert.equal(await waitedFor(() => body(second.get(`/fez/${chat}`))), 0)
  await body(third.get('/user/whoami'))
  await say(writer.one, chat, 'To be read as well')
  const members = async () => (await body(second.get('/fez/joined'))).fezzes[0].members
  await until(async () => (await members()).postCount > (await members()).readCount, 'it is there')
  assert.equal(await waitedFor(() => body(second.get(`/fez/${chat}`))), 1)
})

test('whoever has read, marked or hidden something sees that at once by way of every server', async () => {
  const [writer, reader, other] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID } = await startForum(writer.one, 'To be read everywhere')
  await body(other.one.post(`/forum/${forumID}/create`, { text: 'by somebody else', images: [] }), 201)
  const categoryId = (await body(reader.one.get(`/forum/${forumID}`))).categoryID
  const shown = async (client: Client) => {
    const found = (await body(client.get(`/forum/categories/${categoryId}`))).forumThreads.find(
      (forum: { forumID: string }) => forum.forumID === forumID,
    )
    return [found.readCount, found.postCount, found.isMuted]
  }
  for (const client of reader.clients) assert.deepEqual(await shown(client), [2, 2, false])
  for (const [at, client] of reader.clients.entries()) {
    await body(other.one.post(`/forum/${forumID}/create`, { text: `post ${at}`, images: [] }), 201)
    assert.deepEqual(await shown(client), [2 + at, 3 + at, false])
    await body(client.get(`/forum/${forumID}`))
    for (const each of reader.clients) assert.deepEqual(await shown(each), [3 + at, 3 + at, false], `marked by server ${at}`)
  }
  await body(reader.one.post(`/forum/${forumID}/mute`), 201)
  for (const each of reader.clients) assert.equal((await shown(each))[2], true)
  // Of five posts by others, the writer's first one is left.
  await block(reader, other)
  for (const each of reader.clients) assert.deepEqual((await shown(each)).slice(0, 2), [1, 1])
})

test('what others are shown of a person is right on servers that do not have that person, too', async () => {
  const [writer, reader] = (await people(nodes, { displayName: 'Before' }, {})) as [Person, Person]
  const { forumID } = await startForum(writer.one, 'By somebody')
  const shown = async () => (await body(reader.two.get(`/forum/${forumID}`))).creator.displayName
  assert.equal(await shown(), 'Before')
  const { header: _none, ...profile } = await body(writer.one.get('/user/profile'))
  await body(writer.one.post('/user/profile', { ...profile, displayName: 'After' }))
  assert.equal(await shown(), 'After')
})
