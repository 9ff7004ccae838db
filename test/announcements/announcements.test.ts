// Announcements over two nodes: who may do what, what is shown when, who has read how far, and what
// connected devices are told.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { announcementsId, announcementsKind } from '../../src/announcements/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { body, people, refused, settingsChanged, type Person } from '../support/fez.ts'
import { LeapingClock } from '../support/fake-clock.ts'

const hourMs = 60 * 60_000
const clock = new LeapingClock()

let nodes: TestNodes
let team: Person
let other: Person
let reader: Person
before(async () => {
  nodes = await startTestNodes(2, { clock })
  ;[team, other, reader] = (await people(nodes, { level: 'serviceteam' }, { level: 'admin' }, {})) as [Person, Person, Person]
})
after(() => nodes.stop())

const inHours = (hours: number) => new Date(clock.now() + hours * hourMs).toISOString()
const path = '/notification/announcement'

/** Announces over a node and returns the id. */
async function announce(text: string, hours = 1, node = 0): Promise<number> {
  await body((team.clients[node] as Client).post(`${path}/create`, { text, displayUntil: inHours(hours) }), 201)
  const [newest] = await body(team.one.get('/notification/announcements?inactives=true'))
  assert.equal(newest.text, text)
  return newest.id
}

const list = (client: Client, query = '') => body(client.get(`/notification/announcements${query}`))
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

/** Active ids, and how many are new for somebody; the same on both nodes. */
async function numbers(who: Person): Promise<[ids: number[], fresh: number]> {
  const [one, two] = await Promise.all(who.clients.map((client) => body(client.get('/notification/user'))))
  assert.deepEqual([one.activeAnnouncementIDs, one.newAnnouncementCount], [two.activeAnnouncementIDs, two.newAnnouncementCount])
  return [one.activeAnnouncementIDs, one.newAnnouncementCount]
}

/** Ends the display of everything that other tests have announced. */
async function clear(): Promise<void> {
  for (const id of idsOf(await list(nodes.client()))) await body(team.two.delete(`${path}/${id}`), 204)
}

test('POST /notification/announcement/create: shown to everybody at once, on both nodes', async () => {
  await clear()
  const displayUntil = inHours(2)
  const answer = await team.one.post(`${path}/create`, { text: 'Muster at ten\r\nDeck 5', displayUntil })
  assert.deepEqual([answer.status, answer.body], [201, undefined])
  const [shown, ...rest] = await list(reader.two)
  assert.deepEqual(rest, [])
  const { id, updatedAt, ...fields } = shown
  assert.deepEqual(fields, {
    author: { userID: team.id, username: team.username },
    text: 'Muster at ten\r\nDeck 5',
    displayUntil,
    isDeleted: false,
  })
  assert.ok(Math.abs(Date.parse(updatedAt) - clock.now()) < 60_000)
  for (const client of [...other.clients, ...nodes.urls.map((_, node) => nodes.client(undefined, node))])
    assert.deepEqual(await list(client), [shown])
  assert.deepEqual(await body(other.two.get(`${path}/${id}`)), shown)
})

test('everything that changes announcements is for the service team and above', async () => {
  const id = await announce('For the team')
  const content = { text: 'x', displayUntil: inHours(1) }
  const [moderator, tho] = (await people(nodes, { level: 'moderator' }, { level: 'tho' })) as [Person, Person]
  for (const [client, status] of [
    [nodes.client(), 401],
    [reader.one, 403],
    [moderator.two, 403],
  ] as const) {
    await refused(client.post(`${path}/create`, content), status)
    await refused(client.get(`${path}/${id}`), status)
    await refused(client.post(`${path}/${id}/edit`, content), status)
    await refused(client.post(`${path}/${id}/delete`), status)
    await refused(client.delete(`${path}/${id}`), status)
  }
  for (const { one } of [team, tho, other]) {
    await body(one.get(`${path}/${id}`))
    await body(one.post(`${path}/${id}/edit`, content))
    await body(one.post(`${path}/create`, content), 201)
  }
})

