// Webhooks: what is told where, signed, once for each event, again until it is taken; and what nobody outside is told.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import type { NewWebhookEndpointData, WebhookDeliveryListData, WebhookEndpointListData } from '../../src/sdk/client.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, createChat, createSeamail, people, refused, type Person } from '../support/fez.ts'
import { categories, startForum } from '../support/forum.ts'
import { noJobIsLeft } from '../support/jobs.ts'
import { apply } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { startWebhook, type Webhook } from '../support/webhook.ts'

interface Message {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

const clock = new LeapingClock()
let outside: Webhook<Message>
let nodes: TestNodes
let tho: Person
let admin: Person
before(async () => {
  outside = await startWebhook()
  nodes = await startTestNodes(2, { clock, workers: 1, env: { OUTSIDE_HOSTS: '127.0.0.1, *.hooks.example' } })
  ;[tho, admin] = (await people(nodes, { level: 'tho' }, { level: 'admin' })) as [Person, Person]
})
after(async () => {
  await nodes.stop()
  outside.close()
})
beforeEach(async () => {
  await nodes.sql`delete from webhook_endpoint`
  // What is under way still arrives: no test hears what another has told.
  await until(async () => {
    await nodes.sql`delete from outbox where payload ? 'deliveryID' and run_at > ${new Date(clock.now())}`
    return await noJobIsLeft(nodes.sql)
  }, 'nothing is under way')
  outside.messages.length = 0
  outside.requests.length = 0
  outside.status = 200
})

const create = (kinds: readonly string[], more: object = {}) =>
  body<NewWebhookEndpointData>(admin.one.post('/admin/webhooks/create', { name: 'Bot', url: outside.url, kinds, ...more }), 201)
const change = (id: string, changes: object) => body(admin.two.post(`/admin/webhooks/${id}`, changes))
const told = (number: number) => until(() => outside.messages.length === number, `${number} messages`, 10_000)
const announce = (text: string) =>
  body(admin.one.post('/notification/announcement/create', { text, displayUntil: new Date(clock.now() + 60 * 60_000).toISOString() }), 201)
const log = async (id: string) => (await body<WebhookDeliveryListData>(admin.one.get(`/admin/webhooks/${id}/deliveries`))).deliveries
const list = () => body<WebhookEndpointListData>(admin.one.get('/admin/webhooks'))

test('what happens is told once, signed as a library of the standard checks it, with ids and what everybody may read', async () => {
  const { endpoint, secret } = await create(['announcement.created', 'fez.created', 'forum.created', 'report.created', 'user.created'])
  assert.match(secret, /^whsec_/)
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  await announce('Dinner is early today')
  const group = await createChat(ann.one, { title: 'Bridge at five' })
  await createSeamail(ann.one, [bob], { title: 'Between us' })
  const { forumID } = await startForum(ann.one, 'Lost hats', { text: 'Mine is red' })
  await body(bob.two.post(`/forum/${forumID}/report`, { message: 'not nice' }), 201)
  const username = `heidi${bob.username.slice(-6)}`
  const { userID } = await body(nodes.client().post('/user/create', { username, password: testPassword }), 201)
  const second = (await body(ann.one.post('/user/add', { username: `${username}2`, password: testPassword }), 201)).userID
  await told(6)
  // They are sent as soon as each is there: in what order is not said.
  const sorted = (messages: readonly object[]) => messages.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const sent = sorted(outside.messages.map(({ type, data }) => ({ type, data })))
  const [{ id: announcementID }] = await body(admin.one.get('/notification/announcements'))
  const expected = [
    { type: 'announcement.created', data: { announcementID, text: 'Dinner is early today' } },
    { type: 'fez.created', data: { fezID: group, fezType: 'gaming' } },
    { type: 'forum.created', data: { forumID, categoryID: categories.general } },
    { type: 'report.created', data: { reportType: 'forum', reportedID: forumID } },
    { type: 'user.created', data: { userID } },
    { type: 'user.created', data: { userID: second } },
  ]
  assert.deepEqual(sent, sorted(expected))
  const all = JSON.stringify(outside.messages)
  for (const word of ['Bridge', 'Between us', 'hats', 'red', 'not nice']) assert.ok(!all.includes(word), word)
  for (const { headers, text } of outside.requests) new Verifier(secret).verify(text, headers as Record<string, string>)
  assert.throws(() => new Verifier(secret).verify(`${outside.requests[0]?.text} `, outside.requests[0]?.headers as Record<string, string>))
  assert.equal(new Set(outside.requests.map(({ headers }) => headers['webhook-id'])).size, 6)
  const deliveries = await log(endpoint.endpointID)
  assert.deepEqual(
    new Set(deliveries.map(({ deliveryID }) => deliveryID)),
    new Set(outside.requests.map(({ headers }) => headers['webhook-id'])),
  )
  for (const { state, status, attempts } of deliveries) assert.deepEqual([state, status, attempts], ['sent', 200, 1])
})

test('an update of the schedule is told when it changes something', async () => {
  await create(['schedule.updated'])
  const events = [{ uid: 'waltz', title: 'Waltz', location: 'Lido', start: '2025-03-03T19:00:00Z', end: '2025-03-03T20:00:00Z' }]
  await apply(admin, events, { deletes: false })
  await apply(admin, events, { deletes: false })
  await apply(admin, [{ ...events[0]!, location: 'Atrium' }], { deletes: false })
  await told(2)
  assert.deepEqual(
    outside.messages.map(({ type, data }) => [type, data]),
    [1, 1].map((changes) => ['schedule.updated', { changes }]),
  )
})

test('an announcement that was planned is told of when its time has come', async () => {
  await create(['announcement.created'])
  const [showAt, displayUntil] = [1000, 60 * 60_000].map((ms) => new Date(clock.now() + ms).toISOString())
  await body(admin.one.post('/admin/announcements/planned', { text: 'Now it begins', showAt, displayUntil }), 201)
  await told(1)
  const [{ id: announcementID }] = await body(admin.one.get('/notification/announcements'))
  assert.deepEqual(outside.messages[0]?.data, { announcementID, text: 'Now it begins' })
})

test('only the kinds that were chosen are told, to each that has chosen them; nothing while paused, and what waited when it goes on', async () => {
  const one = await create(['announcement.created'])
  const two = await create(['announcement.created', 'announcement.created'], { name: 'Another' })
  const other = await create(['fez.created'], { name: 'Groups' })
  assert.deepEqual(two.endpoint.kinds, ['announcement.created'])
  await announce('To both')
  await told(2)
  await change(one.endpoint.endpointID, { kinds: ['fez.created'], name: 'Bot 2' })
  await announce('To the other')
  await told(3)
  outside.status = 500
  await announce('Later')
  await told(4)
  await until(async () => (await log(two.endpoint.endpointID))[0]?.attempts === 1, 'the attempt is noted')
  await change(two.endpoint.endpointID, { isPaused: true })
  await announce('To nobody')
  outside.status = 200
  clock.leap(60 * 60_000)
  await until(() => noJobIsLeft(nodes.sql), 'the attempt that was due is over')
  assert.equal(outside.messages.length, 4)
  await change(two.endpoint.endpointID, { isPaused: false })
  await told(5)
  await until(async () => (await list()).endpoints.every(({ waiting }) => waiting === 0), 'nothing waits')
  assert.deepEqual(
    outside.messages.map(({ data }) => data['text']),
    ['To both', 'To both', 'To the other', 'Later', 'Later'],
  )
  const { endpoints } = await list()
  assert.deepEqual(
    endpoints.map(({ name, host, kinds, isPaused, waiting, failed }) => ({ name, host, kinds, isPaused, waiting, failed })),
    [
      { name: 'Another', host: outside.host, kinds: ['announcement.created'], isPaused: false, waiting: 0, failed: 0 },
      { name: 'Bot 2', host: outside.host, kinds: ['fez.created'], isPaused: false, waiting: 0, failed: 0 },
      { name: 'Groups', host: outside.host, kinds: ['fez.created'], isPaused: false, waiting: 0, failed: 0 },
    ],
  )
  assert.ok(endpoints[0]?.lastSentAt)
  assert.equal((await log(other.endpoint.endpointID)).length, 0)
})

test('what is not taken is sent again with the same id, ever later, and given up after a day; the address is left alone in between', async () => {
  const { endpoint } = await create(['announcement.created'])
  // A redirect is no taking either: nobody has allowed where it leads.
  outside.status = 302
  await announce('First')
  await told(1)
  const attempts = async () => (await log(endpoint.endpointID)).map(({ attempts: number }) => number)
  await until(async () => (await attempts())[0] === 1, 'the attempt is noted')
  await announce('Second')
  await until(
    async () =>
      (
        await nodes.sql`
      select from outbox join webhook_delivery on webhook_delivery.id::text = payload->>'deliveryID'
      where run_at > ${new Date(clock.now())}`
      ).length === 2,
    'both wait',
  )
  assert.deepEqual(await attempts(), [0, 1])
  assert.equal(outside.messages.length, 1)
  outside.status = 204
  // Looked at, it is tried at once, and no more often for that.
  await change(endpoint.endpointID, {})
  await told(3)
  clock.leap(60_000)
  assert.equal(outside.requests.filter(({ headers }) => headers['webhook-id'] === outside.requests[0]?.headers['webhook-id']).length, 2)
  await until(async () => (await log(endpoint.endpointID)).every(({ state }) => state === 'sent'), 'both are noted as sent')
  outside.status = 500
  await announce('Third')
  await told(4)
  for (let tried = 1; tried < 32; tried++) {
    await until(async () => (await attempts())[0] === tried, `attempt ${tried} is noted`)
    clock.leap(60 * 60_000)
  }
  await until(async () => (await log(endpoint.endpointID))[0]?.state === 'failed', 'it is given up')
  const [given] = await log(endpoint.endpointID)
  assert.deepEqual([given?.attempts, given?.status], [32, 500])
  assert.equal((await list()).endpoints[0]?.failed, 1)
  outside.status = 200
  const before = outside.messages.length
  await change(endpoint.endpointID, {})
  await body(admin.one.post(`/admin/webhooks/${endpoint.endpointID}/deliveries/${given?.deliveryID}/again`), 202)
  await told(before + 1)
  assert.equal(outside.messages.at(-1)?.data['text'], 'Third')
})

test('a delivery is sent again by its own webhook alone, and not while it waits; the log is kept for two weeks', async () => {
  const [one, other] = [await create(['announcement.created']), await create(['fez.created'], { name: 'Groups' })]
  const again = (endpointID: string, deliveryID: string) => admin.two.post(`/admin/webhooks/${endpointID}/deliveries/${deliveryID}/again`)
  const newest = async () => (await log(one.endpoint.endpointID))[0]
  await announce('Old')
  await told(1)
  await until(async () => (await newest())?.state === 'sent', 'it is noted')
  const sent = (await newest())?.deliveryID as string
  await refused(again(other.endpoint.endpointID, sent), 400)
  outside.status = 500
  await announce('Waits')
  await told(2)
  await until(async () => (await newest())?.attempts === 1, 'the attempt is noted')
  await refused(again(one.endpoint.endpointID, (await newest())?.deliveryID as string), 400)
  assert.deepEqual(
    (await log(one.endpoint.endpointID)).map(({ state }) => state),
    ['waiting', 'sent'],
  )
  outside.status = 200
  clock.leap(15 * 24 * 60 * 60_000)
  await announce('New')
  await until(async () => (await log(one.endpoint.endpointID)).length === 1, 'what is older is forgotten')
})

test('a test is sent and in the log; a removed webhook is told nothing more, and its log is gone', async () => {
  const { endpoint } = await create([])
  await body(admin.one.post(`/admin/webhooks/${endpoint.endpointID}/test`), 202)
  await told(1)
  assert.deepEqual([outside.messages[0]?.type, outside.messages[0]?.data], ['test', {}])
  await until(async () => (await log(endpoint.endpointID))[0]?.state === 'sent', 'it is in the log')
  await change(endpoint.endpointID, { kinds: ['announcement.created'] })
  outside.status = 500
  await announce('Gone')
  await told(2)
  await body(admin.one.delete(`/admin/webhooks/${endpoint.endpointID}`), 204)
  clock.leap(60 * 60_000)
  await until(() => noJobIsLeft(nodes.sql), 'no job waits', 10_000)
  assert.equal(outside.messages.length, 2)
  await refused(admin.one.get(`/admin/webhooks/${endpoint.endpointID}/deliveries`), 400)
  await refused(admin.one.delete(`/admin/webhooks/${endpoint.endpointID}`), 400)
  await refused(admin.one.post(`/admin/webhooks/${endpoint.endpointID}`, { name: 'Gone' }), 400)
  await refused(admin.one.post(`/admin/webhooks/${endpoint.endpointID}/test`), 400)
})

test('what waits is not sent to a host that the operator has taken back meanwhile', async () => {
  const { endpoint } = await create(['announcement.created'])
  const allowed = nodes.config.outsideHosts
  Object.assign(nodes.config, { outsideHosts: [] })
  try {
    await announce('Too late')
    await until(async () => (await log(endpoint.endpointID))[0]?.attempts === 1, 'the attempt is noted')
    assert.match((await log(endpoint.endpointID))[0]?.reason ?? '', /does not allow/)
    assert.deepEqual(outside.messages, [])
  } finally {
    Object.assign(nodes.config, { outsideHosts: allowed })
  }
})

test('only hosts that the operator allows; only admins; no secret is shown twice; bounds', async () => {
  const at = (url: string) => admin.one.post('/admin/webhooks/create', { name: 'Bot', url, kinds: [] })
  for (const url of [
    'http://10.0.0.1/',
    'http://localhost/',
    'https://hooks.example/',
    'https://evilhooks.example/',
    'https://127.0.0.1.evil.example/',
  ])
    assert.match(await refused(at(url), 400), /OUTSIDE_HOSTS/, url)
  for (const url of ['ftp://a.hooks.example/', 'nowhere', '']) assert.match(await refused(at(url), 400), /url/)
  const { secret } = await body(at('https://a.hooks.example/T0/secret-part'), 201)
  const answer = JSON.stringify([await list(), await body(admin.one.get('/admin/audit?limit=5'))])
  for (const word of ['secret-part', secret, secret.slice(6)]) assert.ok(!answer.includes(word), word)
  assert.deepEqual((await list()).allowedHosts, ['127.0.0.1', '*.hooks.example'])
  await refused(tho.one.get('/admin/webhooks'), 403)
  await refused(tho.one.post('/admin/webhooks/create', { name: 'Bot', url: outside.url, kinds: [] }), 403)
  assert.match(
    await refused(admin.one.post('/admin/webhooks/create', { name: 'Bot', url: outside.url, kinds: ['everything'] }), 400),
    /kinds/,
  )
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => admin.one.post('/admin/webhooks/create', { name: 'Bot', url: outside.url, kinds: [] })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 19)
  assert.ok(answers.every(({ status, body: said }) => status === 201 || said.code === 'too_many_endpoints'))
})
