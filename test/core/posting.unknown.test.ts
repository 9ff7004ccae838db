// Writes whose answer from Postgres is lost: nobody knows whether they are there, so they are never made again by the server.
// A client that repeats its request with the same Idempotency-Key gets what was written, once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, createChat, lfg, people, type Person } from '../support/fez.ts'
import { content, startForum } from '../support/forum.ts'
import { hold } from '../support/locks.ts'
import { linkToPostgres, type PostgresLink } from '../support/postgres-link.ts'
import { isQuiet } from '../support/statements.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let link: PostgresLink
/** How many writes have come to the first server so far. */
let arrived = 0
const cleanups: (() => unknown)[] = []
before(async () => {
  const t = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) } as Pick<TestContext, 'after'>
  nodes = await startTestNodes(2, {
    overDatabase: async (url) => {
      link = await linkToPostgres(t, url)
      return link.url
    },
  })
  const { writers } = (nodes.apps[0] as App).node
  const { write } = writers
  writers.write = (...args: Parameters<typeof write>) => {
    arrived++
    return write.apply(writers, args) as never
  }
})
after(async () => {
  await nodes.stop()
  for (const cleanup of cleanups) await cleanup()
})

interface Place {
  writer: Person
  post: (text: string, key?: string) => Promise<Answer>
  /** Held, it keeps the first post waiting, so that others gather behind it. */
  lock: string
  texts: () => Promise<string[]>
  /** As the writer is answered. */
  shown: (client: Client) => Promise<string[]>
}

const idOf = ({ postID, twarrtID }: { postID?: number; twarrtID?: number }) => postID ?? twarrtID
const textOf = ({ text }: { text: string }) => text
const keyed = (key: string | undefined) => (key === undefined ? {} : { headers: { 'Idempotency-Key': key } })

/** Where posts are written together. */
const places: Readonly<Record<string, () => Promise<Place>>> = {
  async 'a chat'() {
    const [writer] = (await people(nodes, {})) as [Person]
    const id = await createChat(writer.one)
    return {
      writer,
      post: (text, key) => writer.one.post(`/fez/${id}/post`, content(text), keyed(key)),
      lock: `select from fez where id = '${id}' for update`,
      texts: async () => (await nodes.sql<{ text: string }[]>`select text from fez_post where fez_id = ${id}`).map(textOf),
      shown: async (client) => (await body(client.get(`/fez/${id}`))).members.posts.map(textOf),
    }
  },
  async 'a forum'() {
    const [writer] = (await people(nodes, {})) as [Person]
    const { forumID } = await startForum(writer.one, 'Unknown')
    return {
      writer,
      post: (text, key) => writer.one.post(`/forum/${forumID}/create`, content(text), keyed(key)),
      lock: `select from account where id = '${writer.id}' for update`,
      texts: async () => (await nodes.sql<{ text: string }[]>`select text from forum_post where forum_id = ${forumID}`).map(textOf),
      shown: async (client) => (await body(client.get(`/forum/${forumID}`))).posts.map(textOf),
    }
  },
  async 'the microblog'() {
    const [writer] = (await people(nodes, {})) as [Person]
    return {
      writer,
      post: (text, key) => writer.one.post('/microblog/create', content(text), keyed(key)),
      lock: `select from account where id = '${writer.id}' for update`,
      texts: async () => (await nodes.sql<{ text: string }[]>`select text from microblog_post where author_id = ${writer.id}`).map(textOf),
      shown: async (client) => (await body(client.get('/microblog'))).map(textOf),
    }
  },
}

for (const [where, place] of Object.entries(places))
  for (const withKeys of [false, true])
    for (const farewell of [false, true])
      test(`posts in ${where} ${withKeys ? 'with' : 'without'} keys: a batch whose answer ${farewell ? 'is a farewell' : 'is lost'} is not written again, and shows`, async () => {
        const { writer, post, lock: locked, texts, shown } = await place()
        const round = randomUUID()
        const all = ['first', 'second', 'third', 'fourth'].map((name) => ({
          text: `${name} ${round}`,
          key: withKeys ? randomUUID() : undefined,
        }))
        const [first, ...others] = all as [(typeof all)[number], ...typeof all]
        const lock = await hold(nodes.database.url, locked)
        const sooner = post(first.text, first.key)
        await lock.awaited()
        const before = arrived
        const answers = others.map(({ text, key }) => post(text, key))
        await until(() => arrived === before + others.length, 'the others have come')
        const lost = link.loseAnswerTo(others[0]?.text as string, { farewell })
        await lock.release()
        await body(sooner, 201)
        await lost
        for (const answer of answers) assert.equal((await answer).status, 503)
        const ofRound = (some: string[]) => some.filter((text) => text.endsWith(round)).toSorted()
        const count = async () => ofRound(await texts())
        const once = all.map(({ text }) => text).toSorted()
        assert.deepEqual(await count(), once)
        for (const client of writer.clients)
          await until(async () => ofRound(await shown(client)).join() === once.join(), 'they show on each server', 8000)
        if (!withKeys) return
        const repeat = () => Promise.all(all.map(async ({ text, key }) => idOf(await body(post(text, key), 201))))
        assert.deepEqual(await repeat(), await repeat())
        assert.deepEqual(await count(), once)
      })

for (const farewell of [false, true])
  test(`POST /fez/create: a transaction whose commit has ${farewell ? 'a farewell for an answer' : 'no answer'} is not made again`, async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    await isQuiet(nodes)
    const titles = async () => (await body(owner.one.get('/fez/owner'))).fezzes.map(({ title }: { title: string }) => title)
    for (const key of [undefined, randomUUID()]) {
      const title = `Lost ${randomUUID()}`
      const create = () => owner.one.post('/fez/create', lfg({ title }), keyed(key))
      const lost = link.loseAnswerTo(title, { farewell })
      assert.equal((await create()).status, 503)
      await lost
      if (key !== undefined) assert.equal((await body(create(), 201)).title, title)
      await until(async () => (await titles()).includes(title), 'the group shows', 8000)
      assert.deepEqual(
        (await titles()).filter((each: string) => each === title),
        [title],
      )
    }
  })

for (const farewell of [false, true])
  test(`GET /microblog: a post whose server ${farewell ? 'got a farewell for an answer' : 'got no answer'} shows on all nodes, in answers from memory too`, async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const texts = async (client: Person['one']): Promise<string[]> =>
      (await body(client.get('/microblog'))).map(({ text }: { text: string }) => text)
    await isQuiet(nodes)
    for (const client of reader.clients) await texts(client)
    const text = `lost ${randomUUID()}`
    const lost = link.loseAnswerTo(text, { farewell })
    assert.equal((await writer.one.post('/microblog/create', content(text))).status, 503)
    await lost
    for (const client of reader.clients) await until(async () => (await texts(client)).includes(text), 'the post shows', 8000)
  })
