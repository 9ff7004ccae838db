// The embedded Postgres keeps its data to itself and over every kind of end.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import postgres from 'postgres'
import { startPostgres, type EmbeddedPostgres, type PostgresOptions } from '../../src/embedded/postgres.ts'
import { startTime } from '../../src/supervisor/process-table.ts'

// One cluster for all: making it is what takes long.
const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'))
const pidFile = join(directory, 'cluster', 'postmaster.pid')
const options = { directory, database: 'kept', durable: false }
after(() => rmSync(directory, { recursive: true }))

test('embedded postgres keeps its data and its password', async (t) => {
  const first = await start(t)
  await query(first.url, 'create table thing as select 42 as answer')
  await first.stop()
  assert.equal(startTime(first.pid), undefined)

  const again = await start(t)
  assert.deepEqual(await query(again.url, 'select answer from thing'), [{ answer: 42 }])
  assert.equal(new URL(first.url).password, new URL(again.url).password)
})

test('embedded postgres lets in only who knows the password', async (t) => {
  const { url } = await start(t)
  const stranger = new URL(url)
  stranger.password = 'guessed'
  await assert.rejects(query(stranger.href, 'select 1'), /password authentication failed/)
  assert.equal(statSync(join(directory, 'password')).mode & 0o777, 0o600)
})

test('embedded postgres sorts and folds letters the same on every system', async (t) => {
  const { url } = await start(t)
  assert.deepEqual(await query(url, `select lower('ÅÉ') as lower, 'Z' < 'a' as by_code`), [{ lower: 'åé', by_code: true }])
  await query(url, 'create extension if not exists pg_trgm')
  assert.deepEqual(await query(url, `select cardinality(show_trgm('é')) > 0 as is_letter`), [{ is_letter: true }])
})

test('embedded postgres comes back on its port after a crash', async (t) => {
  const first = await start(t)
  first.kill()
  await first.exited
  const again = await start(t, { port: first.port })
  assert.equal(again.url, first.url)
})

test('embedded postgres ends one that a killed parent left on its data', async (t) => {
  const orphan = await start(t)
  await start(t)
  assert.match(await orphan.exited, /^exit code 0/)
})

test('embedded postgres starts although its old process id now belongs to somebody else', async (t) => {
  const crashed = await start(t)
  const left = readFileSync(pidFile, 'utf8')
  await crashed.stop()
  writeFileSync(pidFile, left.replace(/^\d+/, String(process.pid)))
  await start(t)
})

test('embedded postgres says why it does not start', async (t) => {
  const running = await start(t)
  const elsewhere = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'))
  t.after(() => rmSync(elsewhere, { recursive: true }))
  await assert.rejects(startPostgres({ directory: elsewhere, port: running.port, durable: false }), {
    name: 'OperatorError',
    message: /^The embedded Postgres did not start \(exit code 1: .*Address already in use/,
  })
})

async function start(t: TestContext, more: Partial<PostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const running = await startPostgres({ ...options, ...more })
  t.after(() => running.stop())
  return running
}

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}
