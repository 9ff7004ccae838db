// Alertwords while everything happens at once: jobs that are broken off, doubled or late, workers that
// are killed, words given up meanwhile, and words that very many listen for.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import postgres from 'postgres'
import type { App } from '../../src/app.ts'
import { Ctx } from '../../src/core/work/ctx.ts'
import type { JobHandlers } from '../../src/core/work/job-runner.ts'
import type { JobPayloads } from '../../src/core/outbox/jobs.ts'
import type { Sql } from '../../src/core/db/db.ts'
import { freshHits } from '../../src/hits/hits.ts'
import { userKind } from '../../src/users/channel.ts'
import { notifyOfAlertwords, scanForAlertwords } from '../../src/hits/alertwords.service.ts'
import { notifyOfHits } from '../../src/hits/service.ts'
import { createAccounts } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Client, type TestSocket } from '../support/client.ts'
import { clusterProcess } from '../support/cluster.ts'
import { createTestDatabase } from '../support/db.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, listen, people, type Person } from '../support/fez.ts'
import { content, postIn, startForum } from '../support/forum.ts'
import { jobsDone, noJobIsLeft, startWorkers } from '../support/jobs.ts'
import { ownRedis } from '../support/services.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const clock = new LeapingClock()
let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { clock })
})
after(() => nodes.stop())

/** Two workers, whose handlers may be disturbed. */
const workers = (t: TestContext, handlers: Partial<JobHandlers> = {}) =>
  startWorkers(t, nodes, {
    'alertword-scan': scanForAlertwords,
    'alertword-notify': notifyOfAlertwords,
    'hits-notify': notifyOfHits,
    ...handlers,
  })

const idle = () => jobsDone(nodes)
const add = (who: Person, word: string) => body(who.one.post(`/user/alertwords/add/${word}`))
const remove = (who: Person, word: string) => body(who.two.post(`/user/alertwords/remove/${word}`))
const edit = (client: Client, postID: number, text: string) => client.post(`/forum/post/${postID}/update`, content(text))

async function told(socket: TestSocket): Promise<string[]> {
  await socket.flushed()
  return socket.frames.map(({ type, contentID }) => `${Object.keys(type).join()} ${contentID}`)
}

/** The words that are recorded for a post, with their watchers. */
async function recorded(postID: number): Promise<string[]> {
  const rows = await nodes.sql<{ username: string; word: string }[]>`
    select username, word from hit join account on account.id = account_id where item_id = ${postID} and kind = 'forumAlertword' order by username, word`
  return rows.map(({ username, word }) => `${username} ${word}`)
}

/** Runs the job of a post once more. */
async function scanAgain({ node }: App, postId: number): Promise<void> {
  await new Ctx(node, undefined, { requestId: 'again', log: node.log }).transaction((tx) =>
    scanForAlertwords(tx, { feed: 'forum', postIds: [postId] }),
  )
}

test('jobs that are broken off after their work is done: counted once, told once', async (t) => {
  const broken = { scan: 0, tell: 0 }
  await workers(t, {
    'alertword-scan': async (tx, payload) => {
      await scanForAlertwords(tx, payload)
      if (++broken.scan <= 1) throw new Error('the worker is gone')
    },
    'alertword-notify': async (tx, payload) => {
      await notifyOfAlertwords(tx, payload)
      if (++broken.tell <= 2) throw new Error('the worker is gone')
    },
  })
  const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
  await add(reader, 'broken')
  const sockets = await listen(reader)
  const { postID } = await startForum(writer.one, 'Broken off', { text: 'broken' })
  for (const [what, times] of [
    ['scan', 1],
    ['tell', 1],
    ['tell', 2],
  ] as const) {
    await until(() => broken[what] >= times, `${what} is broken off ${times} times`)
    // What is lost is handed out again after a while.
    clock.leap(60_000)
  }
  await idle()
  for (const socket of sockets) assert.deepEqual(await told(socket), [`alertwordPost ${postID}`])
  for (const client of reader.clients) assert.equal((await body(client.get('/notification/user'))).alertWords[0].forumMentionCount, 1)
})