test('postAsUser: in the name of a shared account that the caller may speak for, and of no other; an edit keeps the author', async () => {
  const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
  await clear()
  const as = (who: Person, postAsUser?: string) =>
    who.one.post(`${path}/create`, {
      text: `as ${postAsUser}`,
      displayUntil: inHours(1),
      ...(postAsUser === undefined ? {} : { postAsUser }),
    })
  const allowed: [who: Person, word: string, author: string][] = [
    [team, '', team.username],
    [team, ' Self ', team.username],
    [team, team.username.toUpperCase(), team.username],
    [team, 'serviceteam', 'ServiceTeam'],
    [other, 'TwitarrTeam', 'ServiceTeam'],
    [team, 'admin', 'admin'],
    [tho, 'THO', 'THO'],
    [other, 'tho', 'THO'],
  ]
  for (const [who, word, author] of allowed) {
    await body(as(who, word), 201)
    const [newest] = await list(reader.two)
    assert.deepEqual([newest.text, newest.author.username], [`as ${word}`, author])
  }
  const before = idsOf(await list(reader.two))
  for (const [who, word] of [
    [team, 'tho'],
    [tho, 'serviceteam'],
    [team, 'moderator'],
    [other, 'moderator'],
    [other, reader.username],
  ] as const)
    await refused(as(who, word), 403)
  assert.deepEqual(idsOf(await list(reader.two)), before)
  const [{ id }] = await list(reader.one)
  const edit = (postAsUser: string) => team.two.post(`${path}/${id}/edit`, { text: 'edited', displayUntil: inHours(1), postAsUser })
  await refused(edit('tho'), 403)
  assert.equal((await body(edit('serviceteam'))).author.username, 'THO')
  await clear()
})

test('the service team may announce while temporarily quarantined', async () => {
  const [late] = (await people(nodes, { level: 'serviceteam', tempQuarantineUntil: new Date(clock.now() + hourMs) })) as [Person]
  await body(late.one.post(`${path}/create`, { text: 'Still here', displayUntil: inHours(1) }), 201)
})

test('POST /notification/announcement/create and /edit: refused content, all at once', async () => {
  const id = await announce('Fine')
  for (const target of [`${path}/create`, `${path}/${id}/edit`]) {
    const post = (content: unknown) => team.one.post(target, content)
    const bad = await body(post({ text: '', displayUntil: inHours(-1) }), 400)
    assert.deepEqual(Object.keys(bad.fieldErrors).toSorted(), ['displayUntil', 'text'])
    const long = await body(post({ text: 'x'.repeat(2000), displayUntil: inHours(1) }), 400)
    assert.deepEqual(Object.keys(long.fieldErrors), ['text'])
    const past = await body(post({ text: 'x', displayUntil: new Date(clock.now()).toISOString() }), 400)
    assert.deepEqual(Object.keys(past.fieldErrors), ['displayUntil'])
    for (const content of [
      { text: 'x' },
      { displayUntil: inHours(1) },
      { text: 1, displayUntil: inHours(1) },
      { text: 'x', displayUntil: 'tomorrow' },
    ]) {
      assert.equal((await body(post(content), 400)).fieldErrors, undefined)
    }
    await refused(team.one.post(target), 422)
  }
  assert.equal((await body(team.one.get(`${path}/${id}`))).text, 'Fine')
  // Exactly as long as allowed, in characters that are several code units each.
  await body(team.one.post(`${path}/${id}/edit`, { text: '👩‍👩‍👧'.repeat(1999), displayUntil: inHours(1) }))
  // Seconds since 1970.
  await body(team.one.post(`${path}/${id}/edit`, { text: 'x', displayUntil: Math.floor(clock.now() / 1000) + 60 }))
})

test('an announcement that does not exist is 400 everywhere', async () => {
  const content = { text: 'x', displayUntil: inHours(1) }
  for (const id of ['0', '999999', '-1', 'x', '1.5', '99999999999']) {
    await refused(team.one.get(`${path}/${id}`), 400)
    await refused(team.one.post(`${path}/${id}/edit`, content), 400)
    await refused(team.one.post(`${path}/${id}/delete`), 400)
    await refused(team.one.delete(`${path}/${id}`), 400)
  }
})

test('POST /notification/announcement/create: an Idempotency-Key makes it safe to repeat', async () => {
  await clear()
  const content = { text: 'Once', displayUntil: inHours(1) }
  const headers = { 'idempotency-key': 'announce-once' }
  for (const client of [team.one, team.one, team.two]) await body(client.post(`${path}/create`, content, { headers }), 201)
  assert.equal((await list(reader.one)).length, 1)
})

