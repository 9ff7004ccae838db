// Planned announcements: who may plan them, what is refused, and that each is published once, at its time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { settingsOf } from '../../src/settings/channel.ts'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let team: Person
let other: Person
let reader: Person
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  ;[team, other, reader] = (await people(nodes, { level: 'serviceteam' }, { level: 'admin' }, {})) as [Person, Person, Person]
})
after(() => nodes.stop())

const path = '/admin/announcements/planned'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const hourMs = 3_600_000
const plan = (text: string, showMs: number, more: object = {}, who: Person = team) =>
  who.one.post(path, { text, showAt: inMs(showMs), displayUntil: inMs(showMs + hourMs), ...more })
const planned = async (who: Person = other) => (await body(who.two.get(path))) as { plannedID: string; text: string; showAt: string }[]
const shown = async (who: Person = reader) =>
  ((await body(who.two.get('/notification/announcements'))) as { text: string }[]).map(({ text }) => text)
const jobs = async (id: string) => (await nodes.sql`select from outbox where payload ->> 'plannedID' = ${id}`).length

test('one that is still to come is seen by the team alone, the next first, and can be taken back', async () => {
  const later = await body(plan('Later', 2 * hourMs), 201)
  const sooner = await body(plan('Sooner', hourMs, { postAsUser: 'serviceteam' }), 201)
  const { node } = nodes.apps[0] as App
  assert.deepEqual(
    (await planned()).map(({ plannedID, text }) => [plannedID, text]),
    [
      [sooner.plannedID, 'Sooner'],
      [later.plannedID, 'Later'],
    ],
  )
  assert.deepEqual([sooner.plannedBy.userID, later.author.userID], [team.id, team.id])
  assert.notEqual(sooner.author.userID, team.id)
  assert.deepEqual(await shown(), [])
  const [job] = await nodes.sql<{ runAt: Date }[]>`select run_at from outbox where payload ->> 'plannedID' = ${later.plannedID}`
  assert.ok(Math.abs((job as { runAt: Date }).runAt.getTime() - Date.parse(later.showAt)) < 1000)
  assert.ok(settingsOf(node).trip, 'by the clocks aboard')
  for (const { plannedID } of [later, sooner]) await body(other.two.delete(`${path}/${plannedID}`), 204)
  assert.deepEqual(await planned(), [])
  await refused(team.one.delete(`${path}/${later.plannedID}`), 400)
})

test('one is published by ship time, also where that is not the time of the port', async () => {
  await nodes.sql`delete from time_zone_change`
  await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values ('2020-01-01', 'PST', 'America/Los_Angeles')`
  await onlySettings(nodes)
  const { trip } = settingsOf((nodes.apps[0] as App).node)
  const noon = new Date('2030-01-01T12:00:00Z')
  assert.notDeepEqual(trip.portToDisplay(noon), noon)
  const showAt = inMs(hourMs)
  const { plannedID, ...said } = await body(plan('In the west', hourMs, { showAt }), 201)
  const [job] = await nodes.sql<{ runAt: Date }[]>`select run_at from outbox where payload ->> 'plannedID' = ${plannedID}`
  assert.ok(Math.abs(Number(job?.runAt) - Date.parse(showAt)) < 1000, String(job?.runAt))
  assert.ok(Math.abs(Date.parse(said.showAt) - Date.parse(showAt)) < 1000, said.showAt)
  await body(team.one.delete(`${path}/${plannedID}`), 204)
  await nodes.sql`delete from time_zone_change`
  await onlySettings(nodes)
})

test('one that would have ended already when its time comes is dropped', async () => {
  const { plannedID } = await body(plan('Over', 1200), 201)
  await nodes.sql`update planned_announcement set display_until = show_at - interval '1 day' where id = ${plannedID}`
  await until(async () => (await jobs(plannedID)) === 0, 'its job is done')
  assert.deepEqual(await planned(), [])
  const all = (await body(team.one.get('/notification/announcements?inactives=true'))) as { text: string }[]
  assert.ok(!all.some(({ text }) => text === 'Over'))
})

test('there are two hundred at most', async () => {
  await nodes.sql`
    insert into planned_announcement (id, author_id, planned_by, text, show_at, display_until, created_at)
    select gen_random_uuid(), ${team.id}, ${team.id}, 'One of many', now() + interval '1 hour', now() + interval '2 hours', now()
    from generate_series(1, 199)`
  await body(plan('The last', hourMs), 201)
  assert.equal((await body(plan('Too many', hourMs), 400)).code, 'too_many_planned')
  await nodes.sql`delete from planned_announcement`
  await nodes.sql`truncate outbox`
})

test('everybody is told when its time has come, once, as of any other; nobody has read it before', async () => {
  await body(team.one.post('/notification/announcement/create', { text: 'Before', displayUntil: inMs(hourMs) }), 201)
  const { plannedID } = await body(plan('It begins', 1200), 201)
  const taken = await body(plan('Never', 1200), 201)
  await body(team.two.delete(`${path}/${taken.plannedID}`), 204)
  // After it was planned: what is read now has a lower number than what comes.
  await body(team.one.post('/notification/announcement/create', { text: 'Meanwhile', displayUntil: inMs(hourMs) }), 201)
  assert.deepEqual(await shown(), ['Meanwhile', 'Before'])
  const socket = await reader.one.socket('/notification/socket')
  await socket.until(({ type }) => 'announcement' in type)
  await until(async () => (await jobs(plannedID)) + (await jobs(taken.plannedID)) === 0, 'both jobs are done')
  assert.deepEqual(await planned(), [])
  const [first] = (await body(reader.one.get('/notification/user'))).activeAnnouncementIDs as number[]
  assert.equal((await body(reader.two.get('/notification/user'))).newAnnouncementCount, 1)
  assert.deepEqual(await shown(), ['It begins', 'Meanwhile', 'Before'])
  assert.ok(first !== undefined)
  assert.equal((await body(reader.two.get('/notification/user'))).newAnnouncementCount, 0)
})

test('refused: times that are past or in the wrong order, names that one cannot speak in, and whoever is not of the team', async () => {
  const fields = async (more: object) => Object.keys((await body(plan('x', hourMs, more), 400)).fieldErrors)
  assert.deepEqual(await fields({ showAt: inMs(-1000) }), ['showAt'])
  assert.deepEqual(await fields({ displayUntil: inMs(hourMs / 2) }), ['displayUntil'])
  assert.deepEqual(await fields({ text: '' }), ['text'])
  await refused(plan('x', hourMs, { postAsUser: 'tho' }), 403)
  const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
  for (const [client, status] of [
    [nodes.client(), 401],
    [reader.one, 403],
    [moderator.two, 403],
  ] as const) {
    await refused(client.get(path), status)
    await refused(client.post(path, { text: 'x', showAt: inMs(hourMs), displayUntil: inMs(2 * hourMs) }), status)
    await refused(client.delete(`${path}/7c9e6679-7425-40de-944b-e07fc1f90ae7`), status)
  }
  assert.deepEqual(await planned(), [])
})
