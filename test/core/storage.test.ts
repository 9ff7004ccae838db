// Postgres answers and cannot write: requests that write are refused for a while, the others are answered,
// and readiness says why.
import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import postgres from 'postgres'
import type { Answer } from '../support/client.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { people, type Person } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let one: Person
let sql: postgres.Sql
before(async () => {
  nodes = await startTestNodes(1)
  ;[one] = (await people(nodes, {})) as [Person]
  sql = postgres(nodes.database.url, { max: 1, onnotice: () => undefined, connection: { default_transaction_read_only: false } })
})
after(async () => {
  await sql.end()
  await nodes.stop()
})

const secret = 'words of Postgres that nobody must read'
const post = () => one.one.post('/microblog/create', content('hello'))
const ready = () => nodes.client().get('//health/ready')

function requireRefused({ status, headers, body }: Answer): void {
  assert.equal(status, 503, JSON.stringify(body))
  assert.ok(Number(headers['retry-after']) > 0)
  assert.equal(body.reason, 'The server cannot store anything at the moment. Please try again later.')
}

/** Every new post fails with this state, and one with words that would help an attacker. */
async function failing(t: TestContext, state: string): Promise<void> {
  await sql.unsafe(`
    create function fail_for_test() returns trigger language plpgsql as $$ begin raise exception '${secret}' using errcode = '${state}'; end $$;
    create trigger fail_for_test before insert on microblog_post for each row execute function fail_for_test()`)
  t.after(() => sql.unsafe('drop function if exists fail_for_test cascade'))
}

for (const [state, says] of [
  ['53100', 'full'],
  ['53000', 'failing'],
  ['53200', 'failing'],
  ['53400', 'failing'],
  ['58000', 'failing'],
  ['58030', 'failing'],
  ['25006', 'read only'],
] as const) {
  test(`a write that fails with ${state} is 503, and readiness says ${says}`, async (t) => {
    await failing(t, state)
    requireRefused(await post())
    const { status, body } = await ready()
    assert.deepEqual([status, body], [503, { status: 'not ready', database: says, redis: 'up', images: 'up' }])
    assert.equal((await one.one.get('/user/whoami')).status, 200, 'what needs no room is answered')
    assert.equal((await nodes.client().get('/client/health')).status, 200, 'nothing that a restart would mend')
    await sql.unsafe('drop function fail_for_test cascade')
    assert.equal((await post()).status, 201)
  })
}

test('other failures of Postgres are 500, without its words', async (t) => {
  await failing(t, 'XX001')
  const { status, body } = await post()
  assert.deepEqual([status, body], [500, { error: true, status: 500, code: 'internal', reason: 'Something went wrong on the server.' }])
})

/** For connections that are made from now on. */
const makeReadOnly = async (value: 'on' | 'off') => {
  const name = new URL(nodes.database.url).pathname.slice(1)
  await sql.unsafe(`alter database ${name} set default_transaction_read_only = ${value}`)
}
const endConnections = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`

test('a database that is made read-only, and writable again', async () => {
  await makeReadOnly('on')
  await endConnections()
  try {
    await until(async () => (await ready()).body.database === 'read only', 'readiness says so, with no write before')
    assert.equal((await ready()).status, 503)
    await until(async () => (await post()).body.reason.startsWith('The server cannot store'), 'connected again')
    requireRefused(await post())
    const { status, headers } = await nodes.client().post('/auth/login', undefined, { basic: [one.username, 'a test password'] })
    assert.equal(status, 503)
    assert.ok(Number(headers['retry-after']) > 0)
    assert.equal((await one.one.get('/forum/categories')).status, 200)
  } finally {
    await makeReadOnly('off')
    await endConnections()
  }
  await until(async () => (await ready()).status === 200, 'ready again', 20_000)
  assert.equal((await post()).status, 201)
})

for (const [who, notices] of [
  ['somebody who writes', async () => (await post()).status === 201],
  ['readiness', async () => (await ready()).status === 200],
] as const) {
  test(`a database that is writable again, but not for the connections that are there: ${who} notices`, async () => {
    await makeReadOnly('on')
    await endConnections()
    try {
      await until(async () => (await post()).body.reason.startsWith('The server cannot store'), 'connected again')
      // Those that read, too.
      for (let nr = 0; nr < 16; nr++) assert.equal((await one.one.get(`/users/match/allnames/nobody${nr}`)).status, 200)
      await until(async () => (await ready()).body.database === 'read only', 'readiness says so')
    } finally {
      await makeReadOnly('off')
    }
    await until(notices, 'connected again', 20_000)
    await until(async () => (await ready()).status === 200, 'ready again', 20_000)
    assert.equal((await post()).status, 201)
  })
}
