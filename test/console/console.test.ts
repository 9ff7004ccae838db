// The console's endpoints: people, figures, checks, jobs, faults and the audit trail. Two nodes and a worker.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pushFigures } from '../../src/console/figures-push.service.ts'
import { projectRoot } from '../../src/core/base/config.ts'
import { advisoryLock } from '../../src/core/db/advisory-lock.ts'
import { figuresIn } from '../../src/console/figures.ts'
import { insertFigure, selectFigures } from '../../src/console/figures.queries.ts'
import { keepMinute } from '../../src/console/figures.service.ts'
import { exportPath } from '../../src/console/exports.service.ts'
import type { AdminUserListData, CheckData, JobHistoryData, JobKindData, JobListData, UsersBulkResultData } from '../../src/sdk/client.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { testPassword } from '../support/accounts.ts'
import type { Client } from '../support/client.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { storedImage } from '../support/images.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { unzipped } from '../support/zip.ts'

let nodes: TestNodes
let admin: Person
let tho: Person
let team: Person
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  ;[admin, tho, team, moderator] = (await people(
    nodes,
    { level: 'admin' },
    { level: 'tho' },
    { level: 'serviceteam' },
    { level: 'moderator' },
  )) as [Person, Person, Person, Person]
})
after(() => nodes.stop())

const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const usernames = ({ users }: { users: { header: { username: string } }[] }) => users.map(({ header }) => header.username)

describe('GET /admin/users', () => {
  it('finds by part of a name, level, role, and code, in pages', async () => {
    const [zoe, zora] = (await people(
      nodes,
      { username: 'Zoe-of-console', displayName: 'Captain Zed' },
      { username: 'Zora-of-console', roles: ['shutternaut'], level: 'unverified' },
    )) as [Person, Person]
    await nodes.sql`insert into registration_code (code, person_id) values ('zoezoe', ${zoe.id})`
    const find = async (query: string, who = team) => usernames(await body(who.two.get(`/admin/users?${query}`)))
    assert.deepEqual(await find('search=of-CONSOLE'), [zoe.username, zora.username])
    assert.deepEqual(await find('search=captain'), [zoe.username])
    assert.deepEqual(await find('search=of-console&level=unverified'), [zora.username])
    assert.deepEqual(await find('search=of-console&role=shutternaut'), [zora.username])
    assert.deepEqual(await find('search=of-console&code=used'), [zoe.username])
    assert.deepEqual(await find('search=of-console&code=none'), [zora.username])
    assert.deepEqual(await find('search=of%25console'), [])
    assert.deepEqual(await find('search=of-console&start=1&limit=1'), [zora.username])
    assert.equal((await body(team.one.get('/admin/users?search=of-console&limit=1'))).paginator.total, 2)
    assert.ok(!(await find('limit=200')).includes('prometheus'), 'built-in accounts are no people')
    assert.equal((await body(team.one.get('/admin/users?limit=201'))).paginator.limit, 200)
    await nodes.sql`update account set created_at = created_at - interval '1 day' where id = ${zoe.id}`
    assert.deepEqual(await find('search=of-console&sort=created'), [zora.username, zoe.username], 'the newest first')
  })

  it('shows who has used a code to the service team alone', async () => {
    await refused(moderator.one.get('/admin/users?code=used'), 403)
    const seen = await body(moderator.one.get('/admin/users?limit=1'))
    assert.equal(seen.users[0].hasCode, undefined)
    assert.equal(typeof (await body(team.one.get('/admin/users?limit=1'))).users[0].hasCode, 'boolean')
  })

  it('knows when somebody was last seen, once a minute has passed', async () => {
    const seen = await someone({ username: 'Seen-just-now' })
    await someone({ username: 'Seen-never' })
    await body(seen.one.get('/user/whoami'))
    await keepMinute(nodes.apps[0]!.node)
    const before = await someone({ username: 'Seen-before' })
    await nodes.sql`insert into account_seen (account_id, seen_at) values (${before.id}, now() - interval '3 days')`
    assert.deepEqual(usernames(await body(team.two.get('/admin/users?search=seen-&seen=today'))), ['Seen-just-now'])
    assert.deepEqual(usernames(await body(team.two.get('/admin/users?search=seen-&seen=never'))), ['Seen-never'])
    assert.deepEqual(usernames(await body(team.two.get('/admin/users?search=seen-&sort=seen'))), [
      'Seen-just-now',
      'Seen-before',
      'Seen-never',
    ])
  })
})

