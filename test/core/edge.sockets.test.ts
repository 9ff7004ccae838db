// The WebSocket edge under hostile clients: upgrades and frames that no library would send.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { createAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { refusedSocket } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { createSeamail, people, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { RawConnection } from '../support/raw.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let token: string
const open = new Set<RawConnection>()

before(async () => {
  nodes = await startTestNodes()
  token = (await createAccount(nodes.sql)).token
})
after(() => nodes.stop())

// Whatever a test has sent, the server is there and answers.
afterEach(async () => {
  for (const connection of open) connection.destroy()
  open.clear()
  assert.equal((await nodes.client().get('/client/health')).status, 200)
})

const path = '/api/v3/notification/socket'

/** Asks for an upgrade. An empty header is left out. */
function upgrade(changes: Record<string, string> = {}, target = path): RawConnection {
  const headers = {
    Host: 'x',
    Authorization: `Bearer ${token}`,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...changes,
  }
  const connection = new RawConnection(nodes.urls[0] as string)
  open.add(connection)
  return connection.sendLines(
    `GET ${target} HTTP/1.1`,
    ...Object.entries(headers)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  )
}

/** An open socket. */
async function connect(): Promise<RawConnection> {
  const connection = upgrade()
  assert.deepEqual(await connection.answers(), [101])
  return connection
}

