// Photographers of events: who may say that one is needed, claim and hand back, who sees it, and what it counts for. Two nodes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, people, refused, unblock, type Person } from '../support/fez.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { onlySettings } from '../support/settings.ts'

interface Item {
  eventID: string
  uid: string
  isFavorite: boolean
  shutternautData?: { needsPhotographer: boolean; photographers: { username: string }[]; userIsPhotographer: boolean }
}

// The trip: Sunday 2 March to 9 March 2025, New York (UTC-5).
const at = (day: number, time: string) => new Date(`2025-03-0${day}T${time}:00-05:00`).toISOString()
const event = (uid: string, day: number): Listed => ({
  uid,
  title: `Event ${uid}`,
  location: 'Deck 9',
  start: at(day, '15:00'),
  end: at(day, '16:00'),
})
const schedule = [event('a', 3), event('b', 4), event('c', 5), event('d', 6)]

let nodes: TestNodes
let admin: Person
let manager: Person
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0' } })
  ;[admin, manager] = (await people(nodes, { level: 'admin' }, { roles: ['shutternautmanager'] })) as [Person, Person]
  await apply(admin, schedule)
})
after(() => nodes.stop())
beforeEach(async () => {
  await nodes.sql`delete from event_photographer`
  await nodes.sql`delete from event_photo_wish`
  await nodes.apps[0]?.node.channels.publishConfirmed('photographers', 'all', { type: 'changed' })
})

const photographer = async (options: object = {}): Promise<Person> =>
  (await people(nodes, { roles: ['shutternaut'], ...options }))[0] as Person
const list = (client: Client, query = ''): Promise<Item[]> => body(client.get(`/events${query}`))
const uids = async (client: Client, query: string) => (await list(client, query)).map(({ uid }) => uid)
const one = (uid: string, client: Client): Promise<Item> => body(client.get(`/events/${uid}`))
const idOf = async (uid: string) => (await one(uid, manager.one)).eventID
const claim = async (who: Person, uid: string, status = 201) => body(who.one.post(`/events/${await idOf(uid)}/photographer`), status)
const need = async (uid: string) => body(manager.one.post(`/events/${await idOf(uid)}/needsphotographer`))
const remove = async (client: Client, path: string, status: number) => body(client.request('DELETE', path), status)
const unknown = randomUUID()

describe('/events/:event_id/needsphotographer', () => {
  it('is for the role shutternautmanager alone', async () => {
    const id = await idOf('a')
    for (const client of [(await photographer()).one, admin.one])
      for (const path of [`/events/${id}/needsphotographer`, `/events/${id}/needsphotographer/remove`])
        await refused(client.post(path), 403)
    await refused(admin.one.request('DELETE', `/events/${id}/needsphotographer`), 403)
    await refused(nodes.client(undefined, 0).post(`/events/${id}/needsphotographer`), 401)
    for (const wrong of [unknown, 'a', 'nonsense']) {
      await refused(manager.one.post(`/events/${wrong}/needsphotographer`), 400)
      await refused(manager.one.request('DELETE', `/events/${wrong}/needsphotographer`), 400)
    }
  })

  it('sets and clears, any number of times, and is seen on all nodes', async () => {
    const id = await idOf('a')
    const isNeeded = async () => (await one('a', manager.two)).shutternautData?.needsPhotographer
    assert.equal(await isNeeded(), false)
    for (let time = 0; time < 2; time++) await body(manager.one.post(`/events/${id}/needsphotographer`))
    assert.equal(await isNeeded(), true)
    for (let time = 0; time < 2; time++) await body(manager.one.post(`/events/${id}/needsphotographer/remove`))
    assert.equal(await isNeeded(), false)
    await need('a')
    await remove(manager.one, `/events/${id}/needsphotographer`, 200)
    assert.equal(await isNeeded(), false)
  })
})

