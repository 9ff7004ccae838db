// Notices for closed apps: sent to a push service, encrypted for the device, as a socket of the user would have got them.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { notificationFrame } from '../../src/notices/frames.ts'
import { userKind } from '../../src/users/channel.ts'
import { teamBrowsersTopic } from '../../src/users/sockets.ts'
import type { PushOfferData } from '../../src/sdk/client.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { cookieOf } from '../support/browser-session.ts'
import { body, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { PushDevice, pushEnv, startPushService, type PushService } from '../support/push-service.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

let service: PushService
let env: Record<string, string>
let nodes: TestNodes
let admin: Person
before(async () => {
  service = await startPushService()
  env = pushEnv(service)
  nodes = await startTestNodes(2, { workers: 1, env })
  ;[admin] = (await people(nodes, { level: 'admin' })) as [Person]
})
after(async () => {
  await nodes.stop()
  service.close()
})
beforeEach(() => {
  service.pushed.length = 0
  service.statuses.clear()
})

const messages = ['seamailUnreadMsg']
const subscribe = async (person: Person, types: readonly string[], more: object = {}): Promise<PushDevice> => {
  const device = new PushDevice(service)
  await body(person.two.post('/notification/push', device.subscription(types, more)), 204)
  // It is held by one server, which hears of it a moment later.
  const [row] = await nodes.sql<[{ number: number }]>`select count(*)::int as number from push_device where account_id = ${person.id}`
  await until(() => devicesOf(person) === row.number, 'a server tells the device')
  return device
}
const devicesOf = ({ id }: Person): number =>
  nodes.apps.reduce((sum, { node }) => sum + (node.channels.of(userKind).peek(id)?.sockets.devices.length ?? 0), 0)
const held = (person: Person) => devicesOf(person) > 0
const heldBySomebody = (person: Person) => until(() => held(person), 'a server tells the device')
const got = (device: PushDevice, number: number) => until(() => device.notices.length === number, `${number} notices`)

describe('a closed app', () => {
  test('hears of a message, of what kind it is and of which chat, and no more; not of its own, and once in a while', async () => {
    const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
    const chat = await createSeamail(bert.one, [anna])
    const own = await subscribe(bert, messages)
    const device = await subscribe(anna, messages)
    await say(bert.one, chat, 'meet me at nine')
    await got(device, 1)
    assert.deepEqual(device.notices, [{ type: 'seamailUnreadMsg', contentID: chat }])
    const [{ headers }] = service.pushed as unknown as [{ headers: Record<string, string> }]
    assert.match(headers['authorization'] ?? '', /^vapid t=/)
    assert.deepEqual([headers['content-encoding'], headers['urgency']], ['aes128gcm', 'high'])
    await say(bert.two, chat, 'or at ten')
    await say(anna.one, chat, 'at ten')
    await got(own, 1)
    assert.equal(device.notices.length, 1)
  })

  test('hears of nothing in a muted chat, in quiet hours, or of another kind; of announcements and mentions', async () => {
    const [anna, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const chat = await createSeamail(bert.one, [anna, carl])
    await body(anna.one.post(`/fez/${chat}/mute`), 201)
    const muted = await subscribe(anna, messages)
    const all = await subscribe(anna, ['announcement', 'twarrtMention'])
    const quiet = await subscribe(carl, messages, { quietFrom: '00:00', quietTo: '23:59', timeZone: 'Europe/Berlin' })
    const awake = await subscribe(carl, messages, { quietFrom: '23:59', quietTo: '00:00' })
    await say(bert.one, chat, 'hello')
    await got(awake, 1)
    const twarrt = await write(bert.one, `look here @${anna.username}`)
    await got(all, 1)
    const displayUntil = new Date(Date.now() + 60_000).toISOString()
    await body(admin.one.post('/notification/announcement/create', { text: 'The pool is open.', displayUntil }), 201)
    await got(all, 2)
    assert.deepEqual(all.notices[0], { type: 'twarrtMention', contentID: String(twarrt) })
    assert.equal(all.notices[1]?.type, 'announcement')
    assert.deepEqual([muted.notices, quiet.notices], [[], []])
  })

  test('is quiet by the clock of its own zone, also over midnight', async () => {
    const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
    const chat = await createSeamail(bert.one, [anna])
    /** Where it is that hour now. The names of these zones count the other way round. */
    const zoneAt = (hour: number) => {
      const ahead = ((hour - new Date().getUTCHours() + 35) % 24) - 11
      return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
    }
    // Whatever the hour is in Greenwich: it is in one of these two at most.
    const night = await subscribe(anna, messages, { quietFrom: '22:00', quietTo: '02:00', timeZone: zoneAt(23) })
    const noon = await subscribe(anna, messages, { quietFrom: '11:00', quietTo: '14:00', timeZone: zoneAt(12) })
    const awake = await subscribe(anna, messages, { quietFrom: '02:00', quietTo: '22:00', timeZone: zoneAt(23) })
    await say(bert.one, chat, 'hello')
    await got(awake, 1)
    assert.deepEqual([night.notices, noon.notices], [[], []])
  })

  test('reads what was written only where the host lets texts go that way', async () => {
    const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
    assert.equal((await body<PushOfferData>(anna.one.get('/notification/push'))).hasTexts, false)
    await onlySettings(nodes, { pushTexts: true })
    try {
      assert.deepEqual(await body<PushOfferData>(anna.two.get('/notification/push')), { publicKey: env['PUSH_PUBLIC_KEY'], hasTexts: true })
      const device = await subscribe(anna, messages)
      await say(bert.one, await createSeamail(bert.one, [anna]), 'meet me at nine')
      await got(device, 1)
      assert.equal(device.notices[0]?.info, `@${bert.username} wrote: meet me at nine`)
      assert.ok(!service.pushed.some(({ body: sent }) => sent.includes('nine')))
    } finally {
      await onlySettings(nodes)
    }
  })

  test('is forgotten when its push service does not know it, when it says so, and when its session ends', async () => {
    const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
    const rows = async () => (await nodes.sql`select from push_device where account_id = ${anna.id}`).length
    const chat = await createSeamail(bert.one, [anna])
    for (const status of [404, 410]) {
      const gone = await subscribe(anna, messages)
      service.statuses.set(gone.path, status)
      await say(bert.one, chat, `is answered with ${status}`)
      await until(async () => (await rows()) === 0, 'it is forgotten')
      await until(() => !held(anna), 'no server tells it')
    }

    const leaving = await subscribe(anna, messages)
    const { endpoint } = leaving.subscription([]) as { endpoint: string }
    await body(bert.one.delete(`/notification/push?endpoint=${encodeURIComponent(endpoint)}`), 204)
    assert.equal(await rows(), 1, 'it is not somebody else who says so')
    await body(anna.one.delete(`/notification/push?endpoint=${encodeURIComponent(endpoint)}`), 204)
    await until(() => !held(anna), 'no server tells it')

    const login = await anna.one.post('/auth/login', undefined, {
      basic: [anna.username, testPassword],
      headers: { 'x-session': 'cookie', origin: nodes.urls[0] as string },
    })
    const headers = { cookie: String(login.headers['set-cookie']).split(';')[0] as string, origin: nodes.urls[0] as string }
    const device = new PushDevice(service)
    await body(nodes.client(undefined, 0).post('/notification/push', device.subscription(messages), { headers }), 204)
    await heldBySomebody(anna)
    await body(nodes.client(undefined, 0).post('/auth/logout', undefined, { headers }), 204)
    await until(async () => (await rows()) === 0, 'it goes with its session')
    await say(bert.two, chat, 'two')
    assert.deepEqual(device.notices, [])
  })

  test('belongs to whoever signed in there last, and an account has five at most', async () => {
    const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
    const shared = new PushDevice(service)
    await body(anna.one.post('/notification/push', shared.subscription(messages)), 204)
    await body(bert.one.post('/notification/push', shared.subscription(messages)), 204)
    await until(() => !held(anna) && held(bert), 'it has changed hands')
    const devices: PushDevice[] = []
    for (let count = 0; count < 6; count++) devices.push(await subscribe(anna, messages))
    const rows = await nodes.sql<{ endpoint: string }[]>`select endpoint from push_device where account_id = ${anna.id}`
    // The one that came first is left out.
    assert.deepEqual(
      rows.map(({ endpoint }) => new URL(endpoint).pathname).toSorted(),
      devices
        .slice(1)
        .map(({ path }) => path)
        .toSorted(),
    )
  })
})

test('what is tried again when the push service has trouble, or too much to do, is sent once', async () => {
  const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const devices: PushDevice[] = []
  for (const status of [503, 429]) {
    const device = await subscribe(anna, messages)
    service.statuses.set(device.path, status)
    devices.push(device)
  }
  await say(bert.one, await createSeamail(bert.one, [anna]), 'hello')
  await Promise.all(devices.map((device) => got(device, 1)))
  service.statuses.clear()
  await Promise.all(devices.map((device) => got(device, 2)))
  await until(async () => (await nodes.sql`select from outbox where job = 'push'`).length === 0, 'it is done')
  for (const device of devices) assert.equal(device.notices.length, 2)
})

test('trouble with the machine is for the team alone', async () => {
  const [moderator, anna] = (await people(nodes, { level: 'moderator' }, {})) as [Person, Person]
  const told = await subscribe(moderator, ['incident', 'announcement'])
  const other = await subscribe(anna, ['incident', 'announcement'])
  for (const { node } of nodes.apps) node.sockets.publish(teamBrowsersTopic, notificationFrame('incident', 'No worker runs.', ''))
  const displayUntil = new Date(Date.now() + 60_000).toISOString()
  await body(admin.two.post('/notification/announcement/create', { text: 'All is well.', displayUntil }), 201)
  await Promise.all([got(told, 2), got(other, 1)])
  assert.deepEqual(
    other.notices.map(({ type }) => type),
    ['announcement'],
  )
})

test('what could not be sent for hours is not sent any more', async () => {
  const [anna] = (await people(nodes, {})) as [Person]
  const device = await subscribe(anna, messages)
  const [row] = await nodes.sql<[{ id: string }]>`select id from push_device where account_id = ${anna.id}`
  const job = (contentID: string, until: number) =>
    nodes.sql.json({ deviceID: row.id, notice: { type: 'seamailUnreadMsg', contentID }, until: new Date(until).toISOString() })
  await nodes.sql`
    insert into outbox (job, payload) values ('push', ${job('late', Date.now() - 1000)}), ('push', ${job('in time', Date.now() + 60_000)})`
  await until(async () => (await nodes.sql`select from outbox where job = 'push'`).length === 0, 'both are done')
  assert.deepEqual(
    device.notices.map(({ contentID }) => contentID),
    ['in time'],
  )
})

test('the server sends requests to push services alone', async () => {
  const [anna] = (await people(nodes, {})) as [Person]
  const good = new PushDevice(service).subscription(messages) as { endpoint: string }
  for (const endpoint of [
    'http://169.254.169.254/latest',
    'https://example.com/push',
    'https://fcm.googleapis.com.example.com/x',
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:22/x',
    'https://anna:secret@fcm.googleapis.com/x',
    'https://notify.windows.com/x',
    'nowhere',
  ])
    await refused(anna.one.post('/notification/push', { ...good, endpoint }), 400)
  for (const wrong of [
    { p256dh: 'a'.repeat(87) },
    { p256dh: `BA${'a'.repeat(85)}` },
    { auth: 'a'.repeat(30) },
    { types: ['everything'] },
    { quietFrom: '22:00' },
    { quietFrom: '22:00', quietTo: '25:00' },
    { timeZone: 'Moon/Crater' },
  ])
    await refused(anna.two.post('/notification/push', { ...good, ...wrong }), 400)
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://wns2-by3p.notify.windows.com/w/?token=x',
    'https://web.push.apple.com/x',
  ])
    await body(anna.one.post('/notification/push', { ...good, endpoint }), 204)
  await nodes.sql`delete from push_device where account_id = ${anna.id}`

  // Nor where one of these sends it on to.
  const [bert, carl] = (await people(nodes, {}, {})) as [Person, Person]
  const device = await subscribe(bert, messages)
  service.statuses.set(device.path, 307)
  await say(carl.one, await createSeamail(carl.one, [bert]), 'hello')
  await until(
    async () => (await nodes.sql`select from outbox where job = 'push'`).length === 0 && device.notices.length === 1,
    'it is sent',
  )
  assert.ok(!service.pushed.some(({ path }) => path === '/device/elsewhere'))
})

