// The schedule as everybody reads it: lists, filters, favorites, files, forums. Two nodes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import ICAL from 'ical.js'
import { scheduleId, scheduleKind } from '../../src/events/channel.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, type Person, settingsChanged } from '../support/fez.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { countStatements } from '../support/statements.ts'
import { disable } from '../support/settings.ts'

// The trip: Sunday 2 March to 9 March 2025, New York (UTC-5; summer time from 9 March 2 o'clock).
const at = (day: number, time: string, offset = '-05:00') => new Date(`2025-03-0${day}T${time}:00${offset}`).toISOString()
const sunday: Listed[] = [
  {
    uid: 'sail',
    title: 'Sail away',
    description: 'Dancing on the deck',
    location: 'Lido, Deck 9',
    category: 'PARTY',
    start: at(2, '17:00'),
    end: at(2, '18:00'),
  },
  {
    uid: 'late',
    title: 'Late show',
    description: 'Juggling knives',
    location: 'Main Stage, Deck 2',
    category: 'MAIN CONCERT',
    start: at(3, '01:00'),
    end: at(3, '02:30'),
  },
  { uid: 'three', title: 'At three', location: 'Bar', category: 'GENERAL INFO', start: at(3, '03:00'), end: at(3, '04:00') },
]
const others: Listed[] = [
  {
    uid: 'knit',
    title: 'Knitters meet',
    description: 'Bring wool and a dance partner',
    location: 'Library',
    category: 'SHADOW CRUISE',
    start: at(4, '10:00'),
    end: at(4, '11:00'),
  },
  { uid: 'zz', title: 'Zebra talk', location: 'Library', category: 'Q&A / PANEL', start: at(4, '10:00'), end: at(4, '11:00') },
  { uid: 'day2', title: 'Stretch', location: 'Deck 10', category: 'WORKSHOP', start: at(8, '10:00'), end: at(8, '11:00') },
  {
    uid: 'last',
    title: 'Going ashore',
    location: 'Gangway',
    category: 'GENERAL INFO',
    start: at(9, '08:00', '-04:00'),
    end: at(9, '10:00', '-04:00'),
  },
]
const clock = new LeapingClock()
let nodes: TestNodes
let admin: Person
let reader: Person
before(async () => {
  nodes = await startTestNodes(2, { clock })
  ;[admin, reader] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
  await apply(admin, [...sunday, ...others])
})
after(() => nodes.stop())

type Item = { eventID: string; uid: string; title: string; isFavorite: boolean; startTime: string; eventType: string; forum: string }
const list = (query = '', who: Person = reader) => body<Item[]>(who.two.get(`/events${query}`))
const uids = async (query = '', who?: Person) => (await list(query, who)).map(({ uid }) => uid)
const idOf = async (uid: string) => (await body<Item>(reader.one.get(`/events/${uid}`))).eventID