test('a scan that comes late, twice or for a deleted post changes nothing that it should not', async (t) => {
  await workers(t)
  const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
  await add(reader, 'twice')
  const [socket] = (await listen(reader)) as [TestSocket]
  const { forumID, postID } = await startForum(writer.one, 'Twice', { text: 'twice' })
  await idle()
  await Promise.all([...nodes.apps, ...nodes.apps].map((app) => scanAgain(app, postID)))
  const gone = await postIn(writer.two, forumID, 'twice too')
  await idle()
  await body(writer.one.delete(`/forum/post/${gone}`), 204)
  await Promise.all(nodes.apps.map((app) => scanAgain(app, gone)))
  await idle()
  assert.deepEqual(await recorded(postID), [`${reader.username} twice`])
  assert.deepEqual(await recorded(gone), [])
  assert.deepEqual(await told(socket), [`alertwordPost ${postID}`, `alertwordPost ${gone}`])
})

test('a post that is gone before its watchers are told is not told of', async (t) => {
  const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
  await add(reader, 'vanished')
  const [socket] = (await listen(reader)) as [TestSocket]
  const { postID } = await startForum(writer.one, 'Vanished', { text: 'vanished' })
  await scanAgain(nodes.apps[0] as App, postID)
  await body(writer.one.delete(`/forum/post/${postID}`), 204)
  await workers(t)
  await idle()
  assert.deepEqual(await told(socket), [])
})

test('edits of one post at once on two nodes: what is recorded is what it says in the end', async (t) => {
  await workers(t)
  const [writer, ann, bob] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  await Promise.all([add(ann, 'sunrise'), add(ann, 'sunset'), add(bob, 'sunset')])
  for (let round = 0; round < 5; round++) {
    const { postID } = await startForum(writer.one, 'At once', { text: 'sunrise' })
    const edits = Array.from({ length: 20 }, (_, time) =>
      edit(writer.clients[time % 2] as Client, postID, ['sunrise', 'sunset', 'nothing', 'sunrise sunset'][time % 4] as string),
    )
    for (const { status } of await Promise.all(edits)) assert.equal(status, 200)
    await idle()
    const { text } = await body(writer.one.get(`/forum/post/${postID}`))
    const expected = [
      [ann, 'sunrise'],
      [ann, 'sunset'],
      [bob, 'sunset'],
    ] as const
    assert.deepEqual(
      await recorded(postID),
      expected
        .filter(([, word]) => text.split(' ').includes(word))
        .map(([{ username }, word]) => `${username} ${word}`)
        .toSorted(),
    )
  }
})

test('a word that is given up, and posts that are deleted, while they are looked for leave nothing behind', async (t) => {
  await workers(t)
  const [writer, ann, bob] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  await Promise.all([add(ann, 'vacillate'), add(bob, 'vacillate')])
  const { forumID } = await startForum(writer.one, 'Meanwhile')
  const posts = await Promise.all(
    Array.from({ length: 30 }, async (_, time) => {
      const id = await postIn(writer.clients[time % 2] as Client, forumID, 'vacillate')
      if (time % 3 === 0) await remove(ann, 'vacillate')
      if (time % 3 === 1) await add(ann, 'vacillate')
      if (time % 5 === 0) await body(writer.two.delete(`/forum/post/${id}`), 204)
      return { id, deleted: time % 5 === 0 }
    }),
  )
  await remove(ann, 'vacillate')
  await idle()
  for (const { id, deleted } of posts) assert.deepEqual(await recorded(id), deleted ? [] : [`${bob.username} vacillate`])
  for (const client of ann.clients)
    await until(async () => (await body(client.get('/notification/user'))).alertWords.length === 0, 'the word is gone')
})

test('a word with 500 watchers in memory costs a node one statement', async () => {
  const watchers = await createAccounts(
    nodes.sql,
    Array.from({ length: 500 }, () => ({})),
  )
  await nodes.sql`insert into alertword (account_id, word, created_at) select unnest(${watchers.map(({ id }) => id)}::uuid[]), 'everybody', now()`
  const channels = await Promise.all(
    nodes.apps.map(({ node }) => Promise.all(watchers.map(({ id }) => node.channels.of(userKind).get(id)))),
  )
  const [writer] = (await people(nodes, {})) as [Person]
  const { postID } = await startForum(writer.one, 'Everybody', { text: 'everybody' })
  await scanAgain(nodes.apps[0] as App, postID)
  const [first, second] = nodes.apps as [App, App]
  const [job] = await nodes.sql<
    [{ payload: JobPayloads['alertword-notify'] }]
  >`delete from outbox where job = 'alertword-notify' returning payload`
  const tell = () =>
    new Ctx(first.node, undefined, { requestId: 'tell', log: first.node.log }).transaction((tx) => notifyOfAlertwords(tx, job.payload))
  // The node that does the job also has a transaction for it.
  assert.equal(await countStatements(second, async () => assert.equal(await countStatements(first, tell), 2)), 1)
  for (const each of channels.flat()) assert.equal(freshHits(each?.hits ?? [], 'forumAlertword', 'everybody'), 1)
})

