// The client package against real servers, as a program of somebody else would use it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createClient, QuarterdeckError, type Client, type ClientOptions, type FezPostData, type LiveStatus } from '../../src/sdk/client.ts'
import { createAccount, createAccounts, testPassword, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { linkTo } from '../support/link.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
})
after(() => nodes.stop())

const clientOf = ({ token }: Partial<TestAccount> = {}, options: ClientOptions = {}): Client =>
  createClient({ baseUrl: nodes.urls[0] as string, token, WebSocket, ...options })

const cards = { fezType: 'gaming', title: 'Cards', info: 'Some cards', minCapacity: 0, maxCapacity: 0, initialUsers: [] } as const

/** A fetch that loses the first answers, after the server has acted on them. */
function losing(count: number): typeof fetch {
  let left = count
  return async (...request) => {
    const answer = await fetch(...request)
    if (left-- > 0) throw new TypeError('the answer is lost')
    return answer
  }
}

/** A fetch that answers by itself at first. */
function answering(...answers: Response[]): typeof fetch & { calls: number } {
  const pretend = async (...request: Parameters<typeof fetch>) => {
    pretend.calls++
    return answers.shift() ?? (await fetch(...request))
  }
  pretend.calls = 0
  return pretend as typeof fetch & { calls: number }
}

const refusal = (status: number, retryAfter?: string): Response =>
  Response.json(
    { error: true, status, reason: 'Not now.' },
    { status, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } },
  )

async function failure(call: Promise<unknown>): Promise<QuarterdeckError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof QuarterdeckError, `not refused: ${String(error)}`)
  return error
}

test('a login gives the client its token; calls take parameters, query and body as one object', async () => {
  const [ann, bert] = (await createAccounts(nodes.sql, [{ username: 'Änn' }, {}])) as [TestAccount, TestAccount]
  const client = clientOf()
  assert.equal((await client.auth.login({ username: 'Änn', password: testPassword })).userID, ann.id)
  assert.equal(typeof client.token, 'string')
  assert.equal((await client.user.whoami()).username, 'Änn')

  const chat = await client.fez.create({ ...cards, startTime: new Date('2026-11-22T10:00:00Z'), title: 'Cards & more' })
  assert.equal(chat.startTime, '2026-11-22T10:00:00.000Z')
  const { fezID } = chat
  await clientOf(bert).fez.join({ fezID })
  await client.fez.post({ fezID, text: 'Hello', images: [] })
  const page = await clientOf(bert).fez.get({ fezID, start: 0, limit: 1 })
  assert.deepEqual(
    page.members?.posts?.map(({ text }) => text),
    ['Hello'],
  )
  assert.deepEqual(
    (await client.fez.owner({ search: 'cards' })).fezzes.map((found) => found.fezID),
    [fezID],
  )
  assert.equal(await client.fez.mute({ fezID }), undefined)
  assert.equal(await client.fez.removeMute({ fezID }), undefined)
  assert.equal(((await client.call('GET /fez/:fezID', { fezID })) as { title: string }).title, 'Cards & more')
})

test('a refusal is an error with status, reason and the fields that are wrong', async () => {
  const client = clientOf(await createAccount(nodes.sql))
  const error = await failure(client.fez.create({ ...cards, title: '' }))
  assert.equal(error.status, 400)
  assert.match(error.message, /title/)
  assert.deepEqual(Object.keys(error.fieldErrors), ['title'])
  assert.equal(typeof error.requestId, 'string')
  assert.equal((await failure(clientOf().user.whoami())).status, 401)
})