async function zones(...changes: [string, string, string][]): Promise<void> {
  await nodes.sql`delete from time_zone_change`
  for (const [date, abbreviation, zone] of changes)
    await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values (${date}::text::timestamptz, ${abbreviation}, ${zone})`
  await settingsChanged(nodes)
}

test('GET /events: all events by start and title, for everybody, with or without a token', async () => {
  const anonymous = await body<Item[]>(nodes.client(undefined, 1).get('/events'))
  assert.deepEqual(
    anonymous.map(({ uid }) => uid),
    ['sail', 'late', 'three', 'knit', 'zz', 'day2', 'last'],
  )
  assert.deepEqual(await list(), anonymous)
  const [first] = anonymous
  assert.deepEqual(
    { ...first, eventID: '', forum: '', lastUpdateTime: '' },
    {
      eventID: '',
      uid: 'sail',
      title: 'Sail away',
      description: 'Dancing on the deck',
      startTime: '2025-03-02T22:00:00.000Z',
      endTime: '2025-03-02T23:00:00.000Z',
      timeZone: 'EST',
      timeZoneID: 'America/New_York',
      location: 'Lido, Deck 9',
      eventType: 'Party',
      lastUpdateTime: '',
      forum: '',
      isFavorite: false,
      performers: [],
    },
  )
  assert.deepEqual(
    anonymous.map(({ eventType }) => eventType),
    ['Party', 'Main Concert', 'Official', 'Shadow Event', 'Q&A/Panel', 'Workshop', 'Official'],
  )
  assert.equal((anonymous.at(-1) as unknown as { timeZone: string }).timeZone, 'EDT')
})

test('GET /events: days begin with embarkation day, run to 3 in the morning, and the first of the time filters counts', async () => {
  const expected: [query: string, uids: string[]][] = [
    ['?cruiseday=1', ['sail', 'late']],
    ['?cruiseday=2', ['late', 'three']],
    ['?cruiseday=3', ['knit', 'zz']],
    ['?cruiseday=0', []],
    ['?cruiseday=2147483647', []],
    ['?day=sun', ['sail', 'late']],
    ['?day=SUNDAY', ['sail', 'late']],
    ['?day=1sun', ['sail', 'late']],
    ['?day=tuesday', ['knit', 'zz']],
    ['?day=2sun', ['last']],
    ['?day=2su', ['last']],
    ['?day=sat', ['day2']],
    ['?day=1sa', ['day2']],
    ['?day=2sat', []],
    ['?day=2mon', ['sail', 'late']],
    ['?day=whenever', ['sail', 'late']],
    [`?date=${at(2, '00:00')}`, ['sail', 'late']],
    [`?date=${at(4, '23:59')}`, ['knit', 'zz']],
    [`?date=${Date.parse(at(9, '23:00', '-04:00')) / 1000}`, ['last']],
    [`?time=${at(2, '17:00')}`, ['sail']],
    [`?time=${at(2, '17:59')}`, ['sail']],
    [`?time=${at(2, '18:00')}`, []],
    [`?time=${at(4, '10:30')}`, ['knit', 'zz']],
    [`?time=${at(2, '17:00')}&day=tue`, ['knit', 'zz']],
    [`?cruiseday=1&day=tue&date=${at(8, '10:00')}`, ['knit', 'zz']],
    [`?time=${at(8, '10:00')}&date=${at(8, '10:00')}&cruiseday=1`, ['sail', 'late']],
    ['?cruiseday=3&day=sun', ['sail', 'late']],
    [`?date=${at(8, '10:00')}&time=${at(2, '17:00')}`, ['day2']],
  ]
  for (const [query, found] of expected) assert.deepEqual(await uids(query), found, query)
})

test('GET /events: type, words, place and favorites narrow the list together', async () => {
  const expected: [query: string, uids: string[]][] = [
    ['?type=shadow', ['knit']],
    ['?type=official', ['sail', 'late', 'three', 'zz', 'day2', 'last']],
    ['?type=x', ['sail', 'late', 'three', 'zz', 'day2', 'last']],
    ['?search=dance', ['sail', 'knit']],
    ['?search=wool+dancing', ['knit']],
    ['?search=dancing+-wool', ['sail']],
    ['?search=%22juggling+knives%22', ['late']],
    ['?search=%22knives+juggling%22', []],
    ['?search=the', []],
    ['?search=', []],
    ['?search=juggling+or+wool', ['late', 'knit']],
    ['?location=Deck', ['sail', 'late', 'day2']],
    ['?location=deck', []],
    ['?location=+Library+', ['knit', 'zz']],
    ['?location=Library&type=shadow&day=tue&search=wool', ['knit']],
    ['?location=Library&day=sun', []],
  ]
  for (const [query, found] of expected) assert.deepEqual(await uids(query), found, query)
})

test('GET /events: wrong values are refused and named, favorites need a login', async () => {
  for (const [query, field] of [
    ['cruiseday=one', 'cruiseday'],
    ['cruiseday=1.5', 'cruiseday'],
    ['date=yesterday', 'date'],
    ['time=noon', 'time'],
    ['following=maybe', 'following'],
    ['dayplanner=2', 'dayplanner'],
  ] as const) {
    assert.match(await refused(reader.one.get(`/events?${query}`), 400), new RegExp(field), query)
  }
  for (const filter of ['following', 'dayplanner']) {
    await refused(nodes.client().get(`/events?${filter}=true`), 400)
    assert.deepEqual(await uids(`?${filter}=false`), await uids())
  }
})

test('GET /events: without filters it asks Postgres nothing', async () => {
  assert.equal(await countStatements(nodes.apps[1] as TestNodes['apps'][number], () => list()), 0)
})

test('GET /events: read anew, as while other nodes are not heard, it asks one short question as long as nothing has changed', async () => {
  const [one] = nodes.apps as [TestNodes['apps'][number]]
  const reload = async () => void (await one.node.channels.of(scheduleKind).peek(scheduleId)?.reload())
  Object.defineProperty(one.node.bus, 'up', { value: false, configurable: true })
  try {
    assert.equal(await countStatements(one, reload), 1)
  } finally {
    Reflect.deleteProperty(one.node.bus, 'up')
  }
  const before = await body(reader.one.get('/events'))
  await apply(admin, [...sunday, ...others, { uid: 'quiet', title: 'Quiet', start: at(5, '10:00'), end: at(5, '11:00') }])
  assert.equal((await body(reader.one.get('/events'))).length, before.length + 1)
  await apply(admin, [...sunday, ...others])
  assert.deepEqual(await body(reader.one.get('/events')), before)
})

test('GET /events/:id: by id or uid; a missing and a deleted one answer the same', async () => {
  const [event] = await list()
  for (const id of [event?.eventID, event?.eventID.toUpperCase(), 'sail'])
    assert.deepEqual(await body(nodes.client().get(`/events/${id}`)), event)
  const reason = await refused(reader.one.get('/events/7c9e6679-7425-40de-944b-e07fc1f90ae7'), 400)
  await apply(admin, [...sunday, ...others, { uid: 'gone', title: 'Gone', start: at(5, '10:00'), end: at(5, '11:00') }])
  const id = await idOf('gone')
  await apply(admin, [...sunday, ...others])
  for (const gone of [id, 'gone']) {
    assert.equal(await refused(reader.two.get(`/events/${gone}`), 400), reason)
    await refused(reader.two.get(`/events/${gone}/calendarevent.ics`), 400)
    await refused(reader.two.get(`/events/${gone}/forum`), 400)
  }
  await refused(reader.one.post(`/events/${id}/favorite`), 400)
})

test('favorites: 201 and 204, 200 when it was so; private; in force on the other node at once', async () => {
  const [bert, other] = (await people(nodes, {}, {})) as [Person, Person]
  const [sail, knit] = [await idOf('sail'), await idOf('knit')]
  await body(bert.one.post(`/events/${knit}/favorite`), 201)
  await body(bert.two.post(`/events/${sail}/favorite`), 201)
  await body(bert.two.post(`/events/${sail}/favorite`), 200)
  assert.deepEqual(
    (await list('', bert)).filter(({ isFavorite }) => isFavorite).map(({ uid }) => uid),
    ['sail', 'knit'],
  )
  assert.deepEqual(
    (await body<Item[]>(bert.one.get('/events/favorites'))).map(({ uid, isFavorite }) => [uid, isFavorite]),
    [
      ['sail', true],
      ['knit', true],
    ],
  )
  assert.deepEqual(await uids('?following=true', bert), ['sail', 'knit'])
  assert.deepEqual(await uids('?dayplanner=1&type=shadow', bert), ['knit'])
  assert.equal((await body<Item>(bert.two.get('/events/sail'))).isFavorite, true)
  assert.ok((await list('', other)).every(({ isFavorite }) => !isFavorite))
  await body(bert.two.delete(`/events/${sail}/favorite`), 204)
  await body(bert.one.delete(`/events/${sail}/favorite`), 200)
  await body(bert.one.post(`/events/${knit}/favorite/remove`), 204)
  await body(bert.one.post(`/events/${knit}/favorite/remove`), 200)
  assert.deepEqual(await body(bert.two.get('/events/favorites')), [])
  await body(bert.one.delete('/events/7c9e6679-7425-40de-944b-e07fc1f90ae7/favorite'), 200)
  for (const method of ['POST', 'DELETE']) await refused(bert.one.request(method, '/events/sail/favorite'), 400)
  await refused(bert.one.post('/events/7c9e6679-7425-40de-944b-e07fc1f90ae7/favorite'), 400)
})

test('favorites: taps at the same time on two nodes leave one row, and both nodes agree with it', async () => {
  const [bert] = (await people(nodes, {})) as [Person]
  const sail = await idOf('sail')
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        i % 2 === 0 ? bert.one.post(`/events/${sail}/favorite`) : bert.two.delete(`/events/${sail}/favorite`),
      ),
    )
    const follows = (await nodes.sql`select from event_follower where account_id = ${bert.id}`).length === 1
    for (const client of bert.clients) assert.equal((await body<Item>(client.get('/events/sail'))).isFavorite, follows)
  }
})

test('GET /events: what begins at midnight is on the day that begins then, and on the night before', async () => {
  const midnight: Listed = { uid: 'midnight', title: 'Stars', location: 'Deck 12', start: at(5, '00:00'), end: at(5, '01:00') }
  await apply(admin, [...sunday, ...others, midnight])
  assert.deepEqual(await uids('?day=wed'), ['midnight'])
  assert.deepEqual(await uids('?day=tue'), ['knit', 'zz', 'midnight'])
  await apply(admin, [...sunday, ...others])
})

test('GET /events: 304 for who has the list, on every node, until it or the favorites change', async () => {
  const [bert] = (await people(nodes, {})) as [Person]
  const fresh = async (tag: string, node: number) =>
    (await bert.clients[node]?.get('/events', { headers: { 'if-none-match': tag } }))?.status
  const tag = async () => String((await bert.one.get('/events')).headers['etag'])
  const [first, sail] = [await tag(), await idOf('sail')]
  assert.deepEqual([await fresh(first, 0), await fresh(first, 1)], [304, 304])
  await body(bert.one.post(`/events/${sail}/favorite`), 201)
  const favorite = await tag()
  assert.deepEqual([await fresh(first, 0), await fresh(first, 1), await fresh(favorite, 1)], [200, 200, 304])
  assert.equal((await reader.two.get('/events', { headers: { 'if-none-match': favorite } })).status, 200)
  await body(bert.one.delete(`/events/${sail}/favorite`), 204)
  assert.deepEqual([await fresh(first, 1), await fresh(favorite, 1)], [304, 200])
  // In whatever order they were chosen.
  const last = await idOf('last')
  for (const id of [sail, last]) await body(bert.one.post(`/events/${id}/favorite`), 201)
  const both = await tag()
  await body(bert.one.delete(`/events/${sail}/favorite`), 204)
  await body(bert.two.post(`/events/${sail}/favorite`), 201)
  assert.deepEqual([await tag(), await fresh(both, 1)], [both, 304])
  for (const id of [sail, last]) await body(bert.one.delete(`/events/${id}/favorite`), 204)
  await apply(admin, [...sunday.map((event) => ({ ...event, description: 'another' })), ...others])
  assert.equal(await fresh(first, 1), 200)
  await apply(admin, [...sunday, ...others])
  const filtered = await bert.one.get('/events?day=sun')
  assert.equal((await bert.two.get('/events?day=sun', { headers: { 'if-none-match': String(filtered.headers['etag']) } })).status, 304)
})

test('GET /events with gzip, which is kept packed: always the list as it is now, and that of whoever asks', async () => {
  const [bert] = (await people(nodes, {})) as [Person]
  const packed = async ({ token }: Person, node: number) => {
    const answer = await request(`${nodes.urls[node]}/api/v3/events`, {
      headers: { 'accept-encoding': 'gzip', authorization: `Bearer ${token}` },
    })
    assert.equal(answer.headers['content-encoding'], 'gzip')
    return JSON.parse(gunzipSync(Buffer.from(await answer.body.arrayBuffer())).toString()) as unknown
  }
  const same = async () => {
    for (const person of [bert, reader]) {
      for (const [node, client] of person.clients.entries()) {
        const plain = await body(client.get('/events'))
        // Packed now, and then from memory, also for many at once.
        assert.deepEqual(await packed(person, node), plain)
        for (const again of await Promise.all([packed(person, node), packed(person, node)])) assert.deepEqual(again, plain)
      }
    }
  }
  // Small answers are not packed.
  const long = (text: string) => [...sunday, ...others].map((event) => ({ ...event, description: text.repeat(300) }))
  await apply(admin, long('once '))
  await same()
  const sail = await idOf('sail')
  await body(bert.one.post(`/events/${sail}/favorite`), 201)
  await same()
  await apply(admin, long('again '))
  await same()
  await body(bert.two.delete(`/events/${sail}/favorite`), 204)
  await same()
  await apply(admin, [...sunday, ...others])
})

test('time zones of the trip move the shown times and labels, not the days and not what is stored', async () => {
  await zones(['2025-03-04T07:00:00Z', 'AST', 'America/Puerto_Rico'], ['2025-03-09T05:00:00Z', 'EST', 'America/New_York'])
  try {
    const shown = (await list()).map((event) => [event.uid, event.startTime, (event as unknown as { timeZone: string }).timeZone])
    assert.deepEqual(shown, [
      ['sail', '2025-03-02T22:00:00.000Z', 'EST'],
      ['late', '2025-03-03T06:00:00.000Z', 'EST'],
      ['three', '2025-03-03T08:00:00.000Z', 'EST'],
      ['knit', '2025-03-04T14:00:00.000Z', 'AST'],
      ['zz', '2025-03-04T14:00:00.000Z', 'AST'],
      ['day2', '2025-03-08T14:00:00.000Z', 'AST'],
      ['last', '2025-03-09T12:00:00.000Z', 'EDT'],
    ])
    assert.deepEqual(await uids('?cruiseday=3'), ['knit', 'zz'])
    assert.deepEqual(await uids('?time=2025-03-04T14:30:00Z'), ['knit', 'zz'])
    assert.deepEqual(await uids('?time=2025-03-04T15:30:00Z'), [])
  } finally {
    await zones()
  }
  assert.equal((await list())[3]?.startTime, '2025-03-04T15:00:00.000Z')
})

/** A file as RFC 5545 wants it: lines that end and are short, what is of the calendar before its events. */
function readCalendarFile(text: string): InstanceType<typeof ICAL.Component> {
  assert.ok(text.endsWith('\r\nEND:VCALENDAR\r\n'))
  const lines = text.split('\r\n').slice(0, -1)
  assert.ok(lines.every((line) => line !== '' && Buffer.byteLength(line) <= 75 && !/[\r\n]/.test(line)))
  const unfolded = text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
  assert.deepEqual(unfolded.slice(0, 2), ['BEGIN:VCALENDAR', 'VERSION:2.0'])
  const properties = unfolded.slice(
    1,
    unfolded.findIndex((line) => /^(BEGIN:VEVENT|END:VCALENDAR)$/.test(line)),
  )
  assert.deepEqual(properties.map((line) => line.split(/[:;]/)[0]).toSorted(), [
    'CALSCALE',
    'DESCRIPTION',
    'METHOD',
    'NAME',
    'PRODID',
    'VERSION',
    'X-WR-CALDESC',
    'X-WR-CALNAME',
    'X-WR-TIMEZONE',
  ])
  assert.ok(properties.includes('PRODID:-//Quarterdeck 2025//EN'))
  const inside = unfolded.slice(properties.length + 1, -1).join('\n')
  assert.match(inside, /^(BEGIN:VEVENT\n([A-Z-]+[:;].*\n)*?END:VEVENT(\n|$))*$/)
  return new ICAL.Component(ICAL.parse(text) as never)
}

test('calendarevent.ics: the same file at both addresses, which a calendar can read', async () => {
  const tricky = {
    uid: 'tricky@x',
    title: 'Ahoy; "you", & co.\\ – ö',
    description: `First line\nsecond, ${'ü'.repeat(80)}`,
    location: 'Deck 9, Aft',
    category: 'Q&A / PANEL',
    start: at(6, '10:00'),
    end: at(6, '10:00'),
  }
  await apply(admin, [...sunday, ...others, tricky])
  const id = await idOf('tricky@x')
  const [inside, outside] = await Promise.all(
    [`/events/${id}/calendarevent.ics`, `//events/tricky%40x/calendarevent.ics`].map((path) => nodes.client(undefined, 1).file(path)),
  )
  assert.equal(inside?.status, 200)
  assert.deepEqual(inside?.bytes, outside?.bytes)
  assert.match(String(outside?.headers['content-type']), /^text\/calendar/)
  const disposition = String(outside?.headers['content-disposition'])
  assert.match(disposition, /^attachment; filename="[^"]*\.ics"; filename\*=UTF-8''/)
  assert.equal(decodeURIComponent(disposition.split("UTF-8''")[1] ?? ''), 'Ahoy; you, & co.\\ – ö.ics')
  const text = inside?.bytes.toString() ?? ''
  const calendar = readCalendarFile(text)
  assert.equal(String(calendar.getFirstPropertyValue('description')), `One event of the schedule: ${tricky.title}`)
  const event = calendar.getFirstSubcomponent('vevent')
  const value = (name: string) => String(event?.getFirstPropertyValue(name))
  assert.deepEqual(
    [value('uid'), value('summary'), value('description'), value('location'), value('categories'), value('dtstart'), value('dtend')],
    ['tricky@x', tricky.title, tricky.description, tricky.location, 'Q&A/Panel', '2025-03-06T15:00:00Z', '2025-03-06T15:00:00Z'],
  )
  assert.match(text, /\r\nX-WR-CALNAME:Quarterdeck 2025: \r\n/)
  await apply(admin, [...sunday, ...others])
  for (const path of ['//events/nothing/calendarevent.ics', '//events/%ff/calendarevent.ics'])
    assert.equal((await nodes.client().file(path)).status, 400)
})

