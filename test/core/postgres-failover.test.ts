// Postgres fails over: a standby becomes the primary, with everything that was committed or without the last of it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import { readConfig, weakSecrets } from '../../src/core/base/config.ts'
import { otherDatabase, postgresHostsOf } from '../../src/core/base/postgres-url.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { startTestNodes } from '../support/app.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { postIn, startForum } from '../support/forum.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { postgresPair, startNodesOn } from '../support/postgres-pair.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'

const addressOf = (url: string) => readConfig([], { DATABASE_URL: url }).databaseUrl as string

const textsIn = async (who: Person, chat: string, node: 0 | 1): Promise<string[]> =>
  (await body(who.clients[node]!.get(`/fez/${chat}`))).members.posts.map(({ text }: { text: string }) => text)

test('with a standby that has everything, nothing is lost: posts, tokens, sockets and jobs go on', async (t) => {
  const pair = await postgresPair(t, { synchronous: true })
  const nodes = await startNodesOn(t, pair)
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  const socket = await bob.two.socket(`/fez/${chat}/socket`)
  const { forumID } = await startForum(ann.one, 'Light')
  await body(bob.two.post('/user/alertwords/add/lighthouse'))
  const notices = await bob.two.socket('/notification/socket')

  const acknowledged: string[] = []
  const load = { on: true }
  const writing = (async () => {
    for (let number = 0; load.on; number++) {
      const { status } = await ann.one.post(`/fez/${chat}/post`, { text: `number ${number}`, images: [] })
      if (status === 201) acknowledged.push(`number ${number}`)
    }
  })()
  await until(() => acknowledged.length >= 20, 'twenty posts')
  await pair.primary.crash()
  const before = acknowledged.length
  await pair.promote()
  await until(() => acknowledged.length >= before + 20, 'posts go on', 15_000)
  load.on = false
  await writing

  for (const node of [0, 1] as const) {
    const texts = await textsIn(bob, chat, node)
    const shown = new Set(texts)
    assert.equal(shown.size, texts.length, 'nothing is there twice')
    assert.deepEqual(
      acknowledged.slice(-texts.length).filter((text) => !shown.has(text)),
      [],
    )
  }
  const heard = () => new Set(socket.frames.map(({ text }) => text))
  await until(() => acknowledged.every((text) => heard().has(text)), 'the socket hears of each')
  const told = notices.frames.length
  await postIn(ann.one, forumID, 'the lighthouse is on')
  await until(() => notices.frames.length > told, 'the job was done, and told', 60_000)
})

test('while no Postgres is the primary every request is answered, and each chat goes on afterwards', async (t) => {
  const pair = await postgresPair(t, { synchronous: true })
  const nodes = await startNodesOn(t, pair)
  const crowd = await people(nodes, ...Array.from({ length: 10 }, () => ({})))
  const [first] = crowd as [Person]
  const chats = await Promise.all(crowd.map((who) => createSeamail(who.one, [who === first ? (crowd[1] as Person) : first])))
  const answers: number[] = []
  const busy = { on: true }
  const asking = crowd.flatMap((who, index) =>
    who.clients.map(async (client) => {
      while (busy.on) {
        const path = `/fez/${chats[index]}`
        for (const { status } of await Promise.all([
          client.post(`${path}/post`, { text: 'meanwhile', images: [] }),
          client.get(path),
          client.get('/forum/mentions'),
          client.post(`${path}/mute`),
        ]))
          answers.push(status)
      }
    }),
  )
  const more = async (count: number) => {
    const before = answers.length
    await until(() => answers.length >= before + count, `${count} more answers`, 60_000)
  }
  await more(200)
  await pair.primary.crash()
  await more(200)
  assert.ok(answers.includes(503))
  await pair.promote()
  await more(400)
  busy.on = false
  await Promise.all(asking)
  for (const [index, who] of crowd.entries())
    for (const client of who.clients) {
      const path = `/fez/${chats[index]}`
      await until(
        async () =>
          (await client.post(`${path}/post`, { text: 'afterwards', images: [] })).status === 201 && (await client.get(path)).status === 200,
        `chat ${index} goes on`,
        15_000,
      )
    }
})

