// What is promised for when things go wrong, with a crowd at work on two servers: nothing acknowledged
// is lost, nothing happens twice, and sockets that stay open miss nothing.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { Redis } from 'ioredis'
import type { Sql } from '../../src/core/db/db.ts'
import { outcomeKnownMs, statementTimeoutMs } from '../../src/core/db/limits.ts'
import { createAccounts, type TestAccount } from '../support/accounts.ts'
import { Client } from '../support/client.ts'
import { clusterProcess, type Process } from '../support/cluster.ts'
import { createLfg, Crowd } from '../support/crowd.ts'
import { noJobIsLeft } from '../support/jobs.ts'
import { linkTo, type Link } from '../support/link.ts'
import { hold } from '../support/locks.ts'
import { RawConnection } from '../support/raw.ts'
import { ownPostgres, ownRedis, type OwnService } from '../support/services.ts'
import { until } from '../support/until.ts'

const size = 20
/** Posts before a fault, and while it lasts. */
const some = 40

let database: OwnService
let redis: OwnService
/** Between the second server and its stores. */
let databaseLink: Link
let redisLink: Link
let servers: [Process, Process]
let worker: Process
let sql: Sql
let crowd: Crowd

const cleanups: (() => unknown)[] = []
const suite = {
  after: (cleanup: () => unknown) => {
    cleanups.unshift(cleanup)
  },
} as Pick<TestContext, 'after'>

before(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-faults-'))
  suite.after(() => rmSync(dataDir, { recursive: true, force: true }))
  ;[database, redis] = await Promise.all([ownPostgres(suite, { durable: true }), ownRedis(suite)])
  ;[databaseLink, redisLink] = await Promise.all([linkTo(suite, database.url), linkTo(suite, redis.url)])
  const direct = { databaseUrl: database.url, redisUrl: redis.url }
  servers = await Promise.all([
    clusterProcess(suite, 'server', dataDir, direct),
    clusterProcess(suite, 'server', dataDir, { databaseUrl: databaseLink.url, redisUrl: redisLink.url }),
  ])
  worker = await clusterProcess(suite, 'worker', dataDir, direct)
  const client = postgres(database.url, {
    max: 4,
    transform: { column: { from: postgres.toCamel } },
    onnotice: () => undefined,
    backoff: () => 0.05,
  })
  suite.after(() => client.end({ timeout: 1 }))
  sql = client as unknown as Sql
  await Promise.all([...servers, worker].map((each) => each.start()))
  crowd = await Crowd.gather(
    servers.map(({ url }) => url),
    () => sql,
    size,
  )
  suite.after(() => crowd.leave())
})

after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

/** Runs one fault in the middle of everybody's work, and checks everything once all is well again. */
async function fault(t: TestContext, { losesEvents = false }: { losesEvents?: boolean }, work: () => Promise<void>): Promise<void> {
  crowd.forgive()
  crowd.begin()
  let since = 0
  const faultUntilServed = async () => {
    await work()
    since = performance.now()
    await until(allReady, 'all servers are ready')
    await crowd.served()
  }
  try {
    await crowd.posts(some)
    if (losesEvents) await crowd.losingEvents(faultUntilServed)
    else await faultUntilServed()
    t.diagnostic(
      `full service ${Math.round(performance.now() - since)} ms after the end of the fault; slowest answer ${Math.round(crowd.slowestMs)} ms; ${crowd.refusals.length} requests refused`,
    )
    await crowd.posts(some)
  } finally {
    await crowd.rest()
  }
  await crowd.served()
  await crowd.check()
  for (const { status, retryAfter, ms } of crowd.refusals) {
    assert.equal(status, 503)
    assert.ok(Number(retryAfter) > 0)
    assert.ok(ms < 20_500, `refused only after ${ms} ms`)
  }
  assert.deepEqual(
    [...servers, worker].flatMap(({ errors }) => errors),
    [],
  )
}

async function allReady(): Promise<boolean> {
  const answers = await Promise.all(servers.map(({ url }) => new Client(url).get('//health/ready').catch(() => undefined)))
  return answers.every((answer) => answer?.body.status === 'ready')
}

/** Three users aside from the crowd: one will block the second, the third will log out. */
interface Quarrel {
  /** The second server has all three in memory. */
  warm(): Promise<void>
  /** Block and logout, through the first server. */
  break(): Promise<void>
  /** Both are in force on the second server. */
  prove(): Promise<void>
}

