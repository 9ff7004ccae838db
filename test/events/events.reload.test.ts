// The automatic update: fetched from where a publisher has it, refused when it looks broken, logged. One node, two workers.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { Ctx } from '../../src/core/work/ctx.ts'
import { DownloadError } from '../../src/core/http/download.ts'
import { fetchFeed } from '../../src/events/feed.ts'
import { orderHourlyUpdate } from '../../src/events/reload.service.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, settingsChanged, type Person } from '../support/fez.ts'
import { jobsDone } from '../support/jobs.ts'
import { apply, calendar, type Listed } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { startWebhook } from '../support/webhook.ts'

const clock = new LeapingClock()
let nodes: TestNodes
let admin: Person
let publisher: Server
let address: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
let asked: IncomingMessage[] = []
before(async () => {
  nodes = await startTestNodes(1, { clock, workers: 2, env: { OUTSIDE_HOSTS: '127.0.0.1' } })
  ;[admin] = (await people(nodes, { level: 'serviceteam' })) as [Person]
  publisher = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  publisher.listen(0, '127.0.0.1')
  await once(publisher, 'listening')
  address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`
})
after(async () => {
  publisher.closeAllConnections()
  publisher.close()
  await nodes.stop()
})
beforeEach(async () => {
  await jobsDone(nodes)
  asked = []
  await apply(admin, [])
  await nodes.sql`truncate schedule_log`
  await publishAt(`${address}/all.ics`)
})

async function publishAt(url: string): Promise<void> {
  await nodes.sql`insert into setting (name, value) values ('settings.scheduleUpdateURL', ${nodes.sql.json(url)}) on conflict (name) do update set value = excluded.value`
  await settingsChanged(nodes)
}

const at = (hours: number) => new Date(Date.UTC(2025, 2, 2, 12 + hours)).toISOString()
const events = (count: number, more: Partial<Listed> = {}): Listed[] =>
  Array.from({ length: count }, (_, i) => ({ uid: `uid${i}`, title: `Event ${i}`, start: at(i % 24), end: at(1 + (i % 24)), ...more }))
const serve = (list: readonly Listed[]) => {
  answer = (_, response) => response.end(calendar(list))
}
const log = () =>
  body<{ automaticUpdate: boolean; changeCount: number; error?: string; entryID: number }[]>(admin.one.get('/admin/schedule/viewlog'))
const schedule = async () => (await body<Listed[]>(admin.one.get('/events'))).map(({ uid }) => uid)

/** Orders an update and returns its entry in the log. */
async function reload(method: 'GET' | 'POST' = 'POST') {
  const before = (await log()).length
  await body(admin.one.request(method, '/admin/schedule/reload'))
  await until(async () => (await log()).length > before, 'the update is in the log')
  // By then all nodes know of it.
  await jobsDone(nodes)
  return (await log())[0] as Awaited<ReturnType<typeof log>>[number]
}

test('an ordered update brings what is published, and tells the forums; the log has what changed', async () => {
  serve(events(3))
  const first = await reload('GET')
  assert.deepEqual([first.automaticUpdate, first.changeCount, first.error], [true, 3, undefined])
  assert.deepEqual((await schedule()).length, 3)
  assert.match(String(asked[0]?.headers['user-agent']), /^Mozilla/)
  const [{ forum }] = await body<[{ forum: string }]>(admin.one.get('/events'))
  const thread = await body(admin.one.get(`/forum/${forum}?start=0`))
  assert.deepEqual([thread.creator.username, thread.posts.length], ['admin', 2])
  serve(events(2, { location: 'Elsewhere' }))
  const second = await reload()
  const { deletedEvents, locationChangeEvents } = await body(admin.one.get(`/admin/schedule/viewlog/${second.entryID}`))
  assert.deepEqual([second.changeCount, deletedEvents.length, locationChangeEvents.length], [3, 1, 2])
  assert.equal((await body(admin.one.get(`/forum/${forum}?start=0`))).posts.length, 3)
  assert.deepEqual((await reload()).changeCount, 0)
})

test('what runs already, and what was over and comes again, is told as well; what is over stays so', async () => {
  const hour = Math.ceil(clock.now() / 3_600_000) * 3_600_000
  const from = (hours: number) => new Date(hour + hours * 3_600_000).toISOString()
  const running = { uid: 'running', title: 'Running', location: 'Lido', start: from(-2), end: from(2) }
  const past = { uid: 'past', title: 'Past', location: 'Lido', start: from(-5), end: from(-4) }
  const over = { uid: 'over', title: 'Over', location: 'Lido', start: from(-5), end: from(-4) }
  serve([running, past, over])
  await reload()
  const [follower] = (await people(nodes, {})) as [Person]
  const idOf = async (uid: string) => (await body<{ eventID: string }>(follower.one.get(`/events/${uid}`))).eventID
  const ids = [await idOf('running'), await idOf('past'), await idOf('over')]
  for (const id of ids) await body(follower.one.post(`/events/${id}/favorite`), 201)
  const socket = await follower.one.socket('/notification/socket')
  serve([
    { ...running, location: 'Deck 4' },
    { ...past, start: from(5), end: from(6) },
    { ...over, location: 'Deck 4' },
  ])
  await reload()
  await until(() => socket.frames.length > 1, 'the follower hears of both')
  await socket.flushed()
  assert.deepEqual(socket.frames.map(({ contentID }) => contentID).toSorted(), ids.slice(0, 2).toSorted())
})

test('webhooks are told what an update has changed, and nothing of one that has changed nothing', async (t) => {
  const program = await startWebhook<{ data: object }>()
  const [endpoint] = await nodes.sql<{ id: string }[]>`
    insert into webhook_endpoint (id, name, url, secret, kinds, created_at)
    values (gen_random_uuid(), 'A program', ${program.url}, 'secret', '{schedule.updated}', now()) returning id`
  t.after(async () => {
    await nodes.sql`delete from webhook_endpoint where id = ${endpoint?.id ?? ''}`
    program.close()
  })
  serve(events(3))
  await reload()
  await reload()
  assert.deepEqual(
    program.messages.map(({ data }) => data),
    [{ changes: 3 }],
  )
})

test('what the publisher moves is told to those who follow it', async () => {
  const hour = Math.ceil(clock.now() / 3_600_000) * 3_600_000
  const from = (hours: number) => new Date(hour + hours * 3_600_000).toISOString()
  const trivia = { uid: 'trivia', title: 'Trivia', location: 'Lido', start: from(3), end: from(4) }
  serve([trivia])
  await reload()
  const [follower] = (await people(nodes, {})) as [Person]
  const { eventID } = await body<{ eventID: string }>(follower.one.get('/events/trivia'))
  await body(follower.one.post(`/events/${eventID}/favorite`), 201)
  const socket = await follower.one.socket('/notification/socket')
  serve([{ ...trivia, location: 'Deck 4' }])
  await reload()
  await until(() => socket.frames.length > 0, 'the follower hears of it')
  assert.deepEqual(socket.frames, [{ type: { followedEventStarting: {} }, info: 'Trivia: Lido → Deck 4', contentID: eventID }])
})

test('what looks broken is refused, logged, and changes nothing: too many deletions, an empty calendar, one that cannot be read', async () => {
  await apply(admin, events(60))
  for (const [content, reason] of [
    [calendar(events(9)), /51/],
    [calendar([]), /empty/],
    ['', /empty/],
    ['<html>Log in', /Line 1 /],
    [calendar(['BEGIN:VEVENT', 'END:VEVENT']), /Line 6 /],
    [Buffer.from([0xff, 0xfe, 0x00]), /UTF-8/],
  ] as const) {
    answer = (_, response) => response.end(content)
    const { automaticUpdate, changeCount, error } = await reload()
    assert.deepEqual([automaticUpdate, changeCount], [true, 0])
    assert.match(error ?? '', reason)
    assert.equal((await schedule()).length, 60)
  }
  serve(events(10))
  assert.equal((await reload()).error, undefined)
  assert.equal((await schedule()).length, 10)
  answer = (_, response) => response.end(calendar([]))
  assert.match((await reload()).error ?? '', /empty/)
  assert.equal((await schedule()).length, 10)
  serve(events(8, { start: '2024-03-02T13:00:00Z', end: '2024-03-02T14:00:00Z' }).map((each) => ({ ...each, uid: `old-${each.uid}` })))
  assert.match((await reload()).error ?? '', /8 of the 8 events .* none of the trip's days/)
  assert.equal((await schedule()).length, 10)
})

test('an address that fails is logged without the address; redirects and size are bounded', async () => {
  const secret = 'secret-path'
  await publishAt(`${address}/${secret}`)
  const failures: [(request: IncomingMessage, response: ServerResponse) => void, RegExp][] = [
    [
      (_, response) => {
        response.statusCode = 503
        response.end()
      },
      /status 503/,
    ],
    [(request, response) => response.writeHead(302, { location: `${request.url}x` }).end(), /too many/],
    [(_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(), /http/],
    [(_, response) => void response.socket?.destroy(), /could not be reached/],
    [
      (_, response) => {
        response.end(Buffer.alloc(11 * 1024 * 1024, 'x'))
      },
      /larger than/,
    ],
  ]
  for (const [behave, reason] of failures) {
    answer = behave
    const { error } = await reload()
    assert.match(error ?? '', reason)
    assert.doesNotMatch(error ?? '', new RegExp(secret))
  }
  answer = (request, response) =>
    request.url === '/end' ? response.end(calendar(events(1))) : response.writeHead(301, { location: '/end' }).end()
  assert.equal((await reload()).changeCount, 1)
  await publishAt('no address')
  assert.match((await reload()).error ?? '', /http/)
})

test('a publisher that does not answer, or not to the end, is given up', async () => {
  for (const begin of ['', 'BEGIN:VCALENDAR\n']) {
    answer = (_, response) => {
      response.write(begin)
    }
    await assert.rejects(fetchFeed(`${address}/slow`, 200), (error) => error instanceof DownloadError && /0.2 seconds/.test(error.message))
  }
})

test('without an address nothing happens and nothing is logged', async () => {
  await publishAt('')
  await body(admin.one.post('/admin/schedule/reload'))
  await jobsDone(nodes)
  assert.deepEqual([(await log()).length, asked.length], [0, 0])
})

test('several at once: each is logged, the changes are made once', async () => {
  serve(events(20))
  await Promise.all(Array.from({ length: 5 }, () => body(admin.one.post('/admin/schedule/reload'))))
  await until(async () => (await log()).length === 5, 'all are done')
  assert.deepEqual(
    (await log()).map(({ changeCount }) => changeCount).toSorted((a, b) => b - a),
    [20, 0, 0, 0, 0],
  )
  assert.equal((await nodes.sql`select from event where uid like 'uid%' and deleted_at is null`).length, 20)
})

test('every hour at its fifth minute one update is ordered, whoever looks; not when the timer is off', async () => {
  await publishAt('')
  const minute = () => new Date(clock.now()).getUTCMinutes()
  clock.leap(((65 - minute() - 2) % 60) * 60_000)
  serve(events(1))
  await publishAt(`${address}/all.ics`)
  // The hour before may be due yet.
  const { node } = nodes.apps[0] as TestNodes['apps'][number]
  const look = () => Promise.all([1, 2, 3].map(() => orderHourlyUpdate(new Ctx(node, undefined, { requestId: 'sweep', log: node.log }))))
  await look()
  await jobsDone(nodes)
  const before = (await log()).length
  // From the third minute on to the sixth, and then for an hour.
  for (const [minutes, expected] of [
    [3, before + 1],
    [50, before + 1],
    [10, before + 2],
  ] as const) {
    clock.leap(minutes * 60_000)
    await look()
    await look()
    await jobsDone(nodes)
    assert.equal((await log()).length, expected)
  }
  Object.assign(node.config, { scheduleTimer: false })
  clock.leap(60 * 60_000)
  await publishAt('')
  await look()
  assert.equal((await nodes.sql`select from outbox`).length, 0)
})
