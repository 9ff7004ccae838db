// ResponseCache that stay in memory: every table that one is made of stands in its route.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { App } from '../../src/app.ts'
import { projectRoot } from '../../src/core/base/config.ts'
import type { Kind } from '../../src/core/work/ctx.ts'
import { noteWritten, WrittenTables } from '../../src/core/db/written.ts'
import { ResponseCache, sourcesOf } from '../../src/core/http/response-cache.ts'
import { Reply, type Route } from '../../src/core/http/route.ts'
import { jsonText } from '../../src/core/base/json-text.ts'
import { slotsOfPart } from '../../src/core/live/versions.ts'
import type { Channel } from '../../src/core/live/channel.ts'
import { routes, tables } from '../../src/features.ts'
import { settingsKind } from '../../src/settings/channel.ts'
import { testPassword, testRecoveryKey } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createSeamail, lfg, people, type Person } from '../support/fez.ts'
import { newCategory, postIn, startForum } from '../support/forum.ts'
import { knownImage, storedImage } from '../support/images.ts'
import { takenByAnswers, type Taken } from '../support/sources.ts'
import { countStatements, isQuiet, textsOfStatements } from '../support/statements.ts'
import { buildWorld, idsOf, kindOf, type World } from '../support/world.ts'

const written = new WrittenTables(tables)

let nodes: TestNodes
let world: World
before(async () => {
  nodes = await startTestNodes(2, { env: { SEARCHES_PER_MINUTE: '0' } })
  storedImage(nodes, knownImage)
  world = await buildWorld(nodes)
})
after(() => nodes.stop())

/** Every answer depends on these without saying so, see `ResponseCache`; the last ones a node uses by itself meanwhile. */
const always = new Set(['account', 'block', 'mute', 'setting', 'time_zone_change', 'account_seen', 'figure', 'outbox', 'bus_frame'])

const searches = ['', '?search=word&limit=3', '?onlynew=true&foruser=moderator&sort=event', '?favorite=true&mentionSelf=true&likeType=like']
/** Each parameter of a route's query alone, too: some ask for a table that no other does. */
const searchesOf = ({ query = {} }: Route): string[] => [...searches, ...Object.keys(query).map((name) => `?${name}=true`)]
const words: Readonly<Record<string, string>> = {
  search_string: 'word',
  hashtag: '#word',
  user_role: 'shutternaut',
  user_search_string: 'word',
  username: 'admin',
}

function addressesOf({ path, params = {} }: Route): string[] {
  let addresses = [path]
  for (const name of Object.keys(params)) {
    const kind = kindOf(path, name)
    const values = kind ? Object.values(world.things[kind] ?? {}).slice(0, 2) : [words[name] ?? '2024-01-01T00:00:00Z']
    addresses = addresses.flatMap((address) => values.map((value) => address.replace(`:${name}`, encodeURIComponent(value))))
  }
  return addresses
}

/** What is in memory on a node, beside channels: each is made of rows, and counts as these or as accounts do. */
const ofRows = new Set(['db', 'accounts', 'chatHeads', 'forumHeads', 'newestPages', 'watchedWords', 'postCaches'])
/** These change nothing by themselves. */
const tools = new Set(['channels', 'clock', 'config', 'log', 'writtenTables'])

