// What all features have stored, under the schema of each earlier version as far as that has room for it, and brought to the
// newest by all the migrations that came since.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, it } from 'node:test'
import postgres from 'postgres'
import { migrate, migrationsFolder } from '../../src/core/db/migrate.ts'
import { announcedIn } from '../../src/upgrade/inventory.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { anEvening } from '../support/evening.ts'
import { buildWorld } from '../support/world.ts'

type Columns = ReadonlyMap<string, readonly string[]>

let nodes: TestNodes
let newest: postgres.Sql
let now: Columns
before(async () => {
  nodes = await startTestNodes(1)
  const worker = await nodes.startWorker()
  await anEvening(nodes)
  await buildWorld(nodes)
  await Promise.all([worker, ...nodes.apps].map((each) => each.stop(0)))
  newest = openWithoutRules(nodes.database.url)
  now = await columnsOf(newest)
  await useEverything()
})
after(async () => {
  await newest.end()
  await nodes.stop()
})

/** Rows may refer to others of tables that are filled later. */
function openWithoutRules(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined, connection: { session_replication_role: 'replica' } })
}

/** By table, what rows are given a value for. */
async function columnsOf(sql: postgres.Sql): Promise<Columns> {
  const rows = await sql<{ table: string; columns: string[] }[]>`
    select relname::text as table, array_agg(attname::text order by attnum) as columns from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration' group by 1`
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

const listed = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

/** A value of each type, as SQL. */
const valueOf: readonly (readonly [type: RegExp, value: string])[] = [
  [/\[\]$/, `'{}'`],
  [/^uuid$/, 'gen_random_uuid()'],
  [/^(integer|bigint|smallint|real|double|numeric)/, '1'],
  [/^(timestamp|date)/, 'now()'],
  [/^boolean$/, 'true'],
  [/^jsonb$/, `'{}'`],
  [/^bytea$/, `'a'`],
]
/** And of columns that take only some of their type. */
const valueIn: Readonly<Record<string, string>> = {
  // A move to another category was not a change of the title as well.
  'forum_edit.category_id': 'null',
  'hunt_call_in.result': `'correct'`,
  'incident.state': `'bad'`,
  'incident_webhook.quiet_from': `'22:00'`,
  'incident_webhook.quiet_to': `'07:00'`,
  'operation.state': `'done'`,
  'performer_upload.kind': `'links'`,
  'process.kind': `'server'`,
  'webhook_delivery.state': `'sent'`,
}

/** Gives each table that nobody has used a row, with a value in each of its columns. */
async function useEverything(): Promise<void> {
  for (const table of now.keys()) {
    if ((await newest`select from ${newest(table)} limit 1`).count > 0) continue
    const columns = await newest<{ name: string; type: string; label: string | null }[]>`
      select attname::text as name, format_type(atttypid, atttypmod) as type,
        (select enumlabel::text from pg_enum where enumtypid = atttypid order by enumsortorder limit 1) as label
      from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
    const values = columns.map(
      ({ name, type, label }) => valueIn[`${table}.${name}`] ?? valueOf.find(([of]) => of.test(type))?.[1] ?? `'${label ?? 'a'}'`,
    )
    await newest.unsafe(
      `insert into "${table}" (${listed(columns.map(({ name }) => name))}) overriding system value values (${values.join(', ')})`,
    )
  }
}

/** Rows of a table as JSON, in an order of their own. */
async function rowsOf(sql: postgres.Sql, table: string, columns: readonly string[]): Promise<string[]> {
  const rows = await sql.unsafe<{ row: string }[]>(
    `select to_jsonb(one)::text as row from (select ${listed(columns)} from "${table}") one order by 1`,
  )
  return rows.map(({ row }) => row)
}

/** Puts rows of the newest version into tables of an older one; returns the columns that both have, of each that took them. */
async function fill(sql: postgres.Sql, rows: ReadonlyMap<string, readonly string[]>): Promise<Columns> {
  const filled = new Map<string, readonly string[]>()
  for (const [table, columns] of await columnsOf(sql)) {
    const common = columns.filter((column) => now.get(table)?.includes(column))
    await sql`delete from ${sql(table)}`
    const those = (rows.get(table) ?? []).filter((row) => !isNewer.test(row))
    await sql
      .unsafe(
        `insert into "${table}" (${listed(common)}) overriding system value
          select ${listed(common)} from jsonb_populate_recordset(null::"${table}", $1::text::jsonb)`,
        [`[${those.join(',')}]`],
      )
      .then(
        () => filled.set(table, common),
        // Something had to be in it that is not there any more.
        (error: unknown) => assert.equal((error as postgres.PostgresError).code, '23502', table),
      )
  }
  return filled
}

/** Words that older versions have no type for. */
const isNewer = /"privateEvent"/

/** What is new concerns the version before it most. All of them take a minute: `EVERY_VERSION=1 npm test -- test/upgrade/history.test.ts`. */
const every = process.env['EVERY_VERSION'] === undefined ? 10 : 1
const names = readdirSync(migrationsFolder)
  .filter((name) => /^\d.*\.sql$/.test(name))
  .sort()

for (const [index, name] of names.slice(0, -1).entries()) {
  if ((names.length - 2 - index) % every > 0) continue
  it(`from ${name}`, async () => {
    const rows = new Map<string, string[]>()
    for (const [table, columns] of now) rows.set(table, await rowsOf(newest, table, columns))
    const database = await createEmptyDatabase()
    const sql = openWithoutRules(database.url)
    try {
      await migrate(database.url, () => undefined, migrationsFolder, index + 1)
      const filled = await fill(sql, rows)
      await migrate(database.url, () => undefined)
      const announced = announcedIn(
        migrationsFolder,
        names.slice(index + 1).map((later) => later.replace(/\.sql$/, '')),
      )
      for (const [table, all] of filled) {
        if (!now.has(table) || announced.has(table)) continue
        const columns = all.filter((column) => !announced.has(`${table}.${column}`))
        const wanted = (await rowsOf(newest, table, columns)).filter((row) => !isNewer.test(row))
        assert.deepEqual(await rowsOf(sql, table, columns), wanted, table)
      }
    } finally {
      await sql.end()
      await database.drop()
    }
  })
}
