// A server that stops: its sockets are closed over a while, so that the phones do not all come back at once.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startApp, type App } from '../../src/app.ts'
import { systemClock, type Clock } from '../../src/core/base/clock.ts'
import { createLog } from '../../src/core/base/log.ts'
import { closingMs } from '../../src/core/http/sockets.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { createChat, people, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { until } from '../support/until.ts'

/** A server beside those of the nodes, on the same stores. */
async function another({ config, database }: TestNodes, redisPrefix: string, clock: Clock = systemClock): Promise<App> {
  return await startApp({
    config,
    databaseUrl: database.url,
    redisUrl: process.env['TEST_REDIS_URL'] ?? '',
    redisPrefix,
    source: 'stopping',
    log: createLog('silent', ''),
    clock,
  })
}

test('a stop closes sockets little by little, all of them to come back, and the phones find the other server meanwhile', async (t) => {
  const redisPrefix = `t${randomBytes(6).toString('hex')}`
  const nodes = await startTestNodes(1, { redisPrefix })
  t.after(() => nodes.stop())
  const stopping = await another(nodes, redisPrefix)
  const everybody = await people(nodes, ...Array.from({ length: 40 }, () => ({})))
  const url = `http://127.0.0.1:${stopping.port}`
  const sockets = await Promise.all(everybody.map(({ token }) => new Client(url, token).socket('/notification/socket')))
  const closedMs: number[] = []
  const codes = sockets.map(async (socket) => {
    const code = await socket.closed()
    closedMs.push(performance.now())
    return code
  })
  await stopping.stop(1000)
  assert.deepEqual(new Set(await Promise.all(codes)), new Set([1012]))
  const firstMs = Math.min(...closedMs)
  const spreadMs = Math.max(...closedMs) - firstMs
  assert.ok(spreadMs >= 700, `all within ${spreadMs} ms`)
  // No step closes more than its share; a busy machine may show two of them as one.
  const halfway = closedMs.filter((at) => at - firstMs < spreadMs / 2).length
  assert.ok(halfway >= 8 && halfway <= 32, `${halfway} of 40 in the first half`)
  const back = await Promise.all(everybody.map(({ one }) => one.socket('/notification/socket')))
  assert.equal(back.length, 40)
})

test('a stop has an end: a post that commits before it is published, a later one is found when the others read again', async (t) => {
  const redisPrefix = `t${randomBytes(6).toString('hex')}`
  const nodes = await startTestNodes(1, { redisPrefix })
  t.after(() => nodes.stop())
  // On a machine that stands still for some seconds, Postgres ends the later post itself: then there is nothing to find.
  let tries = 3
  while (!(await stopBeforeTwoPosts(nodes, redisPrefix))) assert.ok(--tries > 0, 'the later post was ended each time')
})

/** Stops a server between two posts and their commits; whether the later one has waited for long enough to be committed, and found. */
async function stopBeforeTwoPosts(nodes: TestNodes, redisPrefix: string): Promise<boolean> {
  // A stop waits this long for requests; here not at all.
  const hasty: Clock = { ...systemClock, after: (ms, work) => systemClock.after(ms === 8000 ? 0 : ms, work) }
  const stopping = await another(nodes, redisPrefix, hasty)
  const [author, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const there = new Client(`http://127.0.0.1:${stopping.port}`, author.token)
  const notices = await reader.one.socket('/notification/socket')
  const told = async (text: string) => await notices.until(({ info }) => info?.endsWith(`: ${text}`), `notice of "${text}"`)
  const sent = []
  for (const text of ['soon', 'late']) {
    const chat = await createChat(author.one, { initialUsers: [reader.id] })
    const lock = await hold(nodes.database.url, `select from fez where id = '${chat}' for update`)
    sent.push({ lock, answer: there.post(`/fez/${chat}/post`, { text, images: [] }) })
    await lock.awaited(sent.length)
  }
  const [soon, late] = sent as [(typeof sent)[0], (typeof sent)[0]]
  const lateAnswer = late.answer.catch((error: unknown) => error)
  const connections = async () =>
    (
      await nodes.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where application_name = 'quarterdeck' and datname = current_database()`
    ).map(({ pid }) => pid)
  const before = await connections()
  const stopped = stopping.stop(0)
  await until(async () => {
    const now = await connections()
    return before.some((pid) => !now.includes(pid))
  }, 'the server leaves Postgres')
  await soon.lock.release()
  assert.equal((await soon.answer).status, 201)
  await told('soon')
  await stopped
  const isStillThere = (await late.lock.waiting()) > 0
  await late.lock.release()
  if (isStillThere) await told('late')
  await lateAnswer
  return isStillThere
}

test('the more sockets there are the longer it takes, within what a stop may take', () => {
  assert.deepEqual([0, 1, 100, 1000, 3000, 20_000].map(closingMs), [0, 2, 200, 2000, 6000, 6000])
})