test('GET of every answer that stays in memory: its route names the tables that it is made of, and the channels', async () => {
  const app = nodes.apps[0] as App
  const mentions = await tablesByWord()
  const wrong: string[] = []
  const callers = [world.owner, world.moderator, world.admin]
  for (const { one } of callers) await one.get('/user/whoami')
  for (const route of routes) {
    if (!route.cached) continue
    const { tables, channels = [], parts = {} } = route.cached
    const taken: Taken = { kinds: new Set(), parts: new Set() }
    const texts = await textsOfStatements(app, () =>
      takenByAnswers(app, taken, async () => {
        for (const address of addressesOf(route))
          for (const search of searchesOf(route)) for (const { one } of callers) await one.get(address + search).catch(() => undefined)
      }),
    )
    const found = new Set(texts.flatMap((text) => [...text.matchAll(/\w+/g)].flatMap(([word]) => mentions.get(word) ?? [])))
    const named = new Set([...tables, ...channels.flatMap((kind) => kind.tables)])
    // Settings are a part of every answer.
    const kinds = new Set([settingsKind.name, ...channels.map(({ name }) => name)])
    const missing = [
      ...[...found].filter((table) => !always.has(table) && !named.has(table) && !(table in parts)),
      ...[...taken.kinds].filter((name) => !kinds.has(name)).map((name) => `the channel ${name}`),
      ...[...taken.parts].filter((name) => !ofRows.has(name) && !tools.has(name)).map((name) => `node.${name}`),
    ]
    if (missing.length > 0) wrong.push(`${route.path}: ${missing.toSorted().join(', ')}`)
  }
  assert.deepEqual(wrong, [])
})

test('tables that statements outside of a transaction may write: no answer in memory is made of one', () => {
  for (const { path, cached } of routes)
    for (const table of [...(cached?.tables ?? []), ...Object.keys(cached?.parts ?? {})])
      assert.ok(written.shown([table]).has(table), `${path}: ${table}`)
})

test('every kind of channels names the tables that it reads', async () => {
  const [app] = nodes.apps as [App]
  const mentions = await tablesByWord()
  const ids: Readonly<Record<string, string>> = { user: world.moderator.id, fez: idsOf(world, 'fez')['other'] as string }
  const wrong: string[] = []
  for (const kind of await kindsOfChannels()) {
    const channel = kind.create(app.node, ids[kind.name] ?? 'all')
    const texts = await textsOfStatements(app, () => channel.ready())
    assert.ok(channel.live, kind.name)
    channel.close()
    const found = new Set(texts.flatMap((text) => [...text.matchAll(/\w+/g)].flatMap(([word]) => mentions.get(word) ?? [])))
    const missing = [...found].filter((table) => !always.has(table) && !kind.tables.includes(table))
    if (missing.length > 0) wrong.push(`${kind.name}: ${missing.toSorted().join(', ')}`)
  }
  assert.deepEqual(wrong, [])
})

type AnyKind = Kind<Channel<never, unknown>, never>

/** All that a source of the product exports. */
async function kindsOfChannels(): Promise<AnyKind[]> {
  const built = join(projectRoot, 'dist', 'src')
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((path) => /(^|\/|\.)channel\.js$/.test(path))
  const modules = await Promise.all(files.map((path) => import(pathToFileURL(join(built, path)).href) as Promise<Record<string, unknown>>))
  const kinds = modules.flatMap((module) => Object.entries(module).filter(([name]) => name.endsWith('Kind')))
  assert.ok(kinds.length > 10)
  return kinds.map(([, kind]) => kind as AnyKind)
}

test('rows that go with others: their tables are written too', async () => {
  const rows = await nodes.sql<{ parent: string; child: string }[]>`
    select confrelid::regclass::text as parent, conrelid::regclass::text as child from pg_constraint where confdeltype = 'c'`
  const below = (parent: string): string[] => rows.filter((row) => row.parent === parent).flatMap(({ child }) => [child, ...below(child)])
  for (const { parent } of rows) {
    const going = [parent, ...below(parent)]
    assert.deepEqual([...written.shown([parent])].toSorted(), [...written.shown(going)].toSorted(), parent)
  }
  const pairs = rows.map(({ parent, child }) => `${child} with ${parent}`)
  const declared = tables.flatMap(({ name, goesWith = [] }) => goesWith.map((parent) => `${name} with ${parent}`))
  assert.deepEqual(declared.toSorted(), pairs.toSorted())
})