test("following.ics: what one follows, for one's own name and password", async () => {
  const [bert] = (await people(nodes, {})) as [Person]
  for (const uid of ['knit', 'late']) await body(bert.one.post(`/events/${await idOf(uid)}/favorite`), 201)
  const path = `//events/subscribe/${bert.username}/following.ics`
  const basic = (name: string, password = testPassword) => ({ basic: [name, password] as [string, string] })
  const anybody = nodes.client(undefined, 1)
  const file = await anybody.get<string>(path, basic(bert.username))
  assert.deepEqual([file.status, file.headers['content-type']], [200, 'text/calendar; charset=utf-8'])
  const parsed = readCalendarFile(file.body)
  assert.equal(String(parsed.getFirstPropertyValue('description')), `Events that ${bert.username} follows`)
  assert.deepEqual(
    parsed.getAllSubcomponents('vevent').map((each) => String(each.getFirstPropertyValue('uid'))),
    ['late', 'knit'],
  )
  assert.equal(String(parsed.getFirstPropertyValue('x-wr-calname')), `Quarterdeck 2025: ${bert.username}`)
  const nothing = await anybody.get<string>(`//events/subscribe/${reader.username}/following.ics`, basic(reader.username))
  assert.equal(readCalendarFile(nothing.body).getAllSubcomponents('vevent').length, 0)
  for (const options of [
    {},
    basic(bert.username, 'wrong password'),
    basic(reader.username),
    { headers: { authorization: `Bearer ${bert.token}` } },
  ]) {
    const answer = await anybody.get(path, options)
    assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Basic charset="UTF-8"'])
  }
})