test('pictures are sent as a form or as base64, and come back as a file with an address', async () => {
  const client = clientOf(await createAccount(nodes.sql))
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  for (const image of [new Blob([picture]), new Uint8Array(picture), picture.toString('base64')]) {
    const post = await client.microblog.create({ text: 'Look & see', images: [{ image }] })
    assert.equal(post.text, 'Look & see')
    const [image_filename = ''] = post.images ?? []
    const file = await client.image.full({ image_filename })
    assert.match(file.headers.get('content-type') ?? '', /^image\//)
    assert.deepEqual((await fetch(client.image.full.url({ image_filename }))).status, 200)
  }
})

test('a creating call whose answer is lost is repeated, and creates once', async () => {
  const account = await createAccount(nodes.sql)
  const client = clientOf(account, { fetch: losing(2) })
  const { fezID } = await client.fez.create(cards)
  const { fezzes } = await clientOf(account).fez.owner()
  assert.deepEqual(
    fezzes.map((found) => found.fezID),
    [fezID],
  )
  const idempotencyKey = 'from an outbox'.replaceAll(' ', '-')
  const first = await clientOf(account).fez.create(cards, { idempotencyKey })
  assert.equal((await clientOf(account).fez.create(cards, { idempotencyKey })).fezID, first.fezID)
})

/** An address of the server where the first answers do not come whole: `foreign` is the page of a Wi-Fi that wants a login. */
async function spoiling(t: TestContext, ...ways: ('cut' | 'stalled' | 'foreign')[]): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = request.method === 'POST' ? await new Response(Readable.toWeb(request) as ReadableStream).text() : null
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name)),
      )
      const answer = await fetch(new URL(request.url as string, nodes.urls[0]), {
        method: request.method as string,
        headers: headers as Record<string, string>,
        body,
      })
      const text = await answer.text()
      const way = ways.shift()
      if (way === 'foreign') return response.end('<html>Accept our terms.</html>')
      response.writeHead(answer.status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      if (!way) return response.end(text)
      response.write(text.slice(0, text.length / 2), () => way === 'cut' && response.destroy())
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

for (const way of ['cut', 'stalled', 'foreign'] as const)
  test(`an answer whose end does not come (${way}) is no answer: the call is repeated, and creates once`, async (t) => {
    const account = await createAccount(nodes.sql)
    const client = clientOf(account, { baseUrl: await spoiling(t, way, way) })
    const { fezID, title } = await client.fez.create(cards, { timeoutMs: 200 })
    assert.equal(title, cards.title)
    const { fezzes } = await clientOf(account).fez.owner()
    assert.deepEqual(
      fezzes.map((found) => found.fezID),
      [fezID],
    )
    const error = await failure(clientOf(account, { baseUrl: await spoiling(t, way) }).user.whoami({}, { timeoutMs: 200, retries: 0 }))
    assert.equal(error.status, 0)
    assert.equal(error.code, way === 'stalled' ? 'timeout' : 'network')
  })

test('a call ends with its signal while the answer comes', async (t) => {
  const client = clientOf(await createAccount(nodes.sql), { baseUrl: await spoiling(t, 'stalled') })
  const ending = new AbortController()
  const call = client.user.whoami({}, { signal: ending.signal })
  setTimeout(() => ending.abort(new Error('enough')), 200)
  await assert.rejects(call, /enough/)
})

test('an answer may take longer than the limit, as long as more of it comes', async (t) => {
  const account = await createAccount(nodes.sql)
  const server = createServer((_, response) => {
    void (async () => {
      const text = JSON.stringify({ userID: account.id, username: 'é'.repeat(20) })
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += 9) {
        response.write(bytes.subarray(at, at + 9))
        await pause(100)
      }
      response.end()
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const client = clientOf(account, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  assert.equal((await client.user.whoami({}, { timeoutMs: 1000, retries: 0 })).username, 'é'.repeat(20))
})

test('a call that may have had an effect is not repeated without a key', async () => {
  const account = await createAccount(nodes.sql)
  const { fezID } = await clientOf(await createAccount(nodes.sql)).fez.create(cards)
  const error = await failure(clientOf(account, { fetch: losing(1) }).fez.join({ fezID }))
  assert.equal(error.status, 0)
  assert.equal(error.code, 'network')
  assert.equal((await clientOf(account).fez.joined()).fezzes.length, 1)
})

test('Retry-After is waited for; a long one, and too many refusals, are the end', async () => {
  const account = await createAccount(nodes.sql)
  const patient = answering(refusal(503, '1'), refusal(429))
  const before = Date.now()
  assert.equal((await clientOf(account, { fetch: patient }).user.whoami()).userID, account.id)
  assert.ok(Date.now() - before >= 990)
  assert.equal(patient.calls, 3)

  const throttled = answering(refusal(429, '1'))
  await clientOf(account, { fetch: throttled }).auth.login({ username: account.username, password: testPassword })
  assert.equal(throttled.calls, 2)

  const late = await failure(clientOf(account, { fetch: answering(refusal(429, '3600')) }).user.whoami())
  assert.equal(late.retryAfter, 3600)
  const once = answering(refusal(503))
  assert.equal((await failure(clientOf(account, { fetch: once }).user.whoami({}, { retries: 0 }))).status, 503)
  assert.equal(once.calls, 1)
})

test('a call ends with its signal, or when the server takes too long', async (t) => {
  const account = await createAccount(nodes.sql)
  const link = await linkTo(t, nodes.urls[0] as string)
  link.freeze()
  const client = clientOf(account, { baseUrl: link.url })
  const ending = new AbortController()
  const call = client.user.whoami({}, { signal: ending.signal })
  ending.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  assert.equal((await failure(client.user.whoami({}, { timeoutMs: 50, retries: 0 }))).code, 'timeout')
})

test('a chat is listened to over lost connections: every post once, in order', async (t) => {
  const [ann, bert] = (await createAccounts(nodes.sql, [{}, {}])) as [TestAccount, TestAccount]
  const writer = clientOf(ann)
  const { fezID } = await writer.fez.create({ ...cards, initialUsers: [bert.id] })
  const link = await linkTo(t, nodes.urls[1] as string)
  const statuses: LiveStatus[] = []
  const socket = clientOf(bert, { baseUrl: link.url }).fez.socket({ fezID, after: 0 }, { onStatus: (status) => statuses.push(status) })
  const heard: string[] = []
  const listening = (async () => {
    for await (const frame of socket) if ('postID' in frame) heard.push(frame.text)
  })()
  const said: string[] = []
  const say = async (text: string) => {
    said.push(text)
    await writer.fez.post({ fezID, text, images: [] })
  }
  await say('before')
  await until(() => heard.length === 1, 'the first post')
  link.cut()
  await until(() => statuses.at(-1) === 'waiting', 'the loss of the connection')
  await say('while away')
  link.mend()
  await say('and after')
  await until(() => heard.length === 3, 'the missed post')
  link.drop()
  await until(() => statuses.filter((status) => status === 'open').length >= 3, 'the third connection')
  await say('once more')
  await until(() => heard.length === 4, 'the last post')
  assert.deepEqual(heard, said)
  socket.close()
  await listening
  assert.equal(statuses.at(-1), 'closed')
})

test('a connection that the server has forgotten, or that lets nothing through, is replaced; one where nothing happens is kept', async (t) => {
  const [ann, bert] = (await createAccounts(nodes.sql, [{}, {}])) as [TestAccount, TestAccount]
  const { fezID } = await clientOf(ann).fez.create({ ...cards, initialUsers: [bert.id] })
  const link = await linkTo(t, nodes.urls[1] as string)
  const statuses: LiveStatus[] = []
  const opened = () => statuses.filter((status) => status === 'open').length
  let pongs = 0
  class Watched extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      this.on('message', (data: Buffer) => String(data) === '{"pong":true}' && pongs++)
    }
  }
  const socket = clientOf(bert, { baseUrl: link.url, WebSocket: Watched }).fez.socket(
    { fezID, after: 0 },
    { silenceMs: 400, onStatus: (status) => statuses.push(status) },
  )
  t.after(() => socket.close())
  const heard: string[] = []
  const listening = (async () => {
    for await (const frame of socket) heard.push('postID' in frame ? frame.text : JSON.stringify(frame))
  })()
  await until(() => pongs >= 3, 'three answers to having heard nothing')
  assert.equal(opened(), 1)
  link.halfOpen()
  await clientOf(ann).fez.post({ fezID, text: 'to nobody', images: [] })
  await until(() => heard.length === 1, 'what was written meanwhile')
  link.freeze()
  await until(() => statuses.at(-1) === 'waiting', 'the end of the connection')
  await clientOf(ann).fez.post({ fezID, text: 'into the ice', images: [] })
  link.mend()
  await until(() => heard.length === 2, 'what was written behind the ice')
  assert.deepEqual(heard, ['to nobody', 'into the ice'])
  socket.close()
  await listening
})

test('a server of an older version, which does not know the question, keeps its connection; once it is updated, it is asked', async (t) => {
  const account = await createAccount(nodes.sql)
  const link = await linkTo(t, nodes.urls[1] as string)
  let isOlder = true
  let asked = 0
  let pongs = 0
  class Older extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      this.on('message', (data: Buffer) => String(data) === '{"pong":true}' && pongs++)
    }
    override send(data: string): void {
      asked++
      if (!isOlder) super.send(data)
    }
  }
  const statuses: LiveStatus[] = []
  const opened = () => statuses.filter((status) => status === 'open').length
  const client = clientOf(account, { baseUrl: link.url, WebSocket: Older })
  const listening = async (socket: AsyncIterable<unknown>) => {
    for await (const frame of socket) void frame
  }
  const socket = client.notification.socket({}, { silenceMs: 50, onStatus: (status) => statuses.push(status) })
  t.after(() => socket.close())
  const first = listening(socket)
  await until(() => asked >= 12, 'questions without an answer')
  const opens = opened()
  assert.ok(opens <= 3, `${opens} connections`)
  // The next socket of the same client knows by now.
  const second = client.notification.socket(
    {},
    { silenceMs: 50, onStatus: (status) => status === 'waiting' && assert.fail('it was closed') },
  )
  t.after(() => second.close())
  const other = listening(second)
  const before = asked
  await until(() => asked >= before + 8, 'further questions')
  second.close()
  await other
  assert.equal(opened(), opens)
  isOlder = false
  await until(() => pongs >= 2, 'answers')
  assert.equal(opened(), opens)
  link.freeze()
  await until(() => statuses.at(-1) === 'waiting', 'the end of a connection that lets nothing through')
  link.mend()
  await until(() => opened() > opens, 'the next connection')
  socket.close()
  await first
})

test('a socket is replaced at once when the app asks, also when its other side is gone', async (t) => {
  const account = await createAccount(nodes.sql)
  const link = await linkTo(t, nodes.urls[1] as string)
  const statuses: LiveStatus[] = []
  const opened = () => statuses.filter((status) => status === 'open').length
  const socket = clientOf(account, { baseUrl: link.url }).notification.socket({}, { onStatus: (status) => statuses.push(status) })
  t.after(() => socket.close())
  const listening = (async () => {
    for await (const frame of socket) void frame
  })()
  await until(() => opened() === 1, 'the first connection')
  link.halfOpen()
  socket.reconnect()
  await until(() => opened() === 2, 'the second connection')
  socket.close()
  await listening
})

test('leaving the loop closes the socket; notifications come to it', async () => {
  const [ann, bert] = (await createAccounts(nodes.sql, [{}, {}])) as [TestAccount, TestAccount]
  let open = false
  const socket = clientOf(bert).notification.socket({}, { onStatus: (status) => (open = status === 'open') })
  const first = (async () => {
    for await (const frame of socket) if (frame.type.seamailUnreadMsg) return frame.contentID
  })()
  await until(() => open, "the socket's opening")
  const { fezID } = await clientOf(ann).fez.create({ ...cards, fezType: 'closed', initialUsers: [bert.id] })
  await clientOf(ann).fez.post({ fezID, text: 'Hello', images: [] })
  assert.equal(await first, fezID)
  assert.equal(open, false)
})

test('a socket of an account that is signed out, or of a chat that is not for it, ends with the reason', async () => {
  const stranger = await createAccount(nodes.sql)
  const { fezID } = await clientOf(await createAccount(nodes.sql)).fez.create({ ...cards, fezType: 'gaming' })
  const first = async (client: Client) => {
    for await (const frame of client.fez.socket({ fezID })) return frame
  }
  assert.equal((await failure(first(clientOf({ token: 'wrong' })))).status, 401)
  assert.equal((await failure(first(clientOf(stranger)))).code, 'refused')
})

/** Never called: what must not compile. */
export async function mistakes(client: Client): Promise<void> {
  // @ts-expect-error -- the chat is not named
  await client.fez.join({})
  // @ts-expect-error -- an id is a text
  await client.fez.get({ fezID: 5 })
  // @ts-expect-error -- no such kind of chat
  await client.fez.create({ ...cards, fezType: 'poker' })
  // @ts-expect-error -- a field is spelled wrong
  await client.fez.post({ fezID: '', text: '', images: [], postAsModrator: true })
  // @ts-expect-error -- a login needs a password
  await client.auth.login({ username: 'ann' })
  // @ts-expect-error -- there is no such endpoint
  await client.fez.explode({ fezID: '' })
  // @ts-expect-error -- a list has no id
  const id: string = (await client.fez.joined()).fezID
  // @ts-expect-error -- a time in an answer is a text
  const time: Date = (await client.events.get({ event_id: id })).startTime
  // @ts-expect-error -- frames of a chat are posts or changes of members
  for await (const { contentID } of client.fez.socket({ fezID: '' })) void contentID
  // @ts-expect-error -- a file is no object
  const { title } = await client.image.full({ image_filename: `${time.getTime()}` })
  const post: FezPostData = await client.fez.post({ fezID: title, text: '', images: [] })
  void post
}
