// /mod/reports and /mod/moderationlog. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createAccounts } from '../support/accounts.ts'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { empty } from '../support/db.ts'
import { body, createChat, names, people, refused, say, type Person } from '../support/fez.ts'
import { content, startForum } from '../support/forum.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let moderator: Person
let second: Person
let user: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[moderator, second, user] = (await people(nodes, { level: 'moderator' }, { level: 'serviceteam' }, {})) as [Person, Person, Person]
})
after(() => nodes.stop())
beforeEach(async () => {
  await empty(nodes.sql, 'report', 'moderator_action', 'moderator_work', 'audit')
})

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
interface ReportData {
  id: string
  type: string
  reportedID: string
  handledBy?: { username: string }
  isClosed: boolean
  submitterMessage: string
  creationTime: string
  updateTime: string
}
const list = (client: Client = moderator.one): Promise<ReportData[]> => body(client.get('/mod/reports'))
const handle = (client: Client, id: string): Promise<Answer> => client.post(`/mod/reports/${id}/handleall`)
const close = (client: Client, id: string): Promise<Answer> => client.post(`/mod/reports/${id}/closeall`)
const reportUser = (by: Person, who: Person, message = ''): Promise<Answer> =>
  body(by.one.post(`/users/${who.id}/report`, { message }), 201)
const openCounts = () =>
  Promise.all(moderator.clients.map(async (client) => (await body(client.get('/notification/user'))).moderatorData.openReportCount))
/** Whoever reports does not wait for the moderators. */
const untilOpen = (count: number) =>
  until(async () => (await openCounts()).every((open) => open === count), `${count} open reports are counted`)
const state = async () =>
  (await list()).map(({ handledBy, isClosed }) => `${handledBy?.username ?? 'nobody'} ${isClosed ? 'closed' : 'open'}`)

describe('GET /mod/reports', () => {
  it('lists all reports, open and closed, newest first', async () => {
    const [a, b] = (await people(nodes, {}, {})) as [Person, Person]
    await reportUser(a, user, 'one')
    await reportUser(b, user, 'two')
    const fezID = await createChat(user.one)
    const postID = await say(user.one, fezID, 'rude')
    await body(a.two.post(`/fez/post/${postID}/report`, { message: 'three' }), 201)
    const seen = await list(moderator.two)
    assert.deepEqual(
      seen.map(({ type, reportedID, submitterMessage, isClosed }) => [type, reportedID, submitterMessage, isClosed]),
      [
        ['fezPost', String(postID), 'three', false],
        ['userProfile', user.id, 'two', false],
        ['userProfile', user.id, 'one', false],
      ],
    )
    await body(close(moderator.one, seen[1]!.id))
    assert.deepEqual(
      (await list()).map(({ isClosed }) => isClosed),
      [false, true, true],
    )
  })

  it('costs two statements, however many there are', async () => {
    const reporters = await createAccounts(
      nodes.sql,
      Array.from({ length: 30 }, () => ({})),
    )
    await Promise.all(reporters.map(({ token }) => nodes.client(token).post(`/users/${moderator.id}/report`, { message: '' })))
    await list()
    const statements = await countStatements(nodes.apps[0] as App, async () => {
      assert.equal((await list()).length, 30)
    })
    assert.ok(statements <= 2, `${statements} statements`)
  })
})