describe('/events/:event_id/photographer', () => {
  it('is for the role shutternaut, 201 and then 200; handed back 204 and then 200', async () => {
    const anna = await photographer()
    const id = await idOf('a')
    for (const client of [manager.one, admin.one]) await refused(client.post(`/events/${id}/photographer`), 403)
    await refused(anna.one.post(`/events/${unknown}/photographer`), 400)
    await claim(anna, 'a')
    await claim(anna, 'a', 200)
    assert.deepEqual((await one('a', anna.two)).shutternautData, {
      needsPhotographer: false,
      photographers: [{ userID: anna.id, username: anna.username }],
      userIsPhotographer: true,
    })
    await body(anna.two.post(`/events/${id}/photographer/remove`), 204)
    await body(anna.two.post(`/events/${id}/photographer/remove`), 200)
    await claim(anna, 'a')
    await remove(anna.two, `/events/${id}/photographer`, 204)
    await remove(anna.two, `/events/${unknown}/photographer`, 200)
    assert.deepEqual((await one('a', anna.one)).shutternautData?.photographers, [])
  })

  it('names photographers in the order in which they came', async () => {
    const came = (await Promise.all([photographer(), photographer(), photographer()])).toSorted((a, b) => (a.id < b.id ? 1 : -1))
    for (const who of came) await claim(who, 'c')
    for (const client of manager.clients)
      assert.deepEqual(
        (await one('c', client)).shutternautData?.photographers.map(({ username }) => username),
        came.map(({ username }) => username),
      )
  })

  it('raced by fifty photographers on two nodes, both nodes show all of them once, in one order', async () => {
    const all = await people(nodes, ...Array.from({ length: 50 }, () => ({ roles: ['shutternaut' as const] })))
    const id = await idOf('b')
    const answers = await Promise.all(
      all.flatMap((who) => [who.one.post(`/events/${id}/photographer`), who.two.post(`/events/${id}/photographer`)]),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array<number>(50).fill(200), ...Array<number>(50).fill(201)])
    const [first, second] = await Promise.all(
      [manager.one, manager.two].map(async (client) => (await one('b', client)).shutternautData?.photographers),
    )
    assert.deepEqual(first, second)
    assert.deepEqual(first?.map(({ username }) => username).toSorted(), all.map(({ username }) => username).toSorted())
    const half = all.slice(0, 25)
    await Promise.all(half.flatMap((who) => [who.one, who.two].map((client) => client.post(`/events/${id}/photographer/remove`))))
    for (const client of [manager.one, manager.two]) assert.equal((await one('b', client)).shutternautData?.photographers.length, 25)
  })
})

