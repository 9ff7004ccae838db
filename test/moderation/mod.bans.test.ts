// /mod/reports/queue, /mod/user/:id/ban and /record. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { browserSocket } from '../support/browser-session.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { write } from '../support/microblog.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let tho: Person
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  ;[tho, moderator] = (await people(nodes, { level: 'tho' }, { level: 'moderator' })) as [Person, Person]
})
after(() => nodes.stop())

const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const level = async ({ id }: Person) => (await body(tho.two.get(`/mod/user/${id}`))).accessLevel
const dayMs = 24 * 3_600_000
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('GET /mod/reports/queue', () => {
  beforeEach(() => nodes.sql`truncate report cascade`)

  it('groups reports by content: open ones first, the longest waiting first; closed ones when asked for', async () => {
    const [a, b, author] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const [first, second] = [await write(author.one, 'first'), await write(author.one, 'second')]
    await body(a.one.post(`/microblog/${first}/report`, { message: 'one' }), 201)
    await body(a.one.post(`/microblog/${second}/report`, { message: 'two' }), 201)
    await body(b.two.post(`/microblog/${first}/report`, { message: 'three' }), 201)
    const queue = async (state = '') => await body(moderator.two.get(`/mod/reports/queue${state}`))
    const shown = ({ groups }: { groups: { reportedID: string; state: string; reports: { submitterMessage: string }[] }[] }) =>
      groups.map(({ reportedID, state, reports }) => [Number(reportedID), state, reports.map(({ submitterMessage }) => submitterMessage)])
    const all = await queue()
    assert.deepEqual(shown(all), [
      [first, 'open', ['three', 'one']],
      [second, 'open', ['two']],
    ])
    assert.deepEqual([all.openCount, all.takenCount, all.closedCount, all.paginator.total], [2, 0, 0, 2])

    await body(moderator.one.post(`/mod/reports/${all.groups[0].reports[0].id}/handleall`))
    assert.deepEqual(
      shown(await queue()).map(([id, state]) => [id, state]),
      [
        [second, 'open'],
        [first, 'taken'],
      ],
    )
    assert.equal((await queue('?state=taken')).groups[0].handledBy.userID, moderator.id)
    await body(moderator.one.post(`/mod/reports/${all.groups[0].reports[0].id}/closeall`))
    assert.deepEqual(
      shown(await queue('?state=closed')).map(([id]) => id),
      [first],
    )
    assert.equal((await queue('?limit=1')).groups.length, 1)
    await refused((await someone()).one.get('/mod/reports/queue'), 403)
    await refused(moderator.one.get('/mod/reports/queue?state=forgotten'), 400)
  })
})

