// GET /client/start: everything that an app asks for when it starts, in one answer, without what it has.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, createChat, createSeamail, mute, people, refused, say, unblock, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { disable, onlySettings } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let ann: Person
let ben: Person
let admin: Person
let fezID: string
let events: string[]
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0' } })
  ;[ann, ben, admin] = (await people(nodes, {}, {}, { level: 'admin' })) as [Person, Person, Person]
  const at = (hour: number) => new Date(Date.UTC(2030, 2, 4, hour)).toISOString()
  await apply(
    admin,
    ['a', 'b'].map((uid, index) => ({ uid, title: `Event ${uid}`, start: at(10 + index), end: at(11 + index) })),
  )
  events = (await body(ann.one.get('/events'))).map(({ eventID }: { eventID: string }) => eventID)
  await body(ann.one.post(`/events/${events[1]}/favorite`), 201)
  await body(admin.one.post('/admin/dailytheme/create', { title: 'Day', info: 'Gowns', cruiseDay: 2 }), 201)
  await announce('Welcome')
  fezID = await createSeamail(ann.one, [ben], { title: 'To talk' })
})
after(() => nodes.stop())

const announce = async (text: string) => {
  const displayUntil = new Date(Date.now() + 3_600_000).toISOString()
  await body(admin.one.post('/notification/announcement/create', { text, displayUntil }), 201)
}

/** The GET that gives the same as a part. */
const single = {
  settings: '/client/settings',
  whoami: '/user/whoami',
  numbers: '/notification/user',
  announcements: '/notification/announcements',
  dailyThemes: '/notification/dailythemes',
  chats: '/fez/joined?limit=200',
} as const
const all = [...Object.keys(single), 'followedEvents'].toSorted()

const start = async (client: Client, since?: string) =>
  await body(client.get(`/client/start${since === undefined ? '' : `?since=${encodeURIComponent(since)}`}`))
const partsOf = ({ tag: _tag, ...parts }: object & { tag?: string }) => Object.keys(parts).toSorted()

/** The parts that came after what `work` did, with the tag from before it; on both nodes, one of which hears of it from the other. */
async function changedBy(who: Person, work: () => Promise<unknown>): Promise<string[]> {
  const { tag } = await start(who.one)
  await work()
  let last: { tag: string } | undefined
  await until(async () => {
    const [one, two] = await Promise.all([start(who.one, tag), start(who.two, tag)])
    last = one
    return one.tag === two.tag
  }, 'both nodes say the same')
  assert.deepEqual(partsOf(await start(who.two, last?.tag)), [])
  return partsOf(last ?? {})
}

test('each part is the answer of its endpoint, with its tag, and announcements are not read by it', async () => {
  for (const who of [ann, ben, admin]) {
    for (const client of who.clients) {
      const before = await body(client.get('/notification/user'))
      const { tag, ...parts } = await start(client)
      assert.match(tag, /^[\w.-]{20,120}$/)
      assert.deepEqual(partsOf(parts), all)
      const { newAnnouncementCount } = await body(client.get('/notification/user'))
      assert.equal(newAnnouncementCount, before.newAnnouncementCount)
      for (const [name, path] of Object.entries(single)) {
        // This one is about to count as read.
        if (name === 'announcements') continue
        const { headers, body: own } = await client.get(path)
        const { serverTime: _now, ...data } = parts[name].data
        assert.deepEqual(Array.isArray(own) ? parts[name].data : data, Array.isArray(own) ? own : withoutTime(own), name)
        if (headers['etag'] !== undefined) assert.equal(parts[name].tag, headers['etag'], name)
      }
      assert.deepEqual(parts.announcements.data, await body(nodes.client().get(single.announcements)))
      const followed = (await body(client.get('/events/favorites'))).map(({ eventID }: { eventID: string }) => eventID)
      assert.deepEqual(parts.followedEvents.data, followed)
    }
  }
})

const withoutTime = ({ serverTime: _now, ...rest }: Record<string, unknown>) => rest

test('with the tag of the last answer, only what has changed is there', async (t) => {
  t.after(() => onlySettings(nodes))
  assert.deepEqual(await changedBy(ann, async () => undefined), [])
  assert.deepEqual(await changedBy(ann, () => say(ben.two, fezID, 'hello')), ['chats', 'numbers'])
  assert.deepEqual(await changedBy(ann, () => body(ann.two.get(`/fez/${fezID}`))), ['chats', 'numbers'])
  assert.deepEqual(await changedBy(ann, () => announce('Muster at ten')), ['announcements', 'numbers'])
  assert.deepEqual(await changedBy(ann, () => body(ann.one.get('/notification/announcements'))), ['numbers'])
  assert.deepEqual(await changedBy(ann, () => body(ann.two.post(`/events/${events[0]}/favorite`), 201)), ['followedEvents', 'numbers'])
  const theme = { title: 'Another', info: 'Shoes', cruiseDay: 3 }
  assert.deepEqual(await changedBy(ann, () => body(admin.two.post('/admin/dailytheme/create', theme), 201)), ['dailyThemes'])
  assert.deepEqual(await changedBy(ann, () => onlySettings(nodes, { shipWifiSSID: 'Deck 5' })), ['numbers', 'settings'])
  const renamed = () => body(ann.two.post('/user/username', { username: `renamed${Date.now() % 100_000}` }), 201)
  const parts = await changedBy(ann, renamed)
  assert.ok(parts.includes('whoami'), parts.join())
  assert.ok(!parts.includes('settings') && !parts.includes('dailyThemes'), parts.join())
})

