// Backup, restore and wipe, as an operator runs them: while users go on writing, into another server, and when
// the event is over.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import sharp from 'sharp'
import { tables } from '../../src/features.ts'
import { holdImages, openClient, releaseImages, rewriteTables, selectTables, type Client } from '../../src/backup/queries.ts'
import { sayProof, wipe } from '../../src/backup/wipe.service.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { FolderStore } from '../../src/core/files/store.ts'
import { startTestNodes, testTokenSecret, type TestNodes } from '../support/app.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/db.ts'
import { block, body, createChat, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { content, postIn, startForum } from '../support/forum.ts'
import { writeSong } from '../support/microkaraoke.ts'
import { healthy, newPlace, startProduct } from '../support/product.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-backup-'))
let nodes: TestNodes
let fromNodes: Record<string, string>
before(async () => {
  const privateSeeds = join(directory, 'seeds')
  mkdirSync(join(privateSeeds, 'microkaraoke'), { recursive: true })
  writeSong(join(privateSeeds, 'microkaraoke'), 'A song', { slots: 30 })
  nodes = await startTestNodes(1, { workers: 1, env: { PRIVATE_SEEDS_DIR: privateSeeds } })
  fromNodes = { DATABASE_URL: nodes.database.url, DATA_DIR: nodes.config.dataDir }
})
after(async () => {
  await nodes.stop()
  rmSync(directory, { recursive: true })
})

let files = 0
const newFile = () => join(directory, `backup-${++files}.tar`)
const picture = (
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
).toString('base64')
const videoData = randomBytes(500_001).toString('base64')

/** Somewhere to restore to. */
async function emptyServer(t: TestContext, env: Record<string, string> = { TOKEN_SECRET: testTokenSecret }) {
  const database = await createEmptyDatabase()
  const dataDir = mkdtempSync(join(directory, 'server-'))
  t.after(() => database.drop())
  return { database, dataDir, imagesDir: join(dataDir, 'images'), env: { DATABASE_URL: database.url, DATA_DIR: dataDir, ...env } }
}

async function backedUp(): Promise<string> {
  const file = newFile()
  const { code, output } = await runTool('backup', [file], fromNodes)
  assert.equal(code, 0, output)
  assert.match(output, /^Backed up the database and \d+ files of images\.\n$/)
  return file
}

/**
 * A backup, and everything there was when it was made: made again when somebody has written meanwhile. Workers
 * finish what they were given, and servers write and sweep their figures by the minute.
 */
async function backedUpInPeace(): Promise<{ file: string; whole: Record<string, string> }> {
  let file = ''
  let whole: Record<string, string> = {}
  const nobodyWrites = async () => {
    whole = await everythingHere()
    file = await backedUp()
    return isDeepStrictEqual(await everythingHere(), whole)
  }
  await until(nobodyWrites, 'a backup while nobody writes', 60_000)
  return { file, whole }
}

const everythingHere = () => everything(nodes.database.url, nodes.config.imagesDir)

/** A digest of every table and of every file of images. */
async function everything(url: string, imagesDir: string): Promise<Record<string, string>> {
  const sql = openClient(url)
  try {
    const found: Record<string, string> = {}
    for (const { name, columns } of await selectTables(sql)) {
      const [row] = await sql<[{ digest: string | null }]>`select md5(string_agg(line, chr(10) order by line)) as digest
        from (select row(${sql(columns)})::text as line from ${sql(name)}) lines`
      found[name] = row.digest ?? ''
    }
    const sequences = await sql<
      { name: string; last: string }[]
    >`select sequencename as name, last_value::text as last from pg_sequences where last_value is not null`
    for (const { name, last } of sequences) found[name] = last
    const constraints = await sql<
      { all: string }[]
    >`select string_agg(conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), chr(10) order by conrelid::regclass::text, conname) as all from pg_constraint`
    found['constraints'] = constraints[0]?.all ?? ''
    for (const path of filesIn(imagesDir))
      found[path] = createHash('sha256')
        .update(readFileSync(join(imagesDir, path)))
        .digest('hex')
    return found
  } finally {
    await sql.end()
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile() && !path.startsWith('incoming'))
    .toSorted()
}

