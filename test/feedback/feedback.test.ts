// Feedback on events: which events are offered, giving and changing it, and how the team reads and marks it. Two nodes on one database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { App } from '../../src/app.ts'
import { builtIn } from '../../src/accounts/rows.ts'
import { isInRoom, roomOf } from '../../src/feedback/rules.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { givenFeedback } from '../support/feedback.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { countStatements } from '../support/statements.ts'

interface Report {
  id?: string
  reportingUser: { userID: string }
  reportModDate?: string
  event?: { eventID: string; uid: string; startTime: string; forum?: string }
  eventTitle: string
  eventLocation: string
  eventTime: string
  hostName: string
  attendance: string
  recapString: string
  issuesString: string
  adminFields?: { actionable: boolean; followCount: number; forumID?: string; forumPostCount: number }
}

const minuteMs = 60_000
const clock = new LeapingClock()
let nodes: TestNodes
let admin: Person
let team: Person
before(async () => {
  // The fourth day of the trip.
  clock.leap(Date.parse('2025-03-05T17:30:00Z') - clock.now())
  nodes = await startTestNodes(2, { clock, env: { WRITES_PER_MINUTE: '0' } })
  ;[admin, team] = (await people(nodes, { level: 'admin' }, { level: 'serviceteam' })) as [Person, Person]
  await apply(admin, schedule, { posts: true })
})
after(() => nodes.stop())

const listed = (uid: string, start: string, end: string, more: Partial<Listed> = {}): Listed => ({
  uid,
  title: `The ${uid}`,
  location: 'Card Room, Deck 3',
  category: 'SHADOW CRUISE',
  start: `2025-03-${start}:00Z`,
  end: `2025-03-${end}:00Z`,
  ...more,
})
const schedule: readonly Listed[] = [
  listed('first', '03T14:00', '03T15:00'),
  listed('second', '04T14:00', '04T15:00', { category: 'WORKSHOP', location: 'Studio (Deck 5)' }),
  listed('third', '04T16:00', '04T17:00', { location: 'card room, deck 4' }),
  listed('running', '05T15:00', '05T23:00', { location: 'Library' }),
  listed('later', '07T14:00', '07T15:00', { category: 'WORKSHOP', location: 'Aft Deck' }),
  listed('official', '03T18:00', '03T19:00', { category: 'GAMING', location: 'Bridge' }),
]

const user = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const idOf = async (uid: string): Promise<string> => (await body(team.one.get(`/events/${uid}`))).eventID
const feedback = (eventUID: string | undefined, more: object = {}) => ({
  ...(eventUID === undefined ? {} : { eventUID }),
  eventTitle: 'My title',
  eventLocation: 'My place',
  eventTime: '2025-03-04T14:00:00Z',
  hostName: 'Me',
  attendance: 'about ten',
  recapString: 'It went well.\nReally.',
  issuesString: '',
  ...more,
})
const give = (client: Client, uid: string | undefined, more: object = {}): Promise<Answer> => client.post('/feedback', feedback(uid, more))
const own = (client: Client, uid: string): Promise<Report> => body(client.get(`/feedback/uid/${uid}`))
const reports = (client: Client = team.two): Promise<Report[]> => body(client.get('/admin/feedback/reports'))
const uidsOf = (events: { uid: string }[]): string[] => events.map(({ uid }) => uid)

describe('rooms', () => {
  it('end where details begin', () => {
    assert.deepEqual(['Studio (Deck 5)', 'Card Room, Deck 3', 'Library', ', Deck 3', ' Aft '].map(roomOf), [
      'Studio',
      'Card Room',
      'Library',
      '',
      'Aft',
    ])
    assert.ok(isInRoom('CARD ROOM, Deck 3', 'card r') && !isInRoom('The card room', 'card'))
  })
})

