// /personalevents, /fez/former and the calendar files of what a user has planned. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, createChat, createSeamail, lfg, moderate, people, refused, say, type Person } from '../support/fez.ts'

let nodes: TestNodes
let owner: Person
let guest: Person
let stranger: Person
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[owner, guest, stranger, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
})
after(() => nodes.stop())

const times = { startTime: '2099-01-01T10:00:00.000Z', endTime: '2099-01-01T11:30:00.000Z' }
const content = (more: object = {}) => ({
  title: 'Dinner',
  description: 'With friends',
  location: 'Deck 3',
  ...times,
  participants: [],
  ...more,
})
const create = async (by: Person, more: object = {}): Promise<string> =>
  (await body(by.one.post('/personalevents/create', content(more)), 201)).personalEventID
const names = (users: readonly { username: string }[]) => users.map(({ username }) => username)
const ids = (events: readonly { personalEventID: string }[]) => events.map(({ personalEventID }) => personalEventID)

describe('/personalevents', () => {
  it('creates a private event, which is the same as a chat', async () => {
    const made = await body(owner.one.post('/personalevents/create', content({ participants: [guest.id, guest.id, owner.id] })), 201)
    const { personalEventID, lastUpdateTime: _time, ...rest } = made
    assert.deepEqual(rest, {
      title: 'Dinner',
      description: 'With friends',
      location: 'Deck 3',
      ...times,
      timeZone: 'EST',
      timeZoneID: 'America/New_York',
      owner: { userID: owner.id, username: owner.username },
      participants: [{ userID: guest.id, username: guest.username }],
      visibility: 'private',
    })
    for (const client of [...owner.clients, ...guest.clients])
      assert.deepEqual(await body(client.get(`/personalevents/${personalEventID}`)), made)
    const chat = await body(guest.two.get(`/fez/${personalEventID}`))
    assert.deepEqual([chat.fezType, chat.info, chat.maxParticipants], ['privateEvent', 'With friends', 0])
    await refused(stranger.one.get(`/personalevents/${personalEventID}`), 400)
    assert.deepEqual(names((await body(moderator.one.get(`/personalevents/${personalEventID}`))).participants), [guest.username])
  })

  it('refuses what is no event', async () => {
    for (const [more, field] of [
      [{ title: 'x' }, 'title'],
      [{ endTime: '2099-01-02T10:00:01Z' }, 'endTime'],
      [{ endTime: '2099-01-01T09:00:00Z' }, 'endTime'],
    ] as const) {
      const answer = await owner.one.post('/personalevents/create', content(more))
      assert.equal(answer.status, 400)
      assert.deepEqual(Object.keys(answer.body.fieldErrors), [field])
    }
    const { startTime: _, ...without } = content() as Record<string, unknown>
    assert.match(await refused(owner.one.post('/personalevents/create', without), 400), /startTime/)
    const [unverified, foe] = (await people(nodes, { level: 'unverified' }, {})) as [Person, Person]
    await refused(unverified.one.post('/personalevents/create', content()), 403)
    await block(owner, foe)
    const made = await body(owner.one.post('/personalevents/create', content({ participants: [foe.id] })), 201)
    assert.deepEqual(made.participants, [])
    await body(owner.one.post('/personalevents/create', content({ description: '', location: '' })), 201)
    const { description: _text, location: _place, ...bare } = content() as Record<string, unknown>
    await body(owner.one.post('/personalevents/create', bare), 201)
  })

  it('marks what is read', async () => {
    const id = await create(owner, { participants: [guest.id] })
    const news = async () => {
      const { addedToPrivateEventCount, newPrivateEventMessageCount } = await body(guest.two.get('/notification/user'))
      return [addedToPrivateEventCount, newPrivateEventMessageCount]
    }
    const before = await news()
    await body(guest.one.get(`/personalevents/${id}`))
    assert.deepEqual(await news(), [before[0] - 1, before[1]])
    await say(owner.one, id, 'hello')
    await body(guest.two.get(`/personalevents/${id}`))
    assert.deepEqual(await news(), [before[0] - 1, before[1]])
  })

  it('lists the events of the caller by start, and no other chats', async () => {
    const [me, friend] = (await people(nodes, {}, {})) as [Person, Person]
    const on = (day: number) => ({ startTime: `2025-03-0${day}T15:00:00Z`, endTime: `2025-03-0${day}T16:00:00Z` })
    const late = await create(me, { title: 'Late', ...on(5) })
    const early = await create(friend, { title: 'Early', ...on(3), participants: [me.id] })
    const alone = await createChat(me.one, { fezType: 'personalEvent', info: 'my own', ...on(4) })
    await createChat(me.one, { ...lfg(), ...on(4) })
    await createChat(me.one, { fezType: 'privateEvent', info: 'some time' })
    await create(friend, on(4))
    const list = async (query = '') => ids(await body(me.two.get(`/personalevents?${query}`)))
    assert.deepEqual(await list(), [early, alone, late])
    assert.deepEqual(await list('owned=true'), [alone, late])
    assert.deepEqual(await list('joined=true'), [early])
    assert.deepEqual(await list('search=late'), [late])
    assert.deepEqual(await list('start=1&limit=1'), [alone])
    assert.deepEqual(await list('hidePast=true'), [])
    const byDay = await Promise.all([0, 1, 2, 3, 4].map((day) => list(`cruiseday=${day}`)))
    assert.deepEqual(byDay.flat().toSorted(), [early, alone, late].toSorted())
    await refused(me.one.get('/personalevents?owned=true&joined=true'), 400)
  })

  it('is changed by its owner and by moderators, and un-cancelled by that; participants stay', async () => {
    const id = await create(owner, { participants: [guest.id] })
    await body(owner.one.post(`/personalevents/${id}/delete`), 204)
    assert.equal((await body(guest.two.get(`/fez/${id}`))).cancelled, true)
    for (const [by, path] of [
      [owner, `/personalevents/${id}`],
      [moderator, `/personalevents/${id}/update`],
    ] as const) {
      const changed = await body(by.two.post(path, content({ title: `By ${by.username}`, participants: [stranger.id] })))
      assert.equal(changed.title, `By ${by.username}`)
      assert.deepEqual(names(changed.participants), [guest.username])
    }
    assert.equal((await body(guest.two.get(`/fez/${id}`))).cancelled, false)
    await refused(guest.one.post(`/personalevents/${id}`, content()), 403)
    const alone = await createChat(owner.one, { fezType: 'personalEvent', info: 'my own', ...times })
    await refused(owner.one.post(`/personalevents/${alone}`, content()), 403)
  })

  it('is cancelled by its owner alone; a personal event goes away', async () => {
    const id = await create(owner, { participants: [guest.id] })
    for (const who of [guest, moderator]) await refused(who.one.delete(`/personalevents/${id}`), 403)
    await body(owner.one.delete(`/personalevents/${id}`), 204)
    assert.equal((await body(guest.one.get(`/fez/${id}`))).cancelled, true)
    const alone = await createChat(owner.one, { fezType: 'personalEvent', info: 'my own', ...times })
    // Moderators see it, and delete it elsewhere.
    await refused(guest.one.delete(`/personalevents/${alone}`), 400)
    await refused(moderator.one.delete(`/personalevents/${alone}`), 403)
    await body(owner.two.post(`/personalevents/${alone}/delete`), 204)
    await refused(owner.one.get(`/personalevents/${alone}`), 400)
    // One's own is nobody else's business; what moderators do to it is.
    const traces = async (id: string) => (await nodes.sql`select from audit where subject_id = ${id}`).length
    assert.equal(await traces(alone), 0)
    const deleted = await createChat(owner.one, { fezType: 'personalEvent', info: 'my own', ...times })
    await body(moderator.two.post(`/fez/${deleted}/delete`), 204)
    assert.equal(await traces(deleted), 1)
  })

  it('is left by oneself, and others are removed by the owner', async () => {
    const id = await create(owner, { participants: [guest.id, stranger.id, moderator.id] })
    await refused(guest.one.delete(`/personalevents/${id}/user/${stranger.id}`), 403)
    await body(guest.one.delete(`/personalevents/${id}/user/${guest.id}`), 204)
    await body(owner.one.post(`/personalevents/${id}/user/${stranger.id}/remove`), 204)
    assert.deepEqual(names((await body(owner.two.get(`/personalevents/${id}`))).participants), [moderator.username])
    await refused(guest.one.get(`/personalevents/${id}`), 400)
  })

  it('shows moderators who takes part, in the order in which they joined', async () => {
    const friends = (await people(nodes, {}, {}, {})).toSorted((a, b) => (a.id < b.id ? 1 : -1))
    const id = await create(owner, { participants: friends.map((friend) => friend.id) })
    assert.deepEqual(names((await body(moderator.one.get(`/mod/personalevent/${id}`))).personalEvent.participants), names(friends))
  })

  it('is reported, once, and judged by moderators', async () => {
    const id = await create(owner, { participants: [guest.id] })
    await body(guest.one.post(`/personalevents/${id}/report`, { message: 'rude' }), 201)
    await refused(guest.two.post(`/personalevents/${id}/report`, { message: 'again' }), 409)
    const alone = await createChat(owner.one, { fezType: 'personalEvent', info: 'my own', ...times })
    await refused(owner.one.post(`/personalevents/${alone}/report`, { message: 'x' }), 403)
    await moderate(nodes, id, 'quarantined')
    assert.doesNotMatch((await body(guest.one.get(`/personalevents/${id}`))).title, /Dinner/)
    const judged = await body(moderator.one.get(`/mod/personalevent/${id}`))
    assert.deepEqual(
      [judged.personalEvent.title, judged.personalEvent.description, names(judged.personalEvent.participants)],
      ['Dinner', 'With friends', [guest.username]],
    )
    assert.deepEqual([judged.isDeleted, judged.moderationStatus], [false, 'quarantined'])
    assert.deepEqual(
      judged.reports.map((report: { type: string; submitterMessage: string }) => [report.type, report.submitterMessage]),
      [['privateEvent', 'rude']],
    )
    await refused(guest.one.get(`/mod/personalevent/${id}`), 403)
    await body(moderator.one.post(`/fez/${id}/delete`), 204)
    assert.equal((await body(moderator.one.get(`/mod/personalevent/${id}`))).isDeleted, true)
  })
})