/** A frame of a client: masked with zeros unless told otherwise. */
function frame(
  firstByte: number,
  payload: Uint8Array | string,
  { masked = true, length }: { masked?: boolean; length?: bigint } = {},
): Buffer {
  const bytes = Buffer.from(payload as string)
  const size = length ?? BigInt(bytes.length)
  const head =
    size < 126n
      ? Buffer.from([Number(size)])
      : size < 65_536n
        ? Buffer.concat([Buffer.from([126]), u16(Number(size))])
        : Buffer.concat([Buffer.from([127]), u64(size)])
  head[0] = (head[0] as number) | (masked ? 0x80 : 0)
  return Buffer.concat([Buffer.from([firstByte]), head, ...(masked ? [Buffer.alloc(4)] : []), bytes])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

test('upgrades that are none: refused with the right status', async () => {
  const cases: [Record<string, string>, number][] = [
    [{ Authorization: '' }, 401],
    [{ Authorization: 'Bearer nonsense' }, 401],
    [{ Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }, 401],
    [{ Authorization: `Bearer ${'a'.repeat(1000)}` }, 401],
    [{ 'Sec-WebSocket-Version': '' }, 426],
    [{ 'Sec-WebSocket-Version': '8' }, 426],
    [{ 'Sec-WebSocket-Version': '14' }, 426],
    [{ 'Sec-WebSocket-Version': '13, 8' }, 426],
    [{ 'Sec-WebSocket-Key': '' }, 426],
    [{ 'Sec-WebSocket-Key': 'short' }, 426],
    [{ 'Sec-WebSocket-Key': 'a'.repeat(100) }, 426],
    [{ Upgrade: '' }, 426],
    [{ Upgrade: 'h2c' }, 426],
  ]
  for (const [changes, status] of cases) assert.deepEqual(await upgrade(changes).answers(), [status], JSON.stringify(changes))
  const plain = await nodes.client(token).get('/notification/socket')
  assert.equal(plain.status, 426)
  assert.deepEqual([plain.headers['upgrade'], plain.headers['sec-websocket-version']], ['websocket', '13'])
})

test('upgrades on other paths: no socket', async () => {
  for (const [target, status] of [
    ['/no/such/path', 404],
    ['/api/v3/auth/login', 405],
    ['/api/v3/fez/types', 200],
    ['/', 302],
    [`/api/v3/fez/${randomUUID()}/socket`, 400],
    ['/api/v3/fez/nonsense/socket', 400],
    ['/api/v3/fez/%00/socket', 400],
    ['/api/v3/fez/%zz/socket', 400],
  ] as const) {
    assert.deepEqual(await upgrade({}, target).answers(), [status], target)
  }
})

test('a list of protocols: at most one comes back', async () => {
  const connection = upgrade({
    'Sec-WebSocket-Protocol': 'one, two',
    'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits',
  })
  assert.deepEqual(await connection.answers(), [101])
  assert.doesNotMatch(connection.text, /two|permessage-deflate/)
})

test('frames against the protocol: the socket is closed', async () => {
  const cases: [string, Buffer][] = [
    ['an unknown kind', frame(0x83, '')],
    ['an unknown control kind', frame(0x8b, '')],
    ['reserved bits', frame(0xf1, 'hello')],
    ['compressed without agreement', frame(0xc1, 'hello')],
    ['not UTF-8', frame(0x81, new Uint8Array([0xff, 0xfe]))],
    ['a surrogate in UTF-8', frame(0x81, new Uint8Array([0xed, 0xa0, 0x80]))],
    ['a long ping', frame(0x89, new Uint8Array(126))],
    ['a ping in pieces', frame(0x09, 'a')],
    ['too long', frame(0x82, new Uint8Array(16 * 1024 + 1))],
    ['longer than memory', frame(0x82, '', { length: 2n ** 62n })],
    ['of a negative length', frame(0x82, '', { length: 2n ** 64n - 1n })],
    ['too long in pieces', Buffer.concat([frame(0x02, new Uint8Array(10_000)), frame(0x80, new Uint8Array(10_000))])],
    ['a close code that does not exist', frame(0x88, u16(1))],
    ['a close frame cut short', frame(0x88, new Uint8Array([3]))],
    ['a close reason that is no text', frame(0x88, Buffer.concat([u16(1000), Buffer.from([0xff])]))],
  ]
  await Promise.all(
    cases.map(async ([name, bytes]) => {
      const connection = await connect()
      connection.send(bytes)
      await until(() => connection.closed, `closed: ${name}`)
    }),
  )
})

test('frames that are allowed but mean nothing: ignored', async () => {
  const connection = await connect()
  connection.send(
    Buffer.concat([
      frame(0x81, 'hello'),
      frame(0x82, new Uint8Array([0xff])),
      frame(0x81, ''),
      frame(0x01, 'he'),
      frame(0x80, 'llo'),
      frame(0x8a, 'unasked pong'),
      frame(0x82, new Uint8Array(16 * 1024)),
    ]),
  )
  const before = connection.text.length
  connection.send(frame(0x89, 'still there?'))
  while (!connection.text.slice(before).includes('still there?')) await new Promise(setImmediate)
  assert.equal(connection.closed, false)
  connection.send(frame(0x88, u16(1000)))
  await connection.end()
})

test('frames without a mask: read as if they had one, and harm nobody', async () => {
  const connection = await connect()
  for (const size of [0, 5, 200, 16_000]) connection.send(frame(0x82, new Uint8Array(size), { masked: false }))
  connection.socket.end()
  await connection.end()
})

test('floods of upgrades that are given up, and of sockets that are reset', async () => {
  for (let round = 0; round < 5; round++) {
    const connections = Array.from({ length: 100 }, (_, index) =>
      upgrade(index % 3 === 0 ? { Authorization: `Bearer ${randomBytes(16).toString('base64')}` } : {}),
    )
    await Promise.all(connections.map((connection) => new Promise((resolve) => connection.socket.once('connect', resolve))))
    for (const [index, connection] of connections.entries()) {
      if (index % 2 === 0) connection.socket.resetAndDestroy()
      else connection.destroy()
    }
  }
  for (let round = 0; round < 10; round++) {
    const connection = await connect()
    connection.send(frame(0x81, 'x'.repeat(round))).socket.resetAndDestroy()
  }
  const socket = await nodes.client(token).socket('/notification/socket')
  await socket.flushed()
})

test('an upgrade that takes longer than a request may is refused, and opens nothing afterwards', async (t) => {
  const clock = new LeapingClock()
  const own = await startTestNodes(2, { clock })
  t.after(() => own.stop())
  const [ann, bob] = (await people(own, {}, {})) as [Person, Person]
  const path = `/fez/${await createSeamail(ann.one, [bob])}/socket`
  const lock = await hold(own.database.url, 'lock table fez_post in access exclusive mode')
  const status = refusedSocket(bob.two.socket(path))
  await lock.awaited()
  clock.leap(21_000)
  assert.equal(await status, 503)
  await lock.release()
  await bob.two.socket(path)
  const { body } = await bob.two.get('//metrics')
  assert.match(String(body), /^sockets_open\{path="\/api\/v3\/fez\/:fezID\/socket".*\} 1$/m)
})
