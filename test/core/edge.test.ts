// The HTTP edge: what every route has in common, and what hostile clients send.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request, FormData } from 'undici'
import { createAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { refused } from '../support/fez.ts'
import { RawConnection } from '../support/raw.ts'
import { until } from '../support/until.ts'

const clock = new LeapingClock()
let nodes: TestNodes
/** A verified user. */
let user: Client
const open = new Set<RawConnection>()

before(async () => {
  nodes = await startTestNodes(1, { clock })
  user = nodes.client((await createAccount(nodes.sql)).token)
})
after(() => nodes.stop())

// Whatever a test has sent, the server is there and answers.
afterEach(async () => {
  for (const connection of open) connection.destroy()
  open.clear()
  const answer = await nodes.client().get('/client/health')
  assert.equal(answer.status, 200)
})

function raw(...lines: string[]): RawConnection {
  const connection = new RawConnection(nodes.urls[0] as string)
  open.add(connection)
  return connection.send(lines.join('\r\n'))
}

/** A route that reads a body and needs no login, and fields it wants. */
const bodyPath = '/auth/recovery'
const noBodyRoute = '/api/v3/fez/types'
const json = { 'content-type': 'application/json' }
const fez = { fezType: 'closed', title: 'A title', info: '', minCapacity: 0, maxCapacity: 0, initialUsers: [] }

test('GET /client/health: says that the stores answer', async () => {
  const answer = await nodes.client().get('/client/health')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { status: 200, reason: 'OK', error: false })
})

test('GET /notification/user: answers without a login', async () => {
  const answer = await nodes.client().get('/notification/user')
  assert.equal(answer.status, 200)
  assert.equal(answer.body.newFezMessageCount, 0)
})

