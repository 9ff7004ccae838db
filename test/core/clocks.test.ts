// Machines whose clocks are wrong: nodes go by the clock of the database, which they share.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test, type TestContext } from 'node:test'
import { systemClock } from '../../src/core/base/clock.ts'
import { DatabaseClock } from '../../src/core/db/database-clock.ts'
import { createLog } from '../../src/core/base/log.ts'
import { startWorker } from '../../workers/worker.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock, setMachineClock } from '../support/fake-clock.ts'
import { body, createChat, lfg, people, type Person } from '../support/fez.ts'
import { postIn, startForum } from '../support/forum.ts'
import { jobsDone } from '../support/jobs.ts'
import { onlySettings } from '../support/settings.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const log = createLog('silent', 'clocks-test')

/** How far a time of an answer is from the database's. */
async function offBy({ sql }: TestNodes, time: string): Promise<number> {
  const [{ now }] = await sql<[{ now: Date }]>`select clock_timestamp() as now`
  return Math.abs(new Date(time).getTime() - now.getTime())
}

/** Writes a post with somebody's alertword and somebody's name; both are notified. */
async function hitSomebody(nodes: TestNodes): Promise<void> {
  const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
  await body(reader.one.post('/user/alertwords/add/stargazing'))
  const socket = await reader.one.socket('/notification/socket')
  const { forumID } = await startForum(writer.one, 'A forum')
  const postID = await postIn(writer.one, forumID, `stargazing, @${reader.username}?`)
  for (const kind of ['forumMention', 'alertwordPost'])
    await socket.until(({ type, contentID }) => kind in type && Number(contentID) === postID, `a notice: ${kind}`)
  // Nothing waits for another hour.
  await jobsDone(nodes)
  const { posts } = await body(writer.one.get(`/forum/${forumID}`))
  for (const post of posts) assert.ok((await offBy(nodes, post.createdAt)) < minuteMs, post.createdAt)
}

async function start(t: TestContext, options: Parameters<typeof startTestNodes>[1]): Promise<TestNodes> {
  const nodes = await startTestNodes(1, options)
  t.after(() => nodes.stop())
  // Clocks on board are those of the port.
  await nodes.sql`delete from time_zone_change`
  await onlySettings(nodes, { upcomingLFGNotificationSetting: 'current' })
  return nodes
}

for (const [name, aheadMs] of [
  ['three hours ahead', 3 * hourMs],
  ['three hours behind', -3 * hourMs],
] as const) {
  describe(`a machine whose clock is ${name}`, () => {
    test('jobs of posts are done at once', async (t) => {
      setMachineClock(t, aheadMs)
      await hitSomebody(await start(t, { workers: 1 }))
    })

    test('a group is announced when it starts, not before and not never', async (t) => {
      const trueMs = Date.now()
      setMachineClock(t, aheadMs)
      const nodes = await start(t, { workers: 1 })
      const [owner] = (await people(nodes, {})) as [Person]
      const socket = await owner.one.socket('/notification/socket')
      const startingIn = (ms: number) =>
        createChat(
          owner.one,
          lfg({ startTime: new Date(trueMs + ms).toISOString(), endTime: new Date(trueMs + ms + hourMs).toISOString() }),
        )
      const late = await Promise.all([1, 2, 4].map((hours) => startingIn(hours * hourMs)))
      const soon = await startingIn(4 * minuteMs)
      await socket.until(({ type, contentID }) => 'joinedLFGStarting' in type && contentID === soon, 'the start is announced')
      await jobsDone(nodes)
      await socket.flushed()
      for (const { contentID } of socket.frames) assert.ok(!late.includes(contentID))
    })

    test('a server of which the clock is wrong, and a worker of which it is not', async (t) => {
      const clock = new LeapingClock()
      clock.set(aheadMs)
      const redisPrefix = `t${randomBytes(6).toString('hex')}`
      const nodes = await start(t, { clock, redisPrefix })
      const worker = await startWorker({
        config: nodes.config,
        databaseUrl: nodes.database.url,
        redisUrl: process.env['TEST_REDIS_URL'] ?? '',
        redisPrefix,
        source: 'worker',
        log,
        onSilence: () => undefined,
      })
      t.after(() => worker.stop())
      const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
      await body(reader.one.post('/user/alertwords/add/stargazing'))
      const socket = await reader.one.socket('/notification/socket')
      const { postID } = await startForum(writer.one, 'A forum', { text: 'stargazing' })
      await socket.until(({ type, contentID }) => 'alertwordPost' in type && Number(contentID) === postID, 'a notice')
      await jobsDone(nodes)
    })
  })
}

test('a clock that is set while the server runs: the next measurement makes up for it', async (t) => {
  const nodes = await start(t, {})
  const clock = new DatabaseClock()
  await clock.adjust(nodes.sql, log)
  const off = () => offBy(nodes, new Date(clock.now()).toISOString())
  assert.ok((await off()) < 1000)
  for (const aheadMs of [3 * hourMs, -3 * hourMs, 5000]) {
    setMachineClock(t, aheadMs)
    assert.ok(Math.abs(systemClock.now() - clock.now()) < 4 * hourMs)
    assert.ok((await off()) > 1000)
    await clock.adjust(nodes.sql, log)
    assert.ok((await off()) < 1000)
  }
})

test('the notice of an alertword does not wait for a timer', async (t) => {
  const clock = new LeapingClock()
  const { every } = clock
  // Those that look for lost jobs among them.
  Object.assign(clock, {
    every: (intervalMs: number, callback: () => void) => (intervalMs < 1000 ? every(intervalMs, callback) : () => undefined),
  })
  await hitSomebody(await start(t, { workers: 1, clock }))
})