test('a primary that says nothing any more is left for the one that took its place, and is not believed when it goes on', async (t) => {
  const pair = await postgresPair(t, { synchronous: true })
  const nodes = await startNodesOn(t, pair)
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  await say(ann.one, chat, 'before')
  const lost = pair.primary
  lost.signal('SIGSTOP')
  const goneMs = performance.now()
  try {
    await pair.promote()
    await Promise.all(
      ann.clients.map((client, number) =>
        until(
          async () => (await client.post(`/fez/${chat}/post`, { text: `after ${number}`, images: [] })).status === 201,
          `posts go on at node ${number}`,
          45_000,
        ),
      ),
    )
    t.diagnostic(`after ${Math.round(performance.now() - goneMs)} ms`)
  } finally {
    lost.signal('SIGCONT')
  }
  await say(ann.two, chat, 'beside it')
  await lost.crash()
  for (const node of [0, 1] as const) {
    const shown = await textsIn(bob, chat, node)
    for (const text of ['before', 'after 0', 'after 1', 'beside it']) assert.ok(shown.includes(text), `${text} at node ${node}`)
  }
})

test('a primary that waits in vain for its standby to confirm is not ready, and is again once it does', async (t) => {
  const pair = await postgresPair(t, { synchronous: true })
  const nodes = await startNodesOn(t, pair)
  const ready = async () => {
    const answer = await fetch(`${nodes.urls[1]}/health/ready`)
    return [answer.status, ((await answer.json()) as { database: string }).database]
  }
  await until(async () => (await ready())[0] === 200, 'it is ready')
  pair.link.freeze()
  await until(async () => (await ready())[1] === 'not committing', 'readiness says so', 30_000)
  assert.deepEqual((await ready())[0], 503)
  pair.link.mend()
  await until(async () => (await ready())[0] === 200, 'it is ready again', 30_000)
})

test('with a standby that lacks the last posts, what was lost is gone everywhere, and what is written then reaches everybody', async (t) => {
  const pair = await postgresPair(t, { synchronous: false })
  const nodes = await startNodesOn(t, pair)
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  const socket = await bob.two.socket(`/fez/${chat}/socket`)
  await say(ann.one, chat, 'kept')
  await socket.count(1)
  const [first] = await nodes.sql<[{ at: string }]>`select pg_current_wal_lsn()::text as at`
  await until(async () => {
    const [row] = await nodes.sql<[{ has: boolean }]>`select replay_lsn >= ${first.at}::pg_lsn as has from pg_stat_replication`
    return row.has
  }, 'the standby has it')
  pair.link.freeze()
  const lost = Array.from({ length: 5 }, (_, number) => `lost ${number}`)
  for (const text of lost) await say(ann.one, chat, text)
  await socket.count(1 + lost.length)

  await pair.primary.crash()
  pair.link.cut()
  await pair.promote()
  const anew: string[] = []
  await until(
    async () => {
      const text = `new ${anew.length}`
      const { status } = await ann.one.post(`/fez/${chat}/post`, { text, images: [] })
      if (status === 201) anew.push(text)
      return anew.length === 10
    },
    'posts go on',
    30_000,
  )
  for (const node of [0, 1] as const) assert.deepEqual(await textsIn(bob, chat, node), ['kept', ...anew])
  const heard = () => new Set(socket.frames.map(({ text }) => text))
  await until(() => anew.every((text) => heard().has(text)), 'the socket hears of each')
  // The tools of the operator find their way as well, past the host that is gone.
  const { code, output } = await runTool('backup', [join(nodes.config.dataDir, 'backup.tar')], {
    DATABASE_URL: pair.url,
    DATA_DIR: nodes.config.dataDir,
  })
  assert.equal(code, 0, output)
})