describe('several people', () => {
  it('are found by their cabin, whole and in any case, and saved as a table with all that are found', async () => {
    const [mia, max] = await people(nodes, { username: 'Mia-by-cabin', displayName: '=Mia' }, { username: 'Max-by-cabin' })
    for (const [person, room] of [
      [mia, 'B-7041'],
      [max, 'B-70411'],
    ] as const)
      await nodes.sql`update account set room_number = ${room} where id = ${person?.id ?? ''}`
    const { users } = await body<AdminUserListData>(team.one.get('/admin/users?search=b-7041'))
    assert.deepEqual(
      users.map(({ header, roomNumber }) => [header.username, roomNumber]),
      [['Mia-by-cabin', 'B-7041']],
    )
    const answer = await team.two.file('/admin/users/csv?search=by-cabin&sort=created')
    // Excel reads it as Latin-1 otherwise.
    assert.deepEqual([...answer.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    const lines = answer.bytes.toString('utf8').replace('\u{feff}', '').trimEnd().split('\r\n')
    assert.equal(lines.length, 3)
    assert.match(lines[0] ?? '', /^"username","name","room","level"/)
    assert.ok(lines.some((line) => line.startsWith('"Mia-by-cabin","\'=Mia","B-7041","verified"')))
    const [{ details }] = await nodes.sql<
      [{ details: unknown }]
    >`select details from audit where action = 'exportPeople' order by id desc limit 1`
    assert.deepEqual(details, { accounts: 2 })
    await refused(moderator.one.get('/admin/users/csv'), 403)
  })

  it('get a level, a role, are signed out: whoever is refused keeps none of the others', async () => {
    const [one, two, three] = (await people(nodes, { level: 'unverified' }, { level: 'unverified' }, {})) as [Person, Person, Person]
    const all = [one.id, two.id, three.id]
    const act = (data: object) => body<UsersBulkResultData>(tho.two.post('/admin/users/bulk', { userIDs: all, ...data }))
    const verified = await act({ action: 'verify' })
    assert.deepEqual(
      [verified.done, verified.refused.map(({ userID, code }) => [userID, code])],
      [[one.id, two.id], [[three.id, 'changed_meanwhile']]],
    )
    assert.equal((await body(team.one.get(`/admin/users/${two.id}`))).accessLevel, 'verified')
    const [silenced] = (await people(nodes, { level: 'quarantined' })) as [Person]
    const taken = await act({ action: 'unverify', userIDs: [one.id, one.id, silenced.id] })
    assert.deepEqual(
      [taken.done, taken.refused.map(({ userID, code }) => [userID, code])],
      [[one.id], [[silenced.id, 'changed_meanwhile']]],
    )

    await body(tho.one.post(`/admin/userroles/shutternaut/addrole/${two.id}`))
    const given = await act({ action: 'addRole', role: 'shutternaut' })
    assert.deepEqual([given.done, given.refused.map(({ code }) => code)], [[one.id, three.id], ['already_done']])
    await act({ action: 'removeRole', role: 'shutternaut', userIDs: [three.id] })
    const roles = async ({ id }: Person) => (await body(team.two.get(`/admin/users/${id}`))).roles
    assert.deepEqual([await roles(one), await roles(two), await roles(three)], [['shutternaut'], ['shutternaut'], []])

    const out = await act({ action: 'signOut', userIDs: [three.id, admin.id] })
    assert.deepEqual([out.done, out.refused.map(({ userID, code }) => [userID, code])], [[three.id], [[admin.id, 'level_too_low']]])
    await refused(three.one.get('/user/whoami'), 401)
  })

  it('are 200 at most; a role is named; only heads of the team may', async () => {
    const { id } = await someone()
    for (const wrong of [
      { userIDs: [], action: 'verify' },
      { userIDs: Array.from({ length: 201 }, () => randomUUID()), action: 'verify' },
      { userIDs: [id], action: 'addRole' },
      { userIDs: [id], action: 'ban' },
    ])
      await refused(tho.one.post('/admin/users/bulk', wrong), 400)
    for (const client of team.clients) await refused(client.post('/admin/users/bulk', { userIDs: [id], action: 'verify' }), 403)
    const gone = randomUUID()
    const { done, refused: not } = await body<UsersBulkResultData>(
      tho.one.post('/admin/users/bulk', { userIDs: [gone], action: 'signOut' }),
    )
    assert.deepEqual([done, not.map(({ userID }) => userID)], [[], [gone]])
  })
})

describe('/admin/users/:user_id', () => {
  it('lists the devices, and signs the account out of all of them on every node', async () => {
    const user = await someone()
    const login = await user.one.post('/auth/login', undefined, {
      basic: [user.username, testPassword],
      headers: { 'x-session': 'cookie', origin: nodes.urls[0] as string },
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    const browsers = [0, 1].map((node) => () => nodes.client(undefined, node).get('/user/whoami', { headers: { cookie } }))
    for (const look of browsers) assert.equal((await look()).status, 200)
    const socket = await nodes.client(undefined, 1).socket('/notification/socket', { cookie, origin: nodes.urls[1] as string })
    const detail = await body(team.two.get(`/admin/users/${user.id}`))
    assert.deepEqual([detail.app, detail.browsers.length], [true, 1])
    await refused(team.one.post(`/admin/users/${user.id}/signout`), 403)
    await body(tho.one.post(`/admin/users/${user.id}/signout`))
    for (const client of user.clients) assert.equal((await client.get('/user/whoami')).status, 401)
    for (const look of browsers) assert.equal((await look()).status, 401)
    await socket.closed()
    const after = await body(team.two.get(`/admin/users/${user.id}`))
    assert.deepEqual([after.app, after.browsers.length], [false, 0])
    await refused(tho.one.post(`/admin/users/${moderator.id}/signout`), 403)
    const [other] = (await people(nodes, { subAccountOf: admin })) as [Person]
    await refused(tho.one.post(`/admin/users/${other.id}/signout`), 403)
    await body(admin.one.post(`/admin/users/${other.id}/signout`))
    const [primary] = (await people(nodes, {})) as [Person]
    await people(nodes, { subAccountOf: primary, level: 'admin' })
    await refused(tho.one.post(`/admin/users/${primary.id}/signout`), 403)
    await refused(moderator.one.get(`/admin/users/${user.id}`), 403)
  })
})

describe('GET /admin/figures', () => {
  it('has a row for a minute, once, and forgets what is old', async () => {
    const row = { online: 1, requests: 2, errors: 3, posts: 4, p50: 5, p99: null, lag: 6, waiting: 7, memoryMb: 8, diskFreeMb: 9 }
    const [old, minute] = [new Date('2020-01-01T00:00:00Z'), new Date('2020-01-01T00:01:00Z')]
    await insertFigure(nodes.sql, { ...row, minute: old }, old)
    for (const online of [1, 100]) await insertFigure(nodes.sql, { ...row, online, minute }, minute)
    assert.deepEqual(
      (await selectFigures(nodes.sql, old, 1)).filter((each) => each.minute <= minute),
      [{ ...row, minute }],
    )
    await nodes.sql`delete from figure where minute <= ${minute}`
  })

  it('has the durations of the requests of each five seconds, and of no other', async () => {
    const [{ node }] = nodes.apps as [(typeof nodes.apps)[0]]
    for (let count = 0; count < 3; count++) {
      await body(team.one.get('/user/whoami'))
      figuresIn(node).sample()
    }
    const { answers } = await figuresIn(node).ask({ since: 0, faults: false })
    const samples = answers.flatMap((answer) => answer.samples)
    assert.ok(samples.some(({ requests }) => requests > 0))
    for (const { requests, buckets } of samples)
      assert.equal(
        buckets.reduce((sum, count) => sum + count, 0),
        requests,
      )
  })

  it('adds up what all nodes did, agrees with /metrics, and comes from any node', async () => {
    const user = await someone()
    const sockets = await Promise.all([user.one.socket('/notification/socket'), admin.two.socket('/notification/socket')])
    for (const { node } of nodes.apps) figuresIn(node).sample()
    const before = await body(team.one.get('/admin/figures'))
    for (let count = 0; count < 5; count++) await write(user.clients[count % 2]!, `post ${count}`)
    for (const { node } of nodes.apps) figuresIn(node).sample()
    for (const node of [0, 1]) {
      const figures = await body(team.clients[node]!.get('/admin/figures'))
      assert.equal(figures.complete, true)
      assert.deepEqual(figures.nodes.map(({ name }: { name: string }) => name).toSorted(), ['node0', 'node1', 'worker0'])
      assert.deepEqual([figures.now.online, figures.now.sockets], [2, 2])
      assert.equal(figures.points.at(-1).waiting, figures.now.waiting)
      assert.ok(figures.now.p99 >= figures.now.p50 && figures.now.p50 > 0)
      assert.ok(figures.points.length >= before.points.length)
    }
    const text = await Promise.all(nodes.urls.map(async (_, node) => (await nodes.client(undefined, node).get<string>('//metrics')).body))
    const posted = text
      .flatMap((metrics) => metrics.split('\n'))
      .filter((line) => line.startsWith('http_requests_total') && line.includes('microblog/create') && line.includes('status="201"'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    const { now } = await body(team.one.get('/admin/figures'))
    assert.equal(posted, 5)
    assert.ok(now.postsPerMinute >= 5, JSON.stringify(now))
    for (const socket of sockets) socket.terminate()
  })

  it('comes by itself to browsers that look, from any node, and stops with the right to look, or when nobody asks for long', async (t) => {
    const looker = await someone({ level: 'serviceteam' })
    const login = await looker.one.post('/auth/login', undefined, {
      basic: [looker.username, testPassword],
      headers: { 'x-session': 'cookie', origin: nodes.urls[0] as string },
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    const browser = await nodes.client(undefined, 1).socket('/notification/socket', { cookie, origin: nodes.urls[1] as string })
    const app = await looker.two.socket('/notification/socket')
    const other = nodes.apps[1]!.node
    await pushFigures(other)
    const whole = await body(looker.one.get('/admin/figures'))
    await until(async () => {
      for (const { node } of nodes.apps) figuresIn(node).sample()
      await pushFigures(other)
      return browser.frames.length > 0
    }, 'a frame has come')
    const [{ type, info }] = browser.frames as [{ type: object; info: string }]
    assert.deepEqual(type, { figures: {} })
    const pushed = JSON.parse(info)
    assert.deepEqual(Object.keys(pushed.now).toSorted(), Object.keys(whole.now).toSorted())
    assert.equal(pushed.complete, true)
    const again = await body(looker.two.get('/admin/figures'))
    const last = pushed.points.at(-2)
    const same = again.points.find(({ at }: { at: string }) => at === last?.at)
    // Those two are only known by the minute.
    const { waiting: _waiting, diskFreeMb: _disk, ...point } = same ?? {}
    if (last) assert.deepEqual(point, last, 'pushed points are those that an answer has')
    assert.equal(typeof pushed.points.at(-1).waiting, 'number')
    assert.deepEqual(app.frames, [], 'apps know no such frame')

    const figures = () => browser.frames.filter((frame) => 'figures' in (frame as { type: object }).type).length
    // Frames come in the order in which they were sent: with the announcement the figures would be there, too.
    const figuresAfterPush = async () => {
      const before = browser.frames.length
      await pushFigures(other)
      const soon = new Date(Date.now() + 60_000).toISOString()
      await body(tho.two.post('/notification/announcement/create', { text: 'Ahoy', displayUntil: soon }), 201)
      await until(() => browser.frames.slice(before).some((frame) => 'announcement' in (frame as { type: object }).type), 'it is told')
      return figures()
    }
    const looked = other.clock.elapsed()
    const later = t.mock.method(other.clock, 'elapsed', () => looked + 76_000)
    const seen = figures()
    assert.equal(await figuresAfterPush(), seen, 'whoever has not asked for long does not look any more')
    later.mock.restore()
    await body(looker.one.get('/admin/figures'))
    await until(async () => (await figuresAfterPush()) > seen, 'figures have come again')

    await body(tho.one.post(`/admin/user/demote/${looker.id}`))
    const before = figures()
    assert.equal(await figuresAfterPush(), before, 'nobody else gets figures')
    await refused(looker.one.get('/admin/figures'), 403)
    for (const socket of [browser, app]) socket.terminate()
  })

  it('agrees with the rows: posts and requests of a minute are those that were kept', async () => {
    await nodes.sql`truncate figure`
    const user = await someone()
    for (const { node } of nodes.apps) figuresIn(node).sample()
    for (let count = 0; count < 4; count++) await write(user.clients[count % 2]!, `post ${count}`)
    // What is refused is no post.
    const refusals = 30
    for (let count = 0; count < refusals; count++) await refused(user.one.post('/microblog/create', { text: '', images: [] }), 400)
    for (const { node } of nodes.apps) figuresIn(node).sample()
    const { points } = await body(team.one.get('/admin/figures'))
    const [{ n }] = await nodes.sql<[{ n: number }]>`select count(*)::int as n from microblog_post where author_id = ${user.id}`
    const posts = points.slice(-3).reduce((sum: number, point: { posts: number }) => sum + point.posts / 12, 0)
    assert.ok(Math.round(posts) >= n && posts < refusals, `${posts} posts in the newest points, ${n} rows`)
  })

  it('shows a day from the minutes that were kept, a few together', async () => {
    await nodes.sql`truncate figure`
    for (const { node } of nodes.apps) figuresIn(node).sample()
    await nodes.sql`insert into figure select now() - interval '3 hours', 7, 60, 1, 6, 2, 20, 1, 0, 100, 1000`
    const day = await body(team.one.get('/admin/figures?span=day'))
    const [{ online, requests, p99, waiting, diskFreeMb }] = day.points
    assert.deepEqual([online, requests, p99, waiting, diskFreeMb], [7, 0.25, 20, 0, 1000])
    assert.equal((await body(team.one.get('/admin/figures?span=event'))).points.length, 1)
    await refused(moderator.one.get('/admin/figures'), 403)
    await refused(team.one.get('/admin/figures?span=year'), 400)
  })
})

describe('GET /admin/checks', () => {
  it('says what to mend, the worst first, and follows what happens', async () => {
    const checks = await body(team.one.get('/admin/checks'))
    const states = checks.map(({ state }: { state: string }) => state)
    assert.deepEqual(
      states,
      states.toSorted((a: string, b: string) => ['bad', 'warning', 'good'].indexOf(a) - ['bad', 'warning', 'good'].indexOf(b)),
    )
    const find = (all: { name: string; state: string }[], name: string) => all.find((check) => check.name === name)
    const german: object = JSON.parse(readFileSync(join(projectRoot, 'src/web/texts/admin.de.json'), 'utf8'))
    for (const { code, values } of checks) {
      assert.ok(`found.${code}` in german, code)
      assert.equal(typeof JSON.parse(values), 'object')
    }
    assert.match(JSON.stringify(find(checks, 'accounts')), /"password/)
    await nodes.sql`insert into outbox (job, payload, run_at, failures) values ('hits-notify', '{}', now(), 20)`
    assert.equal(find(await body(team.two.get('/admin/checks')), 'jobs')?.state, 'bad')
    await nodes.sql`delete from outbox where failures = 20`
    assert.equal(find(await body(team.two.get('/admin/checks')), 'jobs')?.state, 'good')
    await refused(moderator.one.get('/admin/checks'), 403)
  })
})

describe('/admin/jobs', () => {
  it('shows a failed job with its reason; tried again it is done; a dropped one is gone', async () => {
    const ends = new Date(0).toISOString()
    const [row] = await nodes.sql<{ id: number }[]>`
      insert into outbox (job, payload, run_at, failures, last_error)
      values ('ban-ending', ${nodes.sql.json({ personID: admin.id, until: ends })}, now(), 20, 'Error: no network') returning id::float8 as id`
    const id = (row as { id: number }).id
    const listed = await body(team.one.get('/admin/jobs?state=failed'))
    assert.deepEqual(
      listed.jobs.map(({ jobID, job, lastError }: { jobID: number; job: string; lastError: string }) => [jobID, job, lastError]),
      [[id, 'ban-ending', 'Error: no network']],
    )
    assert.equal(listed.failed, 1)
    await refused(team.one.post(`/admin/jobs/${id}/retry`), 403)
    await body(tho.two.post(`/admin/jobs/${id}/retry`))
    await until(async () => (await nodes.sql`select from outbox where id = ${id}`).length === 0, 'the job is done')
    await refused(tho.one.post(`/admin/jobs/${id}/retry`), 400)

    const held = await nodes.sql<{ id: number }[]>`
      insert into outbox (job, payload, run_at, relayed_at) values ('ban-ending', '{}', now(), now() + interval '4 seconds')
      returning id::float8 as id`
    const { jobs, running } = await body(team.two.get('/admin/jobs?state=running'))
    assert.deepEqual([running, jobs[0]?.jobID, jobs[0]?.state], [1, held[0]?.id, 'running'])
    await nodes.sql`delete from outbox where id = ${held[0]?.id as number}`

    const [later] = await nodes.sql<{ id: number }[]>`
      insert into outbox (job, payload, run_at) values ('ban-ending', '{}', now() + interval '1 day') returning id::float8 as id`
    await refused(team.one.delete(`/admin/jobs/${later?.id}`), 403)
    await body(tho.one.delete(`/admin/jobs/${later?.id}`))
    assert.equal((await nodes.sql`select from outbox where id = ${later?.id as number}`).length, 0)
  })
})

describe('kinds of jobs', () => {
  const kind = async (name: string, client = team.one): Promise<JobKindData> => {
    const kinds = await body<JobKindData[]>(client.get('/admin/jobs/kinds'))
    return kinds.find(({ job }) => job === name) ?? assert.fail(name)
  }
  const insert = (failures: number, runAt = 'now()') => nodes.sql`
    insert into outbox (job, payload, run_at, failures)
    values ('ban-ending', ${nodes.sql.json({ personID: admin.id, until: new Date(0).toISOString() })}, ${nodes.sql.unsafe(runAt)}, ${failures})`
  const left = async () => (await nodes.sql`select from outbox where job = 'ban-ending'`).length

  it('a paused kind waits without being called late, and goes on', async () => {
    const pauses = async () => (await nodes.sql`select from audit where action = 'pauseJobs'`).length
    const before = await pauses()
    await body(tho.one.post('/admin/jobs/kinds/ban-ending/pause'))
    await body(tho.two.post('/admin/jobs/kinds/ban-ending/pause'))
    try {
      assert.equal(await pauses(), before + 1)
      const { pausedBy, pausedAt, mayPause } = await kind('ban-ending', team.two)
      assert.deepEqual([pausedBy?.userID, mayPause], [tho.id, true])
      assert.ok(pausedAt)
      await insert(0, "now() - interval '10 minutes'")
      // Another kind goes on meanwhile, and so this one had its turn.
      await nodes.sql`insert into outbox (job, payload) values ('read-again', '{}')`
      await until(async () => (await nodes.sql`select from outbox where job = 'read-again'`).length === 0, 'the other job is done')
      assert.equal(await left(), 1)
      assert.equal((await kind('ban-ending')).due, 1)
      const checks = await body<CheckData[]>(team.one.get('/admin/checks'))
      assert.deepEqual([checks.find(({ name }) => name === 'jobs')?.code], ['jobs-paused'])
    } finally {
      await body(tho.two.post('/admin/jobs/kinds/ban-ending/resume'))
    }
    await until(async () => (await left()) === 0, 'the job is done')
    assert.equal((await kind('ban-ending')).pausedBy, undefined)
  })

  it('what was done is counted, with how long it took, and is there as a history', async () => {
    // No other test orders these: its announcement was deleted.
    await nodes.sql`
      insert into outbox (job, payload) values ('announcement-due', ${nodes.sql.json({ plannedID: '00000000-0000-4000-8000-000000000000' })})`
    await until(async () => (await kind('announcement-due')).doneInHour === 1, 'the job is counted')
    const { averageMs = -1, longestMs = -1, lastAt } = await kind('announcement-due')
    assert.ok(averageMs >= 0 && longestMs >= averageMs, `${averageMs} ${longestMs}`)
    assert.ok(lastAt && Date.now() - Date.parse(lastAt) < 10 * 60_000)
    const { minutes, steps } = await body<JobHistoryData>(team.two.get('/admin/jobs/history?job=announcement-due'))
    assert.equal(minutes, 15)
    assert.equal(
      steps.reduce((sum, { done }) => sum + done, 0),
      1,
    )
    await nodes.sql`
      insert into job_run (at, job, done, failed, ms, longest_ms) values
        (date_trunc('hour', now()) - interval '2 days', 'announcement-due', 5, 1, 600, 300),
        (date_trunc('hour', now()) - interval '2 days' + interval '5 minutes', 'announcement-due', 3, 0, 300, 400),
        (date_trunc('hour', now()) - interval '8 days', 'announcement-due', 7, 0, 7, 1),
        (now() - interval '10 minutes', 'performer-photo', 3, 2, 500, 250)`
    try {
      const week = await body<JobHistoryData>(team.one.get('/admin/jobs/history?job=announcement-due&span=week'))
      const [{ at: _at, ...first }] = week.steps as [JobHistoryData['steps'][number]]
      assert.deepEqual([week.minutes, first], [120, { done: 8, failed: 1, averageMs: 100, longestMs: 400 }])
      assert.equal((await kind('announcement-due')).doneInHour, 1)
      // Failures take their time, too.
      const photos = await kind('performer-photo')
      assert.deepEqual([photos.doneInHour, photos.failedInHour, photos.averageMs, photos.longestMs], [3, 2, 100, 250])
      const all = await body<JobHistoryData>(team.one.get('/admin/jobs/history?span=week'))
      assert.ok(all.steps.length >= week.steps.length)
    } finally {
      await nodes.sql`delete from job_run where at < now() - interval '1 day' or job = 'performer-photo'`
    }
  })

  it('all of a kind that have failed for good are tried again, or dropped; others stay', async () => {
    await nodes.sql`insert into outbox (job, payload, run_at, failures) values ('hits-notify', '{}', now(), 20)`
    await insert(20)
    await insert(20)
    assert.equal((await kind('ban-ending')).failed, 2)
    for (const call of [team.one.post('/admin/jobs/kinds/ban-ending/retry'), team.two.delete('/admin/jobs/kinds/ban-ending/failed')])
      await refused(call, 403)
    assert.deepEqual(await body(tho.one.post('/admin/jobs/kinds/ban-ending/retry')), { number: 2 })
    await until(async () => (await left()) === 0, 'both are done')
    await insert(20)
    await insert(3, "now() + interval '1 day'")
    assert.deepEqual(await body(tho.two.delete('/admin/jobs/kinds/ban-ending/failed')), { number: 1 })
    assert.equal(await left(), 1)
    const listed = await body<JobListData>(team.one.get('/admin/jobs?job=ban-ending'))
    assert.deepEqual([listed.jobs.length, listed.failed, listed.retrying, listed.paginator.total], [1, 0, 1, 1])
    assert.equal((await body<JobListData>(team.one.get('/admin/jobs'))).failed, 1)
    await nodes.sql`delete from outbox where job in ('ban-ending', 'hits-notify')`
  })

  it('what is no kind cannot be paused, nor can the work that requests wait for; only heads of the team may', async () => {
    for (const name of ['image', 'nothing']) await refused(tho.one.post(`/admin/jobs/kinds/${name}/pause`), 400)
    for (const client of team.clients)
      for (const verb of ['pause', 'resume']) await refused(client.post(`/admin/jobs/kinds/ban-ending/${verb}`), 403)
    await refused(moderator.one.get('/admin/jobs/kinds'), 403)
    await refused(moderator.one.get('/admin/jobs/history'), 403)
    assert.equal((await kind('image')).mayPause, false)
  })
})

describe('GET /admin/errors', () => {
  it('finds a failed request of any node by its id, without a word of what was in it', async () => {
    await nodes.sql`alter table note rename to note_away`
    try {
      const answer = await tho.two.post(`/users/${admin.id}/note`, { note: 'a secret' }, { headers: { 'x-request-id': 'broken-request' } })
      assert.equal(answer.status, 500)
    } finally {
      await nodes.sql`alter table note_away rename to note`
    }
    const { faults, complete } = await body(team.one.get('/admin/errors?search=broken-req'))
    assert.equal(complete, true)
    assert.deepEqual(
      faults.map(({ method, path, status, node }: Record<string, unknown>) => [method, path, status, node]),
      [['POST', '/api/v3/users/:user_id/note', 500, 'node1']],
    )
    assert.doesNotMatch(JSON.stringify(faults), /secret/)
    assert.deepEqual((await body(team.one.get('/admin/errors?search=nothing-like-it'))).faults, [])
    await refused(moderator.one.get('/admin/errors'), 403)
  })
})

describe('GET /admin/audit', () => {
  it('is found by who, whom and what, by name as well as by id; as a table, too', async () => {
    const user = await someone()
    await body(tho.one.post(`/mod/user/${user.id}/ban`, { reason: '=SUM(A1)' }))
    await body(tho.one.delete(`/mod/user/${user.id}/ban`))
    const find = async (query: string) =>
      (await body(admin.two.get(`/admin/audit?${query}`))).entries.map(({ action }: { action: string }) => action)
    assert.deepEqual(await find(`user=${user.username}`), ['endBan', 'ban'])
    assert.deepEqual(await find(`user=${user.id}&actor=${tho.username}&action=ban`), ['ban'])
    assert.deepEqual(await find(`user=${user.id}&limit=1&start=1`), ['ban'])
    assert.deepEqual(await find(`user=${user.id}&to=2020-01-01T00:00:00Z`), [])
    await refused(admin.one.get('/admin/audit?actor=nobody-has-this-name'), 400)
    const table = await admin.one.file(`/admin/audit/csv?user=${user.id}`)
    const lines = table.bytes.toString().trim().split('\r\n')
    assert.equal(lines.length, 3)
    assert.match(lines[1] as string, new RegExp(`"${tho.username}","endBan","user"`))
    for (const path of ['/admin/audit', '/admin/audit/csv']) await refused(tho.one.get(path), 403)
  })
})

describe('/admin/backups', () => {
  interface Listed {
    backups: { name: string; bytes: number; verifiedAt?: string }[]
    work: { kind: string; state: string; note: string }[]
  }
  const list = () => body<Listed>(admin.two.get('/admin/backups'))
  const ended = (kind: string) =>
    until(
      async () => (await list()).work.some((work) => work.kind === kind && ['done', 'failed'].includes(work.state)),
      `${kind} has ended`,
      60_000,
    )

  it('makes one at a time', async () => {
    const now = await nodes.sql`
      insert into operation (id, kind, input, state, asked_by, created_at, beat_at)
      values (gen_random_uuid(), 'backup', '{"file":"quarterdeck-x.tar"}', 'running', ${admin.id}, now(), now()) returning id`
    await refused(admin.one.post('/admin/backups'), 409)
    await nodes.sql`delete from operation where id = ${now[0]?.['id']}`
  })

  it('has failed when its worker has died, even if that was before the clock was set back', async () => {
    for (const seconds of [-61, 3600]) {
      const [row] = await nodes.sql<{ id: string }[]>`
        insert into operation (id, kind, input, state, asked_by, created_at, beat_at)
        values (gen_random_uuid(), 'backup', '{"file":"quarterdeck-x.tar"}', 'running', ${admin.id}, now(), now() + ${seconds} * interval '1 second')
        returning id`
      const { id } = row as { id: string }
      await until(
        async () => (await nodes.sql`select from operation where id = ${id} and state = 'failed' and note_code = 'lost'`).length === 1,
        `one that was last heard of ${seconds} seconds from now has failed`,
      )
      await nodes.sql`delete from operation where id = ${id}`
    }
  })

  it('makes one, restores it into a scratch database, and gives it to somebody who shows their password', async () => {
    const ordered = await body(admin.one.post('/admin/backups'))
    assert.equal(ordered.state, 'waiting')
    await ended('backup')
    const [backup] = (await list()).backups
    assert.ok(backup && backup.bytes > 1000)
    assert.equal(backup.verifiedAt, undefined)
    await body(admin.one.post(`/admin/backups/${backup.name}/verify`))
    await ended('verify')
    const after = await list()
    assert.ok(after.backups[0]?.verifiedAt, JSON.stringify(after.work))
    const scratch = await nodes.sql`select from pg_database where datname like 'quarterdeck_check_%'`
    assert.equal(scratch.length, 0, 'the scratch database is gone')

    const path = `/admin/backups/${backup.name}`
    await refused(admin.one.post(`${path}/ticket`, { currentPassword: 'wrong' }), 400)
    const { ticket } = await body(admin.one.post(`${path}/ticket`, { currentPassword: testPassword }))
    const file = await admin.two.file(`${path}?ticket=${ticket}`)
    assert.equal(file.bytes.length, backup.bytes)
    // It is good for this file, and for a minute.
    const ends = Number(ticket.split('.')[0])
    assert.ok(ends - Date.now() <= 60_000, 'at most a minute')
    await refused(admin.one.get(`/admin/backups/quarterdeck-another.tar?ticket=${ticket}`), 400)
    const [other] = (await people(nodes, { level: 'admin' })) as [Person]
    for (const [who, given] of [
      [other, ticket],
      [admin, `${Date.now() + 60_000}.${ticket.split('.')[1]}`],
      [admin, 'nonsense'],
    ] as const)
      await refused(who.one.get(`${path}?ticket=${given}`), 400)
    for (const name of ['..%2fsecret.tar', 'quarterdeck-none.tar']) await refused(admin.one.post(`/admin/backups/${name}/verify`), 400)
    for (const call of [tho.one.get('/admin/backups'), tho.one.post('/admin/backups'), tho.one.post(`${path}/verify`)])
      await refused(call, 403)

    const lock = await hold(nodes.database.url, `select pg_advisory_xact_lock(${advisoryLock('backup orders')})`)
    const orders = [admin.one, admin.two].map((client) => client.post(`${path}/verify`))
    await lock.awaited(2)
    await lock.release()
    const statuses = (await Promise.all(orders)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 409], 'of two at the same moment one is taken')
  })
})

describe('/user/export', () => {
  it('gives everybody what is theirs, pictures too, and nobody else: no secrets, no words of others', async () => {
    const [user, other] = (await people(nodes, { displayName: 'Own' }, {})) as [Person, Person]
    const second = await someone({ subAccountOf: user })
    await write(user.one, 'my own words')
    await write(second.one, 'words of my second account')
    await write(other.one, 'words of somebody else')
    await body(user.one.post(`/users/${other.id}/note`, { note: 'my private note' }), 201)
    await body(other.one.post(`/users/${user.id}/note`, { note: 'a note about me' }), 201)
    const filename = storedImage(nodes)
    await nodes.sql`update account set user_image = ${filename} where id = ${user.id}`

    assert.deepEqual(await body(user.one.get('/user/export')), { state: 'none' })
    await refused(user.one.get('/user/export/file'), 400)
    // The worker may have taken it already.
    assert.match((await body(user.one.post('/user/export'))).state, /^(waiting|running)$/)
    await until(async () => (await body(user.two.get('/user/export'))).state === 'done', 'the file is there', 60_000)
    const { bytes } = await user.two.file('/user/export/file')
    const files = await unzipped(bytes)
    const text = files.get('data.json')?.toString() ?? ''
    for (const mine of ['my own words', 'words of my second account', 'my private note', filename]) assert.ok(text.includes(mine), mine)
    assert.doesNotMatch(text, /somebody else|a note about me|password_hash|token_digest|cookie_digest/)
    assert.equal(files.get(`pictures/${filename}`)?.toString(), 'x')
    await refused(other.one.get('/user/export/file'), 400)
  })

  it('is made once an hour for a person, from whichever account, and there is one file', async () => {
    const user = await someone()
    const second = await someone({ subAccountOf: user })
    const done = () => until(async () => (await body(second.two.get('/user/export'))).state === 'done', 'the file is there', 60_000)
    const files = async () =>
      (await nodes.sql<{ file: string }[]>`select input->>'file' as file from operation where person_id = ${user.id}`).filter(({ file }) =>
        existsSync(join(nodes.config.imagesDir, exportPath(file))),
      )
    await body(user.one.post('/user/export'))
    await done()
    for (const { two } of [user, second]) {
      const answer = await two.post('/user/export')
      assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_requests'])
      const seconds = Number(answer.headers['retry-after'])
      assert.ok(seconds > 3500 && seconds <= 3600, `wait ${seconds} s`)
      assert.match(answer.body.reason, /once an hour.*in 60 minutes/)
    }
    assert.ok((await second.one.file('/user/export/file')).bytes.length > 0)
    await nodes.sql`update operation set created_at = created_at - interval '1 hour' where person_id = ${user.id}`
    await body(second.two.post('/user/export'))
    await done()
    assert.equal((await files()).length, 1)
    // One that failed is no reason to wait, nor one from a clock that was ahead.
    await nodes.sql`update operation set state = 'failed' where person_id = ${user.id}`
    await body(user.two.post('/user/export'))
    await done()
    await nodes.sql`update operation set created_at = created_at + interval '1 day' where person_id = ${user.id}`
    // Those of others are there for a day.
    const [old, young] = [25, 23].map((hours) => {
      const path = join(nodes.config.imagesDir, exportPath(`${hours}.zip`))
      const time = new Date(Date.now() - hours * 3_600_000)
      writeFileSync(path, '')
      utimesSync(path, time, time)
      return path
    }) as [string, string]
    await body(user.two.post('/user/export'))
    await until(() => !existsSync(old), 'what is older is removed')
    assert.ok(existsSync(young))
  })

  it('of many orders at once over two nodes one is taken; the database lets no second one be', async () => {
    const user = await someone()
    const second = await someone({ subAccountOf: user })
    const orders = Array.from({ length: 12 }, (_, index) =>
      ((index % 2 ? user : second).clients[(index >> 1) % 2] as Client).post('/user/export'),
    )
    const statuses = (await Promise.all(orders)).map(({ status }) => status)
    assert.deepEqual(
      statuses.filter((status) => status === 200),
      [200],
    )
    assert.ok(statuses.every((status) => [200, 409, 429].includes(status)))
    assert.equal((await nodes.sql`select from operation where person_id = ${user.id}`).length, 1)
    const again = nodes.sql`
      insert into operation (id, kind, input, state, asked_by, person_id, created_at)
      select gen_random_uuid(), 'own-data', '{}', 'running', ${second.id}, ${user.id}, now() from generate_series(1, 2)`
    await assert.rejects(again, /operation_own_data/)
  })
})

describe('/admin/boardgames and /admin/karaoke', () => {
  it('compare a file with the library, and make the library what it says; favorites stay', async () => {
    const user = await someone()
    const sing = (...lines: string[]) => ({ file: lines.join('\n') })
    const first = sing('Ann\tOne', 'Ann\tTwo', 'Ben\tThree')
    await body(admin.one.post('/admin/karaoke/upload', first))
    const songs = async (search: string) => (await body(user.two.get(`/karaoke?search=${search}`))).songs
    const [two] = await songs('two')
    await body(user.one.post(`/karaoke/${two.songID}/favorite`), 201)
    const second = sing('Ann\tTwo', 'Ben\tThree\tM', 'Cleo\tFour')
    const difference = {
      newCount: 1,
      goneCount: 1,
      changedCount: 1,
      unchangedCount: 1,
      newNames: ['Cleo: Four'],
      goneNames: ['Ann: One'],
      changedNames: ['Ben: Three'],
    }
    assert.deepEqual(await body(admin.two.post('/admin/karaoke/verify', second)), difference)
    assert.equal((await songs('four')).length, 0)
    assert.deepEqual(await body(admin.two.post('/admin/karaoke/upload', second)), difference)
    assert.deepEqual([(await songs('four')).length, (await songs('two'))[0].isFavorite], [1, true])

    const games = (...titles: string[]) => ({ file: JSON.stringify(titles.map((gameName) => ({ gameName, numCopies: 1 }))) })
    await body(admin.one.post('/admin/boardgames/upload', games('Go', 'Chess')))
    const compared = await body(admin.one.post('/admin/boardgames/verify', games('Go', 'Shogi')))
    assert.deepEqual([compared.newNames, compared.goneNames, compared.unchangedCount], [['Shogi'], ['Chess'], 1])
    await refused(admin.one.post('/admin/boardgames/upload', { file: 'no json' }), 400)
    assert.equal((await body(user.two.get('/boardgames'))).gameArray.length, 2)
    for (const library of ['boardgames', 'karaoke']) {
      for (const verb of ['verify', 'upload']) await refused(tho.one.post(`/admin/${library}/${verb}`, { file: 'x' }), 403)
      await refused(tho.one.get(`/admin/${library}/file`), 403)
    }
  })

  it('give the library away as a file; uploaded again it changes nothing, and brings back what another has taken', async () => {
    const user = await someone()
    const files = {
      karaoke: 'Ann\tOne\nAnn\tOne\tM\nBen\tTwo\tVR\n',
      boardgames: JSON.stringify([
        { gameName: 'Go', numCopies: 2, categories: ['old'], avgRating: 7.5 },
        { gameName: 'Go', numCopies: 1 },
        { gameName: 'Go: the stones', numCopies: 1, expands: 'Go' },
      ]),
    }
    for (const [library, file] of Object.entries(files)) {
      await body(admin.one.post(`/admin/${library}/upload`, { file }))
      const before = await body(admin.two.get(`/admin/${library}/file`))
      const { newCount, goneCount, changedCount, unchangedCount } = await body(admin.one.post(`/admin/${library}/verify`, before))
      assert.deepEqual([newCount, goneCount, changedCount, unchangedCount], [0, 0, 0, 2], library)
    }
    const before = await body(admin.two.get('/admin/boardgames/file'))
    const [game] = (await body(user.one.get('/boardgames'))).gameArray
    await body(user.one.post(`/boardgames/${game.gameID}/favorite`), 201)
    await body(admin.one.post('/admin/boardgames/upload', { file: '[]' }))
    assert.deepEqual((await body(user.two.get('/boardgames'))).gameArray, [])
    await body(admin.one.post('/admin/boardgames/upload', before))
    const back = (await body(user.two.get('/boardgames'))).gameArray
    assert.deepEqual([back.length, back[0].gameID, back[0].isFavorite], [3, game.gameID, true])
    assert.deepEqual(JSON.parse((await body(admin.one.get('/admin/boardgames/file'))).file), JSON.parse(before.file))
  })
})