test('what changed while servers heard nothing of each other is read again', async () => {
  const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(bert.one, [anna])
  const device = await subscribe(anna, messages, { quietFrom: '00:00', quietTo: '23:59' })
  await nodes.sql`update push_device set quiet_from = null, quiet_to = null where account_id = ${anna.id}`
  for (const { node } of nodes.apps) node.bus.reset()
  await until(async () => {
    await say(bert.one, chat, 'still asleep?')
    return device.notices.length > 0
  }, 'it is told')

  // A session, too.
  const signedIn = await cookieOf(nodes, anna)
  const headers = { cookie: signedIn, origin: nodes.urls[0] as string }
  await body(nodes.client().post('/notification/push', new PushDevice(service).subscription(messages), { headers }), 204)
  await until(() => devicesOf(anna) === 2, 'a server tells it')
  await nodes.sql`delete from browser_session where account_id = ${anna.id}`
  for (const { node } of nodes.apps) node.bus.reset()
  const rows = async () => (await nodes.sql`select from push_device where account_id = ${anna.id}`).length
  await until(async () => (await rows()) === 1 && devicesOf(anna) === 1, 'the device of the session is forgotten')
})

test('a server that tells devices keeps its lease', async (t) => {
  const [anna] = (await people(nodes, {})) as [Person]
  await subscribe(anna, messages)
  let renewals = 0
  for (const { node } of nodes.apps) {
    const { leases } = node
    const { renew } = leases
    leases.renew = async (...args) => {
      const isKept = await renew(...args)
      if (isKept && args[0].includes('push-devices')) renewals++
      return isKept
    }
    t.after(() => (leases.renew = renew))
  }
  await until(() => renewals >= 2, 'its lease is renewed again and again')
  assert.equal(devicesOf(anna), 1)
})