describe('requests that could smuggle another past a proxy', () => {
  const chunked = ['0', '', '']
  const forms: [name: string, head: string[], body: string[]][] = [
    ['two lengths that differ', ['Host: x', 'Content-Length: 5', 'Content-Length: 0'], ['hello']],
    ['two lengths that agree', ['Host: x', 'Content-Length: 0', 'Content-Length: 0'], ['']],
    ['an empty length', ['Host: x', 'Content-Length:'], ['']],
    ['a length in another encoding', ['Host: x', 'Transfer-Encoding: xchunked'], chunked],
    ['two encodings', ['Host: x', 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunked],
    ['a list of encodings', ['Host: x', 'Transfer-Encoding: gzip, chunked'], chunked],
    ['two hosts', ['Host: x', 'Host: y'], ['']],
  ]
  const unanswered: [name: string, head: string[], body: string[]][] = [
    ['length and encoding', ['Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked'], chunked],
    ['a length with a sign', ['Host: x', 'Content-Length: +5'], ['hello']],
    ['a length in hexadecimal', ['Host: x', 'Content-Length: 0x5'], ['hello']],
    ['a length beyond all bounds', ['Host: x', 'Content-Length: 18446744073709551621'], ['hello']],
    ['a chunk size that is no number', ['Host: x', 'Transfer-Encoding: chunked'], ['xyz', 'hello', '0', '', '']],
    ['a chunk size beyond all bounds', ['Host: x', 'Transfer-Encoding: chunked'], ['ffffffffffffffffff', 'hello', '0', '', '']],
  ]
  const smuggled = ['GET /no/such/path HTTP/1.1', 'Host: x', '', '']
  const lines = [
    'GET /health/live',
    `GET ${noBodyRoute}`,
    `POST /api/v3${bodyPath}`,
    'GET /no/such/path',
    'GET /api/v3/notification/socket',
    'OPTIONS /health/live',
  ]

  for (const [name, head, body] of forms) {
    test(`${name}: 400, and the connection is closed`, async () => {
      await Promise.all(
        lines.map(async (line) => {
          const connection = raw(`${line} HTTP/1.1`, ...head, '', ...body)
          assert.deepEqual(await connection.end(), [400], line)
          assert.match(connection.text, /\r\nConnection: close\r\n/i)
        }),
      )
    })
  }

  for (const [name, head, body] of [...forms, ...unanswered]) {
    test(`${name}: what comes behind it is not answered`, async () => {
      await Promise.all(
        lines.map(async (line) => {
          const together = raw(`${line} HTTP/1.1`, ...head, '', body.join('\r\n') + smuggled.join('\r\n'))
          for (const status of await together.end()) assert.equal(status, 400)
          assert.ok(together.statuses.length < 2, together.text)
        }),
      )
    })
  }
})

describe('requests without sense', () => {
  test('what is no HTTP/1.1 is never answered with a success, and closed in the end', async () => {
    const connections = [
      raw('GET /health/live HTTP/1.0', 'Host: x', '', ''),
      raw('GET /health/live HTTP/1.1', '', ''),
      raw('GET /health/live HTTP/2.0', 'Host: x', '', ''),
      raw('GET /health/live', '', ''),
      raw('GET', '', ''),
      raw('\0\0\0\0', '', ''),
      raw('PRI * HTTP/2.0', '', 'SM', '', ''),
      raw('\u0016\u0003\u0001\u0002\0\u0001\0'),
      raw('GET /health/live HTTP/1.1', 'Host: x', 'Content-Length : 5', '', 'hello'),
      raw('GET /health/live HTTP/1.1', 'Host: x', 'X-A: b', ' Content-Length: 5', '', 'hello'),
      raw('FOO /health/live HTTP/1.1', 'Host: x', '', ''),
      raw('get /health/live HTTP/1.1', 'Host: x', '', ''),
      raw('CONNECT x:1 HTTP/1.1', 'Host: x', '', ''),
      raw('GET /health/live HTTP/1.1', 'Host: x', ...Array.from({ length: 500 }, (_, index) => `X-${index}: a`), '', ''),
      raw('GET /health/live HTTP/1.1', 'Host: x', `X-A: ${'a'.repeat(200_000)}`, '', ''),
      raw(`GET /health/live?${'a'.repeat(200_000)} HTTP/1.1`, 'Host: x', '', ''),
      // Heads and bodies that stop coming.
      raw('GET /health/live HTTP/1.1', 'Host: x', 'X-A: '),
      raw('GET /health/live HTTP/1.1', 'Host: x', 'X-Request-Id: a\rX-Evil: b', '', ''),
      raw('GET /heal'),
      raw(''),
      raw(`POST /api/v3${bodyPath} HTTP/1.1`, 'Host: x', 'Content-Length: 100', '', 'hello'),
      raw(`POST /api/v3${bodyPath} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', '', '5', 'hello'),
    ]
    await Promise.all(
      connections.map(async (connection) => {
        for (const status of await connection.end()) assert.ok(status >= 400 && status < 500, connection.text)
      }),
    )
  })

  test('methods that a path does not take: 405 that lists the others; 404 where there is no path', async () => {
    const ask = async (line: string, upgrade: string[] = []) => {
      const connection = raw(`${line} HTTP/1.1`, 'Host: x', ...upgrade, 'Content-Length: 0', '', '')
      const [status] = await connection.answers()
      return [status, /^Allow: (.+)\r$/m.exec(connection.text)?.[1]]
    }
    const id = '00000000-0000-4000-8000-000000000000'
    for (const [path, methods, allow] of [
      ['/api/v3/client/health', ['TRACE', 'CONNECT', 'PUT', 'PATCH', 'POST', 'DELETE'], 'GET, HEAD, OPTIONS'],
      // Any text may be the id of a chat.
      [noBodyRoute, ['PUT', 'POST'], 'GET, HEAD, DELETE, OPTIONS'],
      [`/api/v3${bodyPath}`, ['GET', 'HEAD', 'TRACE', 'PUT', 'DELETE'], 'POST, OPTIONS'],
      [`/api/v3/fez/${id}/mute`, ['GET', 'PUT'], 'POST, DELETE, OPTIONS'],
      ['/api/v3/fez/nonsense/mute', ['GET'], 'POST, DELETE, OPTIONS'],
      ['/api/v3/notification/socket', ['POST', 'PUT', 'TRACE'], 'GET, HEAD, OPTIONS'],
      ['/health/live', ['POST', 'DELETE'], 'GET, HEAD, OPTIONS'],
      ['/public/some/file.md', ['PUT'], 'GET, HEAD, OPTIONS'],
    ] as const) {
      for (const method of methods) assert.deepEqual(await ask(`${method} ${path}`), [405, allow], `${method} ${path}`)
    }
    for (const path of ['/no/such/path', '/api/v3', '/public', '/api/v3/fez//mute', `/api/v3/fez/${id}/mute/`, '/API/V3/fez/types'])
      for (const method of ['POST', 'TRACE', 'GET']) assert.deepEqual(await ask(`${method} ${path}`), [404, undefined], `${method} ${path}`)
    const answer = await nodes.client().post('/client/health')
    assert.deepEqual([answer.status, answer.body.code, answer.headers['allow']], [405, 'method_unknown', 'GET, HEAD, OPTIONS'])
  })

  // This is as far as uWebSockets.js 20.30 lets a server get; the builds for newer Nodes route all methods.
  test('methods that are none: 405, or the connection is closed at once', async () => {
    for (const method of ['BREW', 'PROPFIND', 'GETX', 'get', 'Post', 'A'.repeat(3000)]) {
      const connection = raw(`${method} ${noBodyRoute} HTTP/1.1`, 'Host: x', 'Content-Length: 0', '', '')
      const statuses = await connection.answers()
      assert.ok(connection.closed || statuses[0] === 405, method.slice(0, 10))
    }
  })

  test('unknown path: 404 with an ErrorResponse', async () => {
    const answer = await nodes.client().get('/no/such/path')
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, { error: true, status: 404, code: 'route_unknown', reason: 'Nothing exists at this path.' })
    for (const path of [
      '//api/v3',
      '//api/v3/',
      '//API/V3/fez/types',
      '//api/v3/fez/types/',
      '//api/v3//fez/types',
      '//api/v3/fez/%74ypes/x',
      '//..%2f..%2fetc/passwd',
    ]) {
      assert.equal((await nodes.client().get(path)).status, 404, path)
    }
  })

  test('paths whose parameters cannot be decoded: 400', async () => {
    for (const id of ['%', '%zz', '%ff', '%c3%28', '%00', '%ed%a0%80', 'x', '1', `${'a'.repeat(3000)}`, '%2e%2e%2f']) {
      const answer = await user.get(`/fez/${id}`)
      assert.equal(answer.status, 400, id)
      assert.equal(answer.body.error, true)
    }
    for (const id of ['abc', '1e3', '99999999999999999999', '-1', '%31%00', '1.5', '0x1', '%EF%BC%91']) {
      assert.equal((await user.delete(`/fez/post/${id}`)).status, 400, id)
    }
  })

  test('query values: what is no integer counts as absent, what is no word of the list is refused', async () => {
    for (const query of [
      'start=abc&limit=',
      'limit=1e3',
      'limit=99999999999999999999',
      'start=-5',
      'limit=%',
      'limit=%ff',
      'limit=1&limit=2',
      '',
      '&&=&',
      'unknown=1',
      '__proto__=1&constructor=2',
      'type=',
      'type=gaming',
      'type=Gaming,MUSIC',
      'type[]=gaming&type[]=music',
      'lfgtypes',
      'lfgtypes=TRUE',
      'hidePast=0',
      `search=${'%20'.repeat(20)}`,
    ]) {
      assert.equal((await user.get(`/fez/joined?${query}`)).status, 200, query)
    }
    for (const query of [
      'type=nonsense',
      'type=gaming,nonsense',
      'lfgtypes=maybe',
      'search=%00',
      'matchID=x',
      'type=toString',
      `search=${'a'.repeat(300)}`,
    ]) {
      const answer = await user.get(`/fez/joined?${query}`)
      assert.equal(answer.status, 400, query)
    }
  })
})

describe('bodies', () => {
  const post = (body: unknown, headers: Record<string, string> = json) => nodes.client().post(bodyPath, body, { headers })

  test('none at all: 422', async () => {
    assert.equal((await nodes.client().post(bodyPath)).status, 422)
    assert.equal((await post('')).status, 422)
    assert.equal(
      (await nodes.client().post(bodyPath, undefined, { headers: { 'content-type': 'multipart/form-data; boundary=x' } })).status,
      422,
    )
  })

  test('not JSON, or not of the right shape: 400 that names the place, and nothing else', async () => {
    for (const body of [
      '{',
      '{"username":',
      '{"username":"a"',
      '[',
      '"',
      'nul',
      'hello',
      "{'a':1}",
      '{"a":1}}',
      '\0',
      ' ',
      '\ufeff',
      '{"username":"\\ud800"',
      '{"a":NaN}',
      '{"a":01}',
      '{,}',
    ]) {
      const {
        status,
        body: { fieldErrors },
      } = await post(body)
      assert.deepEqual([status, fieldErrors], [400, undefined], body)
    }
    for (const body of [
      'null',
      '1',
      'true',
      '"text"',
      '[]',
      '[{}]',
      '{}',
      '{"username":null}',
      '{"username":1}',
      '{"username":{}}',
      '{"username":["a"]}',
      '{"username":"a","recoveryKey":false}',
      '{"__proto__":{"username":"a","recoveryKey":"a","newPassword":"a"}}',
      '{"constructor":1}',
    ]) {
      const {
        status,
        body: { fieldErrors, reason },
      } = await post(body)
      assert.deepEqual([status, fieldErrors], [400, undefined], body)
      assert.match(reason, /username|recoveryKey|The value/, body)
    }
  })

  test('text that is none: 400', async () => {
    const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))
    for (const middle of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0xaf]]) {
      assert.equal((await post(bytes('{"username":"', middle, '","recoveryKey":"abcdef","newPassword":"abcdef"}'))).status, 400)
    }
    for (const name of ['a\\u0000b', '\\ud800', '\\udc00\\ud800', 'a\u0001']) {
      assert.equal((await post(`{"username":"${name}","recoveryKey":"abcdef","newPassword":"abcdef"}`)).status, 400)
    }
    assert.equal((await user.post('/fez/create', { ...fez, title: 'a\0b' })).status, 400)
    assert.equal((await user.post('/fez/create', { ...fez, info: '\ud83d' })).status, 400)
  })

  test('rules of content: all failures at once', async () => {
    const { status, body } = await post({ username: '', recoveryKey: 'a', newPassword: 'b' })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.fieldErrors).toSorted(), ['newPassword', 'recoveryKey', 'username'])
    for (const text of Object.values(body.fieldErrors as Record<string, string>))
      for (const each of text.split(' and ')) assert.ok(body.reason.includes(each))
  })

  test('media types: 415 for what cannot be read, JSON for what clients send by mistake', async () => {
    for (const type of ['application/xml', 'image/png', 'application/octet-stream', 'multipart/mixed; boundary=x', 'application', 'x']) {
      assert.equal((await post('{}', { 'content-type': type })).status, 415, type)
    }
    for (const type of [
      'application/json',
      'APPLICATION/JSON; charset=utf-8',
      'application/vnd.api+json',
      'text/plain',
      'application/x-www-form-urlencoded',
      '',
    ]) {
      assert.equal((await post('{}', { 'content-type': type })).status, 400, type)
    }
  })

  test('a url-encoded form is read as one, also with nested names; JSON under its type stays JSON', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    for (const form of ['username=&recoveryKey=a&newPassword=b', '%75sername=&recoveryKey=a&newPassword=b&more[0][x]=y']) {
      const { status, body } = await post(form, type)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(body.fieldErrors).toSorted(), ['newPassword', 'recoveryKey', 'username'])
    }
    assert.match((await post('username=a&recoveryKey=b', type)).body.reason, /newPassword is required/)
    assert.deepEqual(Object.keys((await post('{"username":"","recoveryKey":"a","newPassword":"b"}', type)).body.fieldErrors).length, 3)
    assert.equal((await post(`username=${'a&b='.repeat(2000)}`, type)).status, 400)
    assert.equal((await post('', type)).status, 422)
  })

  test('multipart that is broken: 400', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    for (const body of [
      'x',
      '--b',
      '--b--',
      '--b\r\n',
      '--b--\r\n',
      part('username', 'a'),
      `${part('username', 'a')}--b`,
      '--b\r\n\r\n\r\n--b--\r\n',
      '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n',
      `${part('__proto__[username]', 'a')}--b--\r\n`,
      `${part('username[', 'a')}--b--\r\n`,
      `${part('', 'a')}--b--\r\n`,
      `${part('[][][][][][][][]', 'a')}--b--\r\n`,
      '\0'.repeat(1000),
    ]) {
      assert.equal((await post(body, type)).status, 400, body)
    }
    assert.equal((await post(Buffer.from(`${part('username', 'a\xff')}--b--\r\n`, 'latin1'), type)).status, 400)
    for (const header of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      'multipart/form-dataX; boundary=b',
    ]) {
      assert.equal((await post(`${part('username', 'a')}--b--\r\n`, { 'content-type': header })).status, 400, header)
    }
    assert.equal((await post(`${Array.from({ length: 5000 }, (_, index) => part(`p${index}`, 'a')).join('')}--b--\r\n`, type)).status, 400)
  })

  test('multipart: reads what JSON would have given', async () => {
    const form = new FormData()
    for (const [key, value] of Object.entries({ ...fez, title: 'Grüße 👋', createdByModerator: 'false' }))
      if (!Array.isArray(value)) form.append(key, String(value))
    const other = await createAccount(nodes.sql)
    form.append('initialUsers[]', other.id.toUpperCase())
    const answer = await user.request<{ title: string; members: { participants: unknown[] } }>('POST', '/fez/create', { form })
    assert.equal(answer.status, 201)
    assert.equal(answer.body.title, 'Grüße 👋')
    assert.equal(answer.body.members.participants.length, 2)
  })

  test('too large: 413, told before the body has come, and however it is sent', async () => {
    const limit = 10 * 1024 * 1024
    assert.equal((await post(Buffer.alloc(limit + 1, 32))).status, 413)
    // Exactly the limit is read, and found to be no JSON.
    assert.equal((await post(Buffer.alloc(limit, 32))).status, 400)
    assert.deepEqual(await raw(`POST /api/v3${bodyPath} HTTP/1.1`, 'Host: x', 'Content-Length: 999999999', '', 'hello').answers(), [413])
    const chunks = raw(`POST /api/v3${bodyPath} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', '', '')
    const size = 1024 * 1024
    for (let sent = 0; sent <= limit; sent += size) chunks.send(`${size.toString(16)}\r\n${' '.repeat(size)}\r\n`)
    await until(() => chunks.statuses.length > 0 || chunks.closed, 'an answer')
    assert.deepEqual(chunks.statuses, [413])
    await chunks.end()
  })

  test('too many values: 400, without being parsed, whatever they are', async () => {
    const many = (text: string) => Array.from({ length: 30_000 }, () => text).join(',')
    const keys = Array.from({ length: 15_001 }, (_, index) => `"k${index}":1`).join(',')
    for (const body of [
      `{${keys}}`,
      `{"x":[${many('0')},0]}`,
      `{"x":[${many('[]')}]}`,
      `{"x":[${many('"a"')}]}`,
      '['.repeat(30_001),
      '{"a":'.repeat(15_001),
      '"a"'.repeat(30_001),
      `{${' '.repeat(1_100_000)}}`,
    ]) {
      assert.match((await post(body)).body.reason, /too many values/, body.slice(0, 20))
    }
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fez, initialUsers: ','.repeat(1_000_000) })) form.append(name, String(value))
    assert.match(await refused(user.request('POST', '/fez/create', { form }), 400), /at most 1000/)
  })

  test('what stands in a text, and white space, counts as no value, however much it is', async () => {
    const text = (end: string) => `"${',[{'.repeat(100_000)}${end}"`
    for (const value of [
      text(''),
      text('\\\\'),
      text('\\" , \\" {}'),
      text('\\\\\\"'),
      `[${Array.from({ length: 10_000 }, () => '"a"').join(',')}]`,
      `[${' '.repeat(100_000)}]`,
    ]) {
      assert.match((await post(`{"x":${value},"username":"somebody"}`)).body.reason, /recoveryKey/, value.slice(-20))
    }
    assert.match((await post(`{"x":"${',[{'.repeat(100_000)}`)).body.reason, /not well-formed/)
  })

  test('too slow: 408, and the connection is closed; one that comes steadily is read', async () => {
    const stuck = raw(`POST /api/v3${bodyPath} HTTP/1.1`, 'Host: x', 'Content-Length: 100', '', 'hello')
    await until(() => {
      clock.leap(10_000)
      return stuck.closed
    }, 'the server gives up')
    assert.deepEqual(stuck.statuses, [408])
    assert.match(stuck.text, /\r\nConnection: close\r\n/i)
  })

  test('given up half-way: nothing happens', async () => {
    for (const sent of ['', '{', '{"username":"']) {
      const connection = raw(`POST /api/v3${bodyPath} HTTP/1.1`, 'Host: x', 'Content-Length: 1000', '', sent)
      await until(() => !connection.socket.pending && connection.socket.bytesWritten > 50, 'the request is sent')
      connection.socket.resetAndDestroy()
    }
    for (let round = 0; round < 50; round++) raw('GET /api/v3/client/health HTTP/1.1', 'Host: x', '', '').socket.end()
  })

  test('in chunks: read, whatever it answers, and the connection is closed after it', async () => {
    const next = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
    const chunks = (end: string) => `7\r\n{"a":1}${end}0\r\n\r\n`
    for (const [path, status] of [
      [`/api/v3${bodyPath}`, 400],
      ['/api/v3/auth/logout', 401],
      [noBodyRoute, 405],
      ['/no/such/path', 404],
    ] as const) {
      for (const end of ['\r\n', 'XX', '\n\n', '\r\r']) {
        for (const behind of ['', next]) {
          const connection = raw(`POST ${path} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', '', chunks(end) + behind)
          const statuses = await connection.end()
          assert.deepEqual(statuses, behind === '' || statuses.length > 0 ? [status] : [], `${path} ${JSON.stringify(end)}`)
          if (behind === '') assert.match(connection.text, /\r\nConnection: close\r\n/i)
        }
      }
    }
    for (const method of ['GET', 'HEAD']) {
      const connection = raw(`${method} ${noBodyRoute} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', '', `${chunks('XX')}${next}`)
      assert.ok((await connection.end()).every((status) => status === 400))
    }
  })

  test('on a route that takes none: skipped', async () => {
    const connection = raw(
      `GET ${noBodyRoute} HTTP/1.1`,
      'Host: x',
      'Content-Length: 5',
      '',
      'helloGET /no/such/path HTTP/1.1',
      'Host: x',
      '',
      '',
    )
    assert.deepEqual(await connection.answers(2), [200, 404])
  })
})

describe('answers', () => {
  test('requests one after the other on one connection, and in one packet', async () => {
    const get = [`GET ${noBodyRoute} HTTP/1.1`, 'Host: x', '', '']
    const connection = raw(...get)
    await connection.answers(1)
    connection.sendLines('GET /api/v3/client/health HTTP/1.1', 'Host: x', '', '')
    await connection.answers(2)
    connection.sendLines(`HEAD ${noBodyRoute} HTTP/1.1`, 'Host: x', '', '')
    await connection.answers(3)
    connection.send([...get.slice(0, -1), ...get.slice(0, -1), ...get].join('\r\n'))
    assert.deepEqual(await connection.answers(6), [200, 200, 200, 200, 200, 200])
    assert.equal(connection.closed, false)
  })

  test('204: no body, no length, and the connection goes on', async () => {
    const { fezID } = (await user.post('/fez/create', { ...fez, fezType: 'gaming', info: 'Some info' })).body
    await user.post(`/fez/${fezID}/mute`)
    const connection = raw(`DELETE /api/v3/fez/${fezID}/mute HTTP/1.1`, 'Host: x', `Authorization: Bearer ${user.token}`, '', '')
    assert.deepEqual(await connection.answers(1), [204])
    assert.doesNotMatch(connection.text, /content-length|transfer-encoding/i)
    assert.ok(connection.text.endsWith('\r\n\r\n'))
    connection.sendLines(`GET ${noBodyRoute} HTTP/1.1`, 'Host: x', '', '')
    assert.deepEqual(await connection.answers(2), [204, 200])
  })

  test('a second request while the first is being answered: the connection is closed, no answers are mixed up', async () => {
    const health = ['GET /api/v3/client/health HTTP/1.1', 'Host: x', '']
    assert.ok((await raw([...health, ...health, ''].join('\r\n')).end()).length < 2)
  })

  test('HEAD: the head of the GET, without its body', async () => {
    const get = await nodes.client().get('/fez/types')
    for (const path of ['/fez/types', '/client/health', '//health/live', '//no/such/path']) {
      const [head, same] = [await nodes.client().request('HEAD', path), await nodes.client().get(path)]
      assert.deepEqual([head.status, head.body, head.headers['content-type']], [same.status, undefined, same.headers['content-type']], path)
      assert.equal(head.headers['content-length'], same.headers['content-length'], path)
    }
    assert.equal(get.status, 200)
  })

  test('x-request-id: a usable one comes back, any other is replaced', async () => {
    const idOf = async (id?: string) =>
      String((await nodes.client().get('/fez/types', { headers: id === undefined ? {} : { 'x-request-id': id } })).headers['x-request-id'])
    for (const id of ['a', 'Abc-1.2:3_4', 'a'.repeat(64)]) assert.equal(await idOf(id), id)
    const replaced = [undefined, '', 'a'.repeat(65), 'a b', 'a"b', '<script>', 'ä', 'a\tb', '${jndi}'].map((id) => idOf(id))
    const ids = await Promise.all(replaced)
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[\w-]{3,30}$/)
    const split = raw(`GET ${noBodyRoute} HTTP/1.1`, 'Host: x', 'X-Request-Id: a\tX-Evil: b', '', '')
    await split.answers()
    assert.doesNotMatch(split.text, /evil/i)
  })

  test('gzip: for answers over a kilobyte, when it is asked for; brotli for those that are packed once', async () => {
    const get = async (path: string, accepted: string) => {
      const { headers, body } = await request(`${nodes.urls[0]}${path}`, { headers: { 'accept-encoding': accepted } })
      return { encoding: headers['content-encoding'], type: headers['content-type'], bytes: Buffer.from(await body.arrayBuffer()) }
    }
    const plain = await get('/openapi.json', 'identity')
    assert.equal(plain.encoding, undefined)
    assert.ok(plain.bytes.length > 1024)
    for (const accepted of ['gzip', 'br;q=0, GZIP', 'gzip;q=0.5', 'deflate, gzip; q=1.0, *;q=0']) {
      const packed = await get('/openapi.json', accepted)
      assert.equal(packed.encoding, 'gzip', accepted)
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
      assert.equal(packed.type, plain.type)
    }
    for (const accepted of ['br', 'br, GZIP', 'gzip;q=0.0, br']) {
      const packed = await get('/openapi.json', accepted)
      assert.equal(packed.encoding, 'br', accepted)
      assert.deepEqual(brotliDecompressSync(packed.bytes), plain.bytes)
    }
    for (const accepted of ['', 'gzip;q=0', 'gzip;q=0.0, xbr', 'notgzip', 'xgzip, gzipx'])
      assert.equal((await get('/openapi.json', accepted)).encoding, undefined, accepted)
    for (const [accepted, encoding] of [
      ['br', undefined],
      ['br, GZIP', 'gzip'],
    ] as const)
      assert.equal((await get('/metrics', accepted)).encoding, encoding, accepted)
    assert.equal((await get('/health/live', 'gzip')).encoding, undefined)
  })

  test('database that does not answer: 503 with Retry-After within the time limit', async () => {
    let finish = () => {}
    let locking: Promise<void> | undefined
    await new Promise<void>((locked) => {
      locking = nodes.apps[0]?.node.db.transaction(async (sql) => {
        await sql`lock table account in access exclusive mode`
        locked()
        await new Promise<void>((resolve) => {
          finish = resolve
        })
      })
    })
    try {
      const asking = nodes.client('AAAAAAAAAAAAAAAAAAAAAA==').get('/fez/joined')
      let answered = false
      void asking.finally(() => {
        answered = true
      })
      await until(() => {
        clock.leap(5_000)
        return answered
      }, 'an answer')
      const answer = await asking
      assert.equal(answer.status, 503)
      assert.match(String(answer.headers['retry-after']), /^\d+$/)
      assert.equal(answer.body.error, true)
    } finally {
      finish()
      await locking
    }
  })
})