describe('GET /feedback/eventlist', () => {
  it('offers shadow events and workshops that have begun, the last first', async () => {
    const caller = await user({ level: 'unverified' })
    const offered = await body(caller.two.get('/feedback/eventlist'))
    assert.deepEqual(uidsOf(offered.events), ['running', 'third', 'second', 'first'])
    assert.deepEqual([offered.existingFeedback, offered.performerAttached, offered.matchingRoom], [[], [], []])
    await refused(nodes.client().get('/feedback/eventlist'), 401)
  })

  it('finds those that the caller holds', async () => {
    const caller = await user({ roles: ['performerselfeditor'] })
    await nodes.sql`insert into registration_code (code, person_id) values (${caller.id.slice(0, 8)}, ${caller.id})`
    const page = { name: 'The Holder', photo: {}, isOfficialPerformer: false, yearsAttended: [], eventUIDs: [] }
    for (const uid of ['first', 'running', 'later']) await body(caller.one.post(`/performer/forevent/${await idOf(uid)}`, page))
    const { performerAttached } = await body(caller.two.get('/feedback/eventlist'))
    assert.deepEqual(uidsOf(performerAttached), ['running', 'first'])
    assert.deepEqual(
      performerAttached[0].performers.map(({ name }: { name: string }) => name),
      ['The Holder'],
    )
    assert.deepEqual((await body((await user()).one.get('/feedback/eventlist'))).performerAttached, [])
  })

  it('finds those in a room, and those that the caller has given feedback on', async () => {
    const caller = await user()
    for (const uid of ['first', 'second', 'official']) await body(give(caller.one, uid), 201)
    const { matchingRoom, existingFeedback } = await body(caller.two.get('/feedback/eventlist?room=CARD%20room'))
    assert.deepEqual(uidsOf(matchingRoom), ['third', 'first'])
    assert.deepEqual(uidsOf(existingFeedback), ['second', 'first'])
    const other = await body((await user()).two.get('/feedback/eventlist?room=Deck'))
    assert.deepEqual([other.matchingRoom, other.existingFeedback], [[], []])
  })
})

describe('GET /feedback/uid/:event_uid', () => {
  it('is a form with what is known, until there is feedback', async () => {
    const caller = await user()
    const { reportingUser, ...form } = await own(caller.one, 'second')
    assert.equal(reportingUser.userID, caller.id)
    const event = await body(caller.one.get('/events/second'))
    assert.deepEqual(form, {
      event,
      eventTitle: 'The second',
      eventLocation: 'Studio (Deck 5)',
      eventTime: event.startTime,
      hostName: '',
      attendance: '',
      recapString: '',
      issuesString: '',
    })
    for (const [names, hostName] of [
      [{ displayName: 'Captain' }, 'Captain'],
      [{ displayName: 'Captain', realName: 'Jo' }, 'Jo'],
    ] as const) {
      await body(caller.one.post('/user/profile', names))
      assert.equal((await own(caller.two, 'second')).hostName, hostName)
    }
    for (const uid of ['nothing', randomUUID(), '%00']) await refused(caller.one.get(`/feedback/uid/${uid}`), 400)
  })
})