describe('GET /fez/former', () => {
  it('has what was left or taken away, deleted ones too, newest first and without members', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const left = await createChat(other.one, lfg({ initialUsers: [me.id] }))
    const removed = await createChat(other.one, lfg({ initialUsers: [me.id] }))
    const event = await create(other, { participants: [me.id] })
    const deleted = await createChat(other.one, lfg({ initialUsers: [me.id] }))
    await createChat(other.one, lfg({ initialUsers: [me.id] }))
    await createSeamail(other.one, [me])
    await body(me.one.post(`/fez/${left}/unjoin`))
    await body(other.one.post(`/fez/${removed}/user/${me.id}/remove`))
    await body(me.one.delete(`/personalevents/${event}/user/${me.id}`), 204)
    await body(me.one.post(`/fez/${deleted}/unjoin`))
    await body(moderator.one.post(`/fez/${deleted}/delete`), 204)
    // One's own appointment, which was nobody else's, and a private chat.
    await body(me.one.delete(`/personalevents/${await create(me)}`), 204)
    const { fezzes, paginator } = await body(me.two.get('/fez/former'))
    assert.deepEqual(
      fezzes.map(({ fezID }: { fezID: string }) => fezID),
      [deleted, event, removed, left],
    )
    assert.equal(paginator.total, 4)
    assert.ok(fezzes.every((fez: { members?: unknown }) => fez.members === undefined))
    assert.deepEqual([fezzes[1].info, fezzes[1].startTime], ['With friends', times.startTime])
    assert.equal((await body(me.two.get('/fez/former?start=1&limit=2'))).fezzes.length, 2)
    await body(me.one.post(`/fez/${left}/join`), 201)
    assert.equal((await body(me.two.get('/fez/former'))).paginator.total, 3)
    await refused(me.one.get('/fez/former?foruser=moderator'), 403)
    assert.equal((await body(moderator.one.get('/fez/former?foruser=moderator'))).paginator.total, 0)
    await block(me, other)
    assert.equal((await body(me.two.get('/fez/former'))).paginator.total, 0)
  })

  it('shows a private event under the title that it had when one was still in it', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const id = await create(other, { title: 'Breakfast', participants: [me.id] })
    const rename = (title: string) => body(other.two.post(`/personalevents/${id}/update`, content({ title })))
    const shown = async () => (await body(me.two.get('/fez/former'))).fezzes.map(({ title }: { title: string }) => title)
    await rename('Lunch')
    await body(other.one.delete(`/personalevents/${id}/user/${me.id}`), 204)
    assert.deepEqual(await shown(), ['Lunch'])
    await rename('Without you')
    await rename('Surprise for you')
    assert.deepEqual(await shown(), ['Lunch'])
    await body(other.one.post(`/fez/${id}/user/${me.id}/add`))
    await body(me.one.delete(`/personalevents/${id}/user/${me.id}`), 204)
    assert.deepEqual(await shown(), ['Surprise for you'])
    await body(moderator.one.post(`/mod/fez/${id}/setstate/quarantined`))
    assert.ok(!(await shown())[0]?.includes('Surprise'))
  })
})