test('a Postgres that does not say which server it is serves all the same, also when connections break', async (t) => {
  const name = `limited_${randomBytes(4).toString('hex')}`
  const nodes = await startTestNodes(1, {
    async overDatabase(url) {
      const sql = postgres(url, { max: 1 })
      await sql.unsafe(`create role ${name} login password 'limited'; grant all on all tables in schema public to ${name};
        grant all on all sequences in schema public to ${name}; revoke execute on function pg_current_wal_lsn() from public`)
      await sql.end()
      return Object.assign(new URL(url), { username: name, password: 'limited' }).href
    },
  })
  t.after(async () => {
    await nodes.sql.unsafe(`drop owned by ${name}; drop role ${name}`)
    await nodes.stop()
  })
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  await say(ann.one, chat, 'before')
  await nodes.sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${name}`
  await until(async () => (await ann.one.post(`/fez/${chat}/post`, { text: 'after', images: [] })).status === 201, 'posts go on')
  assert.deepEqual(await textsIn(bob, chat, 0), ['before', 'after'])
})

test('tools of the operator go past a host that says nothing, and say so when none is the primary', async (t) => {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  await migrate(database.url, () => undefined)
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-hosts-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const backUp = (DATABASE_URL: string) => runTool('backup', [join(folder, 'backup.tar')], { DATABASE_URL, DATA_DIR: folder })
  const [past, nobody] = await Promise.all([
    backUp(database.url.replace(/@/, `@127.0.0.1:${(silent.address() as AddressInfo).port},`)),
    backUp('postgres://me:hidden@127.0.0.1:1,127.0.0.1:2/ship'),
  ])
  assert.equal(past.code, 0, past.output)
  assert.equal(nobody.code, 1)
  assert.equal(nobody.output.trim(), 'The database at 127.0.0.1:1, 127.0.0.1:2 cannot be used: no host answers as the primary.')
})

test('an address of several hosts is read, its hosts are said without its password, and what is none is refused', () => {
  for (const one of [
    'postgres://me:p%40ss@one.example/ship',
    'postgres://me:p@ss@one.example:7/ship',
    'postgresql:///ship?host=/run/postgres',
  ])
    assert.equal(addressOf(one), one)
  assert.equal(otherDatabase('postgres://me:p@ss@one.example/ship', 'other'), 'postgres://me:p%40ss@one.example/other')
  for (const more of ['', '?target_session_attrs=read-write'])
    assert.equal(
      addressOf(`postgresql://me:p%40ss@one.example,two.example:5000,[::1]:6/ship${more}`),
      'postgresql://me:p%40ss@one.example,two.example:5000,[::1]:6/ship?target_session_attrs=primary',
    )
  const both = addressOf('postgres://me:p%40ss@one.example,two.example:5000/ship')
  assert.equal(postgresHostsOf(both), 'one.example, two.example:5000')
  assert.equal(otherDatabase(both, 'other'), 'postgres://me:p%40ss@one.example,two.example:5000/other?target_session_attrs=primary')
  const secret = 'never-shown'
  for (const wrong of [
    `postgres://me:${secret}@one,,two/ship`,
    `mysql://me:${secret}@one/ship`,
    `postgres://me:${secret}@one:x,two/ship`,
    `postgres://me:${secret}@one,two/ship?target_session_attrs=standby`,
  ])
    assert.throws(
      () => addressOf(wrong),
      ({ message }: Error) => message.startsWith('DATABASE_URL must be a URL') && !message.includes(secret),
    )
})

test('passwords of addresses with several hosts are looked at as others are', () => {
  const weak = (password: string) =>
    weakSecrets(
      readConfig([], {
        DATABASE_URL: `postgres://me:${password}@one.example,two.example:5000/ship`,
        REDIS_URL: `redis-sentinel://:${password}@one.example,two.example:5000/main?sentinelPassword=other`,
      }),
    ).filter((sentence) => /^(DATABASE|REDIS)_URL/.test(sentence)).length
  assert.deepEqual([weak(''), weak('password'), weak('of-my-own')], [2, 2, 0])
})