test('a mention that its event has not told of is told by a job: once on each socket, unless it is gone', async () => {
  const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const sockets = await listen(reader)
  const { forumID } = await startForum(writer.one, 'Lost')
  const postID = await postIn(writer.one, forumID, `hello @${reader.username}`)
  const hears = async (times: number) => {
    for (const socket of sockets)
      assert.deepEqual(
        await told(socket),
        Array.from({ length: times }, () => `forumMention ${postID}`),
      )
  }
  for (const socket of sockets) await socket.count(1)
  const [job] = await nodes.sql<[{ payload: JobPayloads['hits-notify'] }]>`delete from outbox where job = 'hits-notify' returning payload`
  const node = (nodes.apps[0] as App).node
  const tell = (noticeId: string) =>
    new Ctx(node, undefined, { requestId: 'tell', log: node.log }).transaction((tx) => notifyOfHits(tx, { ...job.payload, noticeId }))
  await tell(job.payload.noticeId)
  await hears(1)
  // As it is for nodes that have never heard of it.
  await tell('unheard')
  await hears(2)
  await tell('unheard')
  await hears(2)
  await edit(writer.one, postID, 'hello')
  await tell('unheard and gone')
  await hears(2)
  await nodes.sql`truncate outbox`
})

test('two workers, killed again and again while 60 posts are written on two servers: every watcher hears of each once', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-hits-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const [database, redis] = await Promise.all([createTestDatabase(), ownRedis(t)])
  t.after(() => database.drop())
  const stores = { databaseUrl: database.url, redisUrl: redis.url }
  const servers = [await clusterProcess(t, 'server', dataDir, stores), await clusterProcess(t, 'server', dataDir, stores)]
  const workers = [await clusterProcess(t, 'worker', dataDir, stores), await clusterProcess(t, 'worker', dataDir, stores)]
  await Promise.all([...servers, ...workers].map((each) => each.start()))
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  t.after(() => sql.end({ timeout: 1 }))
  const [writer, ...watchers] = await createAccounts(
    sql as unknown as Sql,
    Array.from({ length: 7 }, () => ({})),
  )
  const clientOf = (token: string | undefined, server: number) => new Client((servers[server % 2] as { url: string }).url, token)
  const readers = watchers.map(({ token }, index) => clientOf(token, index))
  for (const reader of readers) await body(reader.post('/user/alertwords/add/lighthouse'))
  const sockets = await Promise.all(readers.map((reader) => reader.socket('/notification/socket')))
  const { forumID } = await startForum(clientOf(writer?.token, 0), 'Killed')
  const posts: number[] = []
  const starting = new Map<unknown, Promise<void>>()
  for (let time = 0; time < 60; time++) {
    posts.push(await postIn(clientOf(writer?.token, time), forumID, `lighthouse ${time}`))
    if (time % 12 !== 11) continue
    const victim = workers[Math.floor(time / 12) % 2] as (typeof workers)[number]
    await starting.get(victim)
    victim.signal('SIGKILL')
    await victim.ended()
    starting.set(victim, victim.start())
  }
  await Promise.all(starting.values())
  await until(() => noJobIsLeft(sql as unknown as Sql), 'all jobs are done', 40_000)
  for (const socket of sockets) {
    // A server that has lost Redis on a busy machine hears what was kept once it is back.
    await until(() => socket.frames.length >= 60, 'all that was told has come', 40_000)
    assert.deepEqual((await told(socket)).toSorted(), posts.map((id) => `alertwordPost ${id}`).toSorted())
  }
  for (const reader of readers)
    assert.deepEqual((await body(reader.get('/notification/user'))).alertWords, [
      { alertword: 'lighthouse', forumMentionCount: 60, newForumMentionCount: 60, twarrtMentionCount: 0, newTwarrtMentionCount: 0 },
    ])
})
