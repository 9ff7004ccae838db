// Migrations against an empty database and a folder of the test's own.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import postgres from 'postgres'
import { pooledName } from '../../src/core/db/connection.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'

const create = 'create table thing (id int primary key);'
const fill = 'insert into thing select generate_series(1, 3);'

test('migrate applies files in order, once, and logs each', async (t) => {
  const { run, sql, logged } = await setUp(t, { '0002_fill.sql': fill, '0001_create.sql': create, 'schema.sql': 'not sql' })
  await run()
  assert.deepEqual(logged, ['0001_create', '0002_fill'])
  await run()
  assert.equal(logged.length, 2)
  assert.deepEqual([...(await sql`select count(*)::int from thing`)], [{ count: 3 }])
  const history = await sql`select name, length(checksum) as length, applied_at <= now() as past from schema_migration order by name`
  assert.deepEqual(
    [...history],
    [
      { name: '0001_create', length: 64, past: true },
      { name: '0002_fill', length: 64, past: true },
    ],
  )
})

test('migrate applies what was added since', async (t) => {
  const { run, sql, write } = await setUp(t, { '0001_create.sql': create })
  await run()
  write('0002_fill.sql', fill)
  await run()
  assert.deepEqual([...(await sql`select count(*)::int from thing`)], [{ count: 3 }])
})

test('migrate applies numbered files first, then those that begin with their day', async (t) => {
  const { run, logged } = await setUp(t, {
    '2026-12-01_poll_vote.sql': 'insert into thing values (8)',
    '2026-12-01_poll.sql': 'insert into thing values (7)',
    '2026-11-30_thing.sql': 'insert into thing values (6)',
    '0001_create.sql': create,
  })
  await run()
  await run()
  assert.deepEqual(logged, ['0001_create', '2026-11-30_thing', '2026-12-01_poll', '2026-12-01_poll_vote'])
})

test('migrate takes other line ends for the same file', async (t) => {
  const { run, write } = await setUp(t, { '0001_create.sql': `${create}\n` })
  await run()
  write('0001_create.sql', `${create}\r\n`)
  await run()
})

test('migrate refuses a history that does not fit', async (t) => {
  const cases: { name: string; change(place: Place): void; message: RegExp }[] = [
    { name: 'changed', change: ({ write }) => write('0002_fill.sql', `${fill} --`), message: /sql\/0002_fill\.sql was changed after/ },
    { name: 'gone', change: ({ remove }) => remove('0002_fill.sql'), message: /migration 0002_fill, which is not in the sql folder/ },
    {
      name: 'squeezed in',
      change: ({ write }) => write('0000_first.sql', 'select 1'),
      message: /sql\/0000_first\.sql comes before 0001_create/,
    },
    { name: 'two of a number', change: ({ write }) => write('0002_other.sql', 'select 1'), message: /Two migrations have the number 0002/ },
    { name: 'misnamed', change: ({ write }) => write('3_more.sql', 'select 1'), message: /sql\/3_more\.sql is not named like/ },
  ]
  for (const { name, change, message } of cases) {
    await t.test(name, async (t) => {
      const place = await setUp(t, { '0001_create.sql': create, '0002_fill.sql': fill })
      await place.run()
      change(place)
      await assert.rejects(place.run(), { name: 'OperatorError', message })
    })
  }
})

test('migrate leaves nothing of a migration that fails, and keeps those before it', async (t) => {
  const broken = 'create table half (id int);\ninsert into half values (1);\ninsert into nowhere values (1);'
  const { run, sql, write } = await setUp(t, { '0001_create.sql': create, '0002_half.sql': broken })
  await assert.rejects(run(), { name: 'OperatorError', message: /sql\/0002_half\.sql, line 3 failed: relation "nowhere" does not exist/ })
  assert.deepEqual(
    [...(await sql`select to_regclass('thing') is null as thing, to_regclass('half') is null as half`)],
    [{ thing: false, half: true }],
  )
  assert.deepEqual([...(await sql`select name from schema_migration`)], [{ name: '0001_create' }])

  write('0002_half.sql', 'create table half (id int);')
  await run()
  assert.deepEqual([...(await sql`select to_regclass('half') is null as half`)], [{ half: false }])
})

test('migrate in several processes at once applies each file once', async (t) => {
  const { run, sql, logged } = await setUp(t, { '0001_create.sql': create, '0002_fill.sql': fill })
  await Promise.all([run(), run(), run(), run()])
  assert.equal(logged.length, 2)
  assert.deepEqual([...(await sql`select count(*)::int from thing`)], [{ count: 3 }])
})

test('migrate ends what a pooler keeps, once it has changed something, and nothing that is in use', async (t) => {
  const { run, sql, write, url } = await setUp(t, { '0001_create.sql': create })
  await run()
  const [idle, used] = [1, 2].map(() => postgres(url, { max: 1, connection: { application_name: pooledName } })) as [
    postgres.Sql,
    postgres.Sql,
  ]
  const kept = async () =>
    (await sql`select from pg_stat_activity where application_name = ${pooledName} and datname = current_database()`).length
  try {
    await idle`select 1`
    await used.begin(async (tx) => {
      await tx`select 1`
      await run()
      assert.equal(await kept(), 2)
      write('0002_fill.sql', fill)
      await run()
      await until(async () => (await kept()) === 1, 'the one that nobody uses ends')
      await tx`select 1`
    })
  } finally {
    await Promise.all([idle.end(), used.end()])
  }
})

type Place = Awaited<ReturnType<typeof setUp>>

async function setUp(t: TestContext, files: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'))
  const database = await createEmptyDatabase()
  const sql = postgres(database.url, { max: 1 })
  t.after(async () => {
    await sql.end()
    await database.drop()
    rmSync(directory, { recursive: true })
  })
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  const logged: string[] = []
  return {
    url: database.url,
    sql,
    logged,
    write,
    remove: (name: string) => rmSync(join(directory, name)),
    run: () => migrate(database.url, (line) => logged.push(line), directory),
  }
}
