// `npm start` from outside: what it says, what it refuses, and what it leaves behind.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import {
  externalServices,
  healthy,
  newPlace,
  processesOf,
  signalProcess,
  startProduct,
  stillRunning,
  type Place,
} from '../support/product.ts'

test('start, second start, stop, start again', async (t) => {
  const place = await newPlace(t)
  const first = startProduct(t, place)
  await first.says(`:${place.port}/docs\n`)
  await first.says('james, heidi, sam and verified, each with password "password"\n')
  await healthy(place)
  await query(place, 'create table kept as select 42 as answer')

  const second = startProduct(t, place)
  assert.equal(await second.ended(), 1)
  assert.equal(
    second.output(),
    `Quarterdeck is already running on ${place.dataDir} (process ${first.pid}). Stop it first, or set DATA_DIR to another folder.\n`,
  )

  const pids = Object.values(processesOf(place))
  assert.equal(pids.length, 4)
  assert.equal(await first.stop(), 0)
  assert.deepEqual(stillRunning(pids), [])
  assert.ok(!existsSync(join(place.dataDir, 'start.lock')))

  const again = startProduct(t, place)
  await again.says('Quarterdeck is running')
  assert.deepEqual(await query(place, 'select answer from kept'), [{ answer: 42 }])
})

test('start of a server and a worker alone, on services that run elsewhere', async (t) => {
  const place = await newPlace(t)
  const services = await externalServices(t)
  const worker = startProduct(t, place, ['worker'], services)
  await worker.says('The worker is running.')
  const server = startProduct(t, place, ['server'], services)
  await server.says('Quarterdeck is running')
  await healthy(place)
  assert.doesNotMatch(server.output() + worker.output(), /✓ (Postgres|Redis)/)
  assert.deepEqual([await server.stop(), await worker.stop()], [0, 0])
})

test('start stops in order while it is still starting', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place)
  await product.says('✓ Redis')
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
    { names: 'LOG_FORMAT', env: { LOG_FORMAT: 'xml' } },
    { names: 'TLS_KEY_FILE', env: { TLS_CERT_FILE: 'cert.pem' } },
  ]
  await Promise.all(
    cases.map(async ({ names, args, env }) => {
      const product = startProduct(t, place, args, env)
      const code = await product.ended()
      assert.match(product.output(), /^[^\n]+\.\n$/, 'one sentence')
      assert.ok(product.output().includes(names), `${names} is named in: ${product.output()}`)
      assert.equal(code, 2, product.output())
    }),
  )
  assert.ok(!existsSync(place.dataDir))
})

test('start names every wrong value and weak secret at once', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], {
    VAPOR_ENV: 'production',
    PORT: 'eighty',
    SERVICE_LENGTH_DAYS: '0',
    THO_PASSWORD: 'of my own',
    TRUST_PROXY: 'perhaps',
    REDIS_URL: 'redis://127.0.0.1:6379',
  })
  assert.equal(await product.ended(), 2)
  const named = [
    'PORT',
    'SERVICE_LENGTH_DAYS',
    'TRUST_PROXY',
    'ADMIN_PASSWORD',
    'RECOVERY_KEY',
    'THO_RECOVERY_KEY',
    'PROMETHEUS_PASSWORD',
    'REDIS_URL',
  ]
  const lines = product.output().trimEnd().split('\n')
  assert.equal(lines.length, named.length, product.output())
  for (const name of named)
    assert.ok(
      lines.some((line) => new RegExp(`^${name}\\b.*\\.$`).test(line)),
      `${name} is named in: ${product.output()}`,
    )
  assert.ok(!existsSync(place.dataDir))
})

test('start goes on when the reader of its output has gone', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place)
  await product.says('✓ Redis')
  product.closeOutput()
  await healthy(place)
  // Something for each process to say.
  await fetch(`http://127.0.0.1:${place.port}/api/v3/auth/login`, { method: 'POST' })
  signalProcess(place, 'Redis', 'SIGKILL')
  await healthy(place)
  assert.equal(await product.stop(), 0)
})

test('start logs JSON lines only, with LOG_FORMAT=json', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], { LOG_FORMAT: 'json' })
  await product.says('Quarterdeck is running')
  await fetch(`http://127.0.0.1:${place.port}/api/v3/auth/login`, { method: 'POST' })
  await product.says('/api/v3/auth/login')
  assert.equal(await product.stop(), 0)
  const entries = product
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; source: string; msg: string })
  assert.ok(entries.every(({ level, source, msg }) => level > 0 && source !== '' && msg !== ''))
  // A level of its own: between information and warnings.
  assert.deepEqual(
    entries.filter(({ msg }) => / (ready|stopped)$/.test(msg)).map(({ level }) => level),
    [35, 35, 35, 35],
  )
})

test('start makes requests readable with LOG_FORMAT=text', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], { LOG_FORMAT: 'text' })
  await product.says('Quarterdeck is running')
  await fetch(`http://127.0.0.1:${place.port}/api/v3/auth/login`, { method: 'POST' })
  await product.says(/^\d\d:\d\d:\d\d {2}POST {3}\/api\/v3\/auth\/login +401 +\d+ ms$/m)
  assert.doesNotMatch(product.output(), /^\{/m)
})

test('start says that it cannot write its data', async (t) => {
  const place = await newPlace(t)
  writeFileSync(place.dataDir, 'a file where the folder should be')
  const product = startProduct(t, place)
  assert.equal(await product.ended(), 1)
  assert.match(
    product.output(),
    new RegExp(`^The data directory ${place.dataDir} cannot be written \\(.*\\)\\. Set DATA_DIR to a folder that can\\.\n$`),
  )
})

test('start says which database it cannot reach', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], { DATABASE_URL: `postgres://u:secret@127.0.0.1:${place.port}/x` })
  assert.equal(await product.ended(), 1)
  assert.match(product.output(), new RegExp(`The database at 127\\.0\\.0\\.1:${place.port} cannot be used: .*ECONNREFUSED.*\\.\n$`))
  assert.doesNotMatch(product.output(), /secret/)
})

/** Asks the embedded Postgres directly: the product's own rows are not this test's concern. */
async function query({ dataDir }: Place, text: string): Promise<unknown[]> {
  const directory = join(dataDir, 'postgres')
  const port = Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[3])
  const password = readFileSync(join(directory, 'password'), 'utf8')
  const sql = postgres({ host: '127.0.0.1', port, user: 'quarterdeck', password, database: 'quarterdeck', max: 1 })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}