async function quarrel(): Promise<Quarrel> {
  const [blocker, blocked, leaver] = (await createAccounts(sql, [{}, {}, {}])) as [TestAccount, TestAccount, TestAccount]
  const at = (account: TestAccount, server: Process) => new Client(server.url, account.token)
  const [first, second] = servers
  const chat = await createLfg(at(blocker, first), 'Quarrel', { initialUsers: [blocked.id] })
  return {
    async warm() {
      assert.equal((await at(blocked, second).get(`/fez/${chat}`)).status, 200)
      assert.equal((await at(leaver, second).get('/user/whoami')).status, 200)
    },
    async break() {
      assert.equal((await at(blocker, first).post(`/users/${blocked.id}/block`)).status, 201)
      assert.equal((await at(leaver, first).post('/auth/logout')).status, 204)
    },
    async prove() {
      assert.equal((await at(blocked, second).get(`/fez/${chat}`)).status, 400)
      assert.equal((await at(leaver, second).get('/user/whoami')).status, 401)
    },
  }
}

/** How long `work` took, in ms. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** How many nodes the first server has found dead. */
const deaths = () => servers[0].messages.filter((message) => message === 'a node has died').length

const health = async ({ url }: Process) => (await new Client(url).get('//health/ready')).body.status as string

test('a server is killed', async (t) => {
  const [, second] = servers
  await fault(t, { losesEvents: true }, async () => {
    second.signal('SIGKILL')
    assert.equal(await second.ended(), null)
    await crowd.posts(some)
    await second.start()
  })
})

test('a server is stopped under load', async (t) => {
  const [, second] = servers
  await fault(t, {}, async () => {
    const lines = crowd.openLines(1)
    const codes = lines.map(({ socket }) => socket.closed())
    // A request that is still under way when the server is told to stop.
    const lock = await hold(database.url, `select from fez where id = '${crowd.deck}' for update`)
    const [late] = (await createAccounts(sql, [{}])) as [TestAccount]
    const answer = new Client(second.url, late.token).post(`/fez/${crowd.deck}/join`)
    await lock.awaited()
    const tookMs = await timed(async () => {
      second.signal('SIGTERM')
      await Promise.race(codes)
      await lock.release()
      assert.equal(await second.ended(), 0)
    })
    assert.equal((await answer).status, 201)
    assert.equal((await new Client(servers[0].url, late.token).post(`/fez/${crowd.deck}/unjoin`)).status, 200)
    assert.deepEqual(new Set(await Promise.all(codes)), new Set([1012]))
    t.diagnostic(`stopped within ${Math.round(tookMs)} ms`)
    await second.start()
  })
})

