// The address under which calendar programs read what somebody has planned.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { disable, onlySettings } from '../support/settings.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' }

/** Asks as a calendar program does: without a word about who it is. */
const read = (path: string, node = 1) => nodes.client(undefined, node).request<string>('GET', `/${path}`)

const titles = (text: unknown) => [...String(text).matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title)

async function subscriber(): Promise<{ me: Person; path: string }> {
  const [me] = (await people(nodes, {})) as [Person]
  await createChat(me.one, { title: `Of ${me.username}`, ...times })
  return { me, path: (await body(me.one.post('/user/calendar'), 201)).path }
}

test('the plan of its owner, without a password; nobody else is in it', async () => {
  const { me, path } = await subscriber()
  await subscriber()
  const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
  await apply(admin, [{ uid: 'followed', title: 'Followed', start: times.startTime, end: times.endTime }])
  const before = await read(path)
  assert.deepEqual(titles(before.body), [`Of ${me.username}`])
  const { eventID } = await body(me.one.get('/events/followed'))
  await body(me.one.post(`/events/${eventID}/favorite`), 201)
  const { status, headers, body: text } = await read(path)
  assert.deepEqual([status, headers['content-type']], [200, 'text/calendar; charset=utf-8'])
  assert.deepEqual(titles(text).toSorted(), ['Followed', `Of ${me.username}`].toSorted())
  assert.match((await body(me.one.get('/user/calendar'))).createdAt, /^\d{4}-/)
})

test('a new address ends the one before, and it can be ended; a guess leads nowhere', async () => {
  const { me, path } = await subscriber()
  const { path: next } = await body(me.one.post('/user/calendar'), 201)
  assert.equal((await read(path)).status, 400)
  assert.equal((await read(next)).status, 200)
  await body(me.two.delete('/user/calendar'), 204)
  assert.equal((await read(next)).status, 400)
  assert.deepEqual(await body(me.one.get('/user/calendar')), {})
  for (const guess of ['x', 'a'.repeat(32), `${next.split('/')[2]}x`, '%00', '..%2f..'])
    assert.equal((await read(`/calendar/${guess}/planner.ics`)).status, 400, guess)
})

test('not for whoever is banned, while the schedule is off, or while the server is closed to its owner', async () => {
  const { me, path } = await subscriber()
  await disable(nodes, 'schedule')
  assert.equal((await read(path)).status, 451)
  await onlySettings(nodes, { minAccessUserLevel: 'moderator' })
  assert.equal((await read(path)).status, 403)
  await onlySettings(nodes)
  assert.equal((await read(path)).status, 200)
  const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
  await body(tho.one.post(`/mod/user/${me.id}/setaccesslevel/banned`))
  assert.equal((await read(path)).status, 400)
})

test('read sixty times in ten minutes, however many servers are asked; nobody else is held up', async () => {
  const [one, other] = [await subscriber(), await subscriber()]
  for (let round = 0; round < 60; round++) assert.equal((await read(one.path, round % 2)).status, 200)
  const refused = await read(one.path)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await read(other.path)).status, 200)
  // Another account of the same person is no second chance.
  const [sub] = (await people(nodes, { subAccountOf: one.me })) as [Person]
  assert.equal((await read((await body(sub.one.post('/user/calendar'), 201)).path)).status, 429)
})

test('the secret is nowhere but in the answer that made it', async () => {
  const { me, path } = await subscriber()
  const secret = path.split('/')[2] as string
  const rows = await nodes.sql<{ row: string }[]>`select to_jsonb(c)::text as row from calendar_subscription c where account_id = ${me.id}`
  assert.ok(rows.length === 1 && !rows[0]?.row.includes(secret))
  assert.ok(!JSON.stringify(await body(me.one.get('/user/calendar'))).includes(secret))
})
