// Clients that want too much of a server, and what browsers may do with what it sends. One node is in a
// process of its own, which is measured. IDLE_CONNECTIONS says how many connections to hold open, 2,000 by default.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { imagePath } from '../../src/image/names.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { createAccount, createAccounts } from '../support/accounts.ts'
import { Client, Refused, type TestSocket } from '../support/client.ts'
import { clusterProcess } from '../support/cluster.ts'
import { body, createChat, people, say, type Person } from '../support/fez.ts'
import { RawConnection } from '../support/raw.ts'
import { apply } from '../support/schedule.ts'
import { until } from '../support/until.ts'

const megabyte = 1024 * 1024
let nodes: TestNodes
/** That of the node in a process of its own. */
let url: string
const ends: (() => unknown)[] = []
before(async () => {
  nodes = await startTestNodes(2, { env: { BODY_MEMORY_MB: '64', WRITES_PER_MINUTE: '0' } })
  const server = await clusterProcess({ after: (end) => void ends.push(end) }, 'server', nodes.config.dataDir, {
    databaseUrl: nodes.database.url,
    redisUrl: process.env['TEST_REDIS_URL'] ?? '',
  })
  await server.start()
  url = server.url
})
after(async () => {
  for (const end of ends) end()
  await nodes.stop()
})

/** A figure of the measured process. */
async function figure(name: string): Promise<number> {
  const { body: text } = await new Client(url).get<string>('//metrics')
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
  assert.ok(values.length > 0, `no figure ${name}`)
  return values.reduce((sum, value) => sum + value, 0)
}

const openFiles = () => figure('process_open_fds')
const residentMemory = () => figure('process_resident_memory_bytes')

