// Notices of events that are about to start: two workers look for them and tell, two nodes hear.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test, type TestContext } from 'node:test'
import type { App } from '../../src/app.ts'
import type { JobHandlers } from '../../src/core/work/job-runner.ts'
import { settingsOf } from '../../src/settings/channel.ts'
import { announceMove } from '../../src/events/followers.service.ts'
import { announceEvent, noteStartingEvents } from '../../src/events/starting.service.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { TestSocket } from '../support/client.ts'
import { empty } from '../support/db.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, listen, people, type Person } from '../support/fez.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { startWorkers, sweep } from '../support/jobs.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const clock = new LeapingClock()
let nodes: TestNodes
let admin: Person
before(async () => {
  nodes = await startTestNodes(2, { clock })
  ;[admin] = (await people(nodes, { level: 'admin' })) as [Person]
  // Clocks on board are those of the port, unless a test says otherwise.
  await nodes.sql`delete from time_zone_change`
})
after(() => nodes.stop())
beforeEach(async () => {
  await empty(nodes.sql, 'outbox', 'notice_sent')
  await onlySettings(nodes, { upcomingEventNotificationSetting: 'current' })
})

/** Also what waits for its minute. */
const allDone = () => until(async () => (await nodes.sql`select from outbox`).length === 0, 'all are announced', 40_000)

/** Two workers, whose handler may be disturbed. */
const workers = (t: TestContext, handler: JobHandlers['event-starting'] = announceEvent) =>
  startWorkers(t, nodes, { 'event-starting': handler, 'event-moved': announceMove })

/** Both look for events at once, twice; resolves when all that came of it is done. */
async function look(): Promise<void> {
  await Promise.all([sweep(nodes, noteStartingEvents), sweep(nodes, noteStartingEvents)])
  await allDone()
}

const at = (ms: number) => new Date(ms).toISOString()
const event = (uid: string, inMs: number, more: Partial<Listed> = {}): Listed => {
  // Calendars know no parts of seconds.
  const startMs = Math.ceil((clock.now() + inMs) / 1000) * 1000
  return { uid, title: uid, start: at(startMs), end: at(startMs + 30 * minuteMs), ...more }
}
const idOf = async (uid: string) => (await body(admin.one.get(`/events/${uid}`))).eventID as string
const follow = async (who: Person, ...uids: string[]) => {
  for (const uid of uids) await body(who.one.post(`/events/${await idOf(uid)}/favorite`), 201)
}

/** Ids of the events that sockets were told of. */
async function told(...sockets: TestSocket[]): Promise<string[][]> {
  await Promise.all(sockets.map((socket) => socket.flushed()))
  return sockets.map(({ frames }) =>
    frames
      .filter(({ type, info }) => 'followedEventStarting' in type && info.includes('is starting soon'))
      .map(({ contentID }) => contentID),
  )
}

test('every follower is told once on every device, nobody else is', async (t) => {
  await workers(t)
  await apply(admin, [event('Whist', 10 * minuteMs - 5000, { location: 'Deck 4' })])
  const [follower, second, gone, outsider] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  for (const who of [follower, second, gone]) await follow(who, 'Whist')
  const id = await idOf('Whist')
  const sockets = (await Promise.all([follower, follower, second].map(listen))).flat()
  const others = (await Promise.all([gone, outsider].map(listen))).flat()
  await body(gone.two.delete(`/events/${id}/favorite`), 204)
  await look()
  await look()
  for (const list of await told(...sockets)) assert.deepEqual(list, [id])
  for (const list of await told(...others)) assert.deepEqual(list, [])
  assert.deepEqual(sockets[0]?.frames, [{ type: { followedEventStarting: {} }, info: 'Whist is starting soon, Deck 4.', contentID: id }])
})

test('photographers of an event are told, whether they follow it or not', async (t) => {
  await workers(t)
  await apply(admin, [event('portraits', 10 * minuteMs - 5000)])
  const id = await idOf('portraits')
  const all = (await people(nodes, ...Array.from({ length: 3 }, () => ({ roles: ['shutternaut' as const] })))) as [Person, Person, Person]
  for (const who of all) await body(who.one.post(`/events/${id}/photographer`), 201)
  await follow(all[1], 'portraits')
  await body(all[2].one.post(`/events/${id}/photographer/remove`), 204)
  const sockets = (await Promise.all(all.map(listen))).flat()
  await look()
  assert.deepEqual(await told(...sockets), [[id], [id], [id], [id], [], []])
})

