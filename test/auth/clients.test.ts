// /client: bulk data for client accounts, alerts and metrics for service accounts. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { createAccounts } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { block, body, names, people, refused, unblock, type Person } from '../support/fez.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const bot = async (): Promise<Person> => (await people(nodes, { level: 'client' }))[0] as Person
const as = (user: { id: string } | string) => ({ headers: { 'X-Service-User': typeof user === 'string' ? user : user.id } })
const farAway = '2001-01-01T00:00:00Z'
const bulkPaths = [`/client/user/headers/since/${farAway}`, `/client/user/updates/since/${farAway}`, '/client/usersearch']

describe('GET /client/user/headers/since/:date, GET /client/user/updates/since/:date', () => {
  const since = async (client: Client, date: string, user: { id: string }, what = 'headers') =>
    await body(client.get(`/client/user/${what}/since/${encodeURIComponent(date)}`, as(user)))

  it('give who has changed at that time or later, in order of username', async () => {
    const [robot, me] = [await bot(), (await people(nodes, {}))[0] as Person]
    const [b, a, early] = (await people(
      nodes,
      { username: 'Since-b' },
      { username: 'since-A', displayName: 'Captain' },
      { username: 'since-c' },
    )) as [Person, Person, Person]
    const at = (time: string, { id }: Person) => nodes.sql`update account set profile_updated_at = ${time} where id = ${id}`
    await at('2100-01-01T00:00:00.500Z', a)
    await at('2100-01-01T00:00:02Z', b)
    await at('2100-01-01T00:00:00.499Z', early)
    const expected = [
      { userID: a.id, username: 'since-A', displayName: 'Captain' },
      { userID: b.id, username: 'Since-b' },
    ]
    for (const what of ['headers', 'updates'])
      for (const client of robot.clients) assert.deepEqual(await since(client, '2100-01-01T00:00:00.5Z', me, what), expected)
    for (const date of ['2100-01-01T00:00:00.500Z', '2100-01-01T02:00:00.5+02:00', '4102444800.5', '4102444800.500'])
      assert.deepEqual(names(await since(robot.one, date, me)), ['since-A', 'Since-b'], date)
    assert.deepEqual(names(await since(robot.one, '4102444802', me)), ['Since-b'])
    assert.deepEqual(await since(robot.one, '2100-01-01T00:00:02.001Z', me), [])
    for (const date of ['0', '-1', '-62135596800']) assert.ok(names(await since(robot.one, date, me)).includes('admin'), date)
  })

  it('notice every change of a profile', async () => {
    const [robot, me] = [await bot(), (await people(nodes, {}))[0] as Person]
    const changed = async () =>
      (await since(robot.two, '2050-01-01T00:00:00Z', me)).some(({ userID }: { userID: string }) => userID === me.id)
    const ageIt = () => nodes.sql`update account set profile_updated_at = '2000-01-01' where id = ${me.id}`
    const recently = async () => {
      const [row] = await nodes.sql`select profile_updated_at > now() - interval '1 hour' as recent from account where id = ${me.id}`
      return row?.['recent']
    }
    assert.equal(await changed(), false)
    await ageIt()
    await body(me.one.post('/user/profile', { displayName: 'Somebody' }))
    assert.equal(await recently(), true)
    await ageIt()
    await body(me.one.post('/user/username', { username: `${me.username}x` }), 201)
    assert.equal(await recently(), true)
    const created = await body(nodes.client().post('/user/create', { username: `made-${me.username}`, password: 'secret words' }), 201)
    assert.equal(
      (await since(robot.one, String(Date.now() / 1000 - 3600), me)).some(({ userID }: { userID: string }) => userID === created.userID),
      true,
    )
  })

  it('leave out who is in a block with the user, but no moderator', async () => {
    const robot = await bot()
    const [me, enemy, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
    const [sub] = (await people(nodes, { subAccountOf: enemy })) as [Person]
    const visible = async (user: Person) => {
      const found = new Set((await since(robot.two, farAway, user)).map(({ userID }: { userID: string }) => userID))
      return [me, enemy, sub, moderator].map(({ id }) => found.has(id))
    }
    assert.deepEqual(await visible(me), [true, true, true, true])
    await block(enemy, me)
    assert.deepEqual(await visible(me), [true, false, false, true])
    assert.deepEqual(await visible(sub), [false, true, true, true])
    assert.deepEqual(await visible(moderator), [true, true, true, true])
    await unblock(enemy, me, 1)
    assert.deepEqual(await visible(me), [true, true, true, true])
  })

  it('refuse bad dates, after everything else', async () => {
    const [robot, moderator, me] = [
      await bot(),
      (await people(nodes, { level: 'moderator' }))[0] as Person,
      (await people(nodes, {}))[0] as Person,
    ]
    for (const date of [
      'yesterday',
      '2024-02-30T00:00:00Z',
      '2024-01-01',
      '2024-01-01T00:00:00',
      '1e9',
      '99999999999999',
      '%00',
      '%ff',
      'x'.repeat(200),
    ]) {
      await refused(robot.one.get(`/client/user/headers/since/${date}`, as(me)), 400)
    }
    await refused(moderator.one.get('/client/user/headers/since/yesterday', as(me)), 403)
    await refused(robot.one.get('/client/user/updates/since/yesterday'), 401)
  })
})

describe('GET /client/usersearch', () => {
  it('gives the names of all users in order of username, without those in a block with the user', async () => {
    const robot = await bot()
    const [me, enemy] = (await people(nodes, {}, { username: 'Zz-search', displayName: 'Captain', realName: 'Jo Doe' })) as [Person, Person]
    const found = await body(robot.one.get('/client/usersearch', as(me)))
    assert.deepEqual(found.at(-1), { userID: enemy.id, userSearch: 'Captain (@Zz-search) - Jo Doe' })
    const [count] = await nodes.sql<{ count: number }[]>`select count(*)::int from account`
    assert.equal(found.length, count?.count)
    assert.deepEqual(
      found.map(({ userID }: { userID: string }) => userID),
      (await nodes.sql`select id from account order by username_key`).map(({ id }) => id as string),
    )
    await block(me, enemy)
    assert.equal(
      (await body(robot.two.get('/client/usersearch', as(me.id.toUpperCase())))).some(
        ({ userID }: { userID: string }) => userID === enemy.id,
      ),
      false,
    )
  })

  it('gives thousands', async () => {
    const [robot, me] = [await bot(), (await people(nodes, {}))[0] as Person]
    await createAccounts(
      nodes.sql,
      Array.from({ length: 3000 }, () => ({})),
    )
    assert.ok((await body(robot.two.get('/client/usersearch', as(me)))).length > 3000)
  })
})

describe('bulk endpoints', () => {
  it('cost one statement', async () => {
    const [robot, me] = [await bot(), (await people(nodes, {}))[0] as Person]
    for (const path of bulkPaths) {
      await robot.two.get(path, as(me))
      assert.equal(await countStatements(nodes.apps[1]!, () => robot.two.get(path, as(me))), 1)
    }
  })

  it('refuse everybody but client accounts with 403, whoever they name', async () => {
    const callers = await people(nodes, {}, { level: 'unverified' }, { level: 'moderator' }, { level: 'tho' }, { level: 'admin' })
    for (const { one, id } of callers) for (const path of bulkPaths) await refused(one.get(path, as(id)), 403)
    for (const path of bulkPaths) await refused(nodes.client().get(path, as(nobody)), 401)
    for (const path of bulkPaths) await refused(nodes.client().get(path, { ...as(builtIn.admin), basic: ['testclient', 'password'] }), 401)
  })

  it('refuse a client that does not name a user with 401', async () => {
    const [robot, other] = [await bot(), await bot()]
    for (const path of bulkPaths) {
      await refused(robot.one.get(path), 401)
      for (const user of ['', 'nonsense', nobody, robot.id, other.id, builtIn.prometheus, 'admin'])
        await refused(robot.one.get(path, as(user)), 401)
    }
  })

  it('work for the client of the seeds, and ignore the header of everybody elsewhere', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const { token } = await body(nodes.client().post('/auth/login', undefined, { basic: ['testclient', 'password'] }))
    for (const path of bulkPaths) assert.ok((await body(nodes.client(token, 1).get(path, as(me)))).length > 0)
    assert.equal((await body(me.one.get('/user/whoami', as(other)))).userID, me.id)
    assert.equal((await body(nodes.client(token).get('/user/whoami', as(other)))).username, 'testclient')
  })
})