/** How long a request takes, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

async function inBatches<T>(items: readonly T[], size: number, work: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work))
}

describe('what browsers may do with files', () => {
  const policyOf = async (path: string, token?: string) => {
    const { status, headers } = await nodes.client(token).file(path)
    assert.equal(status, 200, path)
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    return String(headers['content-security-policy'])
  }

  test('run nothing of them', async () => {
    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    const uid = randomUUID()
    await apply(admin, [{ uid, title: 'An event', start: '2025-03-03T13:00:00Z', end: '2025-03-03T14:00:00Z' }])
    const name = `${randomUUID().toUpperCase()}.png`
    for (const size of ['full', 'thumb'] as const) {
      const path = join(nodes.config.imagesDir, imagePath(size, name))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '<script>alert(1)</script>')
    }
    for (const path of [
      `/image/full/${name}`,
      `/image/thumb/${name}`,
      `/image/user/identicon/${admin.id}`,
      `/image/user/full/${admin.id}`,
      `/events/${uid}/calendarevent.ics`,
      `//events/${uid}/calendarevent.ics`,
      '//metrics',
    ]) {
      assert.match(await policyOf(path), /default-src 'none'.*sandbox/, path)
    }
    const docs = await policyOf('//docs')
    assert.match(docs, /default-src 'none'; script-src 'self'/)
    assert.match(docs, /frame-ancestors 'none'/)
  })

  test('take no headers from names', async () => {
    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    const titles = [
      'Two\nSet-Cookie: a=b',
      '"; filename="evil.exe',
      "'*()%0d%0aSet-Cookie: a=b",
      '\u202egnp.exe',
      '../../etc/passwd',
      'a\\b',
      '',
      '💥'.repeat(100),
      '\u0085\u2028Set-Cookie: a=b',
    ]
    const events = titles.map((title) => ({ uid: randomUUID(), title, start: '2025-03-03T13:00:00Z', end: '2025-03-03T14:00:00Z' }))
    await apply(admin, events)
    for (const { uid, title } of events) {
      const { status, headers } = await nodes.client().file(`/events/${uid}/calendarevent.ics`)
      assert.equal(status, 200, title)
      assert.equal(headers['set-cookie'], undefined, title)
      assert.match(
        String(headers['content-disposition']),
        /^attachment; filename="[^"\\/\r\n]*\.ics"; filename\*=UTF-8''[\w.%!~-]+$/,
        title,
      )
    }
  })
})

describe('bodies', () => {
  test('that take too much memory together: 503, others go on, and the memory is free again afterwards', async () => {
    const [sender, other] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createChat(other.one)
    const head = (client: Client, bytes: number) => [
      `POST /api/v3/personalevents/create HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${client.token}`,
      'Content-Type: application/json',
      `Content-Length: ${bytes}`,
      '',
      '',
    ]
    const start = (bytes: number) => new RawConnection(nodes.urls[0] as string).sendLines(...head(sender.one, bytes))
    const chunk = Buffer.alloc(megabyte, 32)
    for (let round = 0; round < 2; round++) {
      const uploads = Array.from({ length: 12 }, () => start(9 * megabyte))
      for (let sent = 0; sent < 8; sent++) for (const upload of uploads) upload.send(chunk)
      // An answer that comes while the other end still sends may be lost with its connection.
      await until(() => uploads.filter(({ statuses, closed }) => closed || statuses.length > 0).length >= 2, 'some are refused', 30_000)
      assert.deepEqual(
        [...new Set(uploads.flatMap(({ statuses }) => statuses))].filter((status) => status !== 503),
        [],
      )
      assert.ok(
        uploads.some(({ statuses, closed }) => statuses.length === 0 && !closed),
        'some go on',
      )
      await say(other.one, fezID, 'still here')
      for (const upload of uploads) upload.destroy()
      // The same again: what was given up takes nothing.
    }
    const last = start(9 * megabyte)
    for (let sent = 0; sent < 9; sent++) last.send(chunk)
    assert.deepEqual(await last.answers(), [400])
    last.destroy()
  })
})

describe('connections', () => {
  const count = Number(process.env['IDLE_CONNECTIONS'] ?? 2000)

  test(`${count} that say nothing, or not enough: cost little memory, keep nobody waiting, and end`, async (t) => {
    const [filesBefore, memoryBefore] = [await openFiles(), await residentMemory()]
    const { hostname, port } = new URL(url)
    const idle: Socket[] = []
    await inBatches(
      Array.from({ length: count }, (_, index) => index),
      200,
      async (index) => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => undefined)
        idle.push(socket)
        await once(socket, 'connect')
        if (index % 2 === 0) socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      },
    )
    // The first were opened a moment ago; uWS gives them ten seconds.
    const slowest = Math.max(...(await Promise.all(Array.from({ length: 20 }, () => timeOf(() => new Client(url).get('/client/health'))))))
    const [files, memory] = [await openFiles(), await residentMemory()]
    t.diagnostic(
      `${files - filesBefore} more files, ${Math.round((memory - memoryBefore) / count)} bytes of memory each, slowest answer ${Math.round(slowest)} ms`,
    )
    assert.ok(slowest < 5000, `an answer took ${slowest} ms`)
    assert.ok(memory - memoryBefore < 40 * megabyte + count * 4096, `${memory - memoryBefore} bytes for ${count} connections`)
    await until(() => idle.every(({ destroyed }) => destroyed), 'the server closes all of them', 60_000)
    await until(async () => (await openFiles()) <= filesBefore + 20, 'no files stay open')
  })

  test('upgrades by other methods, and on paths of pages: none', async () => {
    const { token } = await createAccount(nodes.sql)
    const upgrade = [
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ]
    const cases: [string, number][] = [
      ['POST /api/v3/notification/socket', 405],
      ['PUT /api/v3/notification/socket', 405],
      ['DELETE /api/v3/notification/socket', 405],
      ['HEAD /api/v3/notification/socket', 426],
      ['OPTIONS /api/v3/notification/socket', 200],
      ['GET /docs', 200],
      ['GET /health/live', 200],
      ['GET /api/v3/notification/socket/', 404],
      ['GET /api/v3/notification//socket', 404],
      ['GET /API/V3/notification/socket', 404],
    ]
    for (const [line, status] of cases) {
      const connection = new RawConnection(url).sendLines(
        `${line} HTTP/1.1`,
        ...upgrade,
        ...(line.startsWith('GET') || line.startsWith('HEAD') || line.startsWith('OPTIONS') ? [] : ['Content-Length: 0']),
        '',
        '',
      )
      assert.deepEqual(await connection.answers(), [status], line)
      connection.destroy()
    }
  })
})

describe('sockets', () => {
  test('3,000 that come and go: nothing stays', async (t) => {
    const accounts = await createAccounts(
      nodes.sql,
      Array.from({ length: 50 }, () => ({})),
    )
    const clients = accounts.map(({ token }) => new Client(url, token))
    const comeAndGo = async (client: Client, index: number) => {
      const socket = await client.socket('/notification/socket')
      if (index % 3 === 0) socket.ws.close()
      else socket.terminate()
    }
    const rounds = (times: number) =>
      inBatches(
        Array.from({ length: times }, (_, index) => index),
        50,
        (index) => comeAndGo(clients[index % 50] as Client, index),
      )
    await rounds(500)
    await until(async () => (await figure('sockets_open')) === 0, 'all sockets are closed')
    const [filesBefore, memoryBefore] = [await openFiles(), await residentMemory()]
    await rounds(2500)
    await until(async () => (await figure('sockets_open')) === 0, 'all sockets are closed')
    await until(async () => (await openFiles()) <= filesBefore + 20, 'no files stay open')
    const grown = (await residentMemory()) - memoryBefore
    t.diagnostic(`${Math.round(grown / 1024)} KiB more memory`)
    assert.ok(grown < 30 * megabyte, `memory has grown by ${grown} bytes`)
    // Places are free again: as many as one user may have.
    const all = await Promise.all(Array.from({ length: 20 }, () => (clients[0] as Client).socket('/notification/socket')))
    await assert.rejects((clients[0] as Client).socket('/notification/socket'), Refused)
    for (const socket of all) socket.terminate()
  })

  test('floods of frames: others are served meanwhile', async () => {
    const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
    const [flooder, writer, reader] = [owner, owner, member].map(({ token }) => new Client(url, token)) as [Client, Client, Client]
    const fezID = await createChat(writer, { initialUsers: [member.id] })
    const floods = await Promise.all(
      Array.from({ length: 10 }, (_, index) => flooder.socket(index % 2 === 0 ? '/notification/socket' : `/fez/${fezID}/socket`)),
    )
    const listening = await reader.socket(`/fez/${fezID}/socket`)
    const frame = 'x'.repeat(1000)
    for (let round = 0; round < 10; round++) {
      for (const { ws } of floods) for (let sent = 0; sent < 500; sent++) ws.send(frame)
      await say(writer, fezID, `post ${round}`)
    }
    await listening.count(10)
    for (const socket of [...floods, listening]) socket.terminate()
  })

  test('somebody who does not read is closed at the limit, and delays nobody', async () => {
    const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createChat(owner.one, { initialUsers: [member.id] })
    const path = `/fez/${fezID}/socket`
    const slow = await new Client(nodes.urls[0] as string, member.token).socket(path)
    const quick = await member.one.socket(path)
    slow.ws.pause()
    const text = '\u4e00'.repeat(2000)
    let sent = 0
    const openSockets = async () =>
      (await nodes.client().get<string>('//metrics')).body.match(/^sockets_open\{path="[^"]*fez[^"]*"[^}]*\} (\d+)$/m)?.[1]
    while ((await openSockets()) === '2') {
      await Promise.all(Array.from({ length: 50 }, () => say(owner.one, fezID, text)))
      sent += 50
      assert.ok(sent < 10_000, 'the socket that is not read stays open')
      await quick.count(sent)
    }
    await quick.count(sent)
    assert.equal(quick.frames.length, sent)
    assert.ok(quick.open)
    slow.ws.resume()
    await slow.closed()
    assert.ok(slow.frames.length < sent)
    quick.terminate()
  })

  test('a token that is revoked while sockets are opened with it: none of them stays', async () => {
    for (let round = 0; round < 20; round++) {
      const { token } = await createAccount(nodes.sql)
      const opening = nodes.urls.flatMap((each) =>
        Array.from({ length: 5 }, () =>
          new Client(each, token).socket('/notification/socket').catch((error: unknown) => {
            assert.ok(error instanceof Refused && error.status === 401, String(error))
          }),
        ),
      )
      await body(nodes.client(token, round % 2).post('/auth/logout'), 204)
      const sockets = (await Promise.all(opening)).filter((socket): socket is TestSocket => socket !== undefined)
      for (const socket of sockets) assert.equal(await socket.closed(), 1001)
    }
  })
})