test('POST /notification/announcement/:id/edit: replaced, not new again, author and id kept, a deleted one is back', async () => {
  await clear()
  const id = await announce('Tpyo')
  await list(reader.one)
  assert.deepEqual(await numbers(reader), [[id], 0])
  const socket = await reader.two.socket('/notification/socket')
  const edited = await body(other.two.post(`${path}/${id}/edit`, { text: 'Typo', displayUntil: inHours(3) }))
  assert.deepEqual([edited.id, edited.author.userID, edited.text, edited.isDeleted], [id, team.id, 'Typo', false])
  assert.deepEqual(await list(reader.two), [edited])
  assert.deepEqual(await numbers(reader), [[id], 0])
  await body(team.one.post(`${path}/${id}/delete`), 204)
  assert.deepEqual(await list(reader.two), [])
  assert.equal((await body(team.two.get(`${path}/${id}`))).isDeleted, true)
  await refused(team.one.delete(`${path}/${id}`), 400)
  await refused(team.two.post(`${path}/${id}/delete`), 400)
  await body(team.two.post(`${path}/${id}/edit`, { text: 'Back', displayUntil: inHours(3) }))
  assert.deepEqual(await numbers(reader), [[id], 0])
  await socket.flushed()
  assert.deepEqual(socket.frames, [])
})

test('GET /notification/announcements: newest first; expired ones go by the clock and come back by an edit', async () => {
  await clear()
  const [long, short, middle] = [await announce('long', 10), await announce('short', 1, 1), await announce('middle', 2)] as [
    number,
    number,
    number,
  ]
  assert.deepEqual(idsOf(await list(reader.one)), [middle, short, long])
  assert.deepEqual(await numbers(other), [[middle, short, long], 3])
  clock.leap(1.5 * hourMs)
  for (const client of [reader.one, reader.two, nodes.client()]) assert.deepEqual(idsOf(await list(client)), [middle, long])
  assert.deepEqual(await numbers(other), [[middle, long], 2])
  assert.equal((await body(team.one.get(`${path}/${short}`))).isDeleted, false)
  clock.leap(hourMs)
  assert.deepEqual(await numbers(other), [[long], 1])
  await body(team.one.post(`${path}/${short}/edit`, { text: 'short again', displayUntil: inHours(1) }))
  assert.deepEqual(await numbers(other), [[short, long], 2])
})

test('GET /notification/announcements?inactives=true: everything for the service team, and no read mark; ignored from others', async () => {
  await clear()
  const gone = await announce('gone')
  await body(team.one.delete(`${path}/${gone}`), 204)
  const shown = await announce('shown')
  const [watcher, moderator] = (await people(nodes, { level: 'serviceteam' }, { level: 'moderator' })) as [Person, Person]
  for (const client of [reader.one, moderator.one, nodes.client(undefined, 1)])
    assert.deepEqual(idsOf(await list(client, '?inactives=true')), [shown])
  const all = await list(watcher.two, '?inactives=true')
  assert.deepEqual(idsOf(all).slice(0, 2), [shown, gone])
  assert.deepEqual(
    idsOf(all),
    idsOf(all).toSorted((a, b) => b - a),
  )
  assert.deepEqual(
    all.slice(0, 2).map(({ isDeleted }: { isDeleted: boolean }) => isDeleted),
    [false, true],
  )
  assert.deepEqual(await numbers(watcher), [[shown], 1])
  assert.deepEqual(idsOf(await list(watcher.two, '?inactives=false')), [shown])
  assert.deepEqual(await numbers(watcher), [[shown], 0])
})

test('the read mark is one per account, never lowered, and not moved by callers who are not logged in', async () => {
  await clear()
  const [fresh] = (await people(nodes, {})) as [Person]
  const [second] = (await people(nodes, { subAccountOf: fresh })) as [Person]
  const first = await announce('first')
  await list(nodes.client())
  assert.deepEqual(await numbers(fresh), [[first], 1])
  const later = await announce('later')
  await list(fresh.two)
  assert.deepEqual(await numbers(fresh), [[later, first], 0])
  assert.deepEqual(await numbers(second), [[later, first], 2])
  // With the newest gone, and with none at all, the mark stays where it was.
  await body(team.one.delete(`${path}/${later}`), 204)
  await list(fresh.one)
  await clear()
  assert.deepEqual(await list(fresh.one), [])
  await body(team.one.post(`${path}/${later}/edit`, { text: 'back', displayUntil: inHours(1) }))
  assert.deepEqual(await numbers(fresh), [[later], 0])
  const [row] = await nodes.sql`select read_announcement_id from account where id = ${fresh.id}`
  assert.equal(row?.['readAnnouncementId'], later)
})