describe('POST /feedback', () => {
  it('is kept for its author, and replaced by the next', async () => {
    const [author, other] = (await people(nodes, {}, {})) as [Person, Person]
    const eventID = await idOf('third')
    assert.equal((await author.one.get(`/feedback/id/${eventID}`)).status, 204)
    assert.equal(await body(give(author.one, 'third'), 201), undefined)
    const first = await own(author.two, 'third')
    const { event, id, reportingUser, reportModDate, ...rest } = first
    assert.deepEqual({ ...rest, eventUID: event?.uid }, feedback('third', { eventTime: '2025-03-04T14:00:00.000Z' }))
    assert.deepEqual([event?.eventID, reportingUser.userID, first.adminFields], [eventID, author.id, undefined])
    assert.deepEqual(await body(author.two.get(`/feedback/id/${eventID}`)), first)
    clock.leap(minuteMs)
    await body(give(author.two, 'third', { recapString: 'Less well.', issuesString: 'Rain' }), 201)
    const second = await own(author.one, 'third')
    assert.deepEqual([second.id, second.recapString, second.issuesString], [id, 'Less well.', 'Rain'])
    assert.ok((second.reportModDate ?? '') > (reportModDate ?? ''))
    assert.equal((await other.one.get(`/feedback/id/${eventID}`)).status, 204)
    assert.equal((await own(other.one, 'third')).id, undefined)
  })

  it('a time that comes back as it was shown is the time of the event, whatever the zone', async () => {
    const author = await user()
    const { eventTime } = await own(author.one, 'running')
    await body(give(author.one, 'running', { eventTime }), 201)
    assert.equal((await own(author.two, 'running')).eventTime, eventTime)
    const [row] = await nodes.sql`
      select event_time = start_time as same, start_time from event_feedback join event on event.id = event_id where author_id = ${author.id}`
    assert.equal(row?.['same'], true)
    assert.notEqual(eventTime, row?.['startTime'].toISOString(), 'the ship is in another zone than the port')
  })

  it('several at once end in one', async () => {
    const author = await user()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => give(author.clients[index % 2] as Client, 'first', { recapString: `Number ${index}` })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal((await reports()).filter(({ reportingUser }) => reportingUser.userID === author.id).length, 1)
  })

  it('takes feedback on any event of the schedule', async () => {
    const author = await user()
    for (const uid of ['official', 'later']) await body(give(author.one, uid), 201)
    assert.ok((await own(author.two, 'later')).id)
  })

  it('refuses what names no event, what is too long, and callers who cannot create', async () => {
    const author = await user()
    for (const uid of [undefined, '']) {
      const { status, body: answer } = await give(author.one, uid)
      assert.deepEqual([status, Object.keys(answer.fieldErrors)], [400, ['eventUID']])
    }
    await refused(give(author.one, 'nothing'), 400)
    const { recapString: _, ...without } = feedback('first')
    await refused(author.one.post('/feedback', without), 400)
    const long = await give(author.one, 'first', {
      recapString: 'x'.repeat(20_001),
      hostName: 'x'.repeat(1001),
      eventTime: '2025-03-04T14:00:00Z',
    })
    assert.deepEqual([long.status, Object.keys(long.body.fieldErrors).toSorted()], [400, ['hostName', 'recapString']])
    await refused(give(author.one, 'first', { eventTime: 'noon' }), 400)
    await refused(give(nodes.client(), 'first'), 401)
    for (const level of ['unverified', 'quarantined']) await refused(give((await user({ level })).one, 'first'), 403)
    await refused(give((await user({ tempQuarantineUntil: new Date(clock.now() + 60 * minuteMs) })).one, 'first'), 403)
    assert.equal((await own(author.one, 'first')).id, undefined)
  })
})

describe('GET /admin/feedback/reports', () => {
  it('has all of it, last changed first, with what the team wants to know', async () => {
    const [one, other] = (await people(nodes, {}, {})) as [Person, Person]
    const event = await body(one.one.get('/events/second'))
    await body(one.one.post(`/events/${event.eventID}/favorite`), 201)
    await nodes.sql`update forum_post set author_id = ${builtIn.admin} where forum_id = ${event.forum}`
    await body(other.one.post(`/forum/${event.forum}/create`, content('I was there')), 201)
    const gone = await body(other.one.post(`/forum/${event.forum}/create`, content('I was not')), 201)
    await body(other.one.delete(`/forum/post/${gone.postID}`), 204)
    await body(give(one.one, 'second'), 201)
    clock.leap(minuteMs)
    await body(give(other.one, 'second'), 201)
    const newest = async () => (await reports()).slice(0, 2).map(({ reportingUser }) => reportingUser.userID)
    assert.deepEqual(await newest(), [other.id, one.id])
    clock.leap(minuteMs)
    await body(give(one.two, 'second', { issuesString: 'One more thing' }), 201)
    assert.deepEqual(await newest(), [one.id, other.id])
    const [report] = (await reports()) as [Report]
    assert.deepEqual(report.adminFields, { actionable: false, followCount: 1, forumID: event.forum, forumPostCount: 1 })
    assert.equal(report.event?.uid, 'second')
    assert.deepEqual(await body(team.one.get(`/admin/feedback/report/${report.id}`)), report)
    for (const client of [one.one, (await user({ level: 'moderator' })).one]) {
      await refused(client.get('/admin/feedback/reports'), 403)
      await refused(client.get(`/admin/feedback/report/${report.id}`), 403)
    }
    for (const id of [randomUUID(), 'x']) await refused(team.one.get(`/admin/feedback/report/${id}`), 400)
  })

  it('keeps feedback on an event that was taken off the schedule', async () => {
    const author = await user()
    const id = await givenFeedback(nodes, author)
    const report: Report = await body(team.one.get(`/admin/feedback/report/${id}`))
    assert.deepEqual([report.event, report.eventTitle, report.reportingUser.userID], [undefined, 'A workshop', author.id])
    assert.deepEqual(report.adminFields, { actionable: false, followCount: 0, forumPostCount: 0 })
    await refused(author.one.get(`/feedback/uid/${report.id}`), 400)
  })

  it('asks the database as often for much feedback as for little', async () => {
    const count = () => countStatements(nodes.apps[0] as App, () => reports(team.one))
    await reports(team.one)
    const before = await count()
    for (const author of await people(nodes, {}, {}, {})) await givenFeedback(nodes, author)
    await reports(team.one)
    assert.equal(await count(), before)
    assert.ok(before <= 1, String(before))
  })
})