describe('EventData.shutternautData', () => {
  it('is for photographers, their managers and the team, in every list', async () => {
    const anna = await photographer()
    const [reader, moderator, team] = (await people(nodes, {}, { level: 'moderator' }, { level: 'serviceteam' })) as [
      Person,
      Person,
      Person,
    ]
    await need('a')
    await claim(anna, 'a')
    const id = await idOf('a')
    for (const who of [anna, manager, team, admin]) {
      await body(who.one.post(`/events/${id}/favorite`), 201)
      const expected = {
        needsPhotographer: true,
        photographers: [{ userID: anna.id, username: anna.username }],
        userIsPhotographer: who === anna,
      }
      for (const query of ['', '?day=mon', '?following=true']) {
        const listed = await list(who.two, query)
        assert.deepEqual(listed.find(({ uid }) => uid === 'a')?.shutternautData, expected)
        assert.equal(
          listed.every(({ shutternautData }) => shutternautData),
          true,
        )
      }
      assert.deepEqual((await one('a', who.two)).shutternautData, expected)
      assert.deepEqual((await body(who.two.get('/events/favorites')))[0].shutternautData, expected)
    }
    for (const client of [reader.two, moderator.two, nodes.client(undefined, 1)]) {
      for (const query of ['', '?day=mon'])
        assert.equal(
          (await list(client, query)).some((item) => 'shutternautData' in item),
          false,
        )
      assert.equal('shutternautData' in (await one('a', client)), false)
      for (const filter of ['needsPhotographer=true', 'hasPhotographer=false', 'needsPhotographer=false'])
        await refused(client.get(`/events?${filter}`), 400)
    }
  })

  it('does not name whoever is in a block with the caller, whose events are taken all the same', async () => {
    const [anna, ben, cleo] = [await photographer(), await photographer(), await photographer()]
    await claim(anna, 'a')
    await claim(cleo, 'a')
    await block(anna, ben)
    const named = (item: Item | undefined) => item?.shutternautData?.photographers.map(({ username }) => username)
    const listed = async (client: Client) => named((await list(client, '?hasPhotographer=true')).find(({ uid }) => uid === 'a'))
    for (const look of [listed, async (client: Client) => named(await one('a', client))]) {
      assert.deepEqual(await look(ben.two), ['BlockedUser', cleo.username])
      assert.deepEqual(await look(anna.two), [anna.username, cleo.username])
      assert.deepEqual(await look(manager.two), [anna.username, cleo.username])
    }
    await unblock(anna, ben)
    assert.deepEqual(await listed(ben.two), [anna.username, cleo.username])
  })

  it('names photographers as they are called now, and keeps them while an event is off the schedule', async () => {
    const anna = await photographer()
    await claim(anna, 'c')
    await body(anna.one.post('/user/username', { username: `renamed-${anna.id.slice(0, 8)}` }), 201)
    assert.deepEqual(
      (await one('c', manager.two)).shutternautData?.photographers.map(({ username }) => username),
      [`renamed-${anna.id.slice(0, 8)}`],
    )
    await apply(
      admin,
      schedule.filter(({ uid }) => uid !== 'c'),
    )
    await refused(anna.one.get('/events/c'), 400)
    await apply(admin, schedule)
    assert.equal((await one('c', anna.two)).shutternautData?.userIsPhotographer, true)
  })
})

