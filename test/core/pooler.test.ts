// Servers that reach Postgres through a pooler in transaction mode.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import postgres from 'postgres'
import { readConfig } from '../../src/core/base/config.ts'
import { requirePooler } from '../../src/core/db/pooler.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { createTestDatabase } from '../support/db.ts'
import { body, createSeamail, people, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { poolerTo, type Pooler } from '../support/pooler.ts'
import { until } from '../support/until.ts'

async function startBehind(t: TestContext): Promise<{ nodes: TestNodes; pooler: Pooler }> {
  let pooler: Pooler | undefined
  const atEnd: (() => unknown)[] = []
  const nodes = await startTestNodes(2, {
    async overPooler(url) {
      pooler = await poolerTo({ after: (close) => void atEnd.push(close as () => unknown) }, url)
      return pooler.url
    },
  })
  // The pooler outlives those who use it.
  t.after(async () => {
    await nodes.stop()
    for (const close of atEnd) close()
  })
  return { nodes, pooler: pooler as Pooler }
}

test('statements go through the pooler, with the limits of time that it does not take', async (t) => {
  const { nodes, pooler } = await startBehind(t)
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  await body(ann.one.post(`/fez/${chat}/post`, { text: 'through', images: [] }), 201)
  const texts = (await body(bob.two.get(`/fez/${chat}`))).members.posts.map(({ text }: { text: string }) => text)
  assert.deepEqual(texts, ['through'])

  const asServers = postgres(pooler.url, { max: 1 })
  const [limits] = await asServers`
    select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('client_connection_check_interval') as check`
  await asServers.end()
  assert.deepEqual({ ...limits }, { statement: '8s', idle: '15s', check: '1s' })
})

test('a server keeps one connection past the pooler, and makes it again', async (t) => {
  const { nodes } = await startBehind(t)
  const sql = postgres(nodes.database.url, { max: 1 })
  const named = async (name: string) => {
    const rows = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and application_name = ${name} order by pid`
    return rows.map(({ pid }) => pid)
  }
  await until(async () => (await named('quarterdeck')).length === 2, 'one of each server')
  assert.ok((await named('quarterdeck by pooler')).length >= 2)
  const [first = 0] = await named('quarterdeck')
  await sql`select pg_terminate_backend(${first})`
  await until(async () => {
    const now = await named('quarterdeck')
    return now.length === 2 && !now.includes(first)
  }, 'it is there again')
  await sql.end()
})

test('a pooler that loses Postgres under a post: it was answered or can be sent again, and is there once', async (t) => {
  const { nodes, pooler } = await startBehind(t)
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  const lock = await hold(nodes.database.url, `select from fez where id = '${chat}' for update`)
  const key = randomUUID()
  const send = () =>
    ann.one.request('POST', `/fez/${chat}/post`, { body: { text: 'once', images: [] }, headers: { 'idempotency-key': key } })
  const first = send()
  await lock.awaited()
  pooler.lose()
  await lock.release()
  const { status } = await first
  assert.ok([201, 503].includes(status), `answered ${status}`)
  await until(async () => (await send()).status === 201, 'it is taken', 30_000)
  const texts = (await body(bob.two.get(`/fez/${chat}`))).members.posts.map(({ text }: { text: string }) => text)
  assert.deepEqual(texts, ['once'])
})

test('a pooler that does not carry prepared statements, or that is not there, is refused, with what to do about it', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const missing = /does not carry prepared statements\. PgBouncer does from version 1\.21 on, with max_prepared_statements above 0/
  await assert.rejects(requirePooler((await poolerTo(t, database.url, { forgets: true })).url, 5), missing)
  const good = await poolerTo(t, database.url)
  await requirePooler(good.url, 5)
  const nowhere = Object.assign(new URL(good.url), { port: '1' }).href
  await assert.rejects(
    requirePooler(nowhere, 5),
    /The pooler at 127\.0\.0\.1:1 cannot be used: .*Is it running, and DATABASE_POOLER_URL right\?/,
  )
})

test('DATABASE_POOLER_URL: an address, and never without that of Postgres itself', () => {
  const env = { DATABASE_URL: 'postgres://one/quarterdeck', DATABASE_POOLER_URL: 'postgres://two:6432/quarterdeck' }
  assert.equal(readConfig([], env).databasePoolerUrl, 'postgres://two:6432/quarterdeck')
  assert.equal(readConfig([], { DATABASE_URL: env.DATABASE_URL }).databasePoolerUrl, undefined)
  assert.throws(() => readConfig([], { ...env, DATABASE_POOLER_URL: 'https://two' }), /DATABASE_POOLER_URL must be/)
  assert.throws(() => readConfig([], { DATABASE_POOLER_URL: env.DATABASE_POOLER_URL }), /DATABASE_POOLER_URL needs DATABASE_URL/)
})
