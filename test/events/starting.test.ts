// Notices of groups that are about to start: two workers look for them and tell, two nodes hear.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test, type TestContext } from 'node:test'
import type { App } from '../../src/app.ts'
import type { JobHandlers } from '../../src/core/work/job-runner.ts'
import { settingsOf } from '../../src/settings/channel.ts'
import { announceStart, noteStartingFezzes } from '../../src/fez/starting.service.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { TestSocket } from '../support/client.ts'
import { empty } from '../support/db.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import {
  block,
  body,
  createChat,
  createSeamail,
  lfg,
  listen,
  moderate,
  mute,
  people,
  settingsChanged,
  type Person,
} from '../support/fez.ts'
import { jobsDone, startWorkers, sweep } from '../support/jobs.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const clock = new LeapingClock()
let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { clock })
})
after(() => nodes.stop())
beforeEach(async () => {
  await empty(nodes.sql, 'outbox', 'notice_sent')
  // Groups of other tests are not meant.
  await nodes.sql`update fez set start_time = null`
  await onlySettings(nodes)
})

/** Two workers, whose handler may be disturbed. */
const workers = (t: TestContext, handler: JobHandlers['fez-starting'] = announceStart) =>
  startWorkers(t, nodes, { 'fez-starting': handler })

/** Both look for groups at once, twice; resolves when all that came of it is done. */
async function look(): Promise<void> {
  await Promise.all([sweep(nodes, noteStartingFezzes), sweep(nodes, noteStartingFezzes)])
  await jobsDone(nodes)
}

const at = (inMs: number) => new Date(clock.now() + inMs).toISOString()

/** What the sockets were told of starting groups: the type and the chat. */
async function told(...sockets: TestSocket[]): Promise<[type: string, fezID: string][][]> {
  await Promise.all(sockets.map((socket) => socket.flushed()))
  return sockets.map(({ frames }) =>
    frames
      .map(({ type, contentID }) => [Object.keys(type)[0] as string, contentID] as [string, string])
      .filter(([type]) => type.endsWith('Starting')),
  )
}

test('every member is told once on every device: waiting, muted and blocked ones too, outsiders are not', async (t) => {
  await workers(t)
  const [owner, waiting, muted, blocking, gone, outsider] = (await people(nodes, {}, {}, {}, {}, {}, {})) as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const startTime = at(10 * minuteMs - 5000)
  const fezID = await createChat(owner.one, {
    title: 'Whist',
    location: 'Deck 4',
    startTime,
    maxCapacity: 1,
    initialUsers: [waiting, muted, blocking, gone].map(({ id }) => id),
  })
  await body(muted.one.post(`/fez/${fezID}/mute`), 201)
  await mute(muted, owner)
  await block(blocking, muted)
  await body(gone.one.post(`/fez/${fezID}/unjoin`))
  const members = (await Promise.all([owner, owner, waiting, muted, blocking].map(listen))).flat()
  const others = (await Promise.all([gone, outsider].map(listen))).flat()
  await look()
  await look()
  for (const list of await told(...members)) assert.deepEqual(list, [['joinedLFGStarting', fezID]])
  for (const list of await told(...others)) assert.deepEqual(list, [])
  assert.deepEqual(members[0]?.frames, [{ type: { joinedLFGStarting: {} }, info: 'Whist is starting soon, Deck 4.', contentID: fezID }])
})

test('a worker that is broken off after it has told everybody: another one ends the job, nobody hears it twice', async (t) => {
  let broken = 0
  await workers(t, async (tx, payload) => {
    await announceStart(tx, payload)
    if (++broken <= 2) throw new Error('the worker is gone')
  })
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const sockets = (await Promise.all([owner, bert].map(listen))).flat()
  const fezID = await createChat(owner.one, { startTime: at(5 * minuteMs), initialUsers: [bert.id] })
  const done = look()
  // What is lost is handed out again after a while.
  for (const times of [1, 2]) {
    await until(() => broken === times, `broken off ${times} times`)
    clock.leap(minuteMs / 2)
  }
  await done
  assert.equal(broken, 3)
  for (const list of await told(...sockets)) assert.deepEqual(list, [['joinedLFGStarting', fezID]])
})