describe('POST /mod/reports/:report_id/handleall and closeall', () => {
  it('take and close all open reports on the same content, and no others', async () => {
    const [a, b, other] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    await reportUser(a, user)
    await reportUser(b, user)
    await reportUser(a, other)
    const [ofOther, , first] = (await list()) as [ReportData, ReportData, ReportData]
    await untilOpen(3)
    assert.equal(await body(handle(moderator.two, first.id.toUpperCase())), undefined)
    assert.deepEqual(await openCounts(), [1, 1])
    assert.deepEqual(await state(), ['nobody open', `${moderator.username} open`, `${moderator.username} open`])
    const taken = (await list())[2] as ReportData
    assert.ok(taken.updateTime >= taken.creationTime)
    // Whoever comes last has them.
    await body(handle(second.one, first.id))
    assert.deepEqual(await state(), ['nobody open', `${second.username} open`, `${second.username} open`])
    assert.equal(await body(close(moderator.one, first.id)), undefined)
    assert.deepEqual(await state(), ['nobody open', `${second.username} closed`, `${second.username} closed`])
    await body(close(moderator.one, ofOther.id))
    assert.deepEqual(await state(), ['nobody closed', `${second.username} closed`, `${second.username} closed`])
    assert.deepEqual(await openCounts(), [0, 0])
  })

  it('leave closed reports as they are; one filed later is open again', async () => {
    const [a, b, c] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    await reportUser(a, user)
    const [{ id }] = (await list()) as [ReportData]
    await body(handle(moderator.one, id))
    await reportUser(b, user)
    await untilOpen(1)
    assert.deepEqual(await state(), ['nobody open', `${moderator.username} open`])
    await body(close(second.two, id))
    await reportUser(c, user)
    await refused(c.one.post(`/users/${user.id}/report`, { message: '' }), 409)
    await refused(a.one.post(`/users/${user.id}/report`, { message: '' }), 409)
    await body(handle(second.one, id))
    assert.deepEqual(await state(), [`${second.username} open`, 'nobody closed', `${moderator.username} closed`])
  })

  it('tag what a moderator does meanwhile, until that moderator closes reports', async () => {
    const [reporter] = (await people(nodes, {})) as [Person]
    const set = (client: Client, word: string) => body(client.post(`/mod/profile/${user.id}/setstate/${word}`))
    await reportUser(reporter, user)
    const [{ id }] = (await list()) as [ReportData]
    await set(moderator.one, 'locked')
    await body(handle(moderator.two, id))
    await set(moderator.one, 'quarantined')
    await set(second.one, 'normal')
    await body(close(second.one, id))
    await set(moderator.two, 'reviewed')
    await body(close(moderator.one, id))
    await set(moderator.one, 'normal')
    const [report] = await nodes.sql`select action_group from report`
    const group = report?.['actionGroup']
    assert.ok(group)
    assert.deepEqual(
      (await nodes.sql`select action_group from moderator_action order by created_at`).map(({ actionGroup }) => actionGroup),
      [null, group, null, group, null],
    )
  })

  it('by many at once: everything has one handler, and is closed for good', async () => {
    const reporters = await createAccounts(
      nodes.sql,
      Array.from({ length: 6 }, () => ({})),
    )
    await Promise.all(reporters.map(({ token }) => nodes.client(token).post(`/users/${user.id}/report`, { message: '' })))
    const [{ id }] = (await list()) as [ReportData]
    await Promise.all([moderator.one, second.two, moderator.two, second.one].map((client) => body(handle(client, id))))
    assert.equal(new Set(await state()).size, 1)
    await Promise.all([moderator.one, second.two, moderator.two].map((client) => body(close(client, id))))
    assert.ok((await list()).every(({ isClosed }) => isClosed))
    assert.deepEqual(await openCounts(), [0, 0])
  })

  it('are counted on all nodes whatever was reported', async () => {
    const [reporter] = (await people(nodes, {})) as [Person]
    const { forumID, postID } = await startForum(user.one, 'Reported')
    const { twarrtID } = await body(user.one.post('/microblog/create', content('reported')), 201)
    const paths = [
      `/forum/${forumID}`,
      `/forum/post/${postID}`,
      `/microblog/${twarrtID}`,
      `/fez/${await createChat(user.one)}`,
      `/users/${user.id}`,
    ]
    for (const [index, path] of paths.entries()) {
      await body(reporter.two.post(`${path}/report`, { message: '' }), 201)
      await untilOpen(index + 1)
    }
    for (const [index, { id }] of (await list()).entries()) {
      await body((index % 2 === 0 ? handle : close)(moderator.clients[index % 2] as Client, id))
      assert.deepEqual(await openCounts(), [paths.length - index - 1, paths.length - index - 1])
    }
  })

  it('are in the audit trail', async () => {
    const [reporter] = (await people(nodes, {})) as [Person]
    await reportUser(reporter, user)
    const [{ id }] = (await list()) as [ReportData]
    await body(handle(moderator.one, id))
    await body(close(moderator.one, id))
    const entries = await nodes.sql`select actor_id, action, subject_type, subject_id, user_id, details from audit order by id`
    assert.deepEqual(
      [...entries],
      ['handleReports', 'closeReports'].map((action) => ({
        actorId: moderator.id,
        action,
        subjectType: 'userProfile',
        subjectId: user.id,
        userId: user.id,
        details: { reports: [id] },
      })),
    )
  })

  it('refuse unknown reports, and callers below moderator', async () => {
    for (const id of [nobody, 'x', '1']) for (const act of [handle, close]) await refused(act(moderator.one, id), 400)
    const [client] = (await people(nodes, { level: 'client' })) as [Person]
    for (const [caller, status] of [
      [nodes.client(), 401],
      [user.one, 403],
      [client.one, 403],
    ] as const) {
      await refused(caller.get('/mod/reports'), status)
      await refused(caller.get('/mod/moderationlog'), status)
      for (const act of [handle, close]) await refused(act(caller, nobody), status)
    }
  })
})