/** A bit of everything that users leave behind. */
async function life(): Promise<{ persons: [Person, Person, Person]; texts: string[] }> {
  const persons = (await people(
    nodes,
    { displayName: 'Marguerite Quill', realName: 'Real Quill' },
    { roles: ['karaokeambassador'] },
    {},
  )) as [Person, Person, Person]
  const [one, two, other] = persons
  const { forumID } = await startForum(one.one, 'Forum of the lantern', { text: 'lantern words with #hashlantern' })
  await body(two.one.post(`/forum/${forumID}/create`, { ...content('a picture of a lantern'), images: [{ image: picture }] }), 201)
  const chat = await createSeamail(one.one, [two])
  await say(two.one, chat, 'a secret about the lantern')
  await body(one.one.post('/user/image', { image: picture }))
  await block(one, other)
  await body(two.one.post(`/users/${one.id}/note`, { note: 'note on the lantern' }), 201)
  const { offerID } = await body(two.one.post('/microkaraoke/offer'))
  await body(two.one.post('/microkaraoke/recording', { offerID, videoData }))
  await body(one.one.post(`/users/${two.id}/report`, { message: 'report of the lantern' }), 201)
  return { persons, texts: ['lantern', 'Marguerite', 'Quill', ...persons.map(({ username }) => username)] }
}

/** A row in each of the tables that servers fill by the minute, which may not have come yet. */
async function seenAnHourAgo(): Promise<void> {
  const sql = openClient(nodes.database.url)
  try {
    await sql`insert into figure (minute, online, requests, errors, posts, lag, waiting, memory_mb)
      values (date_trunc('minute', now()) - interval '1 hour', 1, 2, 3, 4, 5, 6, 7)`
    await sql`insert into account_seen (account_id, seen_at)
      select id, now() - interval '1 hour' from account where not exists (select from account_seen where account_id = account.id) limit 1`
  } finally {
    await sql.end()
  }
}

test('what is backed up is restored: rows, images, counters, constraints; tokens go on working', async (t) => {
  const {
    persons: [one],
  } = await life()
  // How old a file is decides when it is swept. What is being worked on is nobody's yet.
  const old = new Date('2025-03-04T05:06:07Z')
  await seenAnHourAgo()
  const someImage = filesIn(nodes.config.imagesDir)[0] as string
  utimesSync(join(nodes.config.imagesDir, someImage), old, old)
  mkdirSync(join(nodes.config.imagesDir, 'incoming'), { recursive: true })
  for (const unfinished of ['incoming/upload', `${someImage}.part`]) writeFileSync(join(nodes.config.imagesDir, unfinished), 'x')
  const { file, whole } = await backedUpInPeace()
  delete whole[`${someImage}.part`]
  rmSync(join(nodes.config.imagesDir, `${someImage}.part`))
  assert.equal(statSync(file).mode & 0o077, 0, 'for nobody else to read')
  const { database, imagesDir, env } = await emptyServer(t)
  const { code, output } = await runTool('restore', [file], env)
  assert.equal(code, 0, output)
  assert.match(output, /^Restoring the backup of 20.*\n(Migrated.*\n)*Restored \d+ rows\.\n$/)
  assert.equal(statSync(join(imagesDir, someImage)).mtimeMs, old.getTime())
  assert.ok(!existsSync(join(imagesDir, 'incoming')))
  assert.deepEqual(await everything(database.url, imagesDir), whole)

  const restored = await startTestNodes(1, { databaseUrl: database.url, env: { SWIFTARR_USER_IMAGES: imagesDir } })
  try {
    const client = restored.client(one.token)
    const { userImage } = (await body(client.get('/user/whoami'))).userID
      ? await body(client.get(`/users/${one.id}/header`))
      : { userImage: '' }
    assert.equal((await client.file(`/image/full/${userImage}`)).status, 200)
    await createChat(client)
    const { forumID } = await startForum(client, 'After the restore')
    await postIn(client, forumID, 'ids go on where they were')
  } finally {
    await restored.stop()
  }
})