describe('calendar files', () => {
  const calendar = async (path: string, who?: Person) => {
    const answer = await nodes.client().request<string>('GET', path, who ? { basic: [who.username, testPassword] } : {})
    return { status: answer.status, text: String(answer.body), headers: answer.headers }
  }
  const titles = (text: string) => [...text.matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title)

  it('GET /dayplanner/:username/dayPlanner.ics: what is followed, and groups and events with start and end', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const followed = (await body(me.one.get('/events')))[0] as { eventID: string; title: string }
    await body(me.one.post(`/events/${followed.eventID}/favorite`), 201)
    const group = await createChat(other.one, lfg({ title: 'Group', ...times }))
    await body(me.one.post(`/fez/${group}/join`), 201)
    await create(other, { title: 'Private', participants: [me.id] })
    await createChat(me.one, { fezType: 'personalEvent', title: 'Alone', info: 'my own', ...times })
    await createChat(me.one, { fezType: 'privateEvent', title: 'Some time', info: 'no time' })
    await create(me, { title: 'Off' }).then((id) => body(me.one.delete(`/personalevents/${id}`), 204))
    await create(other, { title: 'Of others' })
    for (const path of [`//dayplanner/${me.username}/dayPlanner.ics`, `//dayplanner/${me.username}/jocoDayPlanner.ics`]) {
      const { status, text, headers } = await calendar(path, me)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
      assert.deepEqual(titles(text).toSorted(), [followed.title, 'Group', 'Private', 'Alone'].toSorted())
      assert.match(text, /DTSTART:20990101T100000Z/)
      const refusal = await calendar(path, other)
      assert.deepEqual([refusal.status, refusal.headers['www-authenticate']], [401, 'Basic charset="UTF-8"'])
      assert.equal((await calendar(path)).status, 401)
    }
  })

  it('GET /events/personal/:personal_event_id/calendarevent.ics: one event, for who may see it', async () => {
    const id = await create(owner, { title: 'Supper', participants: [guest.id] })
    const path = `//events/personal/${id}/calendarevent.ics`
    const file = await guest.one.file(path)
    assert.equal(file.status, 200)
    assert.deepEqual(titles(file.bytes.toString()), ['Supper'])
    assert.match(String(file.headers['content-disposition']), /Supper\.ics/)
    assert.equal((await stranger.one.file(path)).status, 400)
    assert.equal((await guest.one.file('//events/personal/nothing/calendarevent.ics')).status, 400)
    assert.equal((await nodes.client().file(path)).status, 401)
  })
})
