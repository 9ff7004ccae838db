// How the operator's terminal looks: on a screen of the test's own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountSecrets, readConfig } from '../../src/accounts/config.ts'
import { readableLog } from '../../src/terminal/readable-log.ts'
import { Screen, type Output } from '../../src/terminal/screen.ts'
import { statusLine } from '../../src/terminal/status.ts'
import { addressesOf, welcome } from '../../src/terminal/welcome.ts'

const plain = (_: string, text: string) => text

test('a screen shows a step with its time, and no line wider than the window', async () => {
  const { screen, written } = fakeScreen({ isTTY: true, columns: 60 })
  let advance = 0
  await screen.step(
    'Database',
    () => Promise.resolve((advance = 1)),
    () => `migrations ${'and more '.repeat(20)}`,
  )
  assert.equal(advance, 1)
  const lines = rendered(written())
  assert.match(lines[0] ?? '', /^✓ Database {5}migrations and more.*… +0\.0 s$/)
  assert.ok((lines[0]?.length ?? 99) <= 60)
})

test('a screen keeps one status line below everything else, and takes it away', () => {
  const { screen, written } = fakeScreen({ isTTY: true, columns: 40 })
  screen.status('2 online')
  screen.line('a line')
  screen.status('3 online '.repeat(20))
  assert.deepEqual(rendered(written()), ['a line', `${'3 online '.repeat(20).slice(0, 38)}…`])
  screen.clear()
  assert.deepEqual(rendered(written()), ['a line', ''])
})

test('a pipe gets neither colours nor a status line; a terminal gets them unless it is dumb', () => {
  const pipe = fakeScreen({ isTTY: false })
  const terminal = fakeScreen({ isTTY: true, colours: true })
  const dumb = fakeScreen({ isTTY: true, colours: false, terminalType: 'dumb' })
  for (const { screen } of [pipe, terminal, dumb]) {
    screen.status('2 online')
    screen.warning('careful')
  }
  assert.equal(pipe.written(), '! careful\n')
  assert.equal(dumb.written(), '! careful\n')
  assert.ok(terminal.written().includes('\u001b[33m!\u001b[39m careful'))
  assert.match(terminal.written(), /2 online/)
})

test('a screen in JSON writes nothing else', async () => {
  const { screen, written } = fakeScreen({ isTTY: true, format: 'json' })
  await screen.step(
    'Redis',
    () => Promise.resolve(),
    () => 'up',
  )
  screen.warning('careful')
  screen.status('2 online')
  const entries = written()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string })
  assert.deepEqual(
    entries.map(({ level, msg }) => [level, msg]),
    [
      [30, 'Redis: up'],
      [40, 'careful'],
    ],
  )
})

test('a failed step leaves no mark', async () => {
  const { screen, written } = fakeScreen({ isTTY: false })
  await assert.rejects(
    screen.step(
      'Redis',
      () => Promise.reject(new Error('no')),
      () => 'up',
    ),
    /no/,
  )
  assert.equal(written(), '')
})

test('a request, a message with more, an error and foreign text are readable', () => {
  const time = new Date(2026, 5, 1, 12, 34, 56).getTime()
  const line = (entry: object) => readableLog(JSON.stringify({ level: 30, time, source: 'server', pid: 1, ...entry }), plain)
  assert.match(
    line({ requestId: 'r', method: 'POST', path: '/api/v3/fez/create', status: 201, ms: 12, msg: 'request' }) ?? '',
    /^12:34:56 {2}POST {3}\/api\/v3\/fez\/create +201 +12 ms$/,
  )
  assert.equal(line({ level: 40, images: 3, msg: 'images were removed' }), '12:34:56  server warning images were removed images=3')
  assert.equal(
    line({ level: 50, err: { message: 'broken', stack: 'Error: broken\n    at here' }, msg: 'request failed' }),
    '12:34:56  server error request failed: Error: broken\n    at here',
  )
  assert.equal(line({ level: 35, msg: 'server stopped' }), '12:34:56  server stopped')
  // A step has said so.
  for (const source of ['server', 'server2']) assert.equal(line({ source, msg: 'server ready' }), undefined)
  assert.notEqual(line({ source: 'server2', msg: 'server stopped' }), undefined)
  assert.equal(readableLog('{"level": no JSON', plain), '{"level": no JSON')
})