test('under load: everything acknowledged before, nothing begun after, and all of it of one moment', async (t) => {
  const [one, two] = (await people(nodes, {}, { roles: ['karaokeambassador'] })) as [Person, Person]
  const [first, second] = [await startForum(one.one, 'First'), await startForum(one.one, 'Second')]
  const chat = await createChat(two.one)
  const load = { on: true }
  const acknowledged = { posts: 0, videos: 0, pictures: 0 }
  // The second forum is written after the first, every time.
  const posts = async () => {
    for (let number = 1; load.on; number++) {
      await postIn(one.one, first.forumID, `number ${number}`)
      await postIn(one.one, second.forumID, `number ${number}`)
      acknowledged.posts = number
    }
  }
  const videos = async () => {
    while (load.on && acknowledged.videos < 12) {
      const { offerID } = await body(two.one.post('/microkaraoke/offer'))
      await body(two.one.post('/microkaraoke/recording', { offerID, videoData }))
      acknowledged.videos++
    }
  }
  const pictures = async () => {
    while (load.on) {
      await body(two.one.post(`/fez/${chat}/post`, { text: 'look', images: [{ image: picture }] }), 201)
      acknowledged.pictures++
      await body(one.one.post('/user/image', { image: picture }))
    }
  }
  const writing = [posts(), videos(), pictures()]
  try {
    for (let round = 0; round < 2; round++) {
      const beforeIt = { ...acknowledged }
      const file = await backedUp()
      const { database, imagesDir, env } = await emptyServer(t)
      assert.equal((await runTool('restore', [file], env)).code, 0)
      const sql = postgres(database.url, { max: 1, transform: postgres.camel })
      try {
        const [counts] = await sql<[{ first: number; second: number; wrong: number; videos: number }]>`
          select (select count(*)::int from forum_post where forum_id = ${first.forumID}) as first, (select count(*)::int from forum_post where forum_id = ${second.forumID}) as second,
            (select count(*)::int from forum where deleted_at is null and post_count <> (select count(*) from forum_post where forum_id = forum.id and deleted_at is null)) as wrong,
            (select count(*)::int from mk_snippet where author_id = ${two.id} and expires_at is null) as videos`
        assert.ok(
          counts.first - counts.second >= 0 && counts.first - counts.second <= 1,
          `of one moment: ${counts.first} and ${counts.second}`,
        )
        assert.equal(counts.wrong, 0)
        assert.ok(counts.second > beforeIt.posts, 'what was there before is there')
        assert.ok(counts.videos >= beforeIt.videos)
        const images = new Set(filesIn(imagesDir))
        const shown = await sql<{ name: string }[]>`
          select image as name from fez_post where image is not null union select user_image from account where user_image is not null`
        assert.ok(shown.length >= beforeIt.pictures)
        for (const { name } of shown)
          assert.ok(images.has(`full/${name.slice(0, 2)}/${name}`) && images.has(`thumb/${name.slice(0, 2)}/${name}`), name)
        for (const { id } of await sql<
          { id: string }[]
        >`select id from mk_snippet where expires_at is null and not is_filler and deleted_at is null`)
          assert.ok(images.has(`microkaraokevideos/${id.toUpperCase()}.mp4`), id)
        assert.ok(![...images].some((path) => path.startsWith('incoming') || path.endsWith('.part')))
      } finally {
        await sql.end()
      }
    }
  } finally {
    load.on = false
    await Promise.all(writing)
  }
})

/** Resolves when a backup waits for a lock in the database. */
const backupWaits = () =>
  until(
    async () =>
      (
        await nodes.sql`
        select from pg_stat_activity where application_name = 'quarterdeck backup' and wait_event_type = 'Lock' and datname = current_database()`
      ).length > 0,
    'the backup waits',
  )

test('a migration in the middle of a backup ends it, and nothing is left', async () => {
  const file = newFile()
  const other = openClient(nodes.database.url)
  try {
    await holdImages(other)
    const running = runTool('backup', [file], fromNodes)
    // It has looked at the migrations, and looks again once the moment is fixed.
    await backupWaits()
    await nodes.sql`insert into schema_migration (name, checksum) values ('9999_meanwhile.sql', 'x')`
    await releaseImages(other)
    const { code, output } = await running
    assert.deepEqual([code, /brought to a newer version meanwhile/.test(output)], [1, true], output)
  } finally {
    await other.end()
    await nodes.sql`delete from schema_migration where name = '9999_meanwhile.sql'`
  }
  assert.ok(!existsSync(file) && !existsSync(`${file}.part`))
})

