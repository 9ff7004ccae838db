// Restoring what is not as it was written: it ends soon, with a sentence, and leaves nothing behind.
import assert from 'node:assert/strict'
import { createReadStream, createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { extract, pack } from 'tar-stream'
import { readArchive, writeArchive } from '../../src/backup/archive.ts'
import { backUp } from '../../src/backup/backup.service.ts'
import { openClient, selectTables, countRows, type Client } from '../../src/backup/queries.ts'
import { restore } from '../../src/backup/restore.service.ts'
import type { Config } from '../../src/core/base/config.ts'
import { FolderStore } from '../../src/core/files/store.ts'
import { migrate, migrationsFolder } from '../../src/core/db/migrate.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { OperatorError } from '../../src/supervisor/operator-error.ts'
import { Dice } from '../chaos/dice.ts'
import { startTestNodes, testTokenSecret } from '../support/app.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/db.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { content, postIn, startForum } from '../support/forum.ts'

const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31)
const places = 200
const limitMs = 10_000

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-damage-'))
const good = join(directory, 'good.tar')
const damaged = join(directory, 'damaged.tar')
let database: TestDatabase
let sql: Client
let config: Config

before(async () => {
  const nodes = await startTestNodes(1, { workers: 1 })
  try {
    const [one, two] = (await people(nodes, {}, {})) as [Person, Person]
    const { forumID } = await startForum(one.one, 'A forum', content('first'))
    await postIn(one.one, forumID, 'second')
    await say(one.one, await createSeamail(one.one, [two]), 'third')
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer()
    await body(one.one.post('/user/image', { image: picture.toString('base64') }))
    const files = new FolderStore(nodes.config.imagesDir)
    const stores = { config: nodes.config, databaseUrl: nodes.database.url, sql: openClient(nodes.database.url), files }
    await backUp(stores, good, () => undefined)
    await stores.sql.end()
  } finally {
    await nodes.stop()
  }
  await newServer()
})
after(async () => {
  await leaveServer()
  rmSync(directory, { recursive: true })
})

let servers = 0

async function newServer(): Promise<void> {
  database = await createEmptyDatabase()
  sql = openClient(database.url)
  const dataDir = join(directory, `server-${++servers}`)
  config = readConfig([], { DATABASE_URL: database.url, DATA_DIR: dataDir, TOKEN_SECRET: testTokenSecret })
}

async function leaveServer(): Promise<void> {
  await sql.end({ timeout: 1 })
  await database.drop()
}

/** Undefined when it was restored. */
async function refusal(): Promise<Error | undefined> {
  const ended = restore(
    { config, databaseUrl: database.url, sql, files: new FolderStore(config.imagesDir) },
    damaged,
    () => undefined,
  ).then(
    () => undefined,
    (error: unknown) => error as Error,
  )
  const hanging = new AbortController()
  try {
    return await Promise.race([
      ended,
      pause(limitMs, undefined, { signal: hanging.signal }).then(() => assert.fail(`restore has not ended within ${limitMs} ms`)),
    ])
  } finally {
    hanging.abort()
  }
}

async function requireRefused(what: string, reason: RegExp): Promise<void> {
  const error = await refusal()
  assert.ok(error instanceof OperatorError, `${what}: ${error?.stack ?? 'it was restored'}`)
  assert.match(error.message, reason, what)
  assert.match(error.message, /^[^\n]+\.$/, `${what}: a sentence`)
  assert.deepEqual(existsSync(config.imagesDir) ? readdirSync(config.imagesDir) : [], [], `${what}: no image stays`)
}

/** A backup with a checksum of its own, in which some entries hold something else, and with one more at its end. */
async function forged(change: (name: string, content: Buffer) => Buffer, more?: string): Promise<void> {
  rmSync(damaged, { force: true })
  await writeArchive(damaged, async (archive) => {
    for await (const entry of readArchive(good)) {
      const bytes = change(entry.name, await buffer(entry.content))
      await archive.add(entry.name, Readable.from([bytes]), bytes.length, entry.modifiedMs)
    }
    if (more !== undefined) await archive.add(more, Readable.from([Buffer.from('x')]), 1)
  })
}

const rowsOf = (table: string) => `database/rows/${table}`

test('a row that Postgres refuses, wherever it stands', async (t) => {
  const cases: Record<string, (rows: Buffer) => Buffer> = {
    'a sector of zeros': (rows) => Buffer.concat([rows.subarray(0, 512), Buffer.alloc(512), rows.subarray(1024)]),
    'the last row is no row': (rows) => Buffer.concat([rows, Buffer.from('nonsense\n')]),
    'no text': (rows) => Buffer.concat([rows.subarray(0, rows.length - 3), Buffer.from([0xff, 0xfe, 0x0a])]),
    'cut off': (rows) => rows.subarray(0, Math.floor(rows.length / 2)),
    'all of it twice': (rows) => Buffer.concat([rows, rows]),
  }
  for (const [what, change] of Object.entries(cases)) {
    await t.test(what, async () => {
      await forged((name, bytes) => (name === rowsOf('account') ? change(bytes) : bytes))
      await requireRefused(what, /was not made for this database, or was changed/)
      assert.deepEqual(await countRows(sql, await selectTables(sql)), {})
    })
  }
  await forged((name, bytes) => (name === rowsOf('account') ? Buffer.alloc(0) : bytes))
  await requireRefused('rows that refer to nobody', /was not made for this database, or was changed/)
})

