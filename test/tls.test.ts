// TLS in the process: certificates of the operator, made and replaced.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as requestOf } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'
import { systemClock } from '../src/core/clock.ts'
import { readCertificate } from '../src/core/http/certificate.ts'
import { makeCertificate } from '../src/operate/authority.ts'
import { startTestNodes, type TestNodes } from './support/app.ts'
import { externalServices, newPlace, startProduct } from './support/product.ts'
import { runTool } from './support/tools.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-tls-'))
const first = makeCertificate(folder, ['localhost', '127.0.0.1'], 30)
const authority = readFileSync(first.authorityFile)
const env = { TLS_CERT_FILE: first.certFile, TLS_KEY_FILE: first.keyFile }
let nodes: TestNodes
let port: number

before(async () => {
  // Looks for a new certificate at once.
  const clock = { ...systemClock, every: (ms: number, callback: () => void) => systemClock.every(Math.min(ms, 100), callback) }
  nodes = await startTestNodes(1, { env: { ...env, HSTS_DAYS: '2' }, clock })
  port = nodes.apps[0]?.port ?? 0
})
after(async () => {
  await nodes.stop()
  rmSync(folder, { recursive: true })
})

test('a server with a certificate answers over TLS, to those who trust the authority', async () => {
  const { status, fingerprint } = await ask('/health/ready')
  assert.equal(status, 200)
  assert.equal(fingerprint, readCertificate({ certFile: first.certFile, keyFile: first.keyFile }).fingerprint)
  await assert.rejects(ask('/health/ready', 'nobody'), /certificate/)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health/ready`))
})

test('only ciphers that authenticate what they encrypt are spoken, with a key for each connection', async () => {
  const spoken = (version: ConnectionOptions['maxVersion'], ciphers: string) =>
    new Promise<string>((resolve) => {
      const options = {
        host: '127.0.0.1',
        port,
        ca: authority,
        minVersion: version,
        maxVersion: version,
        ciphers: `${ciphers}:@SECLEVEL=0`,
      }
      const socket = connect(options as ConnectionOptions, () => {
        resolve(socket.getCipher().name)
        socket.destroy()
      })
      socket.on('error', () => resolve('none'))
    })
  for (const good of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'])
    assert.equal(await spoken('TLSv1.2', good), good)
  assert.match(await spoken('TLSv1.3', 'DEFAULT'), /^TLS_(AES|CHACHA20)/)
  for (const chained of ['ECDHE-RSA-AES128-SHA', 'ECDHE-RSA-AES256-SHA', 'ECDHE-RSA-AES128-SHA256', 'AES128-SHA', 'AES256-SHA'])
    assert.equal(await spoken('TLSv1.2', chained), 'none', chained)
  for (const withoutOwnKey of ['AES128-GCM-SHA256', 'AES256-GCM-SHA384'])
    assert.equal(await spoken('TLSv1.2', withoutOwnKey), 'none', withoutOwnKey)
  for (const old of ['TLSv1.1', 'TLSv1'] as const) assert.equal(await spoken(old, 'ALL'), 'none', old)
})

test('HSTS_DAYS makes browsers stay with TLS', async () => {
  for (const path of ['/health/ready', '/certificate', '/no/such/path']) assert.equal((await ask(path)).hsts, 'max-age=172800', path)
})

test('npm run health asks over TLS where there is a certificate, and says whether anybody answers', async () => {
  const ask = (own: Record<string, string>) =>
    runTool('health', [], { VAPOR_ENV: 'testing', DATA_DIR: folder, ...own }).then(({ code, output }) => [code, output])
  assert.deepEqual(await ask({ ...env, PORT: String(port) }), [0, 'The server serves.\n'])
  const [code, output] = await ask({ PORT: String(port) })
  assert.equal(code, 1)
  assert.match(String(output), /^The server at http:\S+ does not answer: .+\.\n$/)
  const plain = await startTestNodes(1)
  try {
    const own = String(plain.apps[0]?.port)
    assert.deepEqual(await ask({ PORT: own }), [0, 'The server serves.\n'])
    assert.equal((await ask({ ...env, PORT: own }))[0], 1)
  } finally {
    await plain.stop()
  }
})

test('the session of a browser is bound to TLS', async () => {
  const login = async (origin: string) => {
    const headers = { authorization: `Basic ${btoa('admin:password')}`, origin, 'x-session': 'cookie' }
    const request = requestOf({ host: '127.0.0.1', port, method: 'POST', path: '/api/v3/auth/login', headers, ca: authority, agent: false })
    request.end()
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    answer.resume()
    return { status: answer.statusCode, cookie: String(answer.headers['set-cookie']) }
  }
  assert.equal((await login(`http://127.0.0.1:${port}`)).status, 403)
  const { status, cookie } = await login(`https://127.0.0.1:${port}`)
  assert.equal(status, 200)
  assert.match(cookie, /^__Host-quarterdeck-\d+=[\w-]{43}; .*; Secure$/)
})

test('sockets go over TLS and stay open when the certificate is replaced; new connections get the new one', async () => {
  const socket = await openSocket()
  const before = (await ask('/health/ready')).fingerprint
  makeCertificate(folder, ['localhost', '127.0.0.1'], 60)
  let now = before
  while (now === before)
    now = await ask('/health/ready').then(
      ({ fingerprint }) => fingerprint,
      () => now,
    )
  assert.equal(now, readCertificate({ certFile: first.certFile, keyFile: first.keyFile }).fingerprint)

  // Both hear what is published: the one that came before and the one that came after.
  const later = await openSocket()
  const heard = Promise.all([once(socket, 'message'), once(later, 'message')])
  const admin = await login('admin')
  await ask('/api/v3/notification/announcement/create', authority, {
    token: admin.token,
    body: { text: 'To both', displayUntil: new Date(Date.now() + 3_600_000).toISOString() },
  })
  for (const [frame] of (await heard) as unknown as [Buffer][]) assert.match(String(frame), /announcement/)
  socket.close()
  later.close()
})