test('while a backup reads rows, images can be given up again', async () => {
  const [one] = (await people(nodes, {})) as [Person]
  const { userImage } = await body(one.one.post('/user/image', { image: picture }))
  const other = openClient(nodes.database.url)
  let running: ReturnType<typeof runTool> | undefined
  try {
    await other.begin(async (tx) => {
      await tx`lock table karaoke_song in access exclusive mode`
      running = runTool('backup', [newFile()], fromNodes)
      await backupWaits()
      await body(one.one.post('/user/image', { image: picture }))
      assert.equal((await one.one.file(`/image/full/${userImage}`)).status, 400)
    })
  } finally {
    await other.end()
  }
  assert.equal((await running)?.code, 0)
})

test('an image that is given up while a backup looks for images stays', async () => {
  const [one] = (await people(nodes, {})) as [Person]
  const isThere = async (name: string) => (await one.one.file(`/image/full/${name}`)).status === 200
  const newPicture = async () => (await body(one.one.post('/user/image', { image: picture }))).userImage as string
  const backup = openClient(nodes.database.url)
  try {
    await holdImages(backup)
    const [first, second] = [await newPicture(), await newPicture()]
    assert.ok(await isThere(first))
    await releaseImages(backup)
    await newPicture()
    assert.ok(!(await isThere(second)))
  } finally {
    await backup.end()
  }
})

test('with another secret everybody has to log in again, and can', async (t) => {
  const {
    persons: [one],
  } = await life()
  const file = await backedUp()
  const { database, imagesDir, env } = await emptyServer(t, {})
  const { code, output } = await runTool('restore', [file], env)
  assert.equal(code, 0, output)
  assert.match(output, /log in again/)
  const restored = await startTestNodes(1, {
    databaseUrl: database.url,
    env: { SWIFTARR_USER_IMAGES: imagesDir, TOKEN_SECRET: 'another secret that is long enough' },
  })
  try {
    await refused(restored.client(one.token).get('/user/whoami'), 401)
    const { token } = await body(restored.client().post('/auth/login', undefined, { basic: [one.username, 'a test password'] }))
    await body(restored.client(token).get('/user/whoami'))
  } finally {
    await restored.stop()
  }
})