test('requests while a server stops: notices of every accepted post arrive, all others are refused', async () => {
  const [first, second] = servers
  const [author, reader] = (await createAccounts(sql, [{}, {}])) as [TestAccount, TestAccount]
  const chat = await createLfg(new Client(first.url, author.token), 'Last words', { initialUsers: [reader.id] })
  const notices = await new Client(first.url, reader.token).socket('/notification/socket')
  // Apps keep connections open between their requests.
  const connections = Array.from({ length: 100 }, () => new RawConnection(second.url))
  const say = async (connection: RawConnection, text: string) => {
    const body = JSON.stringify({ text, images: [] })
    connection.sendLines(
      `POST /api/v3/fez/${chat}/post HTTP/1.1`,
      'Host: test',
      `Authorization: Bearer ${author.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    )
    return (await connection.answers()).at(-1)
  }
  for (const connection of connections) connection.sendLines('GET /health/live HTTP/1.1', 'Host: test', '', '')
  await Promise.all(connections.map((connection) => connection.answers()))
  const closed = (await new Client(second.url, reader.token).socket('/notification/socket')).closed()
  // Closing the bus takes a while.
  redisLink.slow(150)
  second.signal('SIGTERM')
  await closed
  const said: string[] = []
  let refused = 0
  for (const [index, connection] of connections.entries()) {
    connection.forget()
    const status = await say(connection, `word ${index}`)
    if (status === 201) said.push(`word ${index}`)
    else if (status === undefined) break
    else {
      assert.match(connection.text, / 503 [^]*"code":"restarting"/)
      refused++
    }
  }
  assert.ok(refused > 0)
  assert.equal(await second.ended(), 0)
  redisLink.mend()
  await second.start()
  const told = () => notices.frames.map(({ info }) => info.split(': ')[1])
  await until(() => told().length >= said.length, `notices of ${said.length} posts`)
  assert.deepEqual(told(), said)
})

test('a server stands still for three seconds', async (t) => {
  const [first, second] = servers
  const affair = await quarrel()
  await fault(t, { losesEvents: true }, async () => {
    const open = crowd.openLines()
    await affair.warm()
    second.signal('SIGSTOP')
    const stoppedMs = performance.now()
    const tookMs = await timed(() => affair.break())
    t.diagnostic(`a block and a logout took ${Math.round(tookMs)} ms together`)
    assert.ok(tookMs < 6000)
    const proof = affair.prove()
    await until(() => performance.now() - stoppedMs > 3000, 'three seconds')
    assert.equal((await new Client(first.url).get('//health/ready')).status, 200)
    second.signal('SIGCONT')
    await proof
    assert.deepEqual(crowd.openLines(), open)
  })
})

test('Redis crashes and has forgotten everything', async (t) => {
  const affair = await quarrel()
  await fault(t, { losesEvents: true }, async () => {
    const open = crowd.openLines()
    await affair.warm()
    await redis.crash()
    await until(async () => (await Promise.all(servers.map(health))).every((status) => status === 'degraded'), 'both servers notice')
    for (const { url } of servers) assert.equal((await new Client(url).get('/client/health')).status, 500)
    await affair.break()
    await affair.prove()
    await crowd.posts(some)
    await redis.restart()
    await until(allReady, 'both servers are ready')
    await affair.prove()
    assert.deepEqual(crowd.openLines(), open)
  })
})

test('one server is cut off from Redis', async (t) => {
  const [first, second] = servers
  const affair = await quarrel()
  const [author, reader] = (await createAccounts(sql, [{}, {}])) as [TestAccount, TestAccount]
  assert.equal((await new Client(first.url, reader.token).post('/user/alertwords/add/lighthouse')).status, 200)
  const notices = await new Client(second.url, reader.token).socket('/notification/socket')
  const told = () => notices.frames.map(({ type }) => Object.keys(type)[0])
  await fault(t, { losesEvents: true }, async () => {
    const open = crowd.openLines()
    await affair.warm()
    redisLink.cut()
    await until(async () => (await health(second)) === 'degraded', 'the server notices')
    assert.equal(await health(first), 'ready')
    await affair.break()
    await affair.prove()
    await crowd.posts(some)
    // The others have forgotten the server by then, and do not wait for it.
    const wroteMs = performance.now()
    await until(() => performance.now() - wroteMs > 4000, 'four seconds')
    assert.equal(
      (await new Client(first.url, author.token).post('/microblog/create', { text: `a lighthouse, @${reader.username}`, images: [] }))
        .status,
      201,
    )
    await until(() => noJobIsLeft(sql), 'everybody who can hear has been told')
    assert.deepEqual(told(), [])
    redisLink.mend()
    assert.deepEqual(crowd.openLines(), open)
  })
  await affair.prove()
  await until(() => told().length >= 2, 'the notices')
  await notices.flushed()
  assert.deepEqual(told().toSorted(), ['alertwordTwarrt', 'twarrtMention'])
})

test('nothing comes through between one server and Redis, and nobody is told', async (t) => {
  const affair = await quarrel()
  await fault(t, { losesEvents: true }, async () => {
    const open = crowd.openLines()
    await affair.warm()
    redisLink.freeze()
    await affair.break()
    await affair.prove()
    await crowd.posts(some)
    redisLink.mend()
    assert.deepEqual(crowd.openLines(), open)
  })
  await affair.prove()
})

for (const [how, away] of [
  ['is stopped', () => database.stop()],
  ['crashes', () => database.crash()],
] as const) {
  test(`Postgres ${how} and comes back`, async (t) => {
    await fault(t, { losesEvents: true }, async () => {
      const open = crowd.openLines()
      await away()
      const before = crowd.refusals.length
      await until(() => crowd.refusals.length - before > 2 * size, 'everybody is refused')
      for (const server of servers) assert.equal(await health(server), 'not ready')
      await database.restart()
      assert.deepEqual(crowd.openLines(), open)
    })
  })
}

test('one server is cut off from Postgres', async (t) => {
  const [first, second] = servers
  const [author, muted, reader] = (await createAccounts(sql, [{}, {}, {}])) as [TestAccount, TestAccount, TestAccount]
  const at = ({ token }: TestAccount, server: Process) => new Client(server.url, token)
  const chat = await createLfg(at(author, first), 'Muted', { initialUsers: [muted.id, reader.id] })
  const [posts, notices] = await Promise.all([
    at(reader, second).socket(`/fez/${chat}/socket`),
    at(reader, second).socket('/notification/socket'),
  ])
  const say = async (by: TestAccount, text: string) =>
    assert.equal((await at(by, first).post(`/fez/${chat}/post`, { text, images: [] })).status, 201)
  await fault(t, {}, async () => {
    const open = crowd.openLines()
    databaseLink.cut()
    await say(author, 'before')
    assert.equal((await at(reader, first).post(`/users/${muted.id}/mute`)).status, 201)
    await say(muted, 'hidden')
    await say(author, 'after')
    // On another device, before this one could be told.
    assert.equal((await at(reader, first).get(`/fez/${chat}`)).status, 200)
    assert.equal((await at(author, first).post('/microblog/create', { text: `hello @${reader.username}`, images: [] })).status, 201)
    const before = crowd.refusals.length
    await until(() => crowd.refusals.length - before > size, 'its users are refused')
    assert.equal(await health(second), 'not ready')
    assert.equal(await health(first), 'ready')
    databaseLink.mend()
    assert.deepEqual(crowd.openLines(), open)
  })
  await posts.until(({ text }) => text === 'after', 'the last post')
  assert.deepEqual(
    posts.frames.map(({ text }) => text),
    ['before', 'after'],
  )
  await notices.until(({ type }) => type.twarrtMention, 'notice of the mention')
  await notices.flushed()
  assert.equal(notices.frames.filter(({ type }) => type.twarrtMention).length, 1)
  assert.deepEqual(
    notices.frames.filter(({ type }) => type.fezUnreadMsg).map(({ info }) => info.split(': ')[1]),
    ['before', 'after'],
  )
})

for (const lateMs of [0, 2500])
  test(`a post of which its server does not know whether it was written reaches those who listen, also ${lateMs} ms later`, async () => {
    const [first, second] = servers
    const [author, reader] = (await createAccounts(sql, [{}, {}])) as [TestAccount, TestAccount]
    const at = ({ token }: TestAccount, server: Process) => new Client(server.url, token)
    const chat = await createLfg(at(author, first), 'Doubt', { initialUsers: [reader.id] })
    const [posts, notices] = await Promise.all([
      at(reader, first).socket(`/fez/${chat}/socket`),
      at(reader, first).socket('/notification/socket'),
    ])
    const lock = await hold(database.url, `select from fez where id = '${chat}' for update`)
    const answer = at(author, second).post(`/fez/${chat}/post`, { text: 'written', images: [] })
    await lock.awaited()
    // Postgres hears nothing of that.
    databaseLink.halfOpen('clients')
    assert.equal((await answer).status, 503)
    // The statement goes on waiting: whoever looks meanwhile does not find the post.
    await pause(lateMs)
    await lock.release()
    await posts.until(({ text }) => text === 'written', 'the post')
    await notices.until(({ type }) => type.fezUnreadMsg, 'the notice')
    databaseLink.mend()
    await until(allReady, 'all servers are ready')
  })

test('a post of a server whose machine has died reaches those who listen, whenever Postgres writes it', async (t) => {
  const [first, second] = servers
  const [author, reader] = (await createAccounts(sql, [{}, {}])) as [TestAccount, TestAccount]
  const at = ({ token }: TestAccount, server: Process) => new Client(server.url, token)
  const chat = await createLfg(at(author, first), 'Last post', { initialUsers: [reader.id] })
  const [posts, notices] = await Promise.all([
    at(reader, first).socket(`/fez/${chat}/socket`),
    at(reader, first).socket('/notification/socket'),
  ])
  await fault(t, { losesEvents: true }, async () => {
    await crowd.rest()
    const lock = await hold(database.url, `select from fez where id = '${chat}' for update`)
    const unanswered = assert.rejects(at(author, second).post(`/fez/${chat}/post`, { text: 'written', images: [] }))
    await lock.awaited()
    const before = deaths()
    // It says nothing any more, and its connections stay.
    second.signal('SIGSTOP')
    await until(() => deaths() > before, 'the other server notices')
    // The channel has been read again by then.
    assert.equal((await at(reader, first).get(`/fez/${chat}`)).status, 200)
    await lock.release()
    await until(() => posts.frames.some(({ text }) => text === 'written'), 'the post comes', 2 * outcomeKnownMs)
    await notices.until(({ type }) => type.fezUnreadMsg, 'the notice')
    second.signal('SIGKILL')
    await second.ended()
    await unanswered
    await second.start()
    crowd.begin()
  })
})

test('a post of a server that is killed while it waits for a lock is dropped, at once', async (t) => {
  const [first, second] = servers
  const [author] = (await createAccounts(sql, [{}])) as [TestAccount]
  const chat = await createLfg(new Client(first.url, author.token), 'Dropped', { initialUsers: [] })
  await fault(t, { losesEvents: true }, async () => {
    await crowd.rest()
    const lock = await hold(database.url, `select from fez where id = '${chat}' for update`)
    const answer = new Client(second.url, author.token).post(`/fez/${chat}/post`, { text: 'written', images: [] })
    const unanswered = assert.rejects(answer)
    await lock.awaited()
    const before = deaths()
    second.signal('SIGKILL')
    await second.ended()
    await unanswered
    // Otherwise Postgres would let it wait until its timeout.
    await lock.abandoned(statementTimeoutMs - 2000)
    await lock.release()
    await until(() => deaths() > before, 'the other server notices')
    await second.start()
    crowd.begin()
  })
  assert.equal((await sql`select from fez_post where fez_id = ${chat}`).length, 0)
})

/** Groups that are about to start, made while no worker runs. */
async function startingSoon(count: number): Promise<string[]> {
  const owner = crowd.people[0] as Crowd['people'][number]
  const startTime = new Date(Date.now() + 5 * 60_000)
  return await Promise.all(
    Array.from({ length: count }, () =>
      createLfg(crowd.client(owner, 0), 'Soon', {
        initialUsers: crowd.people.slice(1).map(({ account }) => account.id),
        startTime,
        endTime: new Date(startTime.getTime() + 60 * 60_000),
      }),
    ),
  )
}

/** Every person's open notification socket has been told once of every group. */
async function announcedOnce(groups: readonly string[]): Promise<void> {
  const lines = crowd.openLines().filter(({ kind }) => kind === 'notes')
  const told = () =>
    lines.map(({ socket }) =>
      socket.frames
        .filter(({ type, contentID }) => type?.joinedLFGStarting && groups.includes(contentID))
        .map(({ contentID }) => contentID as string),
    )
  await until(() => told().every((ids) => new Set(ids).size === groups.length), 'everybody is told of every group', 40_000)
  await until(() => noJobIsLeft(sql), 'no job is left')
  for (const ids of told()) assert.equal(ids.length, groups.length)
}

for (const [what, befall] of [
  [
    'the worker is killed',
    async () => {
      worker.signal('SIGKILL')
      await worker.ended()
      await worker.start()
    },
  ],
  [
    'Redis forgets all jobs',
    async () => {
      const client = new Redis(redis.url)
      await client.flushall()
      client.disconnect()
    },
  ],
  [
    'Redis crashes',
    async () => {
      await redis.crash()
      await redis.restart()
    },
  ],
] as const) {
  test(`${what} while jobs are being done`, async (t) => {
    await fault(t, { losesEvents: true }, async () => {
      worker.signal('SIGTERM')
      assert.equal(await worker.ended(), 0)
      const groups = await startingSoon(12)
      // Jobs that have been taken get no further than reading their chat.
      await crowd.rest()
      const lock = await hold(database.url, 'lock table fez_post in access exclusive mode')
      await worker.start()
      await lock.awaited()
      await befall()
      await lock.release()
      crowd.begin()
      const tookMs = await timed(() => announcedOnce(groups))
      t.diagnostic(`everything announced after ${Math.round(tookMs)} ms`)
    })
  })
}