test('the status line counts requests of the last moments only', () => {
  const figures = { online: 3, requests: 100, errors: 1, queue: 2 }
  assert.equal(statusLine(figures), '3 online · 0 requests/s · 1 errors · 2 jobs waiting')
  assert.match(statusLine(figures, { figures: { ...figures, requests: 60 }, ms: 2000 }), /20 requests\/s/)
  assert.match(statusLine(figures, { figures: { ...figures, requests: 99 }, ms: 2000 }), /0\.5 requests\/s/)
  // A server that was started again begins at nothing.
  assert.match(statusLine(figures, { figures: { ...figures, requests: 5000 }, ms: 2000 }), / 0 requests\/s/)
})

test('addresses: phones are never sent to localhost', () => {
  const found = ['192.168.1.20', 'fd00::20']
  const of = (env: Record<string, string>) => addressesOf(readConfig([], env), 8081, found)
  assert.deepEqual(of({}), { here: 'http://localhost:8081', network: [] })
  assert.deepEqual(of({ hostname: '192.168.1.20' }).network, ['http://192.168.1.20:8081'])
  const { network } = of({ hostname: '0.0.0.0', SWIFTARR_EXTERNAL_URL: 'https://deck.example' })
  assert.deepEqual(network, ['https://deck.example', 'http://192.168.1.20:8081'])
  const all = of({ hostname: '::', SWIFTARR_EXTERNAL_URL: 'http://localhost:8081' }).network
  assert.deepEqual(all, ['http://192.168.1.20:8081', 'http://[fd00::20]:8081'])
  assert.ok(!new URL(readConfig([], { hostname: '10.1.2.3' }).externalUrl).hostname.includes('localhost'))
})

test('the last words say where to go and who admin is, with a QR code where there is room', () => {
  const config = readConfig([], { hostname: '10.1.2.3', ADMIN_PASSWORD: 'a secret of mine' })
  const wide = fakeScreen({ isTTY: true, columns: 200 })
  welcome(wide.screen, config, 8081, accountSecrets(config).adminPassword)
  assert.match(wide.written(), /Phones +http:\/\/10\.1\.2\.3:8081/)
  assert.match(wide.written(), /admin, the password is ADMIN_PASSWORD in the environment/)
  assert.doesNotMatch(wide.written(), /a secret of mine/)
  assert.match(wide.written(), /[█▀▄]{5}/)
  assert.match(wide.written(), /! Sample people are in here/)

  const narrow = fakeScreen({ isTTY: true, columns: 20 })
  welcome(narrow.screen, config, 8081, accountSecrets(config).adminPassword)
  assert.doesNotMatch(narrow.written(), /[█▀▄]{5}/)

  const alone = fakeScreen({ isTTY: false })
  welcome(alone.screen, config, undefined, accountSecrets(config).adminPassword)
  assert.equal(alone.written(), 'The worker is running. Ctrl-C stops it.\n')
})

interface FakeOptions {
  isTTY: boolean
  columns?: number
  colours?: boolean
  terminalType?: string
  format?: 'text' | 'json'
}

function fakeScreen({ isTTY, columns = 80, colours = false, terminalType = 'xterm', format }: FakeOptions) {
  let text = ''
  const output: Output = { isTTY, columns, hasColors: () => colours, write: (more: string) => (text += more), on: () => undefined }
  return { screen: new Screen({ output, errors: output, terminalType, format, now: () => 0 }), written: () => text }
}

/** Lines as they stand on a terminal after everything was written. */
function rendered(text: string): string[] {
  const lines = ['']
  // eslint-disable-next-line no-control-regex
  for (const piece of text.split(/(\r\u001b\[2K|\n)/)) {
    if (piece === '\n') lines.push('')
    else if (piece.startsWith('\r')) lines[lines.length - 1] = ''
    // eslint-disable-next-line no-control-regex
    else lines[lines.length - 1] += piece.replaceAll(/\u001b\[\d+m/g, '')
  }
  return lines
}
