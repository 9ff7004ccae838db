// Who may use a server from where: pages of other sites, other host names, scrapers of /metrics. And what every answer says
// to browsers about itself.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { request } from 'undici'
import { networkAddresses } from '../../src/core/base/config.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { imagePath } from '../../src/image/names.ts'
import { createAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Refused } from '../support/client.ts'

const listed = ['https://tools.example', 'http://localhost:5173', 'capacitor://localhost']
/** As they come. */
let usual: TestNodes
/** With lists of origins and of host names. */
let strict: TestNodes
/** With the API open to all pages. */
let open: TestNodes
before(async () => {
  ;[usual, strict, open] = await Promise.all([
    startTestNodes(),
    startTestNodes(1, {
      env: { CORS_ORIGINS: listed.join(', '), ALLOWED_HOSTS: 'ship.local Boat.example', SWIFTARR_EXTERNAL_URL: 'https://ship.example' },
    }),
    startTestNodes(1, { env: { CORS_ORIGINS: '*' } }),
  ])
})
after(() => Promise.all([usual, strict, open].map((nodes) => nodes.stop())))

type Headers = Record<string, string>

async function ask(nodes: TestNodes, path: string, headers: Headers = {}, method: 'GET' | 'OPTIONS' = 'GET') {
  const { statusCode, headers: answered, body } = await request(`${nodes.urls[0]}${path}`, { method, headers })
  await body.dump()
  const header = (name: string) => (answered[name] === undefined ? undefined : String(answered[name]))
  return { status: statusCode, header, allowed: header('access-control-allow-origin') }
}

const preflight = (nodes: TestNodes, path: string, origin: string) =>
  ask(nodes, path, { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }, 'OPTIONS')

function storedPicture({ config }: TestNodes): string {
  const name = `${randomUUID().toUpperCase()}.png`
  const path = join(config.imagesDir, imagePath('full', name))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'not really')
  return `/api/v3/image/full/${name}`
}

