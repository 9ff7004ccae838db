// The figures of the console: each page says what Postgres says, and no page says something else than another, on a place
// with all kinds of accounts, codes, entries of the schedule, reports and errors.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { figuresIn } from '../../src/console/figures.ts'
import type { App } from '../../src/app.ts'
import { settingsOf } from '../../src/settings/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { apply } from '../support/schedule.ts'

let nodes: TestNodes
let admin: Person
before(async () => {
  nodes = await startTestNodes(2)
  await fill()
})
after(() => nodes.stop())

const first = (): App => nodes.apps[0] as App
const dayMs = 24 * 60 * 60_000
const get = async (path: string) => await body(admin.two.get(path))
const count = async (from: string): Promise<number> =>
  ((await nodes.sql.unsafe(`select count(*)::int as n from ${from}`)) as unknown as [{ n: number }])[0].n

async function fill(): Promise<void> {
  const [host, moderator, user, other, gone, program] = (await people(
    nodes,
    { level: 'admin' },
    { level: 'moderator' },
    {},
    { level: 'unverified' },
    { level: 'banned' },
    {},
  )) as [Person, Person, Person, Person, Person, Person]
  admin = host
  await nodes.sql`update account set level = 'client' where id = ${program.id}`
  await nodes.sql`update account set deleted_at = now() where id = ${gone.id}`
  await body(user.one.post('/user/add', { username: `sub-${user.id.slice(0, 8)}`, password: 'a password' }), 201)
  const { codes } = await body(host.one.post('/admin/regcodes/make', { count: 40 }), 201)
  await body(host.one.post('/admin/regcodes/make', { count: 7, forDiscordUsers: true }), 201)
  await body(other.one.post('/user/verify', { verification: codes[0] }))
  const { start } = settingsOf(first().node).trip
  const at = (days: number) => new Date(start.getTime() + days * dayMs).toISOString()
  await apply(
    host,
    [1, 2, 3, 40].map((day) => ({ uid: `event-${day}`, title: `Event ${day}`, start: at(day), end: at(day + 0.1) })),
  )
  const { twarrtID: postID } = await body(user.one.post('/microblog/create', content('A post')), 201)
  const { twarrtID: second } = await body(user.one.post('/microblog/create', content('Another')), 201)
  for (const [who, id] of [
    [moderator, postID],
    [other, postID],
    [other, second],
  ] as const)
    await body(who.two.post(`/microblog/${id}/report`, { message: 'Look' }), 201)
}

const checks = async (name: string): Promise<{ state: string; code: string; values: Record<string, number> }> => {
  const all = (await get('/admin/checks')) as { name: string; state: string; code: string; values?: string }[]
  const found = all.find((check) => check.name === name)
  return { state: found?.state ?? 'missing', code: found?.code ?? '', values: JSON.parse(found?.values ?? '{}') as Record<string, number> }
}
const step = async (name: string): Promise<number> =>
  ((await get('/admin/event')).steps as { name: string; count: number }[]).find((each) => each.name === name)?.count as number

test('codes: the page, its list, the checks and the preparation count the same', async () => {
  const all = await count('registration_code')
  const stats = await get('/admin/regcodes/stats')
  assert.equal(stats.allocatedCodes + stats.allocatedDiscordCodes, all)
  assert.equal((await get('/admin/regcodes/list')).paginator.total, all)
  assert.equal((await checks('codes')).values['codes'], all)
  assert.equal(await step('codes'), all)
  const used = await count('registration_code where person_id is not null')
  assert.ok(used > 0)
  assert.equal(stats.usedCodes + stats.usedDiscordCodes, used)
  assert.equal((await get('/admin/regcodes/list?state=used')).paginator.total, used)
  assert.equal(
    (await get('/admin/regcodes/unused')).paginator.total,
    await count('registration_code where person_id is null and not for_chat_user'),
  )
})

test('people: deleted accounts, built-in ones and programs are counted nowhere', async () => {
  const all = await count("account where not special and level <> 'client' and deleted_at is null")
  assert.ok(all < (await count('account where not special and deleted_at is null')), 'there is a program')
  assert.ok(all < (await count("account where not special and level <> 'client'")), 'there is one that is deleted')
  assert.equal((await get('/admin/users')).paginator.total, all)
  assert.equal((await checks('codes')).values['people'], all)
  const { levels } = await get('/admin/reach')
  assert.equal(
    (levels as { accounts: number }[]).reduce((sum, { accounts }) => sum + accounts, 0),
    all,
  )
  assert.equal((await get('/admin/report')).newPeople, all)
  for (const { level, accounts } of levels as { level: string; accounts: number }[])
    assert.equal((await get(`/admin/users?level=${level}`)).paginator.total, accounts, level)
})

