// What is wrong with the machine: noticed, kept, told to the team, and over when it is over.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { lookForIncidents, startProcess, startWatch } from '../../src/incidents/service.ts'
import type { IncidentData, IncidentListData } from '../../src/sdk/client.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { browserSocket } from '../support/browser-session.ts'
import { FakeClock, LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'

const clock = new LeapingClock()
let nodes: TestNodes
let moderator: Person
let somebody: Person
let admin: Person
before(async () => {
  nodes = await startTestNodes(2, { clock })
  ;[moderator, somebody, admin] = (await people(nodes, { level: 'moderator' }, {}, { level: 'admin' })) as [Person, Person, Person]
})
after(() => nodes.stop())
beforeEach(async () => {
  await nodes.sql`delete from incident`
  await nodes.sql`delete from process`
})

const secondMs = 1000
/** Each look is one of its own: one server takes it. */
async function look(isSettled = true): Promise<void> {
  clock.leap(16 * secondMs)
  for (const { node } of nodes.apps) await lookForIncidents(node, isSettled)
}
const incidents = async (): Promise<IncidentListData> => await body(moderator.two.get('/admin/incidents'))
const codes = (list: readonly IncidentData[]) => list.map(({ code }) => code)
const node = (index = 0) => (nodes.apps[index] as TestNodes['apps'][number]).node

test('without any worker the team is told once, when it has had time to start; a worker ends it', async () => {
  const hears = await browserSocket(nodes, moderator)
  const hearsNot = await browserSocket(nodes, somebody)
  await look(false)
  assert.deepEqual((await incidents()).open, [])
  await look()
  const { open } = await incidents()
  assert.deepEqual(codes(open), ['worker-none'])
  const [{ kind, state, sentence, mend, endedAt }] = open as [IncidentData]
  assert.deepEqual([kind, state, sentence, endedAt], ['workers', 'bad', 'No worker runs.', undefined])
  assert.match(mend ?? '', /^Start one/)
  await look()
  assert.equal((await incidents()).open.length, 1)

  const end = await startProcess(node(1), 'worker', 'worker1')
  await look()
  const { open: none, ended } = await incidents()
  assert.deepEqual([none, codes(ended)], [[], ['worker-none']])
  const [{ beganAt, endedAt: over = '' }] = ended as [IncidentData]
  assert.ok(Date.parse(over) - Date.parse(beganAt) >= 30 * secondMs)
  await end()
  await hears.until(({ type }) => 'incidentsChanged' in type)
  assert.deepEqual(
    hears.frames.map(({ type, info }) => [Object.keys(type)[0], info]),
    [
      ['incident', 'No worker runs.'],
      ['incidentsChanged', ''],
    ],
  )
  await hearsNot.flushed()
  assert.deepEqual(hearsNot.frames, [])
  for (const client of somebody.clients) await refused(client.get('/admin/incidents'), 403)
})

test('a server that is there is no worker', async () => {
  const end = await startProcess(node(), 'server', 'server1')
  await look()
  assert.deepEqual(codes((await incidents()).open), ['worker-none'])
  await end()
})

test('a process that falls silent is missed until another takes its place; one that stops in order is not', async () => {
  const ends = [await startProcess(node(0), 'server', 'one'), await startProcess(node(1), 'worker', 'two')]
  await look()
  assert.deepEqual(await incidents(), { open: [], ended: [] })
  const seen = clock.now()
  clock.leap(60 * secondMs)
  // Those of this process say at once that they are there.
  await nodes.sql`update process set seen_at = ${new Date(clock.now())} where name = 'two'`
  await look()
  const { open } = await incidents()
  assert.deepEqual(codes(open), ['server-silent'])
  assert.match(open[0]?.sentence ?? '', /^The server one on .* ended unexpectedly\.$/)
  assert.ok(Math.abs(Date.parse(open[0]?.beganAt ?? '') - seen) < 30 * secondMs)
  ends.push(await startProcess(node(0), 'server', 'one'))
  await look()
  const { open: none, ended } = await incidents()
  assert.deepEqual([none, codes(ended)], [[], ['server-silent']])
  for (const end of ends) await end()
  clock.leap(60 * secondMs)
  await look(false)
  assert.deepEqual((await incidents()).open, [])
})

test('one that never comes back is missed for a day', async () => {
  await startProcess(node(0), 'server', 'gone')
  clock.leap(23 * 60 * 60 * secondMs)
  await look(false)
  assert.deepEqual(codes((await incidents()).open), ['server-silent'])
  clock.leap(2 * 60 * 60 * secondMs)
  await look(false)
  const { open, ended } = await incidents()
  assert.deepEqual([open, codes(ended)], [[], ['server-silent']])
})

test('a process that was begun anew before anybody looked is noted all the same, from when until when', async () => {
  const end = [await startProcess(node(0), 'worker', 'worker')]
  const from = clock.now()
  clock.leap(3 * secondMs)
  end.push(await startProcess(node(0), 'worker', 'worker'))
  const to = clock.now()
  await look()
  await look()
  const { open, ended } = await incidents()
  assert.deepEqual([open, codes(ended)], [[], ['worker-silent']])
  const near = (date: string | undefined, ms: number) => assert.ok(Math.abs(Date.parse(date ?? '') - ms) < secondMs, `${date} ${ms}`)
  near(ended[0]?.beganAt, from)
  near(ended[0]?.endedAt, to)
  for (const each of end) await each()
})

test('jobs that failed for good, slow answers for minutes, a schedule that cannot be fetched', async () => {
  const { sql } = nodes
  const now = clock.now()
  const minute = (back: number, p99: number) => sql`
    insert into figure (minute, online, requests, errors, posts, p50, p99, lag, waiting, memory_mb)
    values (date_trunc('minute', ${new Date(now - back * 60 * secondMs)}::timestamptz), 1, 100, 0, 0, 10, ${p99}, 1, 0, 100)`
  await sql`delete from figure`
  await minute(1, 4000)
  await minute(2, 4000)
  await look(false)
  assert.deepEqual((await incidents()).open, [])
  // Two slow minutes and one that is not are no three.
  await minute(3, 1900)
  // Of an address that is no longer there.
  await sql`insert into schedule_log (automatic, change_count, error, created_at) values (true, 0, 'no network', now())`
  await look(false)
  assert.deepEqual((await incidents()).open, [])
  await sql`delete from figure where p99 = 1900`
  await minute(3, 2500)
  const fetchFrom = (scheduleUpdateURL: string) =>
    body(admin.one.post('/admin/serversettings/update', { scheduleUpdateURL, enableFeatures: [], disableFeatures: [] }))
  await fetchFrom('https://schedule.example/all.ics')
  await sql`insert into outbox (job, payload, run_at, failures) values ('hits-notify', '{}', now(), 20)`
  await look(false)
  const { open } = await incidents()
  assert.deepEqual(codes(open).toSorted(), ['jobs-failed', 'schedule-fetch', 'slow'])
  const slow = open.find(({ code }) => code === 'slow') as IncidentData
  assert.deepEqual([slow.state, JSON.parse(slow.values ?? '')], ['warning', { seconds: 2.5, minutes: 3 }])
  // What is known of one changes while it lasts.
  await sql`insert into outbox (job, payload, run_at, failures) values ('hits-notify', '{}', now(), 20)`
  await look(false)
  const [jobs] = (await incidents()).open as [IncidentData]
  assert.deepEqual(
    [jobs.code, jobs.incidentID, JSON.parse(jobs.values ?? '')],
    ['jobs-failed', open.find(({ code }) => code === 'jobs-failed')?.incidentID, { number: 2 }],
  )
  await sql`delete from outbox where failures = 20`
  await sql`delete from figure`
  await sql`insert into schedule_log (automatic, change_count, created_at) values (true, 0, now())`
  await look(false)
  const after = await incidents()
  assert.deepEqual([after.open, codes(after.ended).toSorted()], [[], ['jobs-failed', 'schedule-fetch', 'slow']])
})

test('a server looks by itself, again and again, also after a look that has failed', async () => {
  const watchClock = new FakeClock(clock.now() + 60 * secondMs)
  const stop = startWatch(Object.create(node(), { clock: { value: watchClock } }) as ReturnType<typeof node>)
  const seen = (wanted: readonly string[], what: string) =>
    until(async () => {
      watchClock.advance(15 * secondMs)
      // Processes go by this clock, too.
      await nodes.sql`update process set seen_at = ${new Date(watchClock.now())}`
      return codes((await incidents()).open).join() === wanted.join()
    }, what)
  await seen(['worker-none'], 'nobody works')
  await nodes.sql`alter table process rename to process_elsewhere`
  watchClock.advance(15 * secondMs)
  await nodes.sql`alter table process_elsewhere rename to process`
  const end = await startProcess(node(1), 'worker', 'worker3')
  await seen([], 'somebody works')
  stop()
  await end()
})