test('an answer with JSON lets browsers load, run and frame nothing of it, nor show it in other sites', async () => {
  const { token } = await createAccount(usual.sql)
  for (const [path, headers, status] of [
    ['/api/v3/fez/types', {}, 200],
    ['/api/v3/user/whoami', { authorization: `Bearer ${token}` }, 200],
    ['/api/v3/user/whoami', {}, 401],
    ['/no/such/path', {}, 404],
    ['/openapi.json', {}, 200],
    ['/health/live', {}, 200],
  ] as [string, Headers, number][]) {
    const { status: answered, header } = await ask(usual, path, headers)
    assert.equal(answered, status, path)
    assert.equal(header('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", path)
    assert.equal(header('cross-origin-resource-policy'), 'same-origin', path)
    assert.equal(header('x-content-type-options'), 'nosniff', path)
    assert.equal(header('strict-transport-security'), undefined, path)
  }
})

describe('pages of other sites', () => {
  const paths = ['/api/v3/fez/types', '/api/v3/fez/joined', '/api/v3/no/such/path', '/openapi.json']

  test('may use nothing, unless the operator lists them', async () => {
    for (const path of paths) {
      for (const origin of ['https://tools.example', 'null', usual.urls[0] as string])
        assert.equal((await ask(usual, path, { origin })).allowed, undefined, path)
      const { status, allowed, header } = await preflight(usual, path, 'https://tools.example')
      assert.deepEqual([status, allowed, header('access-control-allow-headers')], [200, undefined, undefined], path)
    }
    assert.equal((await ask(usual, storedPicture(usual))).header('cross-origin-resource-policy'), 'same-origin')
  })

  test('that are listed may, and caches keep their answers apart', async () => {
    for (const path of paths) {
      for (const origin of listed) {
        const { allowed, header } = await ask(strict, path, { origin })
        assert.deepEqual([allowed, header('vary')], [origin, 'Origin'], path)
        assert.equal(header('access-control-allow-credentials'), undefined)
      }
      for (const origin of [
        'https://evil.example',
        'https://tools.example.evil.example',
        'http://tools.example',
        'https://tools.example:444',
        'null',
        '',
      ])
        assert.deepEqual(
          [(await ask(strict, path, { origin })).allowed, (await ask(strict, path, { origin })).header('vary')],
          [undefined, 'Origin'],
        )
    }
    for (const path of ['/fez/types', '/auth/login', '/no/such/path', '/notification/socket']) {
      const { status, allowed, header } = await preflight(strict, `/api/v3${path}`, 'https://tools.example')
      assert.deepEqual([status, allowed], [200, 'https://tools.example'])
      const words = (name: string) => new Set(String(header(name)).toLowerCase().split(/, */))
      for (const method of ['get', 'post', 'put', 'options', 'delete', 'patch'])
        assert.ok(words('access-control-allow-methods').has(method), method)
      for (const name of ['accept', 'authorization', 'content-type', 'origin', 'x-requested-with', 'user-agent', 'x-service-user'])
        assert.ok(words('access-control-allow-headers').has(name), name)
      const foreign = await preflight(strict, `/api/v3${path}`, 'https://evil.example')
      assert.deepEqual([foreign.status, foreign.allowed, foreign.header('access-control-allow-headers')], [200, undefined, undefined])
    }
    // They show pictures, which browsers ask for without a word about the page.
    assert.equal((await ask(strict, storedPicture(strict))).header('cross-origin-resource-policy'), 'cross-origin')
  })

  test('all may, where the operator says so', async () => {
    for (const path of paths) assert.equal((await ask(open, path, { origin: 'https://any.example' })).allowed, '*', path)
    assert.equal((await preflight(open, '/api/v3/auth/login', 'https://any.example')).allowed, '*')
    assert.equal((await ask(open, storedPicture(open))).header('cross-origin-resource-policy'), 'cross-origin')
  })

  test('never read /metrics or the pages of the browser app', async () => {
    for (const nodes of [strict, open]) {
      for (const [path, headers] of [
        ['/metrics', {}],
        ['/', { accept: 'text/html' }],
      ] as [string, Headers][])
        assert.equal((await ask(nodes, path, { ...headers, origin: 'https://tools.example' })).allowed, undefined, path)
      assert.equal((await preflight(nodes, '/metrics', 'https://tools.example')).allowed, undefined)
    }
  })

  test('CORS_ORIGINS and ALLOWED_HOSTS that cannot be meant stop the start', () => {
    const read = (env: Headers) => readConfig([], { VAPOR_ENV: 'testing', ...env })
    for (const wrong of [
      'tools.example',
      'https://tools.example/',
      'https://tools.example:443',
      'https://a@tools.example',
      '*.example',
      'null',
    ])
      assert.throws(() => read({ CORS_ORIGINS: wrong }), /^ConfigError: CORS_ORIGINS .*"[^"]+" is none\.$/, wrong)
    for (const wrong of ['https://ship.example', 'ship.example:8081', '*', '-ship'])
      assert.throws(() => read({ ALLOWED_HOSTS: wrong }), /^ConfigError: ALLOWED_HOSTS /, wrong)
    assert.throws(() => read({ HSTS_DAYS: '30' }), /^ConfigError: HSTS_DAYS needs TLS_CERT_FILE/)
  })
})

describe('host names', () => {
  test('all are good when none is listed: a phone types what it likes', async () => {
    for (const host of ['ship', 'whatever.example:8081', '10.1.2.3', '[fe80::1]:8081'])
      assert.equal((await ask(usual, '/api/v3/fez/types', { host })).status, 200, host)
  })

  test('others than the listed ones are refused everywhere; addresses never are', async () => {
    const { token } = await createAccount(strict.sql)
    const paths = ['/api/v3/fez/types', '/health/live', '/no/such/path', '/metrics', '/docs']
    for (const path of paths) {
      for (const host of [
        'evil.example',
        'ship.example.evil.example',
        'x.ship.example',
        'evil.example:8081',
        '127.0.0.1.evil.example',
        'localhost.evil.example',
      ]) {
        const { status, header } = await ask(strict, path, { host, accept: 'text/html' })
        assert.deepEqual([status, header('access-control-allow-origin')], [421, undefined], `${path} ${host}`)
      }
    }
    assert.equal((await ask(strict, '/api/v3/auth/login', { host: 'evil.example' }, 'OPTIONS')).status, 421)
    const good = [
      'ship.local',
      'SHIP.local:8081',
      'boat.example.',
      'ship.example',
      'localhost:1',
      '192.168.1.20',
      '192.168.1.20:8081',
      '[::1]',
      '[fd00::1]:8081',
    ]
    for (const host of good) assert.equal((await ask(strict, '/api/v3/fez/types', { host })).status, 200, host)

    const socket = (host: string) => strict.client(token).socket('/notification/socket', { host })
    await assert.rejects(socket('evil.example'), (error) => error instanceof Refused && error.status === 421)
    const opened = await socket('ship.local')
    opened.terminate()
  })
})

describe('GET /metrics', () => {
  const basic = (name: string, password = 'password') => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` })

  test('on this machine needs no password; elsewhere it wants one of a service account', async (t) => {
    for (const host of [{}, { host: 'localhost:8081' }, { host: '[::1]:8081' }] as Headers[])
      assert.equal((await ask(usual, '/metrics', host)).status, 200)
    const user = await createAccount(usual.sql)
    // A proxy on this machine, and a page whose site has let its name point to this machine.
    for (const elsewhere of [
      { 'x-forwarded-for': '10.1.2.3' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-proto': 'https' },
      { host: 'ship.example' },
      { host: '10.1.2.3:8081' },
    ] as Headers[]) {
      const status = async (headers: Headers) => (await ask(usual, '/metrics', { ...elsewhere, ...headers })).status
      assert.equal(await status({}), 401, JSON.stringify(elsewhere))
      assert.equal(await status({ authorization: `Bearer ${user.token}` }), 401)
      assert.equal(await status(basic(user.username)), 401)
      assert.equal(await status(basic('prometheus', 'wrong password')), 401)
      assert.equal(await status(basic('prometheus')), 200)
    }

    const address = networkAddresses().find((each) => !each.includes(':'))
    if (address === undefined) return t.diagnostic('this machine has no other address')
    const wide = await startTestNodes(1, { env: { hostname: '0.0.0.0' } })
    try {
      const from = (host: string) =>
        request(`http://${host}:${wide.apps[0]?.port}/metrics`).then(({ statusCode, body }) => body.dump().then(() => statusCode))
      assert.deepEqual([await from('127.0.0.1'), await from(address)], [200, 401])
    } finally {
      await wide.stop()
    }
  })
})
