// A server that stops: its sockets are closed over a while, so that the phones do not all come back at once.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../src/app.ts'
import { createLog } from '../src/core/log.ts'
import { closingMs } from '../src/core/realtime/sockets.ts'
import { startTestNodes } from './support/app.ts'
import { Client } from './support/client.ts'
import { people } from './support/fez.ts'

test('a stop closes sockets little by little, all of them to come back, and the phones find the other server meanwhile', async () => {
  const redisPrefix = `t${randomBytes(6).toString('hex')}`
  const nodes = await startTestNodes(1, { redisPrefix })
  const { config, database } = nodes
  const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
  const stopping = await startApp({
    config,
    databaseUrl: database.url,
    redisUrl,
    redisPrefix,
    source: 'stopping',
    log: createLog('silent', ''),
  })
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
  await nodes.stop()
})

test('the more sockets there are the longer it takes, within what a stop may take', () => {
  assert.deepEqual([0, 1, 100, 1000, 3000, 20_000].map(closingMs), [0, 2, 200, 2000, 6000, 6000])
})