describe('GET /events', () => {
  it('needsPhotographer and hasPhotographer filter by flag and by claims', async () => {
    const anna = await photographer()
    await need('a')
    await need('b')
    await claim(anna, 'b')
    await claim(anna, 'c')
    for (const client of [anna.two, manager.one]) {
      assert.deepEqual(await uids(client, '?needsPhotographer=true'), ['a', 'b'])
      assert.deepEqual(await uids(client, '?needsPhotographer=false'), ['c', 'd'])
      assert.deepEqual(await uids(client, '?hasPhotographer=true'), ['b', 'c'])
      assert.deepEqual(await uids(client, '?hasPhotographer=false'), ['a'])
      assert.deepEqual(await uids(client, '?needsPhotographer=true&hasPhotographer=true'), ['b'])
    }
    await refused(anna.one.get('/events?needsPhotographer=maybe'), 400)
  })

  it('the day planner has what one photographs, favorites do not', async () => {
    const anna = await photographer()
    await body(anna.one.post(`/events/${await idOf('a')}/favorite`), 201)
    await claim(anna, 'b')
    assert.deepEqual(await uids(anna.two, '?dayplanner=true'), ['a', 'b'])
    assert.deepEqual(await uids(anna.two, '?following=true'), ['a'])
    assert.deepEqual(
      (await body(anna.two.get('/events/favorites'))).map(({ uid }: Item) => uid),
      ['a'],
    )
    assert.equal((await one('b', anna.two)).isFavorite, false)
    const file = async (path: string) =>
      body<string>(nodes.client(undefined, 1).request('GET', path, { basic: [anna.username, testPassword] }))
    assert.deepEqual(
      [...(await file(`//dayplanner/${anna.username}/dayPlanner.ics`)).matchAll(/SUMMARY:(.*?)\r/g)].map(([, title]) => title),
      ['Event a', 'Event b'],
    )
    assert.doesNotMatch(await file(`//events/subscribe/${anna.username}/following.ics`), /Event b/)
  })

  it('the next followed event may be one that one photographs', async () => {
    const anna = await photographer()
    const inHours = (hours: number) => new Date(Math.ceil(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString()
    const soon = (uid: string, hours: number): Listed => ({ uid, title: uid, start: inHours(hours), end: inHours(hours + 1) })
    await nodes.sql`delete from time_zone_change`
    await onlySettings(nodes, { upcomingEventNotificationSetting: 'current' })
    await apply(admin, [...schedule, soon('b2', 24), soon('c2', 48)])
    const next = async () => (await body(anna.two.get('/notification/global'))).nextFollowedEventID
    await body(anna.one.post(`/events/${await idOf('c2')}/favorite`), 201)
    await claim(anna, 'b2')
    assert.equal(await next(), await idOf('b2'))
    await body(anna.one.post(`/events/${await idOf('b2')}/photographer/remove`), 204)
    assert.equal(await next(), await idOf('c2'))
    await apply(admin, schedule)
  })
})

describe('GET /events/photographerreport', () => {
  interface Report {
    items: { title: string; needsPhotographer: boolean; photographers: { username: string }[]; timeZone: string; location: string }[]
    paginator: { total: number; start: number; limit: number }
  }
  const report = (client: Client, query = ''): Promise<Report> => body(client.get(`/events/photographerreport${query}`))

  it('lists the events that need a photographer or have one, by start; of a day, and in pages', async () => {
    const [ann, bert] = [await photographer(), await photographer()]
    await claim(bert, 'b')
    await claim(ann, 'b')
    await need('c')
    await need('a')
    await claim(ann, 'a')
    for (const client of [manager.two, (await people(nodes, { level: 'serviceteam' }))[0]?.one as Client]) {
      const { items, paginator } = await report(client)
      assert.deepEqual(
        items.map(({ title, needsPhotographer, photographers }) => [
          title,
          needsPhotographer,
          photographers.map(({ username }) => username),
        ]),
        [
          ['Event a', true, [ann.username]],
          ['Event b', false, [bert.username, ann.username]],
          ['Event c', true, []],
        ],
      )
      assert.deepEqual(paginator, { total: 3, start: 0, limit: 50 })
      assert.deepEqual([items[0]?.location, items[0]?.timeZone], ['Deck 9', 'EST'])
    }
    const titles = async (query: string) => (await report(manager.one, query)).items.map(({ title }) => title)
    // The second day is the day after embarkation.
    assert.deepEqual(await titles('?cruiseday=2'), ['Event a'])
    assert.deepEqual(await titles('?cruiseday=5'), [])
    assert.deepEqual(await titles('?start=1&limit=1'), ['Event b'])
    // What changes shows at once, on both nodes.
    await remove(ann.one, `/events/${await idOf('a')}/photographer`, 204)
    assert.deepEqual((await report(manager.two)).items[0]?.photographers, [])
  })

  it('comes as a file for spreadsheets, whole, with nothing that runs there', async () => {
    const name = '=HYPERLINK("x")'
    await apply(admin, [...schedule, { ...event('e', 7), title: name, location: 'A "quoted", place' }])
    const ann = await photographer()
    await claim(ann, 'e')
    await need('a')
    const answer = await manager.one.get('/events/photographerreport/download')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="[\w.]+"$/)
    assert.equal(
      answer.body.replace(/^\u{feff}/u, ''),
      [
        '"Start Time","End Time","Time Zone","Title","Location","Photographers","Needs Photographed"',
        '"Mar 3, 3:00 PM","Mar 3, 4:00 PM","EST","Event a","Deck 9","","true"',
        `"Mar 7, 3:00 PM","Mar 7, 4:00 PM","EST","'=HYPERLINK(""x"")","A ""quoted"", place","${ann.username}","false"`,
        '',
      ].join('\n'),
    )
    // Spreadsheets take a file without it for one of another alphabet.
    const { bytes } = await manager.one.file('/events/photographerreport/download')
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    assert.equal((await manager.two.get('/events/photographerreport/download?cruiseday=2')).body.split('\n').length, 3)
  })

  it('is for those who send photographers out', async () => {
    const others = [await photographer(), ...(await people(nodes, {}, { level: 'moderator' }))]
    for (const { one: client } of others)
      for (const path of ['', '/download']) await refused(client.get(`/events/photographerreport${path}`), 403)
    await refused(nodes.client().get('/events/photographerreport'), 401)
  })
})
