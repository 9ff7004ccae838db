// Updating the schedule: what a calendar would change, applying it, forums that keep in step, the log, and
// calendars that cannot be read. Two nodes.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import * as fc from 'fast-check'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, settingsChanged, type Person } from '../support/fez.ts'
import { categories, postIn } from '../support/forum.ts'
import { apply, calendar, eventLines, type Listed } from '../support/schedule.ts'

let nodes: TestNodes
let admin: Person
let reader: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[admin, reader] = (await people(nodes, { level: 'serviceteam' }, {})) as [Person, Person]
})
after(() => nodes.stop())
beforeEach(async () => {
  await apply(admin, [])
  await nodes.sql`truncate schedule_log`
})

type Item = {
  eventID: string
  uid: string
  title: string
  description: string
  location: string
  startTime: string
  endTime: string
  eventType: string
  forum?: string
  isFavorite: boolean
  lastUpdateTime: string
  timeZone: string
}
const lists = ['deletedEvents', 'createdEvents', 'timeChangeEvents', 'locationChangeEvents', 'minorChangeEvents'] as const
type Difference = Record<(typeof lists)[number], Item[]>

const at = (hours: number, minutes = 0) => new Date(Date.UTC(2025, 2, 2, 12 + hours, minutes)).toISOString()
const event = (uid: string, more: Partial<Listed> = {}): Listed => ({
  uid,
  title: `Title of ${uid}`,
  description: 'About it',
  location: 'Deck 1',
  category: 'PARTY',
  start: at(1),
  end: at(2),
  ...more,
})
const schedule = (who: Person = reader) => body<Item[]>(who.two.get('/events'))
const upload = (events: readonly (Listed | string)[]) => body(admin.one.post('/admin/schedule/update', { schedule: calendar(events) }))
const verify = () => body<Difference>(admin.two.get('/admin/schedule/verify'))
const uidsOf = (difference: Difference) =>
  Object.fromEntries(lists.map((list) => [list, difference[list].map(({ uid }) => uid).toSorted()]))
const sizes = (difference: Difference) => lists.map((list) => difference[list].length)
interface LogEntry {
  entryID: number
  automaticUpdate: boolean
  changeCount: number
  error?: string
  timestamp: string
  counts: Record<'new' | 'gone' | 'time' | 'place' | 'text', number>
  undoable: boolean
  undoes?: number
  isUndo: boolean
  by?: { userID: string }
}
const log = () => body<LogEntry[]>(admin.two.get('/admin/schedule/viewlog'))
const forumOf = async (uid: string) => (await schedule()).find((each) => each.uid === uid)?.forum ?? ''
const texts = async (forumID: string): Promise<string[]> =>
  (await body(reader.one.get(`/forum/${forumID}?start=0`))).posts.map(({ text }: { text: string }) => text)

/** Everything that is stored of a schedule, to see that nothing has changed. */
const stored = async () => [
  await nodes.sql`select * from event order by id`,
  await nodes.sql`select * from schedule_log`,
  await nodes.sql`select count(*) from forum_post`,
]