describe('POST /mod/user/:user_id/ban', () => {
  it('signs all accounts of a person out on every node, and says why when they try to sign in', async () => {
    const bad = await someone()
    const other = await someone({ subAccountOf: bad })
    await body(tho.one.post(`/mod/user/${other.id}/ban`, { reason: 'Rude words', until: inAnHour() }))
    for (const client of [...bad.clients, ...other.clients]) assert.equal((await client.get('/user/whoami')).status, 401)
    const answer = await nodes.client().post('/auth/login', undefined, { basic: [bad.username, testPassword] })
    assert.equal(answer.status, 403)
    assert.match(answer.body.reason, /banned until .* UTC: Rude words/)
    const record = await body(moderator.two.get(`/mod/user/${bad.id}/record`))
    assert.equal(record.ban.reason, 'Rude words')
    assert.equal(record.ban.bannedBy.userID, tho.id)
    assert.equal(record.actions[0].actionType, 'accessLevelBanned')
  })

  it('is among the newest fifty things that were done to any account of the person', async () => {
    const bad = await someone()
    const other = await someone({ subAccountOf: bad })
    await nodes.sql`
      insert into moderator_action (id, action_type, content_type, content_id, moderator_id, target_user_id, created_at)
      select gen_random_uuid(), 'edit', 'forum', number::text, ${moderator.id}, (array[${bad.id}, ${other.id}]::uuid[])[1 + number % 2],
        now() - (61 - number) * interval '1 minute' from generate_series(1, 60) number`
    const { actions } = await body(moderator.two.get(`/mod/user/${bad.id}/record`))
    assert.deepEqual(
      actions.map(({ contentID }: { contentID: string }) => Number(contentID)),
      Array.from({ length: 50 }, (_, index) => 60 - index),
    )
  })

  it('is refused to moderators, for members of the team, for oneself, without a reason, and with an end that has passed', async () => {
    const user = await someone()
    await refused(moderator.one.post(`/mod/user/${user.id}/ban`, { reason: 'x' }), 403)
    await refused(tho.one.post(`/mod/user/${moderator.id}/ban`, { reason: 'x' }), 400)
    assert.match(await refused(tho.one.post(`/mod/user/${tho.id}/ban`, { reason: 'x' }), 400), /yourself/)
    await refused(tho.one.post(`/mod/user/${user.id}/ban`, { reason: '' }), 400)
    for (const endMs of [0, Date.now() + 401 * dayMs])
      await refused(tho.one.post(`/mod/user/${user.id}/ban`, { reason: 'x', until: new Date(endMs).toISOString() }), 400)
    assert.equal(await level(user), 'verified')
  })

  it('ends at its time, by a job; a ban that was changed since does not', async () => {
    const [short, longer] = (await people(nodes, {}, {})) as [Person, Person]
    const soon = new Date(Date.now() + 1500).toISOString()
    for (const { id } of [short, longer]) await body(tho.one.post(`/mod/user/${id}/ban`, { reason: 'A moment', until: soon }))
    await body(tho.two.post(`/mod/user/${longer.id}/ban`, { reason: 'For good' }))
    await until(async () => (await nodes.sql`select from outbox where payload ->> 'until' = ${soon}`).length === 0, 'both jobs are done')
    assert.deepEqual([await level(short), await level(longer)], ['verified', 'banned'])
    assert.equal((await nodes.client().post('/auth/login', undefined, { basic: [short.username, testPassword] })).status, 200)
  })
})

describe('DELETE /mod/user/:user_id/ban', () => {
  it('gives the level back that the person had; refused when there is no ban', async () => {
    const user = await someone({ level: 'unverified' })
    await body(tho.one.post(`/mod/user/${user.id}/ban`, { reason: 'x' }))
    await refused(moderator.one.delete(`/mod/user/${user.id}/ban`), 403)
    await body(tho.two.delete(`/mod/user/${user.id}/ban`))
    assert.equal(await level(user), 'unverified')
    await refused(tho.one.delete(`/mod/user/${user.id}/ban`), 400)
    assert.equal((await body(moderator.one.get(`/mod/user/${user.id}/record`))).ban, undefined)
  })

  it('gives back the level of before the first of two bans', async () => {
    const user = await someone({ level: 'quarantined' })
    await body(tho.one.post(`/mod/user/${user.id}/ban`, { reason: 'x', until: inAnHour() }))
    await body(tho.two.post(`/mod/user/${user.id}/ban`, { reason: 'For good' }))
    await body(tho.one.delete(`/mod/user/${user.id}/ban`))
    assert.equal(await level(user), 'quarantined')
  })

  it('that comes while another one bans the person waits for that, and ends it', async () => {
    const user = await someone({ level: 'quarantined' })
    const lock = await hold(nodes.database.url, 'lock table audit in share mode')
    const banning = tho.one.post(`/mod/user/${user.id}/ban`, { reason: 'x', until: inAnHour() })
    await lock.awaited(1)
    const ending = tho.two.delete(`/mod/user/${user.id}/ban`)
    await lock.awaited(2)
    await lock.release()
    await body(banning)
    await body(ending)
    assert.equal(await level(user), 'quarantined')
    assert.equal((await body(moderator.one.get(`/mod/user/${user.id}/record`))).ban, undefined)
  })

  it('makes unverified whoever was banned without an end before', async () => {
    const user = await someone()
    await body(tho.one.post(`/mod/user/${user.id}/setaccesslevel/banned`))
    await body(tho.two.post(`/mod/user/${user.id}/ban`, { reason: 'x', until: inAnHour() }))
    await body(tho.one.delete(`/mod/user/${user.id}/ban`))
    assert.equal(await level(user), 'unverified')
  })

  it('another level ends the ban too', async () => {
    const user = await someone()
    await body(tho.one.post(`/mod/user/${user.id}/ban`, { reason: 'x', until: inAnHour() }))
    await body(tho.one.post(`/mod/user/${user.id}/setaccesslevel/verified`))
    assert.equal((await body(moderator.one.get(`/mod/user/${user.id}/record`))).ban, undefined)
    await refused((await someone()).one.get(`/mod/user/${user.id}/record`), 403)
  })
})

