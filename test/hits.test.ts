// Mentions and alertwords in forum posts: who is hit, what is counted, what sockets hear, and when it
// counts as looked at. Two nodes and a worker.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestNodes, type TestNodes } from './support/app.ts'
import type { Client, TestSocket } from './support/client.ts'
import { body, people, refused, type Person } from './support/fez.ts'
import { content, newCategory, postIn, startForum } from './support/forum.ts'
import { until } from './support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
  await nodes.startWorker()
})
after(() => nodes.stop())

/** What one node shows of hits. */
async function hits(client: Client): Promise<{ mentions: [number, number], words: Record<string, [number, number]> }> {
  const { forumMentionCount, newForumMentionCount, alertWords } = await body(client.get('/notification/user'))
  return {
    mentions: [forumMentionCount, newForumMentionCount],
    words: Object.fromEntries(alertWords.map((each: { alertword: string, forumMentionCount: number, newForumMentionCount: number }) => [each.alertword, [each.forumMentionCount, each.newForumMentionCount]])),
  }
}

/** Waits until both nodes show these numbers. */
async function shows(person: Person, mentions: [number, number], words: Record<string, [number, number]> = {}): Promise<void> {
  for (const client of person.clients) {
    let last: unknown
    await until(async () => {
      last = await hits(client)
      return JSON.stringify(last) === JSON.stringify({ mentions, words })
    }, `${JSON.stringify({ mentions, words })}`).catch((error: unknown) => assert.fail(`${String(error)}, but ${JSON.stringify(last)}`))
  }
}

const socketOf = (client: Client): Promise<TestSocket> => client.socket('/notification/socket')
const told = (socket: TestSocket): string[] => socket.frames.map(({ type, contentID }) => `${Object.keys(type).join()} ${contentID}`)
const add = (person: Person, word: string) => body(person.one.post(`/user/alertwords/add/${word}`))

/** Resolves when no job waits or is under way. */
const idle = () => until(async () => (await nodes.sql`select from outbox`).length === 0, 'all jobs are done')

describe('a mention in a forum post', () => {
  it('is counted and told once, and looked at with the list of mentions', async () => {
    const [writer, reader] = await people(nodes, {}, {}) as [Person, Person]
    const sockets = await Promise.all(reader.clients.map(socketOf))
    const { forumID, postID } = await startForum(writer.one, 'Mentions', { text: `hello @${reader.username}. and @${reader.username.toUpperCase()}` })
    const second = await postIn(writer.two, forumID, `again @${reader.username}`)
    await shows(reader, [2, 2])
    for (const socket of sockets) {
      await socket.count(2)
      assert.deepEqual(told(socket).toSorted(), [`forumMention ${postID}`, `forumMention ${second}`].toSorted())
      assert.match(socket.frames[0].info, new RegExp(`@${writer.username}`))
    }
    await body(reader.two.get('/forum/mentions'))
    assert.deepEqual(await hits(reader.one), { mentions: [2, 0], words: {} })
    assert.deepEqual(await hits(reader.two), { mentions: [2, 0], words: {} })
  })

  it('comes and goes with edits, deletions and the deletion of the forum', async () => {
    const [writer, reader, moderator] = await people(nodes, {}, {}, { level: 'moderator' }) as [Person, Person, Person]
    const { forumID } = await startForum(writer.one, 'Edits')
    const post = await postIn(writer.one, forumID, 'nobody')
    const socket = await socketOf(reader.one)
    await shows(reader, [0, 0])
    await body(writer.one.post(`/forum/post/${post}/update`, content(`now @${reader.username}`)))
    await shows(reader, [1, 1])
    await body(writer.two.post(`/forum/post/${post}/update`, content(`still @${reader.username}!`)))
    await body(writer.one.post(`/forum/post/${post}/update`, content('nobody again')))
    await shows(reader, [0, 0])
    const other = await postIn(writer.one, forumID, `@${reader.username} one`)
    await postIn(writer.one, forumID, `@${reader.username} two`)
    await shows(reader, [2, 2])
    await body(writer.two.delete(`/forum/post/${other}`), 204)
    await shows(reader, [1, 1])
    await body(moderator.one.delete(`/forum/${forumID}`), 204)
    await shows(reader, [0, 0])
    assert.equal(socket.frames.length, 3)
  })
})

describe('an alertword in a forum post', () => {
  it('is counted and told once, and looked at with a search for it', async () => {
    const [writer, reader, other] = await people(nodes, {}, {}, {}) as [Person, Person, Person]
    await Promise.all([add(reader, 'stargazing'), add(writer, 'stargazing'), add(other, 'telescope')])
    const sockets = await Promise.all(reader.clients.map(socketOf))
    const own = await socketOf(writer.one)
    const { postID } = await startForum(writer.one, 'Words', { text: 'Star-gazing!\nStargazing, stargazing' })
    await shows(reader, [0, 0], { stargazing: [1, 1] })
    await shows(writer, [0, 0], { stargazing: [1, 0] })
    await shows(other, [0, 0])
    await idle()
    for (const socket of sockets) {
      await socket.count(1)
      assert.deepEqual(told(socket), [`alertwordPost ${postID}`])
    }
    await own.flushed()
    assert.deepEqual(told(own), [])
    await body(reader.two.get('/forum/post/search?search=Stargazing'))
    assert.deepEqual(await hits(reader.one), { mentions: [0, 0], words: { stargazing: [1, 0] } })
    await body(reader.two.post('/user/alertwords/remove/stargazing'))
    assert.deepEqual(await hits(reader.one), { mentions: [0, 0], words: {} })
  })

  it('is not told to whom the category is closed', async () => {
    const [writer, reader, moderator] = await people(nodes, { level: 'moderator' }, {}, { level: 'moderator' }) as [Person, Person, Person]
    await Promise.all([add(reader, 'secretplan'), add(moderator, 'secretplan')])
    await startForum(writer.one, 'Closed', { category: await newCategory(nodes, { viewLevel: 'moderator' }), text: `secretplan @${reader.username} @${moderator.username}` })
    await shows(moderator, [1, 1], { secretplan: [1, 1] })
    await idle()
    await shows(reader, [0, 0])
  })
})

describe('GET /notification/hashtags/:search_string', () => {
  it('completes hashtags of posts, in order, for everybody', async () => {
    const [writer] = await people(nodes, {}) as [Person]
    await startForum(writer.one, 'Tags', { text: '#Qdab #qdabc! #qdab9-x x#qdabno #qdabé' })
    const list = (beginning: string) => body(nodes.client().get(`/notification/hashtags/${encodeURIComponent(beginning)}`))
    assert.deepEqual(await list('qdab'), ['qdab9', 'qdabc', 'qdabé'])
    assert.deepEqual(await list('#Qd'), ['Qdab'])
    for (const wrong of ['##qd', 'a-b', '#', 'a b', 'x'.repeat(50)]) await refused(nodes.client().get(`/notification/hashtags/${encodeURIComponent(wrong)}`), 400)
  })
})
