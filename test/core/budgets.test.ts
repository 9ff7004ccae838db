// What one account may ask of a node in a minute, and who is spared.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { people, type Person } from '../support/fez.ts'

let nodes: TestNodes
const clock = new LeapingClock()
before(async () => {
  nodes = await startTestNodes(2, { clock, env: { WRITES_PER_MINUTE: '3', SEARCHES_PER_MINUTE: '2' } })
})
after(() => nodes.stop())

const statuses = async (count: number, call: () => Promise<Answer>) => {
  const found: number[] = []
  for (let i = 0; i < count; i++) found.push((await call()).status)
  return found
}

test('writes: refused beyond the limit with the time to wait, for this account and this node alone', async () => {
  const [busy, other] = (await people(nodes, {}, {})) as [Person, Person]
  const write = (person: Person) => () => person.one.post(`/users/${other.id}/mute`)
  assert.deepEqual((await statuses(4, write(busy))).at(-1), 429)
  const refused = await busy.one.post('/user/profile', { displayName: 'x' })
  assert.equal(refused.status, 429)
  const seconds = Number(refused.headers['retry-after'])
  assert.ok(seconds > 0 && seconds <= 60, `wait ${seconds} s`)
  assert.notEqual((await other.one.post('/user/alertwords/add/kittens')).status, 429)
  assert.notEqual((await busy.two.post('/user/alertwords/add/kittens')).status, 429)
  assert.equal((await busy.one.get('/user/whoami')).status, 200)
})

test('all accounts of a person draw on one budget', async () => {
  const [busy, other] = (await people(nodes, {}, {})) as [Person, Person]
  const [second] = (await people(nodes, { subAccountOf: busy })) as [Person]
  assert.ok(!(await statuses(2, () => busy.one.post(`/users/${other.id}/mute`))).includes(429))
  assert.notEqual((await second.one.post(`/users/${other.id}/mute`)).status, 429)
  assert.equal((await second.one.post('/user/alertwords/add/kittens')).status, 429)
  assert.equal((await busy.one.post('/user/alertwords/add/kittens')).status, 429)
})

test('the minute ends when it has passed, whatever the clock is set to', async () => {
  const [busy, other] = (await people(nodes, {}, {})) as [Person, Person]
  const write = () => busy.one.post(`/users/${other.id}/mute`)
  await statuses(4, write)
  for (const setMs of [3_600_000, -7_200_000]) {
    clock.set(setMs)
    assert.equal((await write()).status, 429)
  }
  clock.leap(60_000)
  assert.notEqual((await write()).status, 429)
})

test('searches: in the path or as a parameter; lists without words are none', async () => {
  const [seeker] = (await people(nodes, {})) as [Person]
  assert.deepEqual(await statuses(2, () => seeker.one.get('/users/match/allnames/some')), [200, 200])
  assert.equal((await seeker.one.get('/fez/open?search=words')).status, 429)
  assert.equal((await seeker.one.get('/fez/open?Search=words')).status, 429)
  assert.equal((await seeker.one.get('/users/match/allnames/some')).status, 429)
  assert.deepEqual(await statuses(3, () => seeker.one.get('/fez/open')), [200, 200, 200])
})

test('moderators and programs of the operator are spared', async () => {
  const [moderator, client, other] = (await people(nodes, { level: 'moderator' }, { level: 'client' }, {})) as [Person, Person, Person]
  for (const person of [moderator, client]) assert.ok(!(await statuses(6, () => person.one.post(`/users/${other.id}/mute`))).includes(429))
})