describe('GET /mod/user/:user_id', () => {
  it('says how long somebody is quarantined until then, and not a moment longer', async () => {
    const user = await someone({ tempQuarantineUntil: new Date(Date.now() + 5000) })
    const end = async () => (await body(moderator.one.get(`/mod/user/${user.id}`))).tempQuarantineEndTime
    assert.notEqual(await end(), undefined)
    await until(async () => (await end()) === undefined, 'the quarantine is over')
  })
})

describe('WS /notification/socket', () => {
  it('tells browsers of moderators that reports have changed, and nobody else', async () => {
    const socket = await browserSocket(nodes, moderator)
    const app = await moderator.two.socket('/notification/socket')
    const [reporter, user] = (await people(nodes, {}, {})) as [Person, Person]
    await body(reporter.one.post(`/users/${user.id}/report`, { message: '' }), 201)
    await socket.until(({ type }) => 'reportsChanged' in type)
    assert.deepEqual(app.frames, [])
  })

  it('a browser that listens already gets them from when its user joins the team until they leave it', async () => {
    const helper = await someone()
    const socket = await browserSocket(nodes, helper)
    const user = await someone()
    const report = async () => body((await someone()).two.post(`/users/${user.id}/report`, { message: '' }), 201)
    await body(tho.one.post(`/admin/moderator/promote/${helper.id}`))
    await report()
    await socket.until(({ type }) => 'reportsChanged' in type)
    await body(tho.one.post(`/admin/user/demote/${helper.id}`))
    const before = socket.frames.length
    await report()
    // Comes after what the report would have sent.
    await body(tho.two.post('/notification/announcement/create', { text: 'After the report', displayUntil: inAnHour() }), 201)
    await socket.until(({ type }) => 'announcement' in type)
    assert.deepEqual(
      socket.frames.slice(before).map(({ type }) => Object.keys(type)),
      [['announcement']],
    )
  })
})

describe('POST /mod/user/:user_id/stop', () => {
  const stop = (who: Person, by: Person, more: object = {}) =>
    by.one.post(`/mod/user/${who.id}/stop`, { reason: 'Threats', hours: 8, ...more })

  it('is for the heads of the team, and for moderators where the host lets them', async () => {
    const first = await someone()
    await onlySettings(nodes)
    assert.equal((await body(moderator.one.get(`/mod/user/${first.id}/record`))).mayStop, false)
    await refused(stop(first, moderator), 400)
    assert.equal(await level(first), 'verified')
    await body(stop(first, tho))
    assert.equal(await level(first), 'banned')
    await onlySettings(nodes, { moderatorsMayStop: true })
    const second = await someone()
    assert.equal((await body(moderator.one.get(`/mod/user/${second.id}/record`))).mayStop, true)
    await body(stop(second, moderator))
    const { ban } = await body(tho.one.get(`/mod/user/${second.id}/record`))
    assert.deepEqual([ban.reason, ban.bannedBy.userID], ['Threats', moderator.id])
    assert.ok(Math.abs(Date.parse(ban.until) - Date.now() - 8 * 3_600_000) < 60_000)
    assert.equal((await second.two.get('/user/whoami')).status, 401)
    await refused(second.one.post(`/mod/user/${first.id}/stop`, { reason: 'x', hours: 1 }), 401)
  })

  it('for at most a day, with a reason, not of somebody who is banned, and not of the team', async () => {
    await onlySettings(nodes, { moderatorsMayStop: true })
    const who = await someone()
    for (const more of [{ hours: 0 }, { hours: 25 }, { hours: 1.5 }, { hours: null }, { reason: '' }])
      await refused(stop(who, moderator, more), 400)
    assert.equal(await level(who), 'verified')
    await body(tho.one.post(`/mod/user/${who.id}/ban`, { reason: 'For good' }))
    for (const by of [moderator, tho]) await refused(stop(who, by), 400)
    assert.equal((await body(tho.one.get(`/mod/user/${who.id}/record`))).ban.until, undefined)
    for (const member of [tho, moderator, await someone({ level: 'moderator' })]) await refused(stop(member, moderator), 400)
    const person = await someone()
    await refused(stop(person, await someone()), 403)
    await onlySettings(nodes)
  })
})