test('a server whose lease somebody else has taken tells devices no more, until it has it again', async () => {
  const [anna] = (await people(nodes, {})) as [Person]
  await subscribe(anna, messages)
  const [{ node }] = nodes.apps as [(typeof nodes.apps)[number]]
  const lease = ['push-devices']
  await until(async () => {
    for (const each of nodes.apps) await node.leases.release(lease, each.node.bus.nodeId)
    return await node.leases.acquire(lease, 'somebody else')
  }, 'the lease is free')
  await until(() => !held(anna), 'no server tells it')
  await node.leases.release(lease, 'somebody else')
  await heldBySomebody(anna)
})

test('a host who has not set it up offers it to nobody', async () => {
  const others = await startTestNodes(1)
  try {
    const [anna] = (await people(others, {})) as [Person]
    assert.deepEqual(await body<PushOfferData>(anna.one.get('/notification/push')), { hasTexts: false })
    await refused(anna.one.post('/notification/push', new PushDevice(service).subscription(messages)), 400)
  } finally {
    await others.stop()
  }
})

test('when the server that tells devices stops, the other one tells them', async () => {
  const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const device = await subscribe(anna, messages)
  const chat = await createSeamail(bert.one, [anna])
  const holds = (index: number) => nodes.apps[index]?.node.channels.of(userKind).peek(anna.id)?.sockets.hears === true
  const holder = holds(0) ? 0 : 1
  await nodes.apps[holder]?.stop()
  await until(() => holds(1 - holder), 'the other one tells them')
  await say(holder === 0 ? bert.two : bert.one, chat, 'still there?')
  await got(device, 1)
})