const service = { basic: ['prometheus', 'password'] as [string, string] }
const alert = (annotations: object, more: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'DiskFull', severity: 'page' },
  annotations,
  startsAt: '2026-01-01T12:00:00.123456789Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example/graph',
  fingerprint: 'c0ffee',
  ...more,
})
const payload = (...alerts: object[]) => ({
  version: '4',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'team',
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example',
  alerts,
})
const send = (value: unknown, options: object = service, node = 0): Promise<Answer> =>
  nodes.client(undefined, node).post('/client/alert', value, options)
const chatsOf = async (client: Client) => (await body(client.get('/fez/joined?type=closed'))).fezzes

describe('POST /client/alert', () => {
  it('opens a private chat of prometheus and the named users, and tells them', async () => {
    const [a, b] = (await people(nodes, {}, { username: 'On-Duty' })) as [Person, Person]
    const sockets = await Promise.all([a.one, b.two].map((client) => client.socket('/notification/socket')))
    assert.equal(
      await body(
        send(
          payload(alert({ participants: ` ${a.username} ,,on-duty, ${a.username},ON-DUTY, `, summary: 'Only 2 % left.\r\nDo something.' })),
        ),
      ),
      undefined,
    )
    const [chat] = await chatsOf(a.two)
    assert.deepEqual(
      [chat.fezType, chat.title, chat.owner.username, chat.participantCount],
      ['closed', 'DiskFull: firing', 'prometheus', 3],
    )
    const { members } = await body(b.one.get(`/fez/${chat.fezID}`))
    assert.deepEqual(names(members.participants), ['prometheus', a.username, 'On-Duty'])
    assert.deepEqual(
      members.posts.map(({ text, author }: { text: string; author: { username: string } }) => [author.username, text]),
      [['prometheus', 'Only 2 % left.\nDo something.']],
    )
    for (const socket of sockets) {
      const notice = await socket.until((frame) => 'seamailUnreadMsg' in frame.type, 'notice')
      assert.equal(notice.contentID, chat.fezID)
      assert.match(notice.info, /prometheus.*Only 2 % left/s)
    }
    const data = await body(a.one.get('/notification/user'))
    assert.equal(data.addedToSeamailCount, 1)
    await body(a.two.post(`/fez/${chat.fezID}/post`, { text: 'On it', images: [] }), 201)
  })

  it('sends one chat for each alert, with texts in place of what is missing', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    await body(
      send(
        payload(alert({ participants: me.username }), alert({ participants: me.username }, { labels: {}, status: 'resolved' })),
        { basic: ['THO', 'password'] },
        1,
      ),
    )
    const chats = await chatsOf(me.one)
    assert.deepEqual(chats.map(({ title }: { title: string }) => title).sort(), ['Alert: resolved', 'DiskFull: firing'])
    for (const { fezID } of chats) assert.ok((await body(me.one.get(`/fez/${fezID}`))).members.posts[0].text.length > 0)
    assert.equal(await body(send(payload())), undefined, 'no alert: nothing to do')
  })

  it('reaches the shared inboxes', async () => {
    const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
    const waiting = async () => (await body(moderator.two.get('/notification/user'))).moderatorData.newModeratorSeamailMessageCount
    const before = await waiting()
    await body(send(payload(alert({ participants: 'moderator,ServiceTeam', summary: 'For the team' }))))
    assert.equal(await waiting(), before + 1)
  })

  it('does not look at blocks', async () => {
    const [a, b] = (await people(nodes, {}, {})) as [Person, Person]
    await block(a, b)
    await body(send(payload(alert({ participants: `${a.username},${b.username}` }))))
    for (const { one } of [a, b]) assert.equal((await chatsOf(one)).length, 1)
  })

  it('refuses a faulty alert; those before it stay sent', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const good = alert({ participants: me.username })
    for (const [index, annotations] of [
      {},
      { participants: '' },
      { participants: 'nobody-at-all' },
      { participants: ' , ,' },
      { participants: `${me.username},nobody-at-all` },
    ].entries()) {
      await refused(send(payload(good, alert(annotations), good)), 400)
      assert.equal((await chatsOf(me.two)).length, index + 1)
    }
  })

  it('refuses what is no payload', async () => {
    const whole = payload(alert({ participants: 'admin' }))
    for (const key of Object.keys(whole)) await refused(send({ ...whole, [key]: undefined }), 400)
    for (const key of Object.keys(alert({}))) await refused(send(payload({ ...alert({ participants: 'admin' }), [key]: undefined })), 400)
    for (const value of [
      [],
      'text',
      payload(alert({ participants: 7 })),
      payload(alert({}, { startsAt: 'yesterday' })),
      payload(alert({}, { labels: [] })),
    ])
      await refused(send(value), 400)
    await refused(send(undefined), 422)
  })
})