test('restore refuses what is not empty, and what is no whole backup; then nothing has changed', async (t) => {
  await life()
  const { file, whole } = await backedUpInPeace()
  const full = await createTestDatabase()
  t.after(() => full.drop())
  const target = await emptyServer(t)
  const refusedBecause = async (args: string[], env: Record<string, string>, reason: RegExp, exitCode = 1) => {
    const { code, output } = await runTool('restore', args, env)
    assert.equal(code, exitCode, output)
    assert.match(output, reason)
    assert.equal(
      output
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('Restoring')).length,
      1,
      `one sentence: ${output}`,
    )
  }
  await refusedBecause([file], { ...target.env, DATABASE_URL: full.url }, /database is not empty/)
  mkdirSync(join(target.imagesDir, 'full'), { recursive: true })
  writeFileSync(join(target.imagesDir, 'full', 'another.jpg'), 'x')
  await refusedBecause([file], target.env, /images, is not empty \(full\/another.jpg\)/)
  rmSync(target.imagesDir, { recursive: true })
  await refusedBecause([], target.env, /npm run restore -- <file>/, 2)
  await refusedBecause([join(directory, 'nothing')], target.env, /cannot be read/)
  await refusedBecause(
    [file],
    { ...target.env, DATABASE_URL: target.env['DATABASE_URL']?.replace(/\/[^/]*$/, '/no_such_database') ?? '' },
    /cannot be used/,
  )
  await refusedBecause([file], { ...fromNodes }, /Servers or workers are using this database/)

  const good = readFileSync(file)
  const wrong = newFile()
  const cases: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['no tar', randomBytes(10_000)],
    ['cut off', good.subarray(0, Math.floor(good.length / 2))],
    ['cut off before its end', good.subarray(0, good.length - 2048)],
    ['of a newer version', Buffer.from(good.toString('latin1').replace('0001_frame', '9999_frame'), 'latin1')],
    ['of another version', Buffer.from(good.toString('latin1').replace(/("0002_accounts","checksum":")./, '$1x'), 'latin1')],
  ]
  for (const [name, bytes] of cases) {
    writeFileSync(wrong, bytes)
    await t.test(name, () => refusedBecause([wrong], target.env, /damaged|cannot be read|no backup|migration|changed after/))
  }
  // Somewhere in the middle of what it holds.
  for (let flips = 0; flips < 5; flips++) {
    const bytes = Buffer.from(good)
    const place = Math.floor((good.length * (flips + 0.5)) / 5.5)
    bytes[place] = (bytes[place] as number) ^ 0x55
    writeFileSync(wrong, bytes)
    const { code, output } = await runTool('restore', [wrong], target.env)
    assert.equal(code, 1, `byte ${place}: ${output}`)
  }
  assert.deepEqual(filesIn(target.imagesDir), [])
  // What a restore has left that was killed.
  for (const left of ['restoring/mark', 'full/AA/left.jpg']) {
    mkdirSync(dirname(join(target.imagesDir, left)), { recursive: true })
    writeFileSync(join(target.imagesDir, left), 'x')
  }
  const { code, output } = await runTool('restore', [file], target.env)
  assert.equal(code, 0, `after all that it is still empty: ${output}`)
  assert.deepEqual(await everything(target.database.url, target.imagesDir), whole)
})

test('backup refuses to overwrite, and leaves nothing when it cannot write', async (t) => {
  const there = newFile()
  writeFileSync(there, 'mine')
  const cases: [string[], Record<string, string>, RegExp, number][] = [
    [[there], fromNodes, /exists already/, 1],
    [[], fromNodes, /npm run backup -- <file>/, 2],
    [[join(nodes.config.imagesDir, 'backup.tar')], fromNodes, /in the folder of images/, 1],
    [[join(directory, 'no', 'such', 'folder', 'x.tar')], fromNodes, /cannot be written/, 1],
    [[newFile()], (await emptyServer(t)).env, /the database is empty/, 1],
    [[newFile()], { DATA_DIR: join(directory, 'nowhere') }, /no database in/, 1],
  ]
  for (const [args, env, reason, exitCode] of cases) {
    const { code, output } = await runTool('backup', args, env)
    assert.deepEqual([code, reason.test(output)], [exitCode, true], output)
    if (args[0] !== undefined && args[0] !== there) assert.ok(!existsSync(args[0]) && !existsSync(`${args[0]}.part`))
  }
  assert.equal(readFileSync(there, 'utf8'), 'mine')
})

test('with the embedded stores: backed up running and stopped, restored and wiped', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place)
  await product.says('Quarterdeck is running')
  await healthy(place)
  const [running, stopped] = [newFile(), newFile()]
  assert.equal((await runTool('backup', [running], { DATA_DIR: place.dataDir })).code, 0)
  const { code, output } = await runTool('wipe', ['--yes'], { DATA_DIR: place.dataDir })
  assert.deepEqual([code, /already running/.test(output)], [1, true], output)
  await product.stop()
  assert.equal((await runTool('backup', [stopped], { DATA_DIR: place.dataDir })).code, 0)

  const other = await newPlace(t)
  const outcome = await runTool('restore', [running], { DATA_DIR: other.dataDir })
  assert.equal(outcome.code, 0, outcome.output)
  const again = startProduct(t, other)
  await again.says('Quarterdeck is running')
  await healthy(other)
  const login = () =>
    fetch(`http://127.0.0.1:${other.port}/api/v3/auth/login`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('james:password').toString('base64')}` },
    })
  assert.equal((await login()).status, 200)
  await again.stop()
  const wiped = await runTool('wipe', ['--yes'], { DATA_DIR: other.dataDir })
  assert.equal(wiped.code, 0, wiped.output)
  assert.match(wiped.output, /Accounts: MicroKaraoke, ServiceTeam, THO, admin,.* moderator, prometheus/)
})

/** Whether a text is in the file of a table, in rows or in what is left of them. */
async function isInFile(sql: Client, table: string, text: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select position(${text}::bytea in pg_read_binary_file(pg_relation_filepath(${table}))) > 0 as found`
  return row.found
}

// Of no table of ours: nobody waits for a lock of it.
for (const [what, begin, place] of [
  ['that only reads', 'begin isolation level repeatable read; select 1', 'here'],
  ['that writes to another database', 'begin; select pg_current_xact_id()', 'elsewhere'],
] as const)
  test(`rewriteTables: an older transaction ${what} is waited for, so that nothing deleted is kept for it`, async (t) => {
    const [database, elsewhere] = [await createEmptyDatabase(), await createEmptyDatabase()]
    t.after(() => Promise.all([database.drop(), elsewhere.drop()]))
    const [sql, other] = [openClient(database.url), openClient((place === 'here' ? database : elsewhere).url)]
    t.after(() => Promise.all([sql.end(), other.end()]))
    await sql`create table person (name text)`
    await sql`insert into person values ('Marguerite')`
    await other.unsafe(begin).simple()
    await sql`delete from person`
    assert.equal(await rewriteTables(sql, 0), false, 'it does not wait for ever')
    const rewriting = rewriteTables(sql, 60_000)
    const looks = new Set<string>()
    await until(async () => {
      const rows = await nodes.sql<{ at: string }[]>`
        select query_start::text as at from pg_stat_activity
        where datname = ${new URL(database.url).pathname.slice(1)} and query like '%backend_xmin%'`
      for (const { at } of rows) looks.add(at)
      return looks.size > 2
    }, 'it looks again and again who is there')
    await other`commit`
    assert.ok(await rewriting)
    await sql`checkpoint`
    assert.ok(!(await isInFile(sql, 'person', 'Marguerite')))
  })

test('wipe: nobody and nothing personal is left, and what is left is named', async (t) => {
  const privateSeeds = join(directory, 'wipe-seeds')
  mkdirSync(join(privateSeeds, 'microkaraoke'), { recursive: true })
  writeSong(join(privateSeeds, 'microkaraoke'), 'A song')
  const before = nodes
  const prefix = `wiped${randomBytes(4).toString('hex')}`
  nodes = await startTestNodes(1, { workers: 1, redisPrefix: prefix, env: { PRIVATE_SEEDS_DIR: privateSeeds } })
  const database = await createEmptyDatabase()
  const imagesDir = join(directory, 'wiped-images')
  t.after(() => database.drop())
  let texts: string[]
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
    DATA_DIR: join(directory, 'wiped'),
    SWIFTARR_USER_IMAGES: imagesDir,
    TOKEN_SECRET: testTokenSecret,
  }
  try {
    ;({ texts } = await life())
    const { code, output } = await runTool('wipe', [], { ...env, DATABASE_URL: nodes.database.url })
    assert.deepEqual([code, /npm run wipe -- --yes/.test(output)], [2, true], output)
    const used = await runTool('wipe', ['--yes'], { ...env, DATABASE_URL: nodes.database.url })
    assert.deepEqual([used.code, /Stop them first/.test(used.output)], [1, true], used.output)
    await body(nodes.client(undefined).get('/client/health'))
    const file = newFile()
    assert.equal((await runTool('backup', [file], { DATABASE_URL: nodes.database.url, DATA_DIR: nodes.config.dataDir })).code, 0)
    assert.equal((await runTool('restore', [file], env)).code, 0)
  } finally {
    await nodes.stop()
    nodes = before
  }
  // Left behind by a trial restore that was killed.
  mkdirSync(join(env.DATA_DIR, 'checking-1', 'images'), { recursive: true })
  const redis = new Redis(env.REDIS_URL)
  t.after(() => redis.disconnect())
  await redis.set(`${prefix}:left`, '1')
  await redis.set(`not-${prefix}:left`, '1')
  const sql = openClient(database.url)
  t.after(() => sql.end())
  // Also what those have been given who stay, and what hangs on rows that stay.
  await sql`
    update account set roles = '{shutternaut}', recovery_failures = 3, temp_quarantine_until = now(), moderation_status = 'locked', dinner_team = 'red',
      display_name = 'lantern', real_name = 'lantern', preferred_pronoun = 'lantern', home_location = 'lantern', room_number = 'lantern', email = 'lantern',
      message = 'lantern', about = 'lantern', discord_username = 'lantern', user_image = 'lantern.jpg', user_search = '@lantern'
    where special`
  await sql`insert into daily_theme (id, title, info, image, cruise_day) values (gen_random_uuid(), 'A day', '', 'lantern.jpg', 99)`
  await sql`update registration_code set used_for_recovery = true`
  await sql`insert into registration_code (code, for_chat_user, chat_username) values ('lant3n', true, 'lantern')`
  await sql`update registration_code set person_id = (select id from account where username = 'admin') where code = (select min(code) from registration_code)`
  assert.ok((await sql`select from event where forum_id is not null`).length > 0)
  await sql`checkpoint`
  assert.ok(await isInFile(sql, 'account', 'Marguerite'))
  const said: string[] = []
  const stores = { config: readConfig([], env), databaseUrl: database.url, sql, files: new FolderStore(imagesDir) }
  sayProof(await wipe(stores, prefix, tables, { keepCodes: true }), (line) => said.push(line))

  assert.deepEqual(await redis.keys(`${prefix}:*`), [])
  assert.equal(await redis.del(`not-${prefix}:left`), 1)
  assert.deepEqual(readdirSync(imagesDir), [])
  assert.equal(existsSync(join(env.DATA_DIR, 'checking-1')), false)
  const left: string[] = []
  for (const { name } of await selectTables(sql)) {
    const rows = await sql<{ line: string }[]>`select row(each)::text as line from ${sql(name)} each`
    if (rows.length > 0) left.push(name)
    for (const { line } of rows)
      for (const text of texts) assert.ok(!line.toLowerCase().includes(text.toLowerCase()), `${text} in ${name}: ${line}`)
  }
  const kept = new Set([
    'account',
    'boardgame',
    'daily_theme',
    'event',
    'forum_category',
    'karaoke_song',
    'public_text',
    'registration_code',
    'schedule_log',
    'setting',
    'time_zone_change',
  ])
  assert.deepEqual(
    left.filter((name) => !kept.has(name)),
    [],
  )
  assert.ok(
    ['account', 'boardgame', 'event', 'forum_category', 'karaoke_song', 'registration_code', 'setting'].every((name) =>
      left.includes(name),
    ),
    left.join(),
  )
  assert.equal(said.length, left.length + 3)
  assert.deepEqual(
    [
      ...(await sql`
      select special, roles::text, recovery_failures, temp_quarantine_until, moderation_status, dinner_team, token_nonce, token_digest, count(*) > 5 as some
      from account group by 1, 2, 3, 4, 5, 6, 7, 8`),
    ],
    [
      {
        special: true,
        roles: '{}',
        recoveryFailures: 0,
        tempQuarantineUntil: null,
        moderationStatus: 'normal',
        dinnerTeam: null,
        tokenNonce: null,
        tokenDigest: null,
        some: true,
      },
    ],
  )
  assert.deepEqual(
    [...(await sql`select distinct person_id, used_for_recovery, chat_username from registration_code`)],
    [{ personId: null, usedForRecovery: false, chatUsername: null }],
  )
  assert.deepEqual([...(await sql`select distinct forum_id from event`)], [{ forumId: null }])
  assert.deepEqual([...(await sql`select distinct forum_count from forum_category`)], [{ forumCount: 0 }])
  await sql`checkpoint`
  assert.ok(!(await isInFile(sql, 'account', 'Marguerite')), 'what was deleted is not on the disk any more')

  const again = await startTestNodes(1, { databaseUrl: database.url, env: { SWIFTARR_USER_IMAGES: imagesDir } })
  try {
    const { token } = await body(again.client().post('/auth/login', undefined, { basic: ['admin', 'password'] }))
    assert.ok((await body(again.client(token).get('/forum/categories'))).length > 0)
    const [code] = await sql<{ code: string }[]>`select code from registration_code limit 1`
    await body(again.client().post('/user/create', { username: 'newcomer', password: 'a password', verification: code?.code }), 201)
  } finally {
    await again.stop()
  }
  const { left: rows } = await wipe(stores, prefix, tables)
  assert.ok(!rows.some(({ what }) => /registration/.test(what)), 'unless they are to stay, codes end')
  assert.deepEqual([...(await sql`select from registration_code`)], [])
})
