// TLS in the process: certificates of the operator, made and replaced.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as requestOf } from 'node:https'
import { isIP, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { connect, createServer as createTlsServer, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'
import { systemClock } from '../../src/core/base/clock.ts'
import { projectRoot } from '../../src/core/base/config.ts'
import { readCertificate } from '../../src/core/http/certificate.ts'
import { makeCertificate } from '../../src/operate/authority.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { externalServices, newPlace, startProduct } from '../support/product.ts'
import { ownPort } from '../support/port.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'

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

test('npm run certificate makes one for these names; the next one keeps them, and the authority', async (t) => {
  const { folder, certificate, leaf } = newFolder(t)
  const made = await certificate('ship.example', '10.1.2.3')
  assert.equal(made.code, 0, made.output)
  assert.match(made.output, /TLS_CERT_FILE=.*server\.crt\n.*TLS_KEY_FILE=.*server\.key/)
  assert.ok(leaf().checkHost('ship.example') && leaf().checkIP('10.1.2.3'))
  const before = readFileSync(join(folder, 'authority.crt'), 'utf8')
  assert.equal((await certificate('--yes', 'boat.local')).code, 0)
  for (const host of ['ship.example', 'boat.local', 'localhost']) assert.ok(leaf().checkHost(host), host)
  assert.equal((await certificate('--yes')).code, 0)
  for (const host of ['ship.example', 'boat.local']) assert.ok(leaf().checkHost(host), host)
  assert.equal((await certificate('--yes', '--only', 'ship.example')).code, 0)
  assert.ok(leaf().checkHost('ship.example') && !leaf().checkHost('boat.local') && !leaf().checkIP('10.1.2.3'))
  assert.equal(readFileSync(join(folder, 'authority.crt'), 'utf8'), before)

  for (const wrong of [['no name'], ['ship.example', '--days', '900'], ['--colour', 'red'], ['--only'], ['--serve', 'ship.example']]) {
    const { code, output } = await certificate(...wrong)
    assert.equal(code, 2, output)
    assert.equal(output.trimEnd().split('\n').length, 1, output)
  }
})

test('npm run certificate replaces no certificate unless somebody says yes', async (t) => {
  const { certificate, leaf } = newFolder(t)
  assert.equal((await certificate('ship.example')).code, 0)
  const before = leaf().fingerprint256
  for (const [input, code] of [
    [undefined, 2],
    ['', 2],
    ['\n', 1],
    ['no\n', 1],
    ['perhaps\nno\n', 1],
  ] as const) {
    const answered = await certificate.with(input)('boat.local')
    assert.equal(answered.code, code, answered.output)
    assert.match(answered.output, /has a certificate, good until \d{4}-.*, for\n {2}ship\.example, /)
    assert.match(answered.output, code === 2 ? /Without a terminal: npm run certificate -- .*--yes/ : /Nothing was changed\./)
    assert.equal(leaf().fingerprint256, before)
  }
  assert.equal((await certificate.with('yes\n')('boat.local')).code, 0)
  assert.notEqual(leaf().fingerprint256, before)
})

test('npm run certificate works on the certificate of the server that starts with the same words', async (t) => {
  const { root, run } = newFolder(t)
  const seeds = join(root, 'seeds')
  mkdirSync(seeds)
  const secrets = ['ADMIN_PASSWORD', 'RECOVERY_KEY', 'THO_PASSWORD', 'THO_RECOVERY_KEY', 'PROMETHEUS_PASSWORD'].map(
    (name) => `${name}=of-our-own`,
  )
  const write = (...lines: string[]) =>
    writeFileSync(
      join(seeds, 'production.env'),
      ['VAPOR_ENV=production', ...secrets, `DATA_DIR=${join(root, 'sea')}`, 'SWIFTARR_EXTERNAL_URL=https://ship.example', ...lines].join(
        '\n',
      ),
    )
  const env = { VAPOR_ENV: '', PRIVATE_SEEDS_DIR: seeds }
  write()
  const made = await run(['boat.local'], env)
  assert.equal(made.code, 0, made.output)
  const folder = join(root, 'sea', 'tls')
  assert.ok(made.output.includes(`Put this into ${join(seeds, 'production.env')}, and start the server again`), made.output)
  const leaf = () => new X509Certificate(readFileSync(join(folder, 'server.crt')))
  assert.ok(leaf().checkHost('ship.example') && leaf().checkHost('boat.local'))

  // Where the settings name the files, the next one goes there, whatever the usual folder is.
  const other = join(root, 'elsewhere')
  makeCertificate(other, ['old.local'], 30)
  write(`TLS_CERT_FILE=${join(other, 'server.crt')}`, `TLS_KEY_FILE=${join(other, 'server.key')}`)
  const before = leaf().fingerprint256
  const refused = await run([], { ...env, VAPOR_ENV: 'production' })
  assert.equal(refused.code, 2, 'nobody was asked')
  const again = await run(['--new-authority', '--yes'], env)
  assert.match(again.output, /Nothing has to be set: these are the files of the server\./)
  assert.equal(leaf().fingerprint256, before)
  const mended = new X509Certificate(readFileSync(join(other, 'server.crt')))
  assert.ok(mended.checkHost('ship.example') && mended.checkHost('old.local'))

  // One from elsewhere is not ours to replace.
  const [certFile, keyFile] = [join(other, 'fullchain.pem'), join(other, 'privkey.pem')]
  renameSync(join(other, 'server.crt'), certFile)
  renameSync(join(other, 'server.key'), keyFile)
  write(`TLS_CERT_FILE=${certFile}`, `TLS_KEY_FILE=${keyFile}`)
  const foreign = await run(['--yes'], env)
  assert.equal(foreign.code, 1)
  assert.match(foreign.output, /fullchain\.pem, which was not made here\. Renew it where it comes from/)
})

test('npm run certificate -- --serve shows the authority that is there, and makes none', async (t) => {
  const { folder, certificate } = newFolder(t)
  const none = await certificate('--serve')
  assert.deepEqual([none.code, existsSync(folder)], [1, false])
  assert.match(none.output, /^There is no authority in .* yet\. npm run certificate makes it\.\n$/)
  assert.equal((await certificate('ship.example')).code, 0)
  const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  const before = files()
  const free = await ownPort()
  const child = spawn(process.execPath, [
    join(projectRoot, 'dist', 'src', 'commands', 'certificate.js'),
    '--folder',
    folder,
    '--serve',
    '-p',
    String(free),
  ])
  t.after(() => child.kill())
  await until(
    () =>
      fetch(`http://127.0.0.1:${free}/certificate`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    'the page',
  )
  const file = await fetch(`http://127.0.0.1:${free}/certificate/authority.crt`)
  assert.equal(await file.text(), readFileSync(join(folder, 'authority.crt'), 'utf8'))
  assert.deepEqual(files(), before)
})

test('the authority can sign for names of this server and of private networks, and for no site of the internet', async (t) => {
  const { folder, certificate } = newFolder(t)
  makeCertificate(folder, ['ship.example', '*.deck.example', '8.8.4.4', '2001:db8::5'], 30)
  const extension = new X509Certificate(readFileSync(join(folder, 'authority.crt')))
  assert.ok(extension.ca)
  const pem = readFileSync(join(folder, 'authority.crt'))
  const accepts = (host: string) =>
    new Promise<string>((resolve) => {
      makeCertificate(folder, [host], 30)
      const [cert, key] = [readFileSync(join(folder, 'server.crt')), readFileSync(join(folder, 'server.key'))]
      const server = createTlsServer({ cert, key }, (socket) => socket.end()).listen(0, '127.0.0.1', () => {
        const { port: at } = server.address() as AddressInfo
        const servername = isIP(host) ? {} : { servername: host.replace('*', 'x') }
        const checkServerIdentity = isIP(host) ? { checkServerIdentity: () => undefined } : {}
        const socket = connect({ host: '127.0.0.1', port: at, ca: pem, ...servername, ...checkServerIdentity }, () => done('good'))
        const done = (outcome: string) => {
          socket.destroy()
          server.close(() => resolve(outcome))
        }
        socket.on('error', (error) => done(error.message))
      })
    })
  const good = ['ship.example', 'www.ship.example', '*.deck.example', 'ship.local', 'a.lan', 'localhost']
  for (const host of [...good, '192.168.7.9', '10.1.2.3', '172.31.0.1', '100.64.0.1', '8.8.4.4', 'fd12::7', 'fe80::1', '2001:db8::5'])
    assert.equal(await accepts(host), 'good', host)
  for (const host of [
    'bank.example',
    'example',
    'ship.example.org',
    'evilship.example',
    'local.example',
    '8.8.8.8',
    '172.32.0.1',
    '192.169.0.1',
    '2001:db8::6',
  ])
    assert.equal(await accepts(host), 'permitted subtree violation', host)

  // Whoever asks for such a name is asked whether there shall be another authority.
  makeCertificate(folder, ['ship.example'], 30)
  const asked = await certificate.with('no\n')('--yes', 'bank.example')
  assert.equal(asked.code, 1)
  assert.match(asked.output, /The authority may not sign for bank\.example\.\n.*every phone has to trust once more/)
  assert.deepEqual(readFileSync(join(folder, 'authority.crt')), pem)
  assert.equal((await certificate('--yes', '--new-authority', 'bank.example')).code, 0)
  assert.notDeepEqual(readFileSync(join(folder, 'authority.crt')), pem)
  assert.equal(readdirSync(folder).filter((name) => name.startsWith('authority.key')).length, 2, 'the old one is kept')
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

/** A folder for certificates that is not there yet, and the program on it. */
function newFolder(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'quarterdeck-tls-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const own = join(root, 'tls')
  const run = (args: string[], variables: Record<string, string> = {}, input?: string) => runTool('certificate', args, variables, input)
  const withInput =
    (input?: string) =>
    (...args: string[]) =>
      run(['--folder', own, ...args], {}, input)
  return {
    root,
    folder: own,
    run,
    certificate: Object.assign(withInput(), { with: withInput }),
    leaf: () => new X509Certificate(readFileSync(join(own, 'server.crt'))),
  }
}

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