test('a name that leads out of the folder of images, or to a table that is none', async () => {
  for (const [name, reason] of [
    ['images/../../escaped.jpg', /no name of an image/],
    ['images/full/../../../escaped.jpg', /no name of an image/],
    ['images//escaped.jpg', /no name of an image/],
    ['images/.hidden', /no name of an image/],
    ['database/rows/pg_authid', /does not belong there/],
  ] as const) {
    await forged((_name, bytes) => bytes, name)
    await requireRefused(name, reason)
    for (const folder of [directory, config.dataDir, config.imagesDir]) assert.ok(!existsSync(join(folder, 'escaped.jpg')), name)
    assert.deepEqual(await countRows(sql, await selectTables(sql)), {})
  }
})

/** The file with the checksum that it had, entries under other names, and one more at its end. */
async function retold(rename: (name: string) => string, more?: string): Promise<void> {
  const [from, to] = [extract(), pack()]
  createReadStream(good).pipe(from)
  const written = pipeline(to, createWriteStream(damaged))
  for await (const entry of from) to.entry({ ...entry.header, name: rename(entry.header.name) }, await buffer(entry))
  if (more !== undefined) to.entry({ name: more }, 'x')
  to.finalize()
  await written
}

test('an entry that has another name than it was written with, or stands behind the checksum, gets as far as no database', async () => {
  await leaveServer()
  await newServer()
  await retold((name) => (name.startsWith('images/full/') ? name.replace('images/full/', 'images/fool/') : name))
  await requireRefused('another name', /damaged/)
  await retold((name) => name, 'images/full/00/behind.jpg')
  await requireRefused('behind the checksum', /damaged/)
  await retold((name) => (name === rowsOf('account') ? rowsOf('fez') : name))
  await requireRefused('another table', /damaged/)
  assert.deepEqual(await selectTables(sql), [])
})

test('a backup of another version', async () => {
  const inHeader = (from: string, to: string) =>
    forged((name, bytes) => (name === 'backup.json' ? Buffer.from(bytes.toString().replace(from, to)) : bytes))
  await inHeader('"format":1', '"format":2')
  await requireRefused('another format', /newer version/)
  await inHeader('0001_frame', '9999_frame')
  await requireRefused('another migration', /migration/)
})

/** From where to where the entries of a tar are, each with its head and without its padding. */
function entriesOf(tar: Buffer): [from: number, to: number][] {
  const found: [number, number][] = []
  let at = 0
  while (tar[at] !== 0) {
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    found.push([at, at + 512 + size])
    at += 512 * (1 + Math.ceil(size / 512))
  }
  return found
}

test(`a damaged byte in ${places} places (seed ${seed})`, async () => {
  const dice = new Dice(seed)
  const bytes = readFileSync(good)
  const entries = entriesOf(bytes)
  assert.ok(entries.length > 12, `there are parts of every kind: ${entries.length}`)
  for (let number = 0; number < places; number++) {
    // In each of them first.
    const [from, to] = entries[number] ?? dice.among(entries)
    const place = from + dice.below(to - from)
    const wrong = Buffer.from(bytes)
    wrong[place] = (wrong[place] as number) ^ (1 << dice.below(8))
    writeFileSync(damaged, wrong)
    const error = await refusal()
    if (error) {
      assert.ok(error instanceof OperatorError, `byte ${place}: ${error.stack}`)
      assert.match(error.message, /^[^\n]+\.$/)
      continue
    }
    // Names, sizes and contents are under the checksum of the whole. Of a head, what nobody reads may be wrong, and a
    // leading zero of a number that has become a space.
    assert.ok(place - from < 512 && [0, 0x20, 0x30].includes(bytes[place] as number), `byte ${place} was not noticed`)
    await leaveServer()
    await newServer()
  }
})

test('a backup of the version before is restored as it was, and then brought to this one', async (t) => {
  await leaveServer()
  await newServer()
  const earlier = await createEmptyDatabase()
  const client = openClient(earlier.url)
  t.after(async () => {
    await client.end({ timeout: 1 })
    await earlier.drop()
  })
  const all = readdirSync(migrationsFolder).filter((name) => /^\d.*\.sql$/.test(name))
  await migrate(earlier.url, () => undefined, migrationsFolder, all.length - 1)
  rmSync(damaged, { force: true })
  const emptyFolder = join(directory, 'no-images')
  await backUp({ config, databaseUrl: earlier.url, sql: client, files: new FolderStore(emptyFolder) }, damaged, () => undefined)
  assert.equal(await refusal(), undefined)
  assert.equal((await sql`select from schema_migration`).length, all.length)
})