async function zones(...changes: [string, string, string][]): Promise<void> {
  await nodes.sql`delete from time_zone_change`
  for (const [date, abbreviation, zone] of changes)
    await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values (${date}::text::timestamptz, ${abbreviation}, ${zone})`
  await settingsChanged(nodes)
}

const labels: Record<string, string> = { PARTY: 'Party', 'SHADOW CRUISE': 'Shadow Event', 'GENERAL INFO': 'Official' }

/** A random version of a calendar. */
const anyEvent = (uid: number) =>
  fc
    .record({
      title: fc.constantFrom('Ahoy', 'Sail; away', 'a, b', 'Ö – “quoted”', ''),
      description: fc.constantFrom('', 'Two\nlines', 'R&amp;B'),
      location: fc.constantFrom('', 'Deck 1', 'Deck 2, Aft'),
      category: fc.constantFrom(...Object.keys(labels)),
      hour: fc.integer({ min: 0, max: 30 }),
      minutes: fc.constantFrom(0, 30, 90),
    })
    .map(({ hour, minutes, ...more }): Listed => ({ uid: `uid${uid}`, start: at(hour), end: at(hour, minutes), ...more }))
const anyCalendar = fc.uniqueArray(fc.integer({ min: 0, max: 14 }), { maxLength: 12 }).chain((uids) => fc.tuple(...uids.map(anyEvent)))

test('random calendars: the difference is the one found by comparing uids, and after applying there is none', async () => {
  let before: readonly Listed[] = []
  await fc.assert(
    fc.asyncProperty(anyCalendar, fc.boolean(), fc.boolean(), async (after, deletes, posts) => {
      const [old, now] = [before, after].map((events) => new Map(events.map((each) => [each.uid, each]))) as [
        Map<string, Listed>,
        Map<string, Listed>,
      ]
      const both = [...now.values()].flatMap((each) => (old.has(each.uid) ? [[old.get(each.uid) as Listed, each] as const] : []))
      const expected = {
        deletedEvents: [...old.keys()].filter((uid) => !now.has(uid)).toSorted(),
        createdEvents: [...now.keys()].filter((uid) => !old.has(uid)).toSorted(),
        timeChangeEvents: both
          .filter(([a, b]) => a.start !== b.start || a.end !== b.end)
          .map(([, { uid }]) => uid)
          .toSorted(),
        locationChangeEvents: both
          .filter(([a, b]) => a.location !== b.location)
          .map(([, { uid }]) => uid)
          .toSorted(),
        minorChangeEvents: both
          .filter(([a, b]) => a.title !== b.title || a.description !== b.description || a.category !== b.category)
          .map(([, { uid }]) => uid)
          .toSorted(),
      }
      const posted = await body<Difference>(admin.one.post('/admin/schedule/verify', { schedule: calendar(after) }))
      assert.deepEqual(uidsOf(posted), expected)
      assert.deepEqual(uidsOf(await verify()), expected)
      await body(admin.one.post(`/admin/schedule/update/apply?processDeletes=${deletes ? 'TRUE' : 'no'}&forumPosts=${posts}`))
      const kept = deletes ? [] : before.filter(({ uid }) => !now.has(uid))
      before = [...kept, ...after]
      const shown = (await schedule()).map(({ uid, title, description, location, startTime, endTime, eventType }) => ({
        uid,
        title,
        description,
        location,
        startTime,
        endTime,
        eventType,
      }))
      const wanted = before.map(({ uid, title, description = '', location, start, end, category = '' }) => ({
        uid,
        title,
        description: description.replace('&amp;', '&'),
        location,
        startTime: start,
        endTime: end,
        eventType: labels[category],
      }))
      const byUid = (a: { uid: string }, b: { uid: string }) => (a.uid < b.uid ? -1 : 1)
      assert.deepEqual(shown.toSorted(byUid), wanted.toSorted(byUid))
      assert.deepEqual(sizes(await verify()), [kept.length, 0, 0, 0, 0])
      const [entry] = await log()
      const done = { ...expected, deletedEvents: deletes ? expected.deletedEvents : [] }
      assert.deepEqual([entry?.automaticUpdate, entry?.changeCount], [false, Object.values(done).flat().length])
      assert.deepEqual(uidsOf(await body(admin.one.get(`/admin/schedule/viewlog/${entry?.entryID}`))), done)
      const counts = await nodes.sql`
      select title from forum_category where forum_count <> (select count(*) from forum where category_id = forum_category.id and deleted_at is null)`
      assert.deepEqual([...counts], [])
    }),
    { numRuns: 40 },
  )
})

test('verify: what is deleted comes from storage, everything else from the calendar', async () => {
  await apply(admin, [event('kept'), event('gone', { category: 'SHADOW CRUISE' })])
  const gone = (await schedule()).find(({ uid }) => uid === 'gone')
  await upload([event('kept', { category: 'SHADOW CRUISE' }), event('new', { category: 'GENERAL INFO' })])
  const { deletedEvents, createdEvents, minorChangeEvents } = await verify()
  assert.deepEqual(deletedEvents, [gone])
  assert.deepEqual(
    [createdEvents, minorChangeEvents].flat().map(({ eventType, forum, isFavorite }) => [eventType, forum, isFavorite]),
    [
      ['general', undefined, false],
      ['shadow', undefined, false],
    ],
  )
  assert.notEqual(createdEvents[0]?.eventID, (await verify()).createdEvents[0]?.eventID)
})

/** Without the entry of the log. */
const touched = ({ entryID: _entry, ...numbers }: { entryID: number }) => numbers

test('an upload says how many events it has, an apply how many it touched', async () => {
  await apply(admin, [event('a'), event('b'), event('c')])
  const calendarNow = [event('a'), event('b', { title: 'Another title' }), event('d'), event('e')]
  assert.deepEqual(await upload(calendarNow), { events: 4, elsewhere: 0 })
  assert.deepEqual(touched(await body(admin.two.post('/admin/schedule/update/apply'))), { created: 2, changed: 1, deleted: 0 })
  assert.deepEqual(touched(await body(admin.two.post('/admin/schedule/update/apply?processDeletes=true'))), {
    created: 0,
    changed: 0,
    deleted: 1,
  })
})

test('apply: without an upload there is nothing to apply', async () => {
  await nodes.sql`delete from schedule_upload`
  assert.equal(
    await refused(admin.one.get('/admin/schedule/verify'), 400),
    await refused(admin.two.post('/admin/schedule/update/apply'), 400),
  )
})

test('apply: a blank upload with deletes empties the schedule, without it changes nothing', async () => {
  await apply(admin, [event('a'), event('b')])
  for (const blank of ['', ' \n\r\n ', calendar([])]) {
    await body(admin.one.post('/admin/schedule/update', { schedule: blank }))
    await body(admin.one.post('/admin/schedule/update/apply'))
    assert.equal((await schedule()).length, 2)
    await body(admin.one.post('/admin/schedule/update/apply?processDeletes=true'))
    assert.deepEqual(await schedule(), [])
    await apply(admin, [event('a'), event('b')])
  }
})

test('a new event gets a forum that describes it, in the category of its kind', async () => {
  await zones(['2025-03-01T00:00:00Z', 'AST', 'America/Puerto_Rico'])
  await apply(
    admin,
    [
      event('official', {
        title: 'Sail away',
        description: 'Come @everyone #now',
        location: 'Lido',
        start: '2025-03-02T20:00:00Z',
        end: '2025-03-02T21:30:00Z',
      }),
      event('shadow', {
        title: 'Knit',
        category: 'SHADOW CRUISE',
        description: '',
        start: '2025-03-03T04:30:00Z',
        end: '2025-03-03T05:30:00Z',
      }),
    ],
    { posts: true },
  )
  const forums = await Promise.all(['official', 'shadow'].map(async (uid) => body(reader.one.get(`/forum/${await forumOf(uid)}`))))
  assert.deepEqual(
    forums.map(({ title, categoryID, creator, isLocked }) => [title, categoryID, creator.userID, isLocked]),
    [
      ['Sail away', categories.events, admin.id, false],
      ['Knit', categories.shadowEvents, admin.id, false],
    ],
  )
  const shown = forums.map(({ posts }) => posts.map(({ text }: { text: string }) => text)) as [string, string][]
  assert.equal(shown[0]?.[0], 'Sail away\n\nParty Event\nSun, 3:00 PM - 4:30 PM AST\nLido\n\nCome @everyone #now')
  assert.equal(shown[1]?.[0], 'Knit\n\nShadow Event Event\nSun, 11:30 PM - Mon, 12:30 AM\nDeck 1\n\n')
  for (const [, notice] of shown) assert.match(notice, /added to the schedule/)
  const items = (await body(reader.one.get(`/forum/categories/${categories.events}`))).forumThreads.filter(
    ({ forumID }: Record<string, string>) => forumID === forums[0].forumID,
  )
  assert.deepEqual(
    items.map(({ eventTime, timeZone, timeZoneID }: Record<string, string>) => [eventTime, timeZone, timeZoneID]),
    [['2025-03-02T19:00:00.000Z', 'AST', 'America/Puerto_Rico']],
  )
  assert.deepEqual(
    [...(await nodes.sql`select from forum_post where (hashtags <> '{}' or mentions <> '{}') and forum_id = ${await forumOf('official')}`)],
    [],
  )
  await zones()
})

test('the forum of an event: by both addresses, only as long as the event is on the schedule, only for those who may see the category', async () => {
  await apply(admin, [event('a')])
  const forumID = await forumOf('a')
  const eventID = (await schedule())[0]?.eventID
  for (const path of [`/events/${eventID}/forum`, `/forum/forevent/${eventID}`, '/events/a/forum', '/forum/forevent/a']) {
    const forum = await body(reader.two.get(`${path}?limit=1`))
    assert.deepEqual([forum.forumID, forum.eventID, forum.paginator.limit], [forumID, eventID, 1])
  }
  const none = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  await refused(reader.one.get(`/events/${none}/forum`), 400)
  await refused(reader.one.get(`/forum/forevent/${none}`), 400)
  await nodes.sql`update forum_category set view_level = 'moderator' where id = ${categories.events}`
  await refused(reader.one.get(`/events/${eventID}/forum`), 400)
  await nodes.sql`update forum_category set view_level = 'unverified' where id = ${categories.events}`
  await apply(admin, [])
  const forum = await body(reader.two.get(`/forum/${forumID}`))
  assert.equal(forum.eventID, undefined)
  // Also to a server that reads all of it again.
  for (const node of [undefined, ...nodes.apps]) {
    node?.node.bus.reset()
    for (const client of [reader.one, reader.two]) {
      const { forumThreads } = await body(client.get(`/forum/categories/${categories.events}`))
      const item = forumThreads.find((each: { forumID: string }) => each.forumID === forumID)
      assert.deepEqual([item.eventID, item.eventTime, item.timeZone], [undefined, undefined, undefined])
    }
  }
})

test('forums of events are sorted by start and title of their events, in both directions', async () => {
  const version = (location: string, b: number) =>
    [
      ['c', 3],
      ['b', b],
      ['a', 3],
      ['d', 1],
    ].map(([letter, hour]) => event(`sorted-${letter}`, { title: String(letter).toUpperCase(), start: at(Number(hour)), location }))
  await apply(admin, version('', 2))
  // Some titles have a time before them now, others have not.
  await apply(admin, version('', 4))
  const ids = new Map((await schedule()).map(({ forum, title }) => [forum, title]))
  const sorted = async (query: string) =>
    (await body(reader.one.get(`/forum/categories/${categories.events}?${query}`))).forumThreads.flatMap(
      ({ forumID }: { forumID: string }) => ids.get(forumID) ?? [],
    )
  assert.deepEqual(
    [await sorted(''), await sorted('sort=event&order=descending')],
    [
      ['D', 'A', 'C', 'B'],
      ['B', 'C', 'A', 'D'],
    ],
  )
  // However somebody calls the forum.
  const [ofA] = [...ids].find(([, title]) => title === 'A') as [string, string]
  await body(admin.one.post(`/forum/${ofA}/rename/Zulu`), 201)
  assert.deepEqual(await sorted(''), ['D', 'A', 'C', 'B'])
  // In lists across categories there are forums without an event: there it means what was written in last.
  for (const [forum] of ids) await body(reader.one.post(`/forum/${forum}/favorite`), 201)
  for (const letter of ['C', 'A']) await postIn(reader.one, [...ids].find(([, title]) => title === letter)?.[0] as string, 'See you there')
  const favorites = async (query: string) =>
    (await body(reader.two.get(`/forum/favorites?${query}`))).forumThreads.flatMap(
      ({ forumID }: { forumID: string }) => ids.get(forumID) ?? [],
    )
  const byEvent = await favorites('sort=event')
  assert.deepEqual(byEvent.slice(0, 2), ['A', 'C'])
  assert.deepEqual(byEvent, await favorites('sort=update'))
})

test('a change: the forum is renamed in ship time, its first post rewritten, everything else of it and the favorites stay', async () => {
  await zones(['2025-03-01T00:00:00Z', 'AST', 'America/Puerto_Rico'])
  const [fan] = (await people(nodes, {})) as [Person]
  await apply(admin, [event('a'), event('b')])
  const [{ eventID, forum, lastUpdateTime }] = (await schedule()).filter(({ uid }) => uid === 'a') as [Required<Item>]
  await body(fan.one.post(`/events/${eventID}/favorite`), 201)
  await postIn(fan.one, forum, 'I will come')
  const time = async () =>
    (await nodes.sql<[{ time: Date; count: number }]>`select last_post_time as time, post_count as count from forum where id = ${forum}`)[0]
  const before = await time()
  await apply(
    admin,
    [event('a', { title: 'Another', start: '2025-03-03T20:00:00Z', end: '2025-03-03T21:00:00Z', location: 'Deck 7' }), event('b')],
    { posts: true },
  )
  const changed = (await schedule(fan)).find(({ uid }) => uid === 'a')
  assert.deepEqual(
    [changed?.eventID, changed?.forum, changed?.isFavorite, changed?.title, changed?.startTime],
    [eventID, forum, true, 'Another', '2025-03-03T19:00:00.000Z'],
  )
  assert.ok((changed?.lastUpdateTime ?? '') > lastUpdateTime)
  const shown = await body(reader.one.get(`/forum/${forum}?start=0`))
  assert.equal(shown.title, '(Mon, 15:00) Another')
  const found = async (words: string) => (await body(reader.one.get(`/forum/search?search=${words}`))).forumThreads.length
  assert.equal(await found('another%20mon'), 1)
  const [first, second, notice] = shown.posts.map(({ text }: { text: string }) => text)
  assert.equal(first, 'Another\n\nParty Event\nMon, 3:00 PM - 4:00 PM AST\nDeck 7\n\nAbout it')
  assert.equal(second, 'I will come')
  for (const kind of [/starts/, /ends/, /place/, /title/]) assert.match(notice, kind)
  assert.doesNotMatch(notice, /after all/)
  const after = await time()
  assert.deepEqual([after.time, after.count], [before.time, before.count + 1])
  assert.equal((await texts(await forumOf('b'))).length, 1)
  await zones()
})

test('an event that is taken off and comes back: same event, favorites and forum, which is told of both', async () => {
  const [fan] = (await people(nodes, {})) as [Person]
  await apply(admin, [event('returning'), event('b')])
  const [{ eventID, forum }] = (await schedule()).filter(({ uid }) => uid === 'returning') as [Required<Item>]
  await body(fan.one.post(`/events/${eventID}/favorite`), 201)
  await postIn(fan.one, forum, 'See you there')
  await apply(admin, [event('b')], { posts: true })
  assert.deepEqual(await body(fan.two.get('/events/favorites')), [])
  assert.match((await texts(forum)).at(-1) ?? '', /taken off the schedule/)
  await upload([event('returning'), event('b')])
  assert.deepEqual(uidsOf(await verify())['createdEvents'], ['returning'])
  // Moderators have deleted the forum meanwhile: it comes back with its posts, without one that was deleted before.
  const [, second] = (await body(reader.one.get(`/forum/${forum}?start=0`))).posts
  await body(admin.one.delete(`/forum/post/${second.postID}`), 204)
  await body(admin.one.delete(`/forum/${forum}`), 204)
  await body(admin.one.post('/admin/schedule/update/apply?forumPosts=true'))
  assert.deepEqual(
    (await body<Item[]>(fan.two.get('/events/favorites'))).map((each) => [each.eventID, each.forum]),
    [[eventID, forum]],
  )
  const shown = await texts(forum)
  assert.equal(shown.length, 3)
  assert.match(shown[0] ?? '', /^Title of returning\n/)
  assert.match(shown[1] ?? '', /taken off/)
  assert.match(shown[2] ?? '', /takes place after all/)
  const [row] = await nodes.sql<
    [{ count: number; actual: number }]
  >`select post_count as count, (select count(*)::int from forum_post where forum_id = forum.id and deleted_at is null) as actual from forum where id = ${forum}`
  assert.equal(row.count, row.actual)
})

test('no category for events: they come without a forum, and stay changeable', async () => {
  await nodes.sql`update forum_category set title = 'x' || title where is_event`
  await apply(admin, [event('lonely')], { posts: true })
  const [lonely] = await schedule()
  assert.equal(lonely?.forum, undefined)
  await refused(reader.one.get(`/events/${lonely?.eventID}/forum`), 400)
  await apply(admin, [event('lonely', { title: 'Other' })], { posts: true })
  assert.equal((await schedule())[0]?.title, 'Other')
  await apply(admin, [], { posts: true })
  await nodes.sql`update forum_category set title = substr(title, 2) where is_event`
})

test('calendars applied at once on both nodes: one after the other, and the forums are counted right', async () => {
  const versions = [1, 2, 3, 4].map((version) =>
    Array.from({ length: 12 }, (_, i) =>
      event(`uid${i + version}`, { title: `Version ${version}`, category: i % 2 === 0 ? 'PARTY' : 'SHADOW CRUISE' }),
    ),
  )
  const [owner] = (await people(nodes, { level: 'admin' })) as [Person]
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      versions.map((version, i) => body((owner.clients[i % 2] as Person['one']).post('/events/update', { schedule: calendar(version) }))),
    )
    await upload(versions[round] as Listed[])
    await Promise.all(
      [0, 1, 0, 1].map((node) =>
        body((owner.clients[node] as Person['one']).post('/admin/schedule/update/apply?processDeletes=true&forumPosts=true')),
      ),
    )
    assert.deepEqual((await schedule()).map(({ uid }) => uid).toSorted(), (versions[round] as Listed[]).map(({ uid }) => uid).toSorted())
    assert.deepEqual(
      [
        ...(await nodes.sql`select title from forum_category where forum_count <> (select count(*) from forum where category_id = forum_category.id and deleted_at is null)`),
      ],
      [],
    )
    assert.deepEqual(
      [
        ...(await nodes.sql`select from forum where post_count <> (select count(*) from forum_post where forum_id = forum.id and deleted_at is null) and deleted_at is null`),
      ],
      [],
    )
  }
  assert.equal(
    (await nodes.sql`select from event join forum on forum.id = event.forum_id where event.uid like 'uid%'`).length,
    (await nodes.sql`select from event where uid like 'uid%'`).length,
  )
})

test('POST /events/update: adds and changes at once, removes nothing; without a calendar it changes settings', async () => {
  const [owner] = (await people(nodes, { level: 'admin' })) as [Person]
  await apply(admin, [event('a'), event('b')])
  const answer = await body<Item[]>(
    owner.one.post('/events/update', { schedule: calendar([event('b', { title: 'Changed' }), event('c')]) }),
  )
  assert.deepEqual(
    answer.map(({ uid, title }) => [uid, title]),
    [
      ['b', 'Changed'],
      ['c', 'Title of c'],
    ],
  )
  assert.deepEqual((await schedule()).map(({ uid }) => uid).toSorted(), ['a', 'b', 'c'])
  assert.equal((await texts(await forumOf('c'))).length, 1)
  await body(owner.one.post('/events/update', { maximumForums: 150, enableFeatures: [], disableFeatures: [] }))
  assert.equal((await body(owner.two.get('/admin/serversettings'))).maximumForums, 150)
  assert.match(
    await refused(owner.one.post('/events/update', { maximumForums: 0, enableFeatures: [], disableFeatures: [] }), 400),
    /maximumForums/,
  )
  assert.match(await refused(owner.one.post('/events/update', { maximumForums: 150 }), 400), /enableFeatures/)
  assert.match(await refused(owner.one.post('/events/update', { schedule: 'x' }), 400), /Line 1 /)
  await body(owner.one.post('/events/update', { maximumForums: 200, enableFeatures: [], disableFeatures: [] }))
})

test('the log: newest first, at most 100 entries, an empty difference where nothing changed', async () => {
  await apply(admin, [event('a')])
  await apply(admin, [event('a')])
  const [second, first] = await log()
  assert.deepEqual([second?.changeCount, first?.changeCount, second?.error], [0, 1, undefined])
  assert.deepEqual(sizes(await body(admin.one.get(`/admin/schedule/viewlog/${second?.entryID}`))), [0, 0, 0, 0, 0])
  await refused(admin.one.get('/admin/schedule/viewlog/2147483647'), 400)
  await refused(admin.one.get('/admin/schedule/viewlog/one'), 400)
  await nodes.sql`insert into schedule_log (automatic, change_count, created_at) select true, number, now() from generate_series(1, 120) number`
  assert.deepEqual(
    (await log()).map(({ changeCount }) => changeCount),
    Array.from({ length: 100 }, (_, i) => 120 - i),
  )
})

test('every form of a line that calendars have', async () => {
  const folded = 'DESCRIPTION:A long\r\n  story\\, that\r\n\t goes\\non\\; "so" \\\\ &amp; &AMP; so'
  const text = [
    '\uFEFFBEGIN:VCALENDAR',
    'X-OUTSIDE:what ever',
    'BEGIN:VTIMEZONE',
    'TZID:Mine',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'uid:first',
    'SUMMARY;LANGUAGE=en:Tea: black, green',
    folded,
    'LOCATION:',
    'CATEGORIES:Q&AMP;A / panel,PARTY',
    'DTSTART;TZID=/Europe/Berlin:20250302T120000',
    'DTEND;TZID="America/New_York":20250302T120000',
    'BEGIN:VALARM',
    'DESCRIPTION:An alarm',
    'TRIGGER:-PT10M',
    'END:VALARM',
    '',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:floating',
    'SUMMARY:',
    'DTSTART:20250302T120000',
    'DTEND:20250302T120000',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:first',
    'SUMMARY:A second of that name',
    'DTSTART:20250302T120000Z',
    'DTEND:20250302T120000Z',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  await body(admin.one.post('/admin/schedule/update', { schedule: text }))
  const { createdEvents } = await verify()
  assert.deepEqual(
    createdEvents.map(({ uid, title, description, eventType, startTime, endTime }) => ({
      uid,
      title,
      description,
      eventType,
      startTime,
      endTime,
    })),
    [
      {
        uid: 'first',
        title: 'Tea: black, green',
        description: 'A long story, that goes\non; "so" \\ & & so',
        eventType: 'qaPanel',
        startTime: '2025-03-02T11:00:00.000Z',
        endTime: '2025-03-02T17:00:00.000Z',
      },
      {
        uid: 'floating',
        title: '',
        description: '',
        eventType: 'general',
        startTime: '2025-03-02T17:00:00.000Z',
        endTime: '2025-03-02T17:00:00.000Z',
      },
    ],
  )
  for (const ends of ['\n', '\r']) {
    await body(admin.one.post('/admin/schedule/update', { schedule: text.replaceAll('\r\n', ends) }))
    assert.deepEqual(
      (await verify()).createdEvents.map(({ description }) => description),
      createdEvents.map(({ description }) => description),
    )
  }
})

const good = eventLines(event('good'))
const without = (name: string) => good.filter((line) => !line.startsWith(`${name}:`))
const withLine = (name: string, line: string) => good.map((each) => (each.startsWith(`${name}:`) ? line : each))

/** Lines of a calendar (before them stand five of its head) and the number of the line that is named. */
const malformed: Record<string, [lines: string[], line: number]> = {
  'no UID': [without('UID'), 6],
  'no title': [without('SUMMARY'), 6],
  'no start': [without('DTSTART'), 6],
  'no end, and nothing that says so': [[...without('DTEND').slice(0, -1), 'DURATION:PT1H', 'END:VEVENT'], 6],
  'an empty UID': [withLine('UID', 'UID:'), 15],
  'a day without a time': [withLine('DTSTART', 'DTSTART;VALUE=DATE:20250302'), 8],
  'a day that does not exist': [withLine('DTSTART', 'DTSTART:20250230T120000Z'), 8],
  'an hour that does not exist': [withLine('DTEND', 'DTEND:20250302T250000Z'), 9],
  'a date of another form': [withLine('DTEND', 'DTEND:2025-03-02T12:00:00Z'), 9],
  'an offset': [withLine('DTEND', 'DTEND:20250302T120000+0100'), 9],
  'no date at all': [withLine('DTSTART', 'DTSTART:soon'), 8],
  'a year far away': [withLine('DTSTART', 'DTSTART:99990302T120000Z'), 8],
  'an unknown zone': [withLine('DTSTART', 'DTSTART;TZID=Mars/Olympus:20250302T120000'), 8],
  'a line that is none': [[...good.slice(0, -1), 'what is this', 'END:VEVENT'], 17],
  'a parameter without an end': [withLine('SUMMARY', 'SUMMARY;X="open:y'), 10],
  'an event in an event': [[...good.slice(0, -1), ...good], 17],
  'an event that has not begun': [['END:VEVENT'], 6],
  'an event without an end': [good.slice(0, -1), 17],
  'an alarm without an end': [[...good.slice(0, -1), 'BEGIN:VALARM', 'END:VEVENT'], 18],
  'an end of something else': [[...good.slice(0, -1), 'END:VALARM', 'END:VEVENT'], 17],
  'a calendar in a calendar': [['BEGIN:VCALENDAR'], 6],
  'a repeated event': [[...good.slice(0, -1), 'RRULE:FREQ=DAILY', 'END:VEVENT'], 17],
  'a title that is too long': [withLine('SUMMARY', `SUMMARY:${'x'.repeat(501)}`), 10],
  'a line that is too long': [withLine('DESCRIPTION', `DESCRIPTION:${'x'.repeat(100_001)}`), 11],
  'a text that is none': [withLine('SUMMARY', 'SUMMARY;VALUE=INTEGER:5'), 10],
}

test('POST /admin/schedule/update/apply: what somebody else has uploaded or applied in between is told', async () => {
  await apply(admin, [event('a'), event('b')])
  await upload([event('a')])
  const seen = await body(admin.one.get('/admin/schedule/changes'))
  const applySeen = (version = seen.version) => admin.two.post(`/admin/schedule/update/apply?processDeletes=true&basedOn=${version}`)
  await upload([])
  const late = await applySeen()
  assert.deepEqual([late.status, late.body.code], [409, 'changed_meanwhile'])
  const next = await body(admin.one.get('/admin/schedule/changes'))
  // One that changes nothing leaves what was compared as it was.
  const [owner] = (await people(nodes, { level: 'admin' })) as [Person]
  await body(owner.one.post('/events/update', { schedule: calendar([event('a')]) }))
  const done = await body(applySeen(next.version))
  assert.equal(done.deleted, 2)
  // What was compared with the schedule of before.
  assert.equal((await applySeen(next.version)).status, 409)
  const [entry] = await body(admin.one.get('/admin/schedule/viewlog'))
  assert.equal(entry.entryID, done.entryID)
  await body(admin.one.post(`/admin/schedule/viewlog/${done.entryID}/undo`))
})

test('a calendar that cannot be read is refused with the line, and nothing is changed', async () => {
  await apply(admin, [event('a')])
  await upload([event('a'), event('b')])
  const before = await stored()
  for (const [what, [lines, line]] of Object.entries(malformed)) {
    for (const path of ['/admin/schedule/update', '/admin/schedule/verify']) {
      assert.match(await refused(admin.one.post(path, { schedule: calendar(lines) }), 400), new RegExp(`^Line ${line} `), what)
    }
  }
  const whole = calendar(good).trimEnd().split('\n')
  const cut = (lines: number) => refused(admin.one.post('/admin/schedule/verify', { schedule: whole.slice(0, -lines).join('\n') }), 400)
  assert.match(await cut(1), /^Line 1 .*this calendar has no end/)
  assert.match(await cut(2), /^Line 6 .*this event has no end/)
  assert.deepEqual(await stored(), before)
  // The calendar that was uploaded before is still the one to apply.
  assert.deepEqual(touched(await body(admin.two.post('/admin/schedule/update/apply?processDeletes=true'))), {
    created: 1,
    changed: 0,
    deleted: 0,
  })
})

test('what is no calendar is refused: pages of the web, binary, half a file, too many events, too much', async () => {
  const long = calendar(Array.from({ length: 5001 }, (_, i) => event(`uid${i}`)))
  for (const [text, reason] of [
    ['<!doctype html>\n<p>Log in to the Wi-Fi', /^Line 1 /],
    ['\u0001\u0002\uFFFD', /^Line 1 /],
    ['\n\nhello: world', /^Line 3 /],
    [calendar([event('a')]).slice(0, -15), /^Line 1 /],
    [long, /at most 5000 events/],
  ] as const) {
    assert.match(await refused(admin.one.post('/admin/schedule/verify', { schedule: text }), 400), reason)
  }
  assert.match(await refused(admin.one.post('/admin/schedule/update', { schedule: 'BEGIN:VCALENDAR\0' }), 400), /schedule/)
  assert.match(await refused(admin.one.post('/admin/schedule/update', { calendar: '' }), 400), /schedule/)
  await refused(admin.one.post('/admin/schedule/update', { schedule: 'x'.repeat(11 * 1024 * 1024) }), 413)
})

test('calendars with random damage are read or refused, never half applied', async () => {
  const whole = calendar(Array.from({ length: 3 }, (_, i) => event(`uid${i}`, { description: 'Long; and, with\nlines' })))
  const damage = fc.array(
    fc.record({
      at: fc.nat(whole.length - 1),
      length: fc.nat(40),
      put: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom('\n', '\r\n ', ':', ';', '"', '\\', 'BEGIN:VEVENT\n', '\nEND:VEVENT\n', ','),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(damage, async (wounds) => {
      const text = wounds.reduce((sofar, { at: from, length, put }) => sofar.slice(0, from) + put + sofar.slice(from + length), whole)
      const before = await stored()
      const answer = await admin.one.post<Difference>('/admin/schedule/verify', { schedule: text })
      const applied = answer.status === 200 ? await admin.two.post('/admin/schedule/update/apply?processDeletes=true') : undefined
      assert.ok(
        answer.status === 200 ? applied?.status === 200 : answer.status === 400,
        `${answer.status} ${applied?.status} ${JSON.stringify(text)}`,
      )
      if (answer.status === 400) assert.deepEqual(await stored(), before)
      else assert.deepEqual(sizes(await verify()), [0, 0, 0, 0, 0])
    }),
    { numRuns: 150 },
  )
})

test('GET /admin/schedule/changes: by event, with what it was before, and how many follow it', async () => {
  await apply(admin, [event('a'), event('b'), event('c', { start: at(3), end: at(4) }), event('d')])
  const followed = (await schedule()).find(({ uid }) => uid === 'b')
  await body(reader.one.post(`/events/${followed?.eventID}/favorite`), 201)
  await upload([
    event('a'),
    event('b', { title: 'Other', location: 'Deck 2' }),
    event('c', { start: at(5), end: at(6) }),
    event('e', { start: at(9), end: at(10) }),
  ])
  const { changes, unchanged } = await body(admin.two.get('/admin/schedule/changes'))
  assert.equal(unchanged, 1)
  assert.deepEqual(
    changes
      .map(({ uid, kinds, before, after, followers }: { uid: string; kinds: string[]; before?: Item; after?: Item; followers: number }) => [
        uid,
        kinds,
        before?.location,
        after?.location,
        followers,
      ])
      .toSorted(),
    [
      ['b', ['place', 'text'], 'Deck 1', 'Deck 2', 1],
      ['c', ['time'], 'Deck 1', 'Deck 1', 0],
      ['d', ['gone'], 'Deck 1', undefined, 0],
      ['e', ['new'], undefined, 'Deck 1', 0],
    ],
  )
  await refused(reader.one.get('/admin/schedule/changes'), 403)
})

test('POST /admin/schedule/viewlog/:schedule_log_id/undo brings back events with followers, photographers and forums', async () => {
  const [photographer, manager] = (await people(nodes, { roles: ['shutternaut'] }, { roles: ['shutternautmanager'] })) as [Person, Person]
  await apply(admin, [event('stays'), event('goes'), event('moves')], { posts: true })
  const [first] = await log()
  const before = await schedule()
  const goes = before.find(({ uid }) => uid === 'goes') as Item
  await body(reader.one.post(`/events/${goes.eventID}/favorite`), 201)
  await body(manager.one.post(`/events/${goes.eventID}/needsphotographer`))
  await body(photographer.one.post(`/events/${goes.eventID}/photographer`), 201)
  await apply(admin, [event('stays'), event('moves', { start: at(5), end: at(6), location: 'Deck 9' }), event('comes')], { posts: true })
  const [entry] = await log()
  assert.deepEqual(entry?.counts, { new: 1, gone: 1, time: 1, place: 1, text: 0 })
  assert.deepEqual([entry?.undoable, entry?.by?.userID], [true, admin.id])
  await refused(admin.one.post(`/admin/schedule/viewlog/${first?.entryID}/undo`), 400)
  await refused(reader.one.post(`/admin/schedule/viewlog/${entry?.entryID}/undo`), 403)
  await refused(admin.one.post('/admin/schedule/viewlog/999999/undo'), 400)

  const both = await Promise.all(
    [admin.one, admin.two].map((client) => client.post(`/admin/schedule/viewlog/${entry?.entryID}/undo?forumPosts=true`)),
  )
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400], 'twice at the same time is once')
  assert.deepEqual(touched(both.find(({ status }) => status === 200)?.body), { created: 1, changed: 2, deleted: 1 })
  const isTheSame = ({ eventID, uid, title, location, startTime, forum }: Item) => ({ eventID, uid, title, location, startTime, forum })
  assert.deepEqual((await schedule()).map(isTheSame), before.map(isTheSame))
  assert.equal((await schedule()).find(({ uid }) => uid === 'goes')?.isFavorite, true)
  const seen = await body(photographer.two.get(`/events/${goes.eventID}`))
  assert.equal(seen.shutternautData.userIsPhotographer, true)
  const forum = await body(reader.one.get(`/forum/${goes.forum}`))
  assert.equal(forum.posts.length, 4, 'what it is about, that it is new, that it was taken off, and that it has changed')

  const [undo] = await log()
  assert.deepEqual([undo?.undoes, undo?.undoable, undo?.changeCount], [entry?.entryID, true, 4])
  await body(admin.two.post(`/admin/schedule/viewlog/${undo?.entryID}/undo`))
  assert.deepEqual((await schedule()).map(({ uid }) => uid).toSorted(), ['comes', 'moves', 'stays'], 'an undo can be undone')
})

test('an update that changes nothing leaves the one before it to be undone', async () => {
  await apply(admin, [event('one')])
  await apply(admin, [event('one')])
  const undoable = (await log()).map((entry) => entry.undoable)
  assert.deepEqual(undoable, [false, true])
})

test('updates are undone one after the other, newest first, and applied again in the same order', async () => {
  const uids = async () => (await schedule()).map(({ uid }) => uid).toSorted()
  const undoables = async () => (await log()).filter(({ undoable }) => undoable).map(({ entryID }) => entryID)
  const undo = async (entryID: number) => await admin.two.post(`/admin/schedule/viewlog/${entryID}/undo`)
  const isTheSame = ({ uid, title, startTime }: Item) => ({ uid, title, startTime })
  const states: object[] = []
  for (const events of [
    [event('one')],
    [event('one'), event('two')],
    [event('one', { title: 'Other', start: at(5), end: at(6) })],
    [event('one'), event('two'), event('three')],
  ]) {
    await apply(admin, events)
    states.push((await schedule()).map(isTheSame))
  }
  const updates = (await log()).map(({ entryID }) => entryID)
  assert.deepEqual(await undoables(), [updates[0]])
  assert.match((await undo(updates[1] as number)).body.reason, /later updates first/)
  for (const [step, entryID] of updates.slice(0, 3).entries()) {
    assert.equal((await undo(entryID)).status, 200)
    assert.deepEqual((await schedule()).map(isTheSame), states[2 - step])
    assert.match((await undo(entryID)).body.reason, /was undone/)
  }
  const undos = (await log()).slice(0, 3)
  assert.deepEqual(
    undos.map(({ isUndo, undoes }) => [isUndo, undoes]),
    updates
      .slice(0, 3)
      .map((entryID) => [true, entryID])
      .toReversed(),
  )
  assert.deepEqual(await undoables(), [undos[0]?.entryID, updates[3]], 'the last undo, and the first update')
  for (const [step, { entryID }] of undos.slice(0, 2).entries()) {
    assert.equal((await undo(entryID)).status, 200)
    assert.deepEqual((await schedule()).map(isTheSame), states[1 + step])
  }
  const [again] = await log()
  assert.deepEqual([again?.isUndo, again?.undoable], [false, true])
  assert.equal((await undo(again?.entryID as number)).status, 200, 'what was applied again is undone again')
  assert.deepEqual((await schedule()).map(isTheSame), states[1])

  await apply(admin, [event('four')])
  assert.deepEqual(await undoables(), [(await log())[0]?.entryID], 'another update leaves nothing to be applied again')
  assert.equal((await undo(undos[2]?.entryID as number)).status, 400)
  assert.deepEqual(await uids(), ['four'])
})

test('as many updates can be undone as are kept', async () => {
  const kept = 20
  for (let i = 0; i <= kept + 1; i++) await apply(admin, [event('one', { title: `Title ${i}` })])
  const updates = await log()
  for (const { entryID } of updates.slice(0, kept)) await body(admin.one.post(`/admin/schedule/viewlog/${entryID}/undo`))
  assert.equal((await schedule())[0]?.title, 'Title 1')
  await refused(admin.one.post(`/admin/schedule/viewlog/${updates[kept]?.entryID}/undo`), 400)
})

test('undo takes the forums with it that its update has opened, unless somebody has written there', async () => {
  await apply(admin, [event('stays')], { posts: true })
  await apply(admin, [event('stays'), event('quiet'), event('answered'), event('withdrawn')], { posts: true })
  await apply(admin, [event('stays'), event('quiet', { location: 'Deck 9' }), event('answered'), event('withdrawn')], { posts: true })
  const forums = new Map((await schedule()).map(({ uid, forum }) => [uid, forum as string]))
  await postIn(reader.one, forums.get('answered') as string, 'I come')
  const gone = await postIn(reader.one, forums.get('withdrawn') as string, 'or not')
  await body(reader.one.post(`/forum/post/${gone}/delete`), 204)
  const category = async () =>
    (await body(reader.two.get('/forum/categories'))).find(({ isEventCategory }: never) => isEventCategory).numThreads
  const before = await category()
  const undo = async () => {
    const entry = (await log()).find(({ undoable, isUndo }) => undoable && !isUndo)
    await body(admin.one.post(`/admin/schedule/viewlog/${entry?.entryID}/undo?forumPosts=true`))
  }
  await undo()
  await undo()
  assert.deepEqual(
    (await schedule()).map(({ uid }) => uid),
    ['stays'],
  )
  const statuses = async () => {
    const all = await Promise.all(['stays', 'quiet', 'answered', 'withdrawn'].map((uid) => reader.two.get(`/forum/${forums.get(uid)}`)))
    return all.map(({ status }) => status)
  }
  assert.deepEqual(await statuses(), [200, 400, 200, 400])
  assert.equal(await category(), before - 2)
  assert.equal((await body(reader.one.get(`/forum/${forums.get('answered')}`))).posts.at(-1).text.includes('no longer'), false)

  for (const entry of (await log())
    .filter(({ isUndo }) => isUndo)
    .reverse()
    .slice(0, 1))
    await refused(admin.one.post(`/admin/schedule/viewlog/${entry.entryID}/undo`), 400)
  for (let i = 0; i < 2; i++) {
    const entry = (await log()).find(({ undoable, isUndo }) => undoable && isUndo)
    await body(admin.two.post(`/admin/schedule/viewlog/${entry?.entryID}/undo`))
  }
  assert.deepEqual(new Map((await schedule()).map(({ uid, forum }) => [uid, forum])), forums, 'they come back with their events')
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  assert.equal(await category(), before)
})

test('a calendar of which few events are in the trip is named, and refused where somebody has not meant it', async () => {
  await apply(admin, [event('here')])
  const elsewhere = (count: number) =>
    Array.from({ length: count }, (_, i) => event(`then${i}`, { start: '2024-03-02T18:00:00Z', end: '2024-03-02T19:00:00Z' }))
  const inTrip = [event('here'), event('last', { start: '2025-03-10T02:30:00Z', end: '2025-03-10T04:00:00Z' })]
  for (const [calendarOf, counts, isOther] of [
    [[...inTrip, ...elsewhere(3)], [5, 3], true],
    [[...inTrip, ...elsewhere(2)], [4, 2], false],
    [inTrip, [2, 0], false],
    [[], [0, 0], false],
  ] as const) {
    const [events, other] = counts
    assert.deepEqual(await upload(calendarOf), { events, elsewhere: other })
    const changes = await body(admin.two.get('/admin/schedule/changes'))
    assert.deepEqual([changes.events, changes.elsewhere, changes.ofAnotherTrip, changes.scheduled], [events, other, isOther, 1])
  }
  await upload([...inTrip, ...elsewhere(3)])
  const { body: refusal, status } = await admin.one.post('/admin/schedule/update/apply?processDeletes=true&otherDays=false')
  assert.deepEqual([status, refusal.code], [400, 'schedule_elsewhere'])
  assert.match(refusal.reason, /^3 of the 5 events/)
  assert.deepEqual(
    (await schedule()).map(({ uid }) => uid),
    ['here'],
  )
  await refused(admin.one.post('/admin/schedule/update/apply?otherDays=maybe'), 400)
  assert.equal((await body(admin.one.post('/admin/schedule/update/apply?otherDays=true'))).created, 4)
  await apply(admin, elsewhere(2))
  assert.equal((await schedule()).length, 2, 'programs that do not know of it are not asked')
})