test('which groups: those that meet, within the lead time and not yet', async (t) => {
  await workers(t)
  const [owner, bert, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const sockets = await listen(bert)
  const create = (more: object) => createChat(owner.one, { initialUsers: [bert.id], ...more })
  const soon = at(9 * minuteMs)
  const [lfgID, privateID] = [
    await create({ startTime: soon }),
    await create({ fezType: 'privateEvent', startTime: soon, location: 'Cabin' }),
  ]
  await create({ startTime: at(12 * minuteMs) })
  await create({ startTime: at(-minuteMs) })
  await create({})
  await createSeamail(owner.one, [bert], { startTime: soon })
  const [cancelled, deleted, moved] = [
    await create({ startTime: soon }),
    await create({ startTime: soon }),
    await create({ startTime: soon }),
  ]
  await body(owner.two.post(`/fez/${cancelled}/cancel`))
  await body(moderator.one.delete(`/fez/${deleted}`), 204)
  await body(owner.one.post(`/fez/${moved}/update`, lfg({ startTime: at(60 * minuteMs) })))
  await look()
  const expected = [
    ['joinedLFGStarting', lfgID],
    ['personalEventStarting', privateID],
  ]
  for (const list of await told(...sockets)) assert.deepEqual(list.toSorted(), expected.toSorted())
  const own = await listen(owner)
  const personal = await createChat(owner.one, { fezType: 'personalEvent', startTime: soon })
  await look()
  for (const list of await told(...own)) assert.deepEqual(list, [['personalEventStarting', personal]])
})

test('called off, deleted or moved between being found and being told: nobody hears of it', async (t) => {
  const [owner, bert, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const sockets = await listen(bert)
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push(await createChat(owner.one, { startTime: at(9 * minuteMs), initialUsers: [bert.id] }))
  const found = look()
  await until(async () => (await nodes.sql`select from outbox`).length === 4, 'all are found')
  await body(owner.one.post(`/fez/${ids[0]}/cancel`))
  await body(moderator.one.delete(`/fez/${ids[1]}`), 204)
  await body(owner.one.post(`/fez/${ids[2]}/update`, lfg({ startTime: at(60 * minuteMs) })))
  await workers(t)
  await found
  for (const list of await told(...sockets)) assert.deepEqual(list, [['joinedLFGStarting', ids[3] as string]])
})

test('notices come at the lead time, not before it', async (t) => {
  await workers(t)
  const [owner] = (await people(nodes, {})) as [Person]
  const [socket] = (await listen(owner)) as [TestSocket]
  const fezID = await createChat(owner.one, { startTime: at(10 * minuteMs + 40_000) })
  await sweep(nodes, noteStartingFezzes)
  await sweep(nodes, noteStartingFezzes)
  const [job] = await nodes.sql<{ runAt: Date }[]>`select run_at from outbox`
  const inMs = (job?.runAt.getTime() ?? 0) - clock.now()
  assert.ok(inMs > 30_000 && inMs <= 41_000, `in ${inMs} ms`)
  clock.leap(25_000)
  await sweep(nodes, noteStartingFezzes)
  assert.equal((await nodes.sql`select from outbox`).length, 1)
  assert.deepEqual(await told(socket), [[]])
  clock.leap(16_000)
  await jobsDone(nodes)
  await socket.count(1)
  assert.deepEqual(await told(socket), [[['joinedLFGStarting', fezID]]])
})

test('a group that is moved is told of again, for its new time', async (t) => {
  await workers(t)
  const [owner] = (await people(nodes, {})) as [Person]
  const [socket] = (await listen(owner)) as [TestSocket]
  const fezID = await createChat(owner.one, { startTime: at(5 * minuteMs) })
  await look()
  await body(owner.two.post(`/fez/${fezID}/update`, lfg({ startTime: at(30 * minuteMs) })))
  await look()
  assert.equal((await told(socket))[0]?.length, 1)
  clock.leap(20 * minuteMs)
  await look()
  await look()
  assert.deepEqual(await told(socket), [
    [
      ['joinedLFGStarting', fezID],
      ['joinedLFGStarting', fezID],
    ],
  ])
})

test('the text of a group under review is not shown', async (t) => {
  await workers(t)
  const [owner] = (await people(nodes, {})) as [Person]
  const [socket] = (await listen(owner)) as [TestSocket]
  const fezID = await createChat(owner.one, { title: 'Rude words', location: 'Deck 4', startTime: at(5 * minuteMs) })
  await moderate(nodes, fezID, 'quarantined')
  await look()
  await socket.count(1)
  assert.deepEqual(socket.frames, [{ type: { joinedLFGStarting: {} }, info: 'A group you joined is starting soon.', contentID: fezID }])
})

test('upcomingEventNotificationSeconds and upcomingLFGNotificationSetting decide when and whether', async (t) => {
  await workers(t)
  const [owner] = (await people(nodes, {})) as [Person]
  const [socket] = (await listen(owner)) as [TestSocket]
  const [near, far] = [
    await createChat(owner.one, { startTime: at(9 * minuteMs) }),
    await createChat(owner.one, { startTime: at(25 * minuteMs) }),
  ]
  await onlySettings(nodes, { upcomingLFGNotificationSetting: 'disabled' })
  await look()
  assert.deepEqual(await told(socket), [[]])
  await onlySettings(nodes, { upcomingEventNotificationSeconds: 0 })
  await look()
  assert.deepEqual(await told(socket), [[]])
  await onlySettings(nodes, { upcomingEventNotificationSeconds: 600 })
  await look()
  assert.deepEqual(await told(socket), [[['joinedLFGStarting', near]]])
  await onlySettings(nodes, { upcomingEventNotificationSeconds: 1800 })
  await look()
  assert.deepEqual(await told(socket), [
    [
      ['joinedLFGStarting', near],
      ['joinedLFGStarting', far],
    ],
  ])
})

test('cruiseWeek: any week stands for the week of the trip, each anew; nextJoinedLFG counts from there too', async (t) => {
  await workers(t)
  await onlySettings(nodes, { upcomingLFGNotificationSetting: 'cruiseWeek' })
  const [owner] = (await people(nodes, {})) as [Person]
  const [socket] = (await listen(owner)) as [TestSocket]
  const fezID = await createChat(owner.one)
  const reference = referenceNow()
  // Set by the stored time: the trip of this test is long over.
  await nodes.sql`update fez set start_time = ${new Date(reference + 8 * minuteMs)}, seq = seq + 1 where id = ${fezID}`
  const [row] = await nodes.sql<{ seq: number }[]>`select seq from fez where id = ${fezID}`
  await nodes.apps[0]?.node.channels.publishConfirmed('fez', fezID, { type: 'changed', seq: row?.seq })
  assert.equal((await body(owner.two.get('/notification/user'))).nextJoinedLFGID, fezID)
  await look()
  await look()
  assert.deepEqual(await told(socket), [[['joinedLFGStarting', fezID]]])
  clock.leap(7 * dayMs)
  // Where clocks change in between, the same time of day is another distance away.
  if (Math.abs(referenceNow() - reference) < 5 * minuteMs) {
    await look()
    await look()
    assert.deepEqual(await told(socket), [
      [
        ['joinedLFGStarting', fezID],
        ['joinedLFGStarting', fezID],
      ],
    ])
  }
})

/** The moment of the trip's week that now stands for, floating. */
function referenceNow(): number {
  return settingsOf((nodes.apps[0] as App).node)
    .shipTimeAt(clock.now())
    .upcomingFrom.lfgs.getTime()
}

test('starts are wall clocks: when the ship changes its zone, they move with it', async (t) => {
  await workers(t)
  const [owner] = (await people(nodes, {})) as [Person]
  const [socket] = (await listen(owner)) as [TestSocket]
  const fezID = await createChat(owner.one, { startTime: at(70 * minuteMs) })
  await look()
  assert.deepEqual(await told(socket), [[]])
  const [zone] = await nodes.sql<
    { hours: number }[]
  >`select round(extract(epoch from (${at(0)}::timestamptz at time zone 'America/New_York') - (${at(0)}::timestamptz at time zone 'UTC')) / 3600)::int as hours`
  // One hour ahead of the port: an hour of the wait is gone.
  const ahead = (zone?.hours ?? NaN) + 1
  await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values (${new Date(clock.now() - 1000)}, 'XST', ${`Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`})`
  await settingsChanged(nodes)
  try {
    await look()
    assert.deepEqual(await told(socket), [[['joinedLFGStarting', fezID]]])
  } finally {
    await nodes.sql`delete from time_zone_change where abbreviation = 'XST'`
    await settingsChanged(nodes)
  }
  // Back again: it is not told a second time when the same time comes again.
  clock.leap(60 * minuteMs)
  await look()
  assert.equal((await told(socket))[0]?.length, 1)
})
