// What becomes of statements when a connection to Postgres does not come about, or dies without a word.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import postgres from 'postgres'
import type { Connection } from '../../src/core/db/connection.ts'
import { createDb, type Db } from '../../src/core/db/db.ts'
import { isConnectionLoss, translateDbError } from '../../src/core/db/errors.ts'
import { Pool } from '../../src/core/db/pool.ts'
import { AppError } from '../../src/core/base/errors.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { linkTo, type Link } from '../support/link.ts'
import { until } from '../support/until.ts'

/** Something that takes connections and ends them, as a proxy does whose server is away, but for those that `passes` takes; counts them. */
async function emptyProxy(
  t: TestContext,
  passes: (taken: number, socket: Socket) => boolean = () => false,
): Promise<{ port: number; url: string; taken: () => number }> {
  let taken = 0
  const server = createServer((socket) => {
    taken++
    socket.on('error', () => undefined)
    if (passes(taken, socket)) return
    // Once it has read what the client says, so that the end is an orderly one.
    socket.once('data', () => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { port, url: `postgres://nobody@127.0.0.1:${port}/nothing`, taken: () => taken }
}

test('a proxy that has no server: every statement fails, with 503, and none is tried for ever', { timeout: 20_000 }, async (t) => {
  const proxy = await emptyProxy(t)
  const db = createDb({ url: proxy.url, readers: 2, writers: 1 })
  t.after(() => db.close())
  for (let time = 0; time < 3; time++) {
    // Two that wait for one connection, of which it takes only the first with it.
    await Promise.all([0, 1, 2, 3].map(() => refused(db.sql`select 1`)))
    await refused(db.sql`select 1`)
    await refused(db.transaction(async (sql) => await sql`select 1`))
  }
  assert.ok(proxy.taken() <= 54, `${proxy.taken()} connections`)
})

test('a connection that Postgres ends in good order before it is ready is made again', async (t) => {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const { hostname, port } = new URL(database.url)
  const ends: Socket[] = []
  const proxy = await emptyProxy(t, (taken, near) => {
    if (taken % 3 !== 0) return false
    const far = createConnection({ host: hostname, port: Number(port) })
    far.on('error', () => undefined)
    ends.push(near, far)
    near.pipe(far).pipe(near)
    return true
  })
  t.after(() => ends.forEach((end) => end.destroy()))
  const url = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(proxy.port) })
  const db = createDb({ url: url.href, readers: 1, writers: 1 })
  t.after(() => db.close())
  assert.equal((await db.sql`select 1`).length, 1)
  assert.equal((await db.transaction(async (sql) => await sql`select 1`)).length, 1)
  assert.equal(proxy.taken(), 6)
})

test('connections are replaced while they come about: what waits for them is answered all the same', { timeout: 20_000 }, async (t) => {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const db = createDb({ url: database.url, readers: 1, writers: 1 })
  t.after(() => db.close())
  const numbers = Array.from({ length: 8 }, (_, number) => number)
  const answers = numbers.map((number) => db.sql<{ number: number }[]>`select ${number}::int as number`.then(([row]) => row?.number))
  // What a statement has begun, it has not sent yet.
  await Promise.resolve()
  db.renew()
  assert.deepEqual(await Promise.all(answers), numbers)
})

test('a connection of the pool whose transaction has ended waits for nothing, and is the same for the next', async () => {
  let made = 0
  const pool = new Pool(1, 1, () => {
    made++
    return { lost: false, retired: false, socket: undefined, waitingSinceMs: undefined } as Connection
  })
  await pool.with(async () => {
    pool.endSilent(1000)
    assert.ok(pool.isWaiting)
  })
  pool.endSilent(1000)
  assert.ok(!pool.isWaiting)
  await pool.with(async (connection) => assert.deepEqual(pool.connections, [connection]))
  assert.deepEqual([made, pool.connections.length], [1, 1])
})

test('what comes after the end is refused at once, and opens no connection', async (t) => {
  const proxy = await emptyProxy(t)
  const db = createDb({ url: proxy.url, readers: 1, writers: 1 })
  await db.close()
  await refused(db.sql`select 1`)
  await refused(db.transaction(async (sql) => await sql`select 1`))
  await refused(db.statement(async (sql) => await sql`select 1`))
  assert.equal(proxy.taken(), 0)
})

for (const [when, lose] of [
  ['a connection that is given up', async (writing: Promise<unknown>) => void (await writing)],
  ['a server that stops', async (_writing: Promise<unknown>, db: Db) => await db.close()],
] as const)
  test(`${when} while nothing comes through: what Postgres has not received is never written`, { timeout: 60_000 }, async (t) => {
    const { db, link, connections, written } = await behindLink(t)
    await db.sql`create table note (words text)`
    // A statement that is known already goes out with its values.
    const write = (text: string) => db.sql`insert into note values (${text})`
    await write('')
    link.freeze()
    const writing = refused(write(words))
    // It goes out in this turn of the loop.
    await new Promise(setImmediate)
    await lose(writing, db)
    assert.ok(isConnectionLoss(await writing), 'nobody knows whether it is written')
    link.mend()
    await until(async () => (await connections()) === 0, 'Postgres has seen the end of the connection')
    assert.equal(await written(), 1)
  })

test('a connection over a Unix socket is given up like any other', { timeout: 60_000 }, async (t) => {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const { hostname, port, username, password, pathname } = new URL(database.url)
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-unix-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const ends: Socket[] = []
  const server = createServer((near) => {
    const far = createConnection({ host: hostname, port: Number(port) })
    ends.push(near, far)
    for (const end of [near, far]) end.on('error', () => undefined)
    near.pipe(far).pipe(near)
  })
  server.listen(join(folder, '.s.PGSQL.5432'))
  await once(server, 'listening')
  t.after(() => {
    for (const end of ends) end.destroy()
    server.close()
  })
  // There is no URL for this: postgres.js takes the folder from the environment.
  const own = { PGHOST: folder, PGPORT: '5432', PGUSER: username, PGPASSWORD: password }
  const before = { ...process.env }
  t.after(() => (process.env = before))
  Object.assign(process.env, own)
  const db = createDb({ url: `postgres://${pathname}`, readers: 1, writers: 1, statementTimeoutMs: 1000 })
  t.after(() => db.close())
  await db.sql`select 1`
  // Nothing comes back any more.
  for (const end of ends) end.unpipe()
  assert.ok(isConnectionLoss(await refused(db.sql`select 1`)))
  const answers = async () =>
    await db.sql`select 1`.then(
      () => true,
      () => false,
    )
  await until(answers, 'another connection is there')
})

/** More than what is between two sockets takes, so that most of it stays with the sender; less than its system takes for it. */
const words = 'word '.repeat(100_000)

/** A database by way of a link, with one connection; what it says of itself, past the link. */
async function behindLink(
  t: TestContext,
): Promise<{ db: Db; link: Link; connections: () => Promise<number>; written: () => Promise<number> }> {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const direct = postgres(database.url, { max: 1 })
  t.after(() => direct.end({ timeout: 1 }))
  const link = await linkTo(t, database.url)
  const db = createDb({ url: link.url, readers: 1, writers: 1, statementTimeoutMs: 1000 })
  t.after(() => db.close())
  return {
    db,
    link,
    connections: async () =>
      (await direct`select from pg_stat_activity where datname = current_database() and application_name = 'quarterdeck'`).length,
    written: async () => (await direct`select from note`).length,
  }
}

/** Resolves with what a statement failed with, when that is answered with 503. */
async function refused(work: PromiseLike<unknown>): Promise<unknown> {
  const error: unknown = await Promise.resolve(work).then(
    () => assert.fail('it did not fail'),
    (failure: unknown) => failure,
  )
  const refusal = translateDbError(error)
  assert.ok(refusal instanceof AppError, String(refusal))
  assert.equal(refusal.status, 503)
  return error
}