test('a worker that is broken off after it has told everybody: another one ends the job, nobody hears it twice', async (t) => {
  let broken = 0
  await workers(t, async (tx, payload) => {
    await announceEvent(tx, payload)
    if (++broken <= 2) throw new Error('the worker is gone')
  })
  await apply(admin, [event('chess', 5 * minuteMs)])
  const [follower] = (await people(nodes, {})) as [Person]
  await follow(follower, 'chess')
  const sockets = await listen(follower)
  const done = look()
  for (const times of [1, 2]) {
    await until(() => broken === times, `broken off ${times} times`)
    clock.leap(minuteMs / 2)
  }
  await done
  assert.equal(broken, 3)
  for (const list of await told(...sockets)) assert.deepEqual(list, [await idOf('chess')])
})

test('which events: those within the lead time and not yet, by the clock of the ship', async (t) => {
  await workers(t)
  const [follower] = (await people(nodes, {})) as [Person]
  await apply(admin, [event('soon', 9 * minuteMs), event('later', 13 * minuteMs), event('past', -minuteMs), event('other', 9 * minuteMs)])
  await follow(follower, 'soon', 'later', 'past')
  const sockets = await listen(follower)
  await look()
  for (const list of await told(...sockets)) assert.deepEqual(list, [await idOf('soon')])
  // Three zones further west it is earlier on board: what was past is still to come, in three hours.
  await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values ('2020-01-01', 'PST', 'America/Los_Angeles')`
  await apply(admin, [event('soon', 9 * minuteMs), event('west', 9 * minuteMs - 3 * 60 * minuteMs)])
  await follow(follower, 'west')
  await onlySettings(nodes, { upcomingEventNotificationSetting: 'current' })
  await look()
  for (const list of await told(...sockets)) assert.deepEqual(list.slice(1), [await idOf('west')])
  await nodes.sql`delete from time_zone_change`
})

test('deleted or moved between being found and being told: nobody hears of it; moved further, it is told of again', async (t) => {
  const [follower] = (await people(nodes, {})) as [Person]
  const sockets = await listen(follower)
  const events = [event('stays', 9 * minuteMs), event('deleted', 9 * minuteMs), event('moved', 9 * minuteMs)]
  await apply(admin, events)
  await follow(follower, 'stays', 'deleted', 'moved')
  await sweep({ apps: nodes.apps.slice(0, 1) }, noteStartingEvents)
  await apply(admin, [events[0] as Listed, event('moved', 60 * minuteMs)])
  await workers(t)
  await allDone()
  const [stays, moved] = [await idOf('stays'), await idOf('moved')]
  for (const list of await told(...sockets)) assert.deepEqual(list, [stays])
  clock.leap(55 * minuteMs)
  await look()
  for (const list of await told(...sockets)) assert.deepEqual(list, [stays, moved])
})

test('the setting: disabled tells nobody; the week of the trip stands for any week, and comes again', async (t) => {
  await workers(t)
  await onlySettings(nodes, { upcomingEventNotificationSetting: 'disabled' })
  const { trip } = settingsOf((nodes.apps[0] as App).node)
  const inTrip = new Date(
    Math.ceil(trip.displayToPort(trip.referenceTime(new Date(clock.now()), 'cruiseWeek')).getTime() / 1000) * 1000 + 9 * minuteMs,
  )
  await apply(admin, [
    { uid: 'weekly', title: 'weekly', start: inTrip.toISOString(), end: inTrip.toISOString() },
    event('now', 9 * minuteMs),
  ])
  const [follower] = (await people(nodes, {})) as [Person]
  await follow(follower, 'weekly', 'now')
  const sockets = await listen(follower)
  await look()
  for (const list of await told(...sockets)) assert.deepEqual(list, [])
  await onlySettings(nodes, { upcomingEventNotificationSetting: 'cruiseWeek' })
  await look()
  const weekly = await idOf('weekly')
  for (const list of await told(...sockets)) assert.deepEqual(list, [weekly])
  clock.leap(7 * dayMs)
  await look()
  for (const list of await told(...sockets)) assert.deepEqual(list, [weekly, weekly])
})

test('followers hear once that an event has moved or is off, with what it was and is; nobody else does', async (t) => {
  await workers(t)
  const coming = event('trivia', 3 * 60 * minuteMs, { title: 'Trivia', location: 'Lido' })
  const past = event('over', -3 * 60 * minuteMs)
  const minor = event('minor', Math.ceil(clock.now() / minuteMs) * minuteMs - clock.now() + 60 * minuteMs)
  const early = event('early', 60 * minuteMs, { title: 'Stretching' })
  const shown = event('shown', 2 * 60 * minuteMs, { title: 'Magic' })
  await apply(admin, [coming, past, minor, early, shown, event('off', 60 * minuteMs, { title: 'Yoga' })])
  const [follower, outsider, photographer] = (await people(nodes, {}, {}, { roles: ['shutternaut'] })) as [Person, Person, Person]
  await follow(follower, 'trivia', 'over', 'minor', 'off', 'early')
  const [trivia, off, missed] = [await idOf('trivia'), await idOf('off'), await idOf('early')]
  const sockets = (await Promise.all([follower, follower].map(listen))).flat()
  const [other] = await listen(outsider)
  // Whoever is to photograph it has planned it, too; nobody else follows that one.
  await body(photographer.one.post(`/events/${await idOf('shown')}/photographer`), 201)
  const [busy] = await listen(photographer)
  const later = (iso: string) => at(Date.parse(iso) + minuteMs)
  await apply(admin, [
    { ...coming, start: later(coming.start), end: later(coming.end), location: 'Crow’s Nest' },
    { ...shown, location: 'Theatre' },
    // Over by now: whoever had planned it would wait for it.
    { ...early, start: past.start, end: past.end },
    // Over both before and after, and a change of words and of seconds alone.
    { ...past, location: 'elsewhere' },
    { ...minor, start: at(Date.parse(minor.start) + 1000), description: 'Bring a pen' },
  ])
  await allDone()
  for (const socket of [...sockets, other]) await socket?.flushed()
  const heard = sockets.map(({ frames }) => frames.map(({ contentID, info }) => `${contentID} ${info}`).toSorted())
  const [first] = heard
  for (const each of heard) assert.deepEqual(each, first)
  assert.deepEqual(first?.length, 3, first?.join())
  const of = (id: string) => first?.find((text) => text.startsWith(id)) ?? ''
  assert.match(of(trivia), /Trivia: \d+:\d\d [AP]M → \d+:\d\d [AP]M, Lido → Crow’s Nest$/)
  assert.match(of(missed), /Stretching: /)
  assert.match(of(off), /Yoga \(\w{3}, \d+:\d\d [AP]M\) has been taken off the schedule\.$/)
  assert.deepEqual(other?.frames, [])
  await busy?.flushed()
  assert.deepEqual(
    busy?.frames.map(({ info }) => /Magic.*Theatre/.test(String(info))),
    [true],
  )
})

test('that an event is back is no move: whoever follows it was told that it was off', async (t) => {
  await workers(t)
  const concert = event('concert', 2 * 60 * minuteMs)
  await apply(admin, [concert])
  const [follower] = (await people(nodes, {})) as [Person]
  await follow(follower, 'concert')
  const [socket] = await listen(follower)
  await apply(admin, [])
  await apply(admin, [{ ...concert, location: 'Elsewhere' }])
  await allDone()
  await socket?.flushed()
  assert.deepEqual(
    socket?.frames.map(({ info }) => /taken off the schedule/.test(String(info))),
    [true],
  )
})

test('of a schedule that is turned over, the thirty events that come first are told of', async (t) => {
  await workers(t)
  // Not in the order in which they stand in the calendar.
  const uids = Array.from({ length: 32 }, (_, index) => `turned ${(index * 7) % 32}`)
  const listed = uids.map((uid) => event(uid, (60 + 10 * Number(uid.split(' ')[1])) * minuteMs))
  await apply(admin, listed)
  const [follower] = (await people(nodes, {})) as [Person]
  await follow(follower, ...uids)
  const [socket] = await listen(follower)
  // The first two are off.
  await apply(
    admin,
    listed.filter(({ uid }) => !/ [01]$/.test(uid)).map((each) => ({ ...each, location: 'elsewhere' })),
  )
  await allDone()
  await socket?.flushed()
  const last = new Set([await idOf('turned 30'), await idOf('turned 31')])
  const heard = socket?.frames.map(({ contentID }) => contentID) ?? []
  assert.equal(new Set(heard).size, 30)
  assert.deepEqual(
    heard.filter((id) => last.has(id)),
    [],
  )
})

test('nobody hears of moves while reminders of events are switched off', async (t) => {
  await workers(t)
  await onlySettings(nodes, { upcomingEventNotificationSetting: 'disabled' })
  const coming = event('quiet', 3 * 60 * minuteMs)
  await apply(admin, [coming])
  const [follower] = (await people(nodes, {})) as [Person]
  await follow(follower, 'quiet')
  const [socket] = await listen(follower)
  await apply(admin, [{ ...coming, location: 'Deck 9' }])
  await allDone()
  await socket?.flushed()
  assert.deepEqual(socket?.frames, [])
})