test('the switch of the feature closes the file outside of the API too', async () => {
  await disable(nodes, 'schedule')
  assert.equal((await nodes.client().file('//events/sail/calendarevent.ics')).status, 451)
  await disable(nodes)
})

test('the next followed event: at the shown time, after the moment that counts as now, without deleted ones', async () => {
  const [bert] = (await people(nodes, {})) as [Person]
  const next = async (who = bert) => {
    const { nextFollowedEventTime, nextFollowedEventID } = await body(who.two.get('/notification/user'))
    return nextFollowedEventID === undefined ? undefined : [nextFollowedEventID, nextFollowedEventTime]
  }
  const setting = async (value: string) => {
    await nodes.sql`insert into setting (name, value) values ('settings.upcomingEventNotificationSetting', ${nodes.sql.json(value)}) on conflict (name) do update set value = excluded.value`
    await settingsChanged(nodes)
  }
  assert.equal(await next(), undefined)
  const soon = (minutes: number) => new Date(Math.floor(clock.now() / 60_000) * 60_000 + minutes * 60_000).toISOString()
  const own = (uid: string, minutes: number): Listed => ({ uid, title: uid, start: soon(minutes), end: soon(minutes + 60) })
  await apply(admin, [...sunday, ...others, own('past', -30), own('near', 30), own('far', 90)])
  await setting('current')
  const [past, near, far] = [await idOf('past'), await idOf('near'), await idOf('far')]
  for (const id of [past, far, near]) await body(bert.one.post(`/events/${id}/favorite`), 201)
  assert.deepEqual(await next(), [near, soon(30)])
  await body(bert.one.delete(`/events/${near}/favorite`), 204)
  assert.deepEqual(await next(), [far, soon(90)])
  await body(bert.one.post(`/events/${near}/favorite`), 201)
  await apply(admin, [...sunday, ...others, own('past', -30), own('far', 20), own('near', 30)])
  assert.deepEqual(await next(), [far, soon(20)])
  await apply(admin, [...sunday, ...others, own('past', -30), own('near', 30)])
  assert.deepEqual(await next(), [near, soon(30)])
  // Clocks on board are three hours behind those of the port: so are the events, and what was before comes yet.
  await zones(['2020-01-01T00:00:00Z', 'PST', 'America/Los_Angeles'])
  assert.deepEqual(await next(), [past, soon(-30 + 180)])
  await zones()
  assert.deepEqual(await next(), [near, soon(30)])
  clock.leap(31 * 60_000)
  assert.equal(await next(), undefined)
  // The week of the trip stands for this one: its last day is yet to come.
  await setting('cruiseWeek')
  const last = await idOf('last')
  await body(bert.one.post(`/events/${last}/favorite`), 201)
  assert.deepEqual(await next(), [last, '2025-03-09T12:00:00.000Z'])
  await nodes.sql`delete from setting where name = 'settings.upcomingEventNotificationSetting'`
  await apply(admin, [...sunday, ...others])
})