test('tables that a statement writes: not those that it locks, and those whose names are values', () => {
  const tablesOf = (...call: [TemplateStringsArray, ...unknown[]]) => {
    const tables = new Set<string>()
    noteWritten(call, tables)
    return [...tables]
  }
  const statement = (strings: TemplateStringsArray, ...values: unknown[]) => tablesOf(strings, ...values)
  assert.deepEqual(statement`select 1 from fez for no key update ${'skip locked'}`, [])
  assert.deepEqual(statement`select 1 from fez for update of fez, select 1 from forum for update`, [])
  assert.deepEqual(statement`insert into fez (id) values (1) on conflict do update set id = 2`, ['fez'])
  assert.deepEqual(statement`with gone as (delete from mute) update ${{ value: '"fez_member"' }} set is_muted = true`, [
    'mute',
    'fez_member',
  ])
  assert.throws(() => statement`update ${{}} set id = 1`, /which table/)
})

/** Who looks, at which list, and a change by somebody on the other node that shows in it. */
interface Case {
  list: string
  looks: Person
  change: () => Promise<unknown>
}

test('answers in memory: asked again they cost no statement, a change on another node drops them', async () => {
  const { owner, member, stranger, moderator, things } = world
  const seamail = await createSeamail(owner.one, [member], { title: 'To talk' })
  const { forum, forumPost, microblogPost, category, boardgame, karaokeSong, hunt } = things as unknown as Record<string, { other: string }>
  const text = (words: string) => ({ text: words, images: [] })
  const cases: Case[] = [
    { list: `/forum/${forum?.other}?start=0`, looks: member, change: () => owner.two.post(`/forum/${forum?.other}/create`, text('more')) },
    { list: `/forum/${forum?.other}?start=0`, looks: member, change: () => stranger.two.post(`/forum/post/${forumPost?.other}/love`) },
    { list: '/forum/unread', looks: member, change: () => owner.two.post(`/forum/${forum?.other}/create`, text('still more')) },
    { list: '/forum/favorites', looks: member, change: () => member.two.post(`/forum/${forum?.other}/favorite`) },
    { list: '/forum/bookmarks', looks: member, change: () => member.two.post(`/forum/post/${forumPost?.other}/bookmark`) },
    {
      list: `/forum/categories/${category?.other}`,
      looks: member,
      change: () => moderator.two.post(`/forum/${forum?.other}/rename/Renamed`),
    },
    {
      list: '/forum/post/search?search=lighthouse',
      looks: member,
      change: () => owner.two.post(`/forum/${forum?.other}/create`, text('a lighthouse')),
    },
    { list: '/microblog', looks: member, change: () => owner.two.post('/microblog/create', text('news')) },
    { list: '/microblog/bookmarks', looks: member, change: () => member.two.post(`/microblog/${microblogPost?.other}/bookmark`) },
    { list: '/fez/joined', looks: member, change: () => owner.two.post(`/fez/${seamail}/post`, text('hear')) },
    { list: '/fez/joined', looks: member, change: () => member.two.post(`/fez/${seamail}/mute`) },
    { list: '/fez/owner', looks: owner, change: () => owner.two.post('/fez/create', lfg()) },
    {
      list: '/fez/open',
      looks: stranger,
      change: () =>
        owner.two.post('/fez/create', lfg({ title: 'To join', startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' })),
    },
    { list: '/boardgames', looks: member, change: () => member.two.post(`/boardgames/${boardgame?.other}/favorite`) },
    { list: '/karaoke?favorite=true', looks: member, change: () => member.two.post(`/karaoke/${karaokeSong?.other}/favorite`) },
    { list: `/users/${owner.id}/profile`, looks: member, change: () => owner.two.post('/user/profile', { displayName: 'Renamed' }) },
    { list: '/microblog', looks: member, change: () => member.two.post(`/users/${owner.id}/mute`) },
    { list: '/user/mutewords', looks: member, change: () => member.two.post('/user/mutewords/add/lanterns') },
    {
      list: `/hunts/${hunt?.other}`,
      looks: member,
      change: () => world.admin.two.request('PATCH', `/hunts/${hunt?.other}`, { body: { title: 'Another' } }),
    },
  ]
  const [app, other] = nodes.apps as [App, App]
  for (const { list, looks, change } of cases) {
    // What it marks as read, and what was written by the test itself, has happened then.
    for (let times = 0; times < 3; times++) await looks.one.get(list)
    const before = await looks.one.get(list)
    assert.equal(before.status, 200, list)
    const etag = String(before.headers['etag'])
    if (!/open|hunts/.test(list))
      assert.equal(await countStatements(app, () => looks.one.get(list), { warm: true }), 0, `${list} is in memory`)
    const same = await looks.one.get(list, { headers: { 'If-None-Match': etag } })
    assert.equal(same.status, 304, `${list}: the client has it`)
    await change()
    await other.node.channels.publishConfirmed('invalidation', 'all', [])
    const after = await looks.one.get(list, { headers: { 'If-None-Match': etag } })
    assert.equal(after.status, 200, `${list} has changed`)
    assert.notDeepEqual(after.body, before.body, list)
    app.node.versions.reset()
    assert.deepEqual((await looks.one.get(list)).body, after.body, `${list} is what Postgres says`)
  }
})

test('GET /microblog, /fez/joined, /forum/unread, a category: after a post, what one reader has been shown costs the next no statement', async () => {
  const { stranger: author, owner, moderator } = world
  const [app] = nodes.apps as [App]
  const chat = await createSeamail(author.one, [owner, moderator], { title: 'For three' })
  const category = await newCategory(nodes)
  const { forumID } = await startForum(author.one, 'For readers', { category })
  const lists = ['/microblog', '/fez/joined', '/forum/unread', `/forum/categories/${category}`]
  await isQuiet(nodes)
  for (const { one } of [owner, moderator]) for (const list of lists) await one.get(list)
  await author.one.post('/microblog/create', { text: 'for everybody', images: [] })
  await author.one.post(`/fez/${chat}/post`, { text: 'for three', images: [] })
  await author.one.post(`/forum/${forumID}/create`, { text: 'for readers', images: [] })
  for (const list of lists) {
    const before = (await owner.one.get(list)).body
    const title = list.startsWith('/forum') ? 'For readers' : 'For three'
    const numbers = list.startsWith('/forum') ? '"postCount":2,"readCount":0' : '"postCount":1,"readCount":0'
    assert.match(JSON.stringify(before), list === '/microblog' ? /for everybody/ : new RegExp(`"title":"${title}".*?${numbers}`))
    assert.equal(await countStatements(app, () => moderator.one.get(list), { warm: true }), 0, list)
  }
})

test('everybody reads an announcement within minutes: what they are shown beside it stays in memory', async () => {
  const { owner, moderator, admin } = world
  const [app] = nodes.apps as [App]
  await isQuiet(nodes)
  await admin.one.post('/notification/announcement/create', {
    text: 'Muster at ten',
    displayUntil: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const lists = ['/boardgames', `/users/${owner.id}/profile`, '/forum/post/search?search=lighthouse']
  for (const list of lists) await moderator.one.get(list)
  const newOnes = async () => ((await owner.one.get('/notification/global')).body as { newAnnouncementCount: number }).newAnnouncementCount
  assert.ok((await newOnes()) > 0)
  await owner.one.get('/notification/announcements')
  assert.equal(await newOnes(), 0)
  for (const list of lists) assert.equal(await countStatements(app, () => moderator.one.get(list), { warm: true }), 0, list)
})

test('everybody signs in on the first day: what others are shown stays in memory; where they are signed in themselves is true at once', async () => {
  const { owner, moderator } = world
  const [app] = nodes.apps as [App]
  const [newcomer] = (await people(nodes, {})) as [Person]
  const lists = ['/boardgames', `/users/${owner.id}/profile`, '/forum/post/search?search=lighthouse']
  const signIn = (headers: Record<string, string> = {}) =>
    nodes.client().post('/auth/login', undefined, { basic: [newcomer.username, testPassword], headers })
  const page = { 'X-Session': 'cookie', Origin: nodes.urls[0] as string }
  const [cookie = ''] = String((await signIn(page)).headers['set-cookie']).split(';')
  const appsSignedIn = async () => (await body(nodes.client().get('/auth/sessions', { headers: { ...page, cookie } }))).appsSignedIn
  assert.equal(await appsSignedIn(), true)
  await isQuiet(nodes)
  for (const list of lists) await moderator.one.get(list)
  assert.equal((await newcomer.one.post('/auth/logout')).status, 204)
  assert.equal(await appsSignedIn(), false)
  assert.equal((await signIn()).status, 200)
  assert.equal(await appsSignedIn(), true)
  for (const list of lists) assert.equal(await countStatements(app, () => moderator.one.get(list), { warm: true }), 0, list)
})

test('recoveries that fail, new passwords, and older hashes: what others are shown stays in memory', async () => {
  const { owner, moderator } = world
  const [app] = nodes.apps as [App]
  const [person, other] = (await people(nodes, {}, {})) as [Person, Person]
  const older = await hash(testPassword, { memoryCost: 8192, timeCost: 2, parallelism: 1 })
  await nodes.sql`update account set password_hash = ${older} where id = ${other.id}`
  const lists = ['/boardgames', `/users/${owner.id}/profile`, '/forum/post/search?search=lighthouse']
  const recover = (username: string, recoveryKey: string, newPassword = testPassword) =>
    nodes.client().post('/auth/recovery', { username, recoveryKey, newPassword })
  const login = ({ username }: Person, password: string) => nodes.client().post('/auth/login', undefined, { basic: [username, password] })
  const steps: [what: string, step: () => Promise<{ status: number }>, status: number][] = [
    ['of somebody', () => recover(person.username, 'not the key'), 400],
    ['of nobody', () => recover('nobody at all', 'not the key'), 400],
    ['by a code', () => nodes.client().post('/auth/username', { registrationCode: 'abcdef', recoveryKey: 'not the key' }), 400],
    ['right', () => recover(person.username, testRecoveryKey, 'another password'), 200],
    ['wrong password', () => login(person, 'not the password'), 401],
    ['older hash', () => login(other, testPassword), 200],
    ['hash of today', () => login(other, testPassword), 200],
    ['own password', () => other.one.post('/user/password', { currentPassword: testPassword, newPassword: 'another password' }), 201],
    ['new password', () => login(other, 'another password'), 200],
  ]
  await isQuiet(nodes)
  for (const list of lists) await moderator.one.get(list)
  for (const [what, step, status] of steps) {
    assert.equal((await step()).status, status, what)
    for (const list of lists) assert.equal(await countStatements(app, () => moderator.one.get(list), { warm: true }), 0, `${what}: ${list}`)
  }
  const [row] = await nodes.sql<{ passwordHash: string }[]>`select password_hash from account where id = ${other.id}`
  assert.match(row?.passwordHash ?? '', /m=19456,/)
})

test('mutes and blocks: in force at once for those whom they are about, what others are shown stays in memory', async () => {
  const { owner, moderator } = world
  const [app] = nodes.apps as [App]
  const [reader, one, other] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID } = await startForum(owner.one, 'Quiet talk')
  await postIn(other.one, forumID, 'the quiet lighthouse')
  const lists = [
    '/boardgames',
    `/users/${owner.id}/profile`,
    `/forum/${forumID}`,
    '/forum/post/search?search=lighthouse',
    '/forum/unread',
    '/fez/joined',
    '/microblog',
  ]
  await isQuiet(nodes)
  const shows = async (who: Person) => JSON.stringify((await who.one.get(`/forum/${forumID}`)).body).includes('the quiet lighthouse')
  const keep = async () => {
    for (const list of lists) for (const who of [moderator, reader]) for (let times = 0; times < 3; times++) await who.one.get(list)
  }
  const isKept = async (what: string) => {
    for (const list of lists)
      for (const who of [moderator, reader])
        assert.equal(await countStatements(app, () => who.one.get(list), { warm: true }), 0, `${list}: ${what}`)
  }
  await keep()
  for (const [make, end] of [
    ['mute', 'unmute'],
    ['block', 'unblock'],
  ] as const) {
    assert.ok(await shows(one))
    assert.equal((await one.two.post(`/users/${other.id}/${make}`)).status, 201)
    assert.ok(!(await shows(one)), make)
    await isKept(make)
    assert.ok((await one.two.post(`/users/${other.id}/${end}`)).status < 300)
    assert.ok(await shows(one), end)
    await isKept(end)
  }
})

test('a crowd that registers and takes its codes: in all lists of accounts at once, everything else stays in memory', async () => {
  const { owner, moderator, admin } = world
  const [app] = nodes.apps as [App]
  const [reader] = (await people(nodes, {})) as [Person]
  const stay = [
    '/boardgames',
    `/users/${owner.id}/profile`,
    '/forum/post/search?search=lighthouse',
    '/forum/unread',
    '/fez/joined',
    '/microblog',
  ]
  const lists = ['/users/match/allnames/crowded', '/users/match/username/crowded', '/admin/users?search=crowded']
  await isQuiet(nodes)
  const counted = async () => JSON.stringify((await body(admin.one.get('/admin/rollup'))) as object)
  for (const list of stay) for (const { one } of [moderator, reader]) for (let times = 0; times < 3; times++) await one.get(list)
  for (const [number, node] of [1, 0].entries()) {
    const before = await counted()
    for (const list of lists) await admin.one.get(list)
    const username = `crowded${number}`
    assert.equal((await nodes.client(undefined, node).post('/user/create', { username, password: testPassword })).status, 201)
    for (const list of lists) assert.match(JSON.stringify((await admin.one.get(list)).body), new RegExp(username), list)
    assert.notEqual(await counted(), before)
    const isKept = async (what: string) => {
      for (const list of stay)
        for (const { one } of [moderator, reader])
          assert.equal(await countStatements(app, () => one.get(list), { warm: true }), 0, `${list}: ${what}`)
    }
    await isKept(username)

    const levels = async () => {
      const [{ userID }] = (await body(admin.one.get(`/users/match/allnames/${username}`))) as [{ userID: string }]
      const ofPerson = await body(moderator.one.get(`/mod/user/${userID}`))
      const { users } = await body(admin.one.get(`/admin/users?search=${username}`))
      return [ofPerson.accessLevel, users[0].accessLevel]
    }
    assert.deepEqual(await levels(), ['unverified', 'unverified'])
    const code = `crowd${number}`
    await nodes.sql`insert into registration_code (code) values (${code})`
    await isQuiet(nodes)
    for (const list of stay) for (const { one } of [moderator, reader]) for (let times = 0; times < 3; times++) await one.get(list)
    const verified = await nodes.client(undefined, node).post('/user/verify', { verification: code }, { basic: [username, testPassword] })
    assert.ok(verified.status < 300)
    assert.deepEqual(await levels(), ['verified', 'verified'])
    await isKept(code)
  }
})

test('a post in a forum drops the page of its category and lists that show it, and no others', async () => {
  const { stranger: author, owner: reader } = world
  const [app] = nodes.apps as [App]
  const [here, there] = [await newCategory(nodes), await newCategory(nodes)]
  const { forumID: own } = await startForum(reader.one, 'Mine', { category: here })
  const { forumID: other } = await startForum(author.one, 'Of others', { category: there })
  await isQuiet(nodes)
  await reader.one.post(`/forum/${own}/favorite`)
  const stay = [`/forum/categories/${here}`, '/forum/owner', '/forum/favorites', '/forum/recent', '/user/forums']
  const go = [...stay.slice(1), `/forum/categories/${there}`, '/forum/unread']
  const made = async (list: string) => {
    let count = 0
    const { responses: answers } = app.node
    const find: ResponseCache['find'] = (...asked) => answers.find(...asked)
    const make: ResponseCache['make'] = (key, sources, viewer, params, run) =>
      answers.make(key, sources, viewer, params, () => {
        count++
        return run()
      })
    Object.assign(app.node, { responses: { find, make } })
    await reader.one.get(list)
    Object.assign(app.node, { responses: answers })
    return count
  }
  const post = (forum: string) => author.two.post(`/forum/${forum}/create`, { text: 'again', images: [] })
  for (const list of [...stay, ...go]) await reader.one.get(list)
  await post(other)
  for (const list of stay) assert.equal(await made(list), 0, list)
  for (const list of go.slice(-2)) assert.equal(await made(list), 1, list)
  await post(own)
  for (const list of stay) assert.equal(await made(list), 1, list)
  assert.equal(await made(`/forum/categories/${there}`), 0)
})

test('an answer that names what it shows: nothing is kept, or shared with others, that was made while any of it changed', async () => {
  const { node } = nodes.apps[0] as App
  await isQuiet(nodes)
  const answers = new ResponseCache({ versions: node.versions, clock: node.clock, common: () => 0, maxBytes: 10_000 })
  const sources = sourcesOf({ tables: [], parts: { forum: 'shown' } }, node.versions, written.ofEveryAnswer)
  const change = (id: string) => node.channels.publishConfirmed('invalidation', 'all', slotsOfPart('forum', id))
  let count = 0
  const ask = (meanwhile: () => Promise<unknown> = async () => undefined) =>
    answers.find('key', sources, undefined) ??
    answers.make('key', sources, undefined, {}, async () => {
      count++
      await meanwhile()
      return new Reply(200, jsonText({}), {}, { shows: ['shown'] })
    })
  for (const [step, expected] of [
    [() => ask(), 1],
    [() => ask(), 1],
    [() => change('other').then(() => ask()), 1],
    [() => change('shown').then(() => ask(() => change('shown'))), 2],
    [() => ask(), 3],
    [() => change('shown').then(() => Promise.all([ask(() => change('other')), change('shown').then(() => ask())])), 5],
  ] as const) {
    await step()
    assert.equal(count, expected)
  }
})

test('answers in memory are sent packed: brotli where it is wanted, gzip otherwise, never to those who have not asked', async () => {
  const { member } = world
  const plain = await member.one.file('/boardgames')
  const packed = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [name, unpack] of Object.entries(packed))
    for (let times = 0; times < 2; times++) {
      const { headers, bytes } = await member.one.file('/boardgames', { 'Accept-Encoding': name === 'br' ? 'gzip, deflate, br' : 'gzip' })
      assert.equal(headers['content-encoding'], name)
      assert.equal(unpack(bytes).toString(), plain.bytes.toString())
    }
  assert.equal(plain.headers['content-encoding'], undefined)
})

/** How clients ask for an answer, and what each is to get. */
const forms: Readonly<Record<string, { asks: (etag: string) => Record<string, string>; method?: 'HEAD'; status: number }>> = {
  'has it': { asks: (etag) => ({ 'If-None-Match': etag }), status: 304 },
  'has another': { asks: () => ({ 'If-None-Match': 'W/"another"' }), status: 200 },
  'has nothing': { asks: () => ({}), status: 200 },
  'takes gzip': { asks: () => ({ 'Accept-Encoding': 'gzip' }), status: 200 },
  'takes brotli': { asks: () => ({ 'Accept-Encoding': 'gzip, br' }), status: 200 },
  'wants a part': { asks: () => ({ Range: 'bytes=0-3' }), status: 200 },
  'wants the head': { asks: () => ({}), method: 'HEAD', status: 200 },
}
const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

test('GET of every answer that stays in memory: of those who ask at once each gets it in the form that they ask for', async () => {
  const [{ node }] = nodes.apps as [App]
  const names = Object.keys(forms)
  await world.owner.one.post(`/users/${world.member.id}/note`, { note: 'Met on deck' })
  const wrong: string[] = []
  const unasked: string[] = []
  for (const route of routes.filter(({ cached, method }) => cached && method === 'GET')) {
    const found = await answered(route)
    if (!found) {
      unasked.push(route.path)
      continue
    }
    const { one, address } = found
    // Each of them is the first once: the others may get what was made for it. The second may pass meanwhile.
    for (let first = 0, tries = 0; first < names.length;) {
      const known = await one.file(address)
      const etag = String(known.headers['etag'])
      node.versions.reset()
      const inTurn = [...names.slice(first), ...names.slice(0, first)]
      const got = await Promise.all(inTurn.map((name) => one.file(address, forms[name]?.asks(etag), forms[name]?.method)))
      const amiss = inTurn.filter((name, index) => {
        const { asks: _asks, method, status } = forms[name] as (typeof forms)[string]
        const { status: gotStatus, headers, bytes } = got[index] as (typeof got)[number]
        const body = unpackers[String(headers['content-encoding'])]?.(bytes) ?? bytes
        const isWhole = status === 304 || method === 'HEAD' ? bytes.length === 0 : body.equals(known.bytes)
        // A HEAD changes nothing, in memory neither: it has a tag when there is an answer.
        return gotStatus !== status || !isWhole || (method !== 'HEAD' && headers['etag'] !== etag)
      })
      if (amiss.length > 0 && route.cached?.everySecond && ++tries < 5) continue
      if (amiss.length > 0) wrong.push(`${address}, when somebody who ${inTurn[0]} asks first: ${amiss.join(', ')}`)
      tries = 0
      first++
    }
  }
  assert.deepEqual(wrong, [])
  // It wants a body.
  assert.deepEqual(unasked, ['/boardgames/recommend'])
})

/** An address of a route, and somebody who gets an answer there. */
async function answered(route: Route): Promise<{ one: Person['one']; address: string } | undefined> {
  const ofMember = route.path.replace(':user_id', world.member.id).replace(':user_search_string', world.member.username)
  for (const address of [ofMember, ...addressesOf(route)])
    for (const search of ['', '?search=word', '?string=word'])
      for (const { one } of [world.owner, world.moderator, world.admin, world.manager])
        if ((await one.file(address + search)).status === 200) return { one, address: address + search }
}

test('GET /client/start: 200 with the themes of days, whatever those who ask for these meanwhile have', async () => {
  const { one } = world.member
  const [{ node }] = nodes.apps as [App]
  const etag = String((await one.get('/notification/dailythemes')).headers['etag'])
  for (let times = 0; times < 5; times++) {
    node.versions.reset()
    const [themes, start] = await Promise.all([
      one.get('/notification/dailythemes', { headers: { 'If-None-Match': etag } }),
      one.get('/client/start'),
    ])
    assert.deepEqual([themes.status, start.status], [304, 200])
  }
})

test('answers in memory: none after a write that no transaction of the product has made', async () => {
  const { member } = world
  const [app] = nodes.apps as [App]
  await member.one.get('/karaoke/latest')
  await nodes.sql`update karaoke_song set version = version`
  assert.ok((await countStatements(app, () => member.one.get('/karaoke/latest'), { warm: true })) > 0)
})

/** Tables, and functions with the tables in their texts. */
async function tablesByWord(): Promise<Map<string, string[]>> {
  const tables = await nodes.sql<
    { name: string }[]
  >`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const isTable = new Set(tables.map(({ name }) => name))
  const functions = await nodes.sql<{ name: string; text: string }[]>`
    select proname as name, coalesce(nullif(prosrc, ''), pg_get_functiondef(oid)) as text from pg_proc where pronamespace = 'public'::regnamespace`
  const textOf = new Map(functions.map(({ name, text }) => [name, text]))
  const tablesIn = (name: string, inside: readonly string[] = []): string[] => {
    if (isTable.has(name)) return [name]
    const words = inside.includes(name) ? [] : [...(textOf.get(name) ?? '').matchAll(/\w+/g)].map(([word]) => word)
    return [...new Set(words.flatMap((word) => tablesIn(word, [...inside, name])))]
  }
  return new Map([...isTable, ...textOf.keys()].map((name) => [name, tablesIn(name)]))
}