describe('GET /mod/moderationlog', () => {
  const log = (query = '', client = moderator.two) => body(client.get(`/mod/moderationlog${query}`))

  it("shows who did what with what of whom, newest first; nothing that is one's own", async () => {
    const fezID = await createChat(user.one)
    const own = await createChat(moderator.one)
    for (const word of ['quarantined', 'quarantined', 'reviewed', 'locked', 'normal'])
      await body(moderator.one.post(`/mod/fez/${fezID}/setstate/${word}`))
    await body(moderator.one.post(`/mod/fez/${own}/setstate/locked`))
    await body(moderator.one.post(`/mod/profile/${moderator.id}/setstate/locked`))
    await body(moderator.one.post(`/mod/profile/${moderator.id}/setstate/normal`))
    await body(second.one.post(`/mod/user/${user.id}/tempquarantine/1`))
    await body(second.one.post(`/mod/user/${user.id}/tempquarantine/0`))
    const { actions, paginator } = await log()
    assert.deepEqual(paginator, { total: 7, start: 0, limit: 50 })
    assert.deepEqual(
      actions.map(({ actionType }: { actionType: string }) => actionType),
      ['tempQuarantineCleared', 'tempQuarantine', 'unlock', 'lock', 'markReviewed', 'quarantine', 'quarantine'],
    )
    assert.deepEqual(names(actions.map(({ moderator: who }: { moderator: { username: string } }) => who)), [
      ...Array.from({ length: 2 }, () => second.username),
      ...Array.from({ length: 5 }, () => moderator.username),
    ])
    const { id: _id, timestamp, ...entry } = actions[2]
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
    assert.deepEqual(entry, {
      actionType: 'unlock',
      contentType: 'fez',
      contentID: fezID,
      moderator: { userID: moderator.id, username: moderator.username },
      targetUser: { userID: user.id, username: user.username },
    })
  })

  it('comes in pages of up to 200', async () => {
    await nodes.sql`
      insert into moderator_action (id, action_type, content_type, content_id, moderator_id, target_user_id, created_at)
      select gen_random_uuid(), 'edit', 'fez', series.n::text, ${moderator.id}, ${user.id}, now() + series.n * interval '1 second' from generate_series(1, 210) as series (n)`
    const ids = (page: { actions: { contentID: string }[] }) => page.actions.map(({ contentID }) => Number(contentID))
    const all = Array.from({ length: 210 }, (_, index) => 210 - index)
    const pages: [string, number, number][] = [
      ['', 0, 50],
      ['?start=0&limit=10', 0, 10],
      ['?start=205', 205, 50],
      ['?limit=500', 0, 200],
      ['?start=-5&limit=-1', 0, 1],
      ['?limit=0', 0, 1],
      ['?start=1000', 1000, 50],
      ['?start=x&limit=y', 0, 50],
    ]
    for (const [query, start, limit] of pages) {
      const page = await log(query)
      assert.deepEqual([page.paginator, ids(page)], [{ total: 210, start, limit }, all.slice(start, start + limit)], query)
    }
  })
})