describe('GET /admin/feedback/stats', () => {
  it('counts events of the schedule, and feedback', async () => {
    await nodes.sql`delete from event_feedback where event_id = ${await idOf('running')}`
    const before = await body(team.one.get('/admin/feedback/stats'))
    assert.deepEqual([before.totalShadowEvents, before.completedShadowEvents], [5, 3])
    const [one, other] = (await people(nodes, {}, {})) as [Person, Person]
    await body(give(one.one, 'running'), 201)
    await body(give(other.one, 'running'), 201)
    await body(give(other.one, 'running'), 201)
    const after = await body(team.two.get('/admin/feedback/stats'))
    assert.deepEqual(after, {
      ...before,
      totalFeedbackReports: before.totalFeedbackReports + 2,
      uniqueEventsWithFeedback: before.uniqueEventsWithFeedback + 1,
    })
    await refused(one.one.get('/admin/feedback/stats'), 403)
  })
})

describe('GET /admin/feedback/roomlist', () => {
  it('names each room of shadow events and workshops once', async () => {
    assert.deepEqual(await body(team.one.get('/admin/feedback/roomlist')), ['Aft Deck', 'card room', 'Card Room', 'Library', 'Studio'])
    await refused((await user()).one.get('/admin/feedback/roomlist'), 403)
  })
})

describe('/admin/feedback/report/:feedback_id/mark', () => {
  it('is one mark for the whole team, and changes nothing else', async () => {
    const author = await user()
    await body(give(author.one, 'first'), 201)
    const { id } = await own(author.one, 'first')
    const path = `/admin/feedback/report/${id}`
    const read = (): Promise<Report> => body(team.two.get(path))
    const before = await read()
    clock.leap(minuteMs)
    for (const [call, statuses] of [
      [() => team.one.post(`${path}/mark`), [201, 200]],
      [() => admin.two.post(`${path}/unmark`), [204, 200]],
      [() => admin.two.post(`${path}/mark`), [201, 200]],
      [() => team.one.delete(`${path}/mark`), [204, 200]],
    ] as const) {
      for (const status of statuses) assert.equal(await body(call(), status), undefined)
      const isMarked = statuses[0] === 201
      assert.deepEqual(await read(), { ...before, adminFields: { ...before.adminFields, actionable: isMarked } })
    }
    await body(team.one.post(`${path}/mark`), 201)
    await body(give(author.two, 'first', { issuesString: 'More' }), 201)
    assert.equal((await read()).adminFields?.actionable, true, 'new words do not take the mark away')
    assert.equal((await own(author.one, 'first')).adminFields, undefined)
    await refused(author.one.post(`${path}/unmark`), 403)
    await refused(team.one.post(`/admin/feedback/report/${randomUUID()}/mark`), 400)
    await refused(team.one.delete(`/admin/feedback/report/${randomUUID()}/mark`), 400)
  })
})