describe('POST /client/alert, GET /client/metrics', () => {
  const calls = (options: object, node = 0): Promise<Answer>[] => [
    send(payload(), options, node),
    nodes.client(undefined, node).get('/client/metrics', options),
  ]

  it('let the service accounts in, whatever the case of their names', async () => {
    for (const username of ['admin', 'Admin', 'prometheus', 'PROMETHEUS', 'THO', 'tho'])
      for (const answer of calls({ basic: [username, 'password'] }, 1)) await body(answer)
    const { headers, body: text } = await nodes.client().get('/client/metrics', service)
    assert.match(String(headers['content-type']), /^text\/plain/)
    assert.match(text, /^# HELP /m)
  })

  it('count requests, and how long they took', async () => {
    const figures = async () => {
      const { body: text } = await nodes.client().get('/client/metrics', service)
      const valueOf = (name: string, more = '') =>
        Number(
          new RegExp(`^${name}\\{method="GET",path="/api/v3/client/health",status="200",${more}source="node0"\\} (\\S+)$`, 'm').exec(
            String(text),
          )?.[1],
        )
      const buckets = String(text)
        .split('\n')
        .filter((line) => line.startsWith('http_request_duration_seconds_bucket{method="GET",path="/api/v3/client/health"'))
        .map((line) => Number(line.split(' ').at(-1)))
      return {
        requests: valueOf('http_requests_total'),
        count: valueOf('http_request_duration_seconds_count'),
        sum: valueOf('http_request_duration_seconds_sum'),
        buckets,
      }
    }
    await body(nodes.client().get('/client/health'))
    const before = await figures()
    for (let i = 0; i < 3; i++) await body(nodes.client().get('/client/health'))
    const after = await figures()
    assert.deepEqual([after.requests, after.count], [before.requests + 3, before.count + 3])
    assert.ok(after.sum >= before.sum)
    assert.equal(after.buckets.at(-1), after.count)
    assert.deepEqual(
      after.buckets,
      after.buckets.toSorted((a, b) => a - b),
    )
    assert.equal(after.buckets.length, 7)
  })

  it('refuse everybody else with 401, also with a right password', async () => {
    const [me, admin, banned] = (await people(nodes, {}, { level: 'admin' }, { level: 'banned' })) as [Person, Person, Person]
    for (const username of [me.username, admin.username, banned.username, 'testclient', 'james', 'moderator']) {
      for (const secret of ['password', 'a test password'])
        for (const answer of calls({ basic: [username, secret] })) assert.match(await refused(answer, 401), /[Ss]ervice account/)
    }
    for (const answer of calls({ basic: ['prometheus', 'wrong'] })) await refused(answer, 401)
    for (const answer of calls({})) await refused(answer, 401)
    const { token } = await body(nodes.client().post('/auth/login', undefined, service))
    for (const answer of calls({ headers: { authorization: `Bearer ${token}` } })) await refused(answer, 401)
  })
})

describe('GET /client/settings', () => {
  it('tells everybody about the trip and the server, and what an admin changes at once', async () => {
    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    const { installationID, ...settings } = await body(nodes.client().get('/client/settings'))
    assert.match(installationID, /^[0-9a-f-]{36}$/)
    assert.ok([-18_000, -14_400].includes(settings.portTimeZoneOffset))
    assert.equal(settings.portTimeZoneAbbrev, settings.portTimeZoneOffset === -18_000 ? 'EST' : 'EDT')
    assert.deepEqual(settings, {
      canonicalHostnames: ['localhost'],
      cruiseStartDate: '2025-03-02T05:00:00.000Z',
      cruiseLengthInDays: 8,
      portTimeZoneID: 'America/New_York',
      portTimeZoneAbbrev: settings.portTimeZoneAbbrev,
      portTimeZoneOffset: settings.portTimeZoneOffset,
      scheduleUpdateURL: '',
      enablePreregistration: false,
      minAccessLevel: 'banned',
      maxForumPostImages: 4,
      maxImageSize: 20_971_520,
      photostreamUploadRateLimit: 300,
    })
    await body(
      admin.one.post('/admin/serversettings/update', {
        shipWifiSSID: 'Deck Net',
        maxForumPostImages: 6,
        enableFeatures: [],
        disableFeatures: [],
      }),
    )
    const changed = await body(nodes.client('A'.repeat(24), 1).get('/client/settings'))
    assert.deepEqual(changed, { ...settings, installationID, shipWifiSSID: 'Deck Net', maxForumPostImages: 6 })
  })
})