test('files that do not belong together change nothing, until they do', async () => {
  const before = (await ask('/health/ready')).fingerprint
  const key = readFileSync(first.keyFile)
  writeFileSync(first.keyFile, 'no key')
  assert.throws(() => readCertificate({ certFile: first.certFile, keyFile: first.keyFile }), /TLS_KEY_FILE .* cannot be used: .*\.$/)
  assert.equal((await ask('/health/ready')).fingerprint, before)
  writeFileSync(first.keyFile, key)
  assert.equal((await ask('/health/ready')).fingerprint, before)
})

test("the certificate is one that phones accept, and its keys are the operator's alone", () => {
  const [leaf, issuer] = readFileSync(first.certFile, 'utf8')
    .split(/(?<=-----END CERTIFICATE-----\r?\n)/)
    .filter((pem) => pem.trim() !== '')
    .map((pem) => new X509Certificate(pem)) as [X509Certificate, X509Certificate]
  assert.ok(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey))
  assert.ok(issuer.ca && !leaf.ca)
  assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  assert.ok(leaf.checkHost('localhost') && leaf.checkIP('127.0.0.1'))
  assert.ok(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom) <= 825 * 86_400_000)
  for (const key of ['server.key', 'authority.key']) assert.equal(statSync(join(folder, key)).mode & 0o777, 0o600)
})

test('GET /certificate explains the authority and hands it out, and is not there without one', async () => {
  const page = await ask('/certificate')
  assert.equal(page.status, 200)
  assert.match(page.body, /Certificate Trust Settings/)
  assert.ok(page.body.includes(new X509Certificate(authority).fingerprint256))
  const file = await ask('/certificate/authority.crt')
  assert.equal(file.type, 'application/x-x509-ca-cert')
  assert.equal(file.body, String(authority))
  rmSync(first.authorityFile)
  assert.equal((await ask('/certificate')).status, 404)
  writeFileSync(first.authorityFile, authority)
})

test('npm run certificate makes one for these names, with the same authority the second time', async (t) => {
  const other = mkdtempSync(join(tmpdir(), 'quarterdeck-tls-'))
  t.after(() => rmSync(other, { recursive: true }))
  const run = (...args: string[]) => runTool('certificate', ['--folder', other, ...args], {})
  const made = await run('ship.example', '10.1.2.3')
  assert.equal(made.code, 0, made.output)
  assert.match(made.output, /TLS_CERT_FILE=.*server\.crt\n.*TLS_KEY_FILE=.*server\.key/)
  const leaf = new X509Certificate(readFileSync(join(other, 'server.crt')))
  assert.ok(leaf.checkHost('ship.example') && leaf.checkIP('10.1.2.3'))
  const before = readFileSync(join(other, 'authority.crt'), 'utf8')
  assert.equal((await run('boat.example')).code, 0)
  assert.equal(readFileSync(join(other, 'authority.crt'), 'utf8'), before)

  for (const wrong of [['no name'], ['ship.example', '--days', '900'], ['--colour', 'red']]) {
    const { code, output } = await run(...wrong)
    assert.equal(code, 2, output)
    assert.equal(output.trimEnd().split('\n').length, 1, output)
  }
})

test('start says what is wrong with a certificate before it starts anything', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], { TLS_CERT_FILE: first.certFile, TLS_KEY_FILE: first.authorityFile })
  assert.equal(await product.ended(), 2)
  assert.match(product.output(), /^TLS_CERT_FILE .* and TLS_KEY_FILE .* cannot be used: [^\n]*\.\n$/)
  assert.ok(!existsSync(place.dataDir))
})

test('start with a certificate says https', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, ['server'], { ...(await externalServices(t)), ...env })
  await product.says(`Quarterdeck is running at https://localhost:${place.port}`)
})

interface Answer {
  status: number
  type: string | undefined
  hsts: string | undefined
  body: string
  fingerprint: string
}

/** One request on a connection of its own. */
function ask(
  path: string,
  trusted: Buffer | 'nobody' = authority,
  post?: { token?: string; basic?: string; body?: object },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const authorization = post?.token
      ? `Bearer ${post.token}`
      : post?.basic
        ? `Basic ${Buffer.from(post.basic).toString('base64')}`
        : undefined
    const request = requestOf({
      host: 'localhost',
      port,
      path,
      ...(trusted === 'nobody' ? {} : { ca: trusted }),
      agent: false,
      family: 4,
      method: post ? 'POST' : 'GET',
      headers: { ...(authorization ? { authorization } : {}), ...(post?.body ? { 'content-type': 'application/json' } : {}) },
    })
    request.end(post?.body && JSON.stringify(post.body))
    request.on('error', reject)
    request.on('response', (response) => {
      const fingerprint = (response.socket as TLSSocket).getPeerCertificate().fingerprint256
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      const { 'content-type': type, 'strict-transport-security': hsts } = response.headers
      response.on('end', () => resolve({ status: response.statusCode ?? 0, type, hsts, body, fingerprint }))
    })
  })
}

async function login(name: string): Promise<{ token: string }> {
  return JSON.parse((await ask('/api/v3/auth/login', authority, { basic: `${name}:password` })).body) as { token: string }
}

async function openSocket(): Promise<WebSocket> {
  const { token } = await login('james')
  const socket = new WebSocket(`wss://localhost:${port}/api/v3/notification/socket`, {
    ca: authority,
    family: 4,
    headers: { authorization: `Bearer ${token}` },
  })
  await once(socket, 'open')
  return socket
}