test('a tag of somebody else or of nonsense gives everything', async () => {
  const { tag } = await start(ann.one)
  const { tag: other } = await start(ben.one)
  const own = tag.split('.')
  const nonsense = [
    '',
    'x',
    '.......',
    other,
    [other.split('.')[0], ...own.slice(1)].join('.'),
    randomUUID(),
    tag.replaceAll('.', '-'),
    `${tag}x`.slice(1),
  ]
  for (const since of nonsense) assert.deepEqual(partsOf(await start(ann.two, since)), all, since)
  await refused(ann.one.get(`/client/start?since=${'x'.repeat(301)}`), 400)
  // Only the parts that were damaged come again.
  const damaged = own.map((part: string, index: number) => (index === 3 ? 'damaged' : part)).join('.')
  assert.deepEqual(partsOf(await start(ann.two, damaged)), ['numbers'])
})

test('a condition of HTTP changes nothing: there is no part without its data', async () => {
  const { tag: _tag, ...parts } = await start(ann.one)
  for (const tag of ['*', ...Object.values(parts as Record<string, { tag: string }>).map(({ tag: each }) => each)]) {
    const { status, body: answer } = await ann.one.get('/client/start', { headers: { 'if-none-match': tag } })
    assert.equal(status, 200)
    assert.deepEqual(partsOf(answer), all)
    for (const part of Object.values(answer)) if (typeof part === 'object') assert.ok((part as { data?: unknown }).data !== undefined)
  }
})

test('hidden: chats of people who block each other are as in their own list', async () => {
  const [carl] = (await people(nodes, {})) as [Person]
  const group = await createChat(carl.one, { title: 'Of Carl' })
  await body(ann.one.post(`/fez/${group}/join`), 201)
  const chats = async (): Promise<string[]> =>
    (await start(ann.one)).chats.data.fezzes.map(({ fezID: id }: { fezID: string }) => id).filter((id: string) => id === group)
  const same = async () => assert.deepEqual(await chats(), await own())
  const own = async (): Promise<string[]> =>
    (await body(ann.two.get('/fez/joined?limit=200'))).fezzes
      .map(({ fezID: id }: { fezID: string }) => id)
      .filter((id: string) => id === group)
  await same()
  await block(carl, ann)
  await same()
  await mute(ann, ben)
  const { chats: muted } = await start(ann.two)
  assert.deepEqual(muted.data, await body(ann.two.get('/fez/joined?limit=200')))
  await unblock(carl, ann)
  await same()
})

test('levels, switches and the gate: parts that the caller may not ask for are left out, and come back', async (t) => {
  t.after(async () => {
    await disable(nodes)
    await onlySettings(nodes)
  })
  await refused(nodes.client().get('/client/start'), 401)
  const { tag } = await start(ann.one)
  await disable(nodes, 'seamail', 'friendlyfez', 'schedule')
  const reduced = await start(ann.one, tag)
  assert.ok(!('chats' in reduced) && !('followedEvents' in reduced))
  await refused(ann.one.get('/fez/joined'), 451)
  await disable(nodes)
  const back = await start(ann.two, reduced.tag)
  assert.ok('chats' in back && 'followedEvents' in back)
  await onlySettings(nodes, { minAccessUserLevel: 'moderator' })
  await refused(ann.one.get('/client/start'), 403)
  assert.deepEqual(partsOf(await start(admin.one)), all)
  await onlySettings(nodes, { minAccessUserLevel: 'moderator', enablePreregistration: true })
  // As much as is open to those who wait.
  assert.deepEqual(partsOf(await start(ann.one)), ['announcements', 'followedEvents', 'settings', 'whoami'])
  const [quarantined, unverified] = (await people(nodes, { level: 'quarantined' }, { level: 'unverified' })) as [Person, Person]
  await onlySettings(nodes)
  for (const who of [quarantined, unverified]) {
    assert.deepEqual(partsOf(await start(who.one)), all)
    assert.equal((await start(who.one)).whoami.data.accessLevel, who === unverified ? 'unverified' : 'quarantined')
  }
})

test('a start that is repeated costs no statement', async () => {
  const { tag } = await start(ann.one)
  const cost = () =>
    countStatements(
      nodes.apps[0] as App,
      async () => {
        for (let round = 0; round < 3; round++) assert.deepEqual(partsOf(await start(ann.one, tag)), [])
      },
      { warm: true },
    )
  // What other tests have written past the product counts as doubtful for a second; settings are read again each second.
  await until(async () => (await cost()) === 0, 'starts from memory')
})