test('the schedule: the checks and the preparation count what is on the days of the event, and say what is not', async () => {
  const inside = await count("event where deleted_at is null and title like 'Event %' and title <> 'Event 40'")
  assert.equal(inside, 3)
  const { state, values } = await checks('schedule')
  assert.equal(await step('schedule'), values['number'])
  assert.equal((values['number'] as number) + (values['elsewhere'] as number), await count('event where deleted_at is null'))
  assert.equal(state, 'warning')
  const there = await nodes.sql<{ id: string }[]>`update event set deleted_at = now() where deleted_at is null returning id`
  const { state: emptyState, code } = await checks('schedule')
  assert.deepEqual([emptyState, code], ['warning', 'schedule-empty'])
  await nodes.sql`update event set deleted_at = null where id = any(${there.map(({ id }) => id)})`
})

test('games and songs: what is in the libraries, not what ever was', async () => {
  await body(admin.one.post('/admin/karaoke/upload', { file: 'Ann\tOne\nBen\tTwo\nCleo\tThree' }))
  await body(admin.one.post('/admin/karaoke/upload', { file: 'Ann\tOne\nBen\tTwo' }))
  assert.equal(await step('songs'), 2)
  assert.equal((await get('/admin/karaoke/file')).file, 'Ann\tOne\nBen\tTwo\n')
  const game = (gameName: string) => ({ gameName, numCopies: 1 })
  await body(admin.one.post('/admin/boardgames/upload', { file: JSON.stringify([game('Go'), game('Chess')]) }))
  await body(admin.one.post('/admin/boardgames/upload', { file: JSON.stringify([game('Go')]) }))
  assert.equal(await step('games'), (await get('/boardgames')).paginator.total)
})

test('reports: the badge, the checks, the event’s page and the queue', async () => {
  const open = await count('report where not is_closed')
  assert.equal(open, 3)
  assert.equal((await checks('reports')).values['number'], open)
  assert.equal((await get('/admin/event')).today.openReports, open)
  assert.equal((await get('/notification/user')).moderatorData.openReportCount, open)
  assert.equal((await get('/admin/report')).reportsFiled, open)
  const queue = await get('/mod/reports/queue')
  assert.equal(queue.paginator.total, 2, 'by what is reported')
  assert.equal(
    (queue.groups as { reports: unknown[] }[]).reduce((sum, { reports }) => sum + reports.length, 0),
    open,
  )
})

test('errors: the dashboard, its plot, the list and the report of the day say the same, also after a restart', async () => {
  const { node } = first()
  const fail = (requestId: string) =>
    node.metrics.noteFault({
      at: node.clock.now(),
      method: 'GET',
      path: '/api/v3/x',
      status: 500,
      code: 'internal',
      requestId,
      cause: 'Error at x',
    })
  for (const id of ['first', 'second']) fail(id)
  await figuresIn(node).saveFaults()
  fail('third')
  const listed = async () =>
    ((await get('/admin/errors')).faults as { requestID: string }[])
      .map(({ requestID }) => requestID)
      .filter((id) => /^(first|second|third)$/.test(id))
  assert.deepEqual((await listed()).toSorted(), ['first', 'second', 'third'], 'kept ones, and those that are not yet')
  await figuresIn(node).saveFaults()
  await figuresIn(node).saveFaults()
  assert.equal(await count("fault where request_id in ('first', 'second', 'third')"), 3)
  assert.deepEqual((await listed()).toSorted(), ['first', 'second', 'third'], 'each once')
  assert.equal(((await get('/admin/errors?search=SECOND')).faults as unknown[]).length, 1)

  // What servers from before have counted.
  const minute = Math.floor(node.clock.now() / 60_000) * 60_000
  const kept = (minutesAgo: number, errors: number) => nodes.sql`
    insert into figure (minute, online, requests, errors, posts, p50, p99, lag, waiting, memory_mb)
    values (${new Date(minute - minutesAgo * 60_000)}, 3, 600, ${errors}, 12, 1, 2, 0, 0, 100)`
  await kept(70, 100)
  await kept(30, 5)
  await kept(10, 2)
  const { now, points } = await get('/admin/figures')
  assert.equal(now.errorsInHour, 7)
  const plotted = (points as { at: string; errors: number; requests: number; posts: number }[]).filter(({ errors }) => errors > 0)
  assert.deepEqual(
    plotted.map(({ errors, requests, posts }) => [errors, requests, posts]),
    [
      [5, 10, 12],
      [2, 10, 12],
    ],
    'a minute of requests a second, of posts and errors a minute',
  )
})

test('a minute that is kept is counted once: by its row, no longer by its samples', async () => {
  const { node } = first()
  const errors = async () => (await get('/admin/figures')).now.errorsInHour as number
  const before = await errors()
  for (let each = 0; each < 4; each++) node.metrics.route('GET', '/api/v3/x').done(500, 0.01)
  figuresIn(node).sample()
  assert.equal(await errors(), before + 4)
  const minute = new Date(Math.ceil(node.clock.now() / 60_000) * 60_000)
  await nodes.sql`
    insert into figure (minute, online, requests, errors, posts, p50, p99, lag, waiting, memory_mb)
    values (${minute}, 3, 600, 4, 12, 1, 2, 0, 0, 100)`
  assert.equal(await errors(), before + 4)
})
