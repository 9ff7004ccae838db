// What a fresh database has in it, and what a second start leaves as it is.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DateTime } from 'luxon'
import { IANAZone } from 'luxon'
import postgres from 'postgres'
import sharp from 'sharp'
import { seed } from '../../seeds/run.ts'
import { verifySecret } from '../../src/auth/passwords.ts'
import { builtIn } from '../../src/accounts/rows.ts'
import { readCatalogue, withoutBase } from '../../src/boardgames/catalogue.ts'
import { projectRoot } from '../../src/core/base/config.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { imagePath } from '../../src/image/names.ts'
import { readSongs } from '../../src/karaoke/song-file.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { readZoneChanges } from '../../src/settings/zone-file.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/db.ts'
import { seedFolder } from '../support/seeds.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-seeds-'))
let database: TestDatabase
let sql: postgres.Sql
const lines: string[] = []
const seedAs = (environment: string, env: Record<string, string> = {}) =>
  seed(readConfig(['--env', environment], { DATA_DIR: dataDir, ...env }), database.url, {
    loaded: (what) => lines.push(what),
    notice: (sentence) => lines.push(sentence),
  })

before(async () => {
  database = await createEmptyDatabase()
  sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  await migrate(database.url, () => undefined)
  // As several servers that start at once do.
  await Promise.all([1, 2, 3].map(() => seedAs('development', { ADMIN_PASSWORD: 'of the captain' })))
})
after(async () => {
  await sql.end()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('seeds make built-in, client and demo accounts', async () => {
  const rows = await sql<
    { username: string; level: string; id: string; special: boolean }[]
  >`select username, level, id, special from account`
  const found = Object.fromEntries(rows.map(({ username, level, special }) => [username, `${level}${special ? '' : ' (demo)'}`]))
  assert.deepEqual(found, {
    admin: 'admin',
    THO: 'tho',
    moderator: 'moderator',
    ServiceTeam: 'serviceteam',
    prometheus: 'client',
    MicroKaraoke: 'client',
    testclient: 'client',
    unverified: 'unverified (demo)',
    banned: 'banned (demo)',
    quarantined: 'quarantined (demo)',
    verified: 'verified (demo)',
    james: 'verified (demo)',
    heidi: 'verified (demo)',
    sam: 'verified (demo)',
  })
  for (const [name, id] of Object.entries(builtIn)) assert.equal(rows.find(({ username }) => username === name)?.id, id)
  const [admin] = await sql<
    { passwordHash: string; recoveryKeyHash: string }[]
  >`select password_hash as "passwordHash", recovery_key_hash as "recoveryKeyHash" from account where username = 'admin'`
  assert.ok(await verifySecret(admin?.passwordHash ?? '', 'of the captain'))
  assert.ok(await verifySecret(admin?.recoveryKeyHash ?? '', 'recoverykey'))
})

test('seeds load registration codes, and give nobody one', async () => {
  const rows = await sql`select code from registration_code where person_id is null and not for_chat_user order by code`
  assert.deepEqual(
    rows.map(({ code }) => code),
    ['abcabc', 'bcdbcd', 'cdecde', 'defdef', 'efgefg', 'fghfgh', 'ghighi', 'hijhij', 'ijkijk', 'jkljkl'],
  )
})

test('seeds load a list of codes once: deleted ones stay away until the list is another one', async () => {
  const folder = seedFolder()
  const codes = async () => (await sql`select code from registration_code where not for_chat_user order by code`).map(({ code }) => code)
  const before = await codes()
  try {
    await sql`delete from registration_code where code in ('abcabc', 'bcdbcd')`
    await seedAs('development', folder.env)
    assert.deepEqual(await codes(), before.slice(2))
    folder.write('test-registration-codes.txt', [...before, 'new123'].join('\n'))
    await seedAs('development', folder.env)
    assert.deepEqual(await codes(), [...before, 'new123'])
  } finally {
    folder.drop()
    await sql`delete from registration_code where code = 'new123'`
  }
})

test('seeds make codes for users of the chat, outside of production', async () => {
  const [row] =
    await sql`select count(*)::int, count(*) filter (where code ~ '^[a-z0-9]{6}$')::int as good from registration_code where for_chat_user`
  assert.deepEqual({ ...row }, { count: 100, good: 100 })
})

test('seeds fill the libraries of board games and karaoke songs', async () => {
  const [songs] = await sql<
    { count: number; artists: number }[]
  >`select count(*)::int, count(distinct artist)::int as artists from karaoke_song`
  assert.ok(songs && songs.count >= 15 && songs.artists >= 10)
  const games = await sql<{ name: string; expands: string | null }[]>`select game_name as name, facts->>'expands' as expands from boardgame`
  const names = new Set(games.map(({ name }) => name))
  assert.ok(names.size >= 10 && names.has('Catan: Seafarers'))
  assert.deepEqual(
    games.filter(({ expands }) => expands !== null && !names.has(expands)),
    [],
  )
})

test('the libraries that come with the program can be read', () => {
  const read = (file: string) => readFileSync(join(projectRoot, 'seeds', file), 'utf8')
  assert.deepEqual(withoutBase(readCatalogue(read('test-games-catalog.json'))), [])
  assert.ok(readSongs(read('test-karaoke-songs.txt')).length >= 15)
})

test('a bad library ends the first start with a sentence that says where it is wrong, and not a later one', async () => {
  const folder = seedFolder()
  folder.write('test-games-catalog.json', [{ gameName: 'Chess' }])
  try {
    await seedAs('testing', folder.env)
    await sql`truncate boardgame cascade`
    await assert.rejects(seedAs('testing', folder.env), {
      name: 'OperatorError',
      message: /test-games-catalog\.json.*Line 1: game 1 \(Chess\).*numCopies/,
    })
    folder.remove('test-games-catalog.json')
    await seedAs('testing', folder.env)
    assert.ok(((await sql`select count(*)::int from boardgame`)[0]?.['count'] as number) >= 10)
  } finally {
    folder.drop()
  }
})

test('seeds make a hunt with a puzzle that is still locked', async () => {
  const puzzles = await sql`
    select answer_key, unlock_time > now() as locked from hunt_puzzle order by unlock_time nulls first, position`
  assert.deepEqual(
    [...puzzles],
    [
      { answer_key: 'EAST', locked: null },
      { answer_key: 'EGGS', locked: null },
      { answer_key: 'EASTSIDESEVEN', locked: true },
    ],
  )
})

test('seeds make performers at events, and photographers', async () => {
  const performers = await sql`
    select name, is_official, (select count(*)::int from performer_event where performer_id = performer.id) as events from performer order by sort_key`
  assert.deepEqual(
    [...performers],
    [
      { name: 'Edda Fathom', is_official: true, events: 2 },
      { name: 'Heidi', is_official: false, events: 1 },
      { name: 'Gale Mercer', is_official: true, events: 1 },
      { name: 'The Bilge Pumps', is_official: true, events: 2 },
      { name: 'Sam Stargazer', is_official: false, events: 1 },
    ],
  )
  const photographers =
    await sql`select username, title from event_photographer join account on account.id = account_id join event on event.id = event_id`
  assert.deepEqual([...photographers], [{ username: 'james', title: 'Looking up' }])
  assert.equal((await sql`select from event_photo_wish`).length, 2)
})

test('seeds make feedback on an event', async () => {
  const feedback = await sql`select event.title, is_actionable from event_feedback join event on event.id = event_id`
  assert.deepEqual([...feedback], [{ title: 'Morning stretches', is_actionable: false }])
})

test('seeds make photos whose pictures are there', async () => {
  const { imagesDir } = readConfig(['--env', 'development'], { DATA_DIR: dataDir })
  const photos = await sql<{ image: string }[]>`select image from stream_photo order by created_at`
  assert.equal(photos.length, 3)
  for (const { image } of photos) {
    assert.equal((await sharp(join(imagesDir, imagePath('full', image))).metadata()).width, 640)
    assert.equal((await sharp(join(imagesDir, imagePath('thumb', image))).metadata()).height, 200)
  }
})

test('seeds make a demo whose counts are right', async () => {
  const chats = await sql`
    select fez_type as type, max_capacity as capacity, member_count = (select count(*) from fez_member where fez_id = fez.id) as members,
      post_count = (select count(*) from fez_post where fez_id = fez.id) as posts, last_post_id = (select max(id) from fez_post where fez_id = fez.id) as last
    from fez order by id`
  assert.deepEqual(
    [...chats],
    [
      { type: 'gaming', capacity: 3, members: true, posts: true, last: true },
      { type: 'dining', capacity: 6, members: true, posts: true, last: true },
      { type: 'closed', capacity: 0, members: true, posts: true, last: true },
    ],
  )
})

test('seeds make a schedule whose events have forums by the admin, in step with the counts of their categories', async () => {
  const rows = await sql<{ title: string; forum: string; shadow: boolean; category: string; creator: string; posts: number }[]>`
    select event.title, forum.title as forum, event_type = 'shadow' as shadow, category.title as category, creator_id as creator, post_count as posts
    from event join forum on forum.id = event.forum_id join forum_category category on category.id = forum.category_id`
  assert.equal(rows.length, (await sql`select from event`).length)
  assert.ok(rows.length >= 8)
  for (const { title, forum, shadow, category, creator, posts } of rows) {
    assert.deepEqual([forum, category, creator, posts], [title, shadow ? 'Shadow Event Forums' : 'Event Forums', builtIn.admin, 1])
  }
  const counts = await sql<{ count: number }[]>`select forum_count as count from forum_category where is_event`
  assert.equal(
    counts.reduce((sum, { count }) => sum + count, 0),
    rows.length,
  )
})

test('in development the trip and its sample schedule begin today, on every start', async () => {
  const config = readConfig(['--env', 'development'], {})
  const zone = config.portTimeZone
  assert.equal(config.startDate, DateTime.now().setZone(zone).toISODate())
  const firstDay = async () =>
    (await sql<{ day: string }[]>`select to_char(min(start_time) at time zone ${zone}, 'YYYY-MM-DD') as day from event`)[0]?.day
  assert.equal(await firstDay(), config.startDate)

  await seedAs('development', { SERVICE_START_DATE: '2030-06-01' })
  assert.equal(await firstDay(), '2030-06-01')

  // A schedule of the developer's own stays where it is.
  await sql`update event set uid = 'of my own' where id = (select min(id::text)::uuid from event)`
  await seedAs('development')
  assert.equal(await firstDay(), '2030-06-01')
})

test('sample people do not come back once they were removed', async () => {
  await sql`truncate fez cascade`
  await sql`delete from account where username in ('unverified', 'quarantined')`
  await seedAs('development')
  const names = new Set((await sql<{ username: string }[]>`select username from account`).map(({ username }) => username))
  assert.ok(names.has('admin'))
  assert.ok(!names.has('unverified') && !names.has('quarantined'))
  assert.deepEqual([...(await sql`select id from fez`)], [])
})

test('production starts empty and says what to load', async (t) => {
  const empty = await createEmptyDatabase()
  const client = postgres(empty.url, { max: 1, onnotice: () => undefined })
  t.after(async () => {
    await client.end()
    await empty.drop()
  })
  await migrate(empty.url, () => undefined)
  const secrets = ['ADMIN_PASSWORD', 'RECOVERY_KEY', 'THO_PASSWORD', 'THO_RECOVERY_KEY', 'PROMETHEUS_PASSWORD']
  const folder = seedFolder()
  const env = { ...folder.env, ...Object.fromEntries(secrets.map((name) => [name, `of my own: ${name}`])) }
  const notices: string[] = []
  const start = () =>
    seed(readConfig(['--env', 'production'], env), empty.url, { loaded: () => undefined, notice: (line) => notices.push(line) })
  try {
    await start()
    const [counts] = await client`select (select count(*)::int from account) as accounts, (select count(*)::int from event) as events,
      (select count(*)::int from boardgame) as games, (select count(*)::int from time_zone_change) as changes`
    assert.deepEqual(counts, { accounts: 6, events: 0, games: 0, changes: 0 })
    assert.match(notices.join(), /schedule \(schedule\.ics\).*registration codes.*games-catalog\.json.*karaoke-songs\.txt/)
    assert.ok(notices.join().includes(String(folder.env['PRIVATE_SEEDS_DIR'])))

    notices.length = 0
    folder.write('games-catalog.json', [{ gameName: 'Chess', numCopies: 2 }])
    await start()
    assert.doesNotMatch(notices.join(), /games-catalog/)
    assert.equal((await client`select from boardgame`).length, 1)
  } finally {
    folder.drop()
  }
})

test('seeds change nothing the second time, and hash nothing', async () => {
  const state = async () =>
    (
      await sql<{ text: string }[]>`
    select string_agg(text, ' ' order by text) as text from (
      select account::text from account union all select fez::text from fez union all select fez_post::text from fez_post
      union all select event::text from event union all select forum::text from forum
      union all select registration_code::text from registration_code union all select time_zone_change::text from time_zone_change
      union all select microblog_post::text from microblog_post
      union all select boardgame::text from boardgame
      union all select karaoke_song::text from karaoke_song) as every (text)`
    )[0]?.text
  const before = await state()
  await seedAs('development', { ADMIN_PASSWORD: 'something else' })
  assert.equal(await state(), before)
})

test('seeds leave a user alone who has the name of a client account', async () => {
  await sql`update account set special = false, level = 'verified' where username = 'testclient'`
  lines.length = 0
  await seedAs('testing')
  assert.ok(lines.some((line) => line.includes('testclient')))
  assert.ok(lines.every((line) => !line.includes('password')))
})

test('seeds of production hold no known codes or passwords', async () => {
  for (const file of ['registration-codes.txt', 'registered-clients.txt']) {
    const entries = readFileSync(join(projectRoot, 'seeds', file), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('client:'))
    assert.deepEqual(entries, [])
  }
})

test('recovery words are many, different, short and plain', () => {
  const words = readFileSync(join(projectRoot, 'seeds', 'recovery-words.txt'), 'utf8')
    .trim()
    .split('\n')
  assert.ok(words.length >= 400)
  assert.equal(new Set(words).size, words.length)
  assert.ok(words.every((word) => /^[a-z]{3,12}$/.test(word)))
})

test('readZoneChanges reads both forms of a line', () => {
  const text = [
    '# a comment',
    '// another',
    '',
    'no timestamp\tAST\tAmerica/Puerto_Rico',
    '20260301T050000Z\tonly two',
    '20260305T070000Z\tAST\tAmerica/Puerto_Rico',
    '20260302T070000Z\t-5\tEST',
    '20260303T070000Z\t-6\tCST',
    '20260304T070000Z\t5.0\tXYZ',
    '20260306T070000Z\t-3\tQQQ\r',
  ].join('\n')
  assert.deepEqual(
    readZoneChanges(text, 'America/New_York').map(({ activeDate, abbreviation, zoneId }) => [
      activeDate.toISOString(),
      abbreviation,
      zoneId,
    ]),
    [
      ['2026-03-02T07:00:00.000Z', 'EST', 'America/New_York'],
      ['2026-03-03T07:00:00.000Z', 'CST', 'America/Chicago'],
      ['2026-03-04T07:00:00.000Z', 'XYZ', 'Etc/GMT-5'],
      ['2026-03-05T07:00:00.000Z', 'AST', 'America/Puerto_Rico'],
      ['2026-03-06T07:00:00.000Z', 'QQQ', 'Etc/GMT+3'],
    ],
  )
  assert.deepEqual(readZoneChanges('20260302T070000Z\t-5\tEST', 'America/Panama')[0]?.zoneId, 'America/Panama')
  // Parts of an hour count, too.
  const [half] = readZoneChanges('20260302T070000Z\t5.5\tXST', 'UTC')
  assert.equal(IANAZone.create(half?.zoneId ?? '').offset(Date.UTC(2026, 2, 3)), 330)
})

test('readZoneChanges refuses unknown zones and files without a change', () => {
  assert.throws(() => readZoneChanges('20260302T070000Z\tXST\tMars/Olympus', 'UTC'), /Mars\/Olympus/)
  assert.throws(() => readZoneChanges('# nothing\n', 'UTC'), /no change/)
})
