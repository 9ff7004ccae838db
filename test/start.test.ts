// `npm start` from outside: what it says, what it refuses, and what it leaves behind.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import postgres from 'postgres'
import { createTestDatabase } from './support/db.ts'
import { newPlace, processesOf, startProduct, stillRunning, type Place } from './support/product.ts'

test('start, second start, stop, start again', async (t) => {
  const place = await newPlace(t)
  const first = startProduct(t, place)
  await first.says(`http://localhost:${place.port}/docs\n`)
  await first.says('Log in as james, heidi, sam or verified, each with the password "password"\n')
  await assertHealthy(place)
  await query(place, 'create table kept as select 42 as answer')

  const second = startProduct(t, place)
  assert.equal(await second.ended(), 1)
  assert.equal(second.output(), `Quarterdeck is already running on ${place.dataDir} (process ${first.pid}). Stop it first, or set DATA_DIR to another folder.\n`)

  const pids = Object.values(processesOf(place))
  assert.equal(pids.length, 4)
  assert.equal(await first.stop(), 0)
  assert.deepEqual(stillRunning(pids), [])
  assert.ok(!existsSync(join(place.dataDir, 'start.lock')))

  const again = startProduct(t, place)
  await again.says('Quarterdeck is running')
  assert.deepEqual(await query(place, 'select answer from kept'), [{ answer: 42 }])
})

test('start after the parent was killed', async (t) => {
  const place = await newPlace(t)
  const first = startProduct(t, place)
  await first.says('Quarterdeck is running')
  const pids = Object.values(processesOf(place))
  first.kill('SIGKILL')
  await first.ended()

  const again = startProduct(t, place)
  await again.says('Quarterdeck is running')
  await assertHealthy(place)
  assert.deepEqual(stillRunning(pids), [])
})

test('start brings back what crashes', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place)
  await product.says('Quarterdeck is running')
  for (const names of [['The server', 'The worker'], ['Redis', 'Postgres']]) {
    const processes = processesOf(place)
    for (const name of names) process.kill(processes[name] ?? -1, 'SIGKILL')
    for (const name of names) {
      await product.says(`${name} stopped unexpectedly (signal SIGKILL`)
      await product.says(`${name} is running again.`)
    }
  }
  await assertHealthy(place)
  assert.equal(await product.stop(), 0)
})

test('start refuses a port in use', async (t) => {
  const place = await newPlace(t)
  const other = createServer().listen(place.port, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const product = startProduct(t, place, [], await externalServices(t))
  assert.equal(await product.ended(), 1)
  assert.match(product.output(), new RegExp(`^.*\\b${place.port}\\b.* in use`, 'm'))
  assert.match(product.output(), /The server did not start \(exit code 1\)\.\n$/)
})

test('start of a server and a worker alone, on services that run elsewhere', async (t) => {
  const place = await newPlace(t)
  const services = await externalServices(t)
  const worker = startProduct(t, place, ['worker'], services)
  await worker.says('The worker is running.')
  const server = startProduct(t, place, ['server'], services)
  await server.says('Quarterdeck is running')
  await assertHealthy(place)
  assert.doesNotMatch(server.output() + worker.output(), /Starting (Postgres|Redis)/)
  assert.deepEqual([await server.stop(), await worker.stop()], [0, 0])
})

test('start stops in order while it is still starting', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place)
  await product.says('Starting Redis ...')
  assert.equal(await product.stop(), 0)
  assert.doesNotMatch(product.output(), /Quarterdeck is running/)
  assert.ok(!existsSync(join(place.dataDir, 'postgres', 'cluster', 'postmaster.pid')))
})

test('start refuses wrong values before it starts anything', async (t) => {
  const place = await newPlace(t)
  const cases: { names: string; args?: string[]; env?: Record<string, string> }[] = [
    { names: '"everything"', args: ['everything'] },
    { names: '--port', args: ['--port', '70000'] },
    { names: '--bind', args: ['--bind', 'here'] },
    { names: '--env', args: ['--env', '../etc'] },
    { names: '--colour', args: ['--colour', 'red'] },
    { names: 'PORT', env: { PORT: 'eighty' } },
    { names: 'DATABASE_URL', env: { DATABASE_URL: 'mysql://localhost/x' } },
    { names: 'DATABASE_PORT', env: { DATABASE_PORT: '0' } },
    { names: 'REDIS_URL', env: { REDIS_URL: 'localhost:6379' } },
    { names: 'SERVICE_PORT_TIMEZONE', env: { SERVICE_PORT_TIMEZONE: 'Atlantis/Sunken' } },
    { names: 'SERVICE_START_DATE', env: { SERVICE_START_DATE: 'tomorrow' } },
    { names: 'TOKEN_SECRET', env: { TOKEN_SECRET: 'short' } },
    { names: 'ADMIN_PASSWORD', env: { VAPOR_ENV: 'production' } },
  ]
  await Promise.all(cases.map(async ({ names, args, env }) => {
    const product = startProduct(t, place, args, env)
    const code = await product.ended()
    assert.match(product.output(), /^[^\n]+\.\n$/, 'one sentence')
    assert.ok(product.output().includes(names), `${names} is named in: ${product.output()}`)
    assert.equal(code, 2, product.output())
  }))
  assert.ok(!existsSync(place.dataDir))
})

test('start says which database it cannot reach', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], { DATABASE_URL: `postgres://u:secret@127.0.0.1:${place.port}/x` })
  assert.equal(await product.ended(), 1)
  assert.match(product.output(), new RegExp(`The database at 127\\.0\\.0\\.1:${place.port} cannot be used: .*ECONNREFUSED.*\\.\n$`))
  assert.doesNotMatch(product.output(), /secret/)
})

async function externalServices(t: TestContext): Promise<Record<string, string>> {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  return { DATABASE_URL: database.url, REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' }
}

async function assertHealthy({ port }: Place): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v3/client/health`)
  assert.equal(response.status, 200)
  await response.body?.cancel()
}

/** Asks the embedded Postgres directly: the product's own rows are not this test's concern. */
async function query({ dataDir }: Place, text: string): Promise<unknown[]> {
  const directory = join(dataDir, 'postgres')
  const port = Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[3])
  const password = readFileSync(join(directory, 'password'), 'utf8')
  const sql = postgres({ host: '127.0.0.1', port, user: 'quarterdeck', password, database: 'quarterdeck', max: 1 })
  try {
    return [...await sql.unsafe(text)]
  } finally {
    await sql.end()
  }
}