test('a logged-out caller polls: active announcements, nothing new', async () => {
  await clear()
  const id = await announce('for all')
  const data = await body(nodes.client(undefined, 1).get('/notification/global'))
  assert.deepEqual([data.activeAnnouncementIDs, data.newAnnouncementCount], [[id], 0])
})

test('WS /notification/socket: every device on every node is told once of a new announcement, and of nothing else about them', async () => {
  await clear()
  const everyone = [reader, team, ...((await people(nodes, { level: 'unverified' }, { level: 'moderator' })) as Person[])]
  const sockets = await Promise.all(
    [...everyone, reader].flatMap(({ clients }) => clients.map((client) => client.socket('/notification/socket'))),
  )
  const ids = [await announce('One "two"'), await announce('three', 1, 1)] as [number, number]
  await body(team.one.post(`${path}/${ids[0]}/edit`, { text: 'edited', displayUntil: inHours(1) }))
  await body(team.two.delete(`${path}/${ids[1]}`), 204)
  await list(reader.one)
  const frame = (info: string, id: number) => ({ type: { announcement: {} }, info, contentID: String(id) })
  for (const socket of sockets) {
    await socket.flushed()
    assert.deepEqual(socket.frames, [frame('One "two"', ids[0]), frame('three', ids[1])])
  }
  // A socket that opens later hears only what is new.
  const late = await reader.one.socket('/notification/socket')
  await announce('four', 1, 1)
  await late.until(({ info }) => info === 'four')
  assert.equal(late.frames.length, 1)
})

test('created at once over both nodes: each is told once, in order of ids, and reading the newest reads all', async () => {
  await clear()
  const [fresh] = (await people(nodes, {})) as [Person]
  const sockets = await Promise.all(fresh.clients.map((client) => client.socket('/notification/socket')))
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      body((team.clients[index % 2] as Client).post(`${path}/create`, { text: `number ${index}`, displayUntil: inHours(1) }), 201),
    ),
  )
  const [ids, count] = await numbers(fresh)
  assert.equal(count, 20)
  for (const socket of sockets) {
    await socket.flushed()
    assert.deepEqual(
      socket.frames.map(({ contentID }) => Number(contentID)),
      ids.toReversed(),
    )
  }
  await list(fresh.one)
  assert.deepEqual(await numbers(fresh), [ids, 0])
})

test('a node that has missed an announcement tells its sockets when it comes to know of it, once', async () => {
  await clear()
  const sockets = await Promise.all(reader.clients.map((client) => client.socket('/notification/socket')))
  await nodes.sql`insert into announcement (author_id, text, display_until, created_at, updated_at) values (${team.id}, 'unheard', ${inHours(30)}, now(), now())`
  await nodes.apps[1]?.node.channels.of(announcementsKind).peek(announcementsId)?.reload()
  await sockets[1]?.flushed()
  assert.deepEqual(
    sockets.map(({ frames }) => frames.map(({ info }) => info)),
    [[], ['unheard']],
  )
  await announce('heard', 30)
  await Promise.all(sockets.map((socket) => socket.flushed()))
  for (const { frames } of sockets)
    assert.deepEqual(
      frames.map(({ info }) => info),
      ['unheard', 'heard'],
    )
})

test('displayUntil floats: the wall clock stays when the ship changes its zone', async () => {
  await clear()
  const displayUntil = inHours(5)
  await body(team.one.post(`${path}/create`, { text: 'until five', displayUntil }), 201)
  await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values (${new Date(clock.now() + hourMs)}, 'WEST', 'Etc/GMT-1')`
  await settingsChanged(nodes)
  try {
    const [portOffset] = await nodes.sql<
      { seconds: number }[]
    >`select extract(epoch from (${displayUntil}::timestamptz at time zone 'America/New_York') - (${displayUntil}::timestamptz at time zone 'UTC'))::int as seconds`
    const [shown] = await list(reader.one)
    // The same wall clock comes earlier where clocks are further ahead.
    assert.equal(Date.parse(displayUntil) - Date.parse(shown.displayUntil), 3_600_000 - (portOffset?.seconds ?? NaN) * 1000)
    clock.leap(2 * hourMs)
    assert.deepEqual(await list(reader.two), [])
  } finally {
    await nodes.sql`delete from time_zone_change where abbreviation = 'WEST'`
    await settingsChanged(nodes)
  }
  assert.equal((await list(reader.two)).length, 1)
})
