// `npm run setup` and `npm run doctor`, and what a start makes of them.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { DateTime } from 'luxon'
import type { Config } from '../../src/core/base/config.ts'
import { accountSecrets, readConfig } from '../../src/accounts/config.ts'
import { readCertificate } from '../../src/core/http/certificate.ts'
import { makeCertificate } from '../../src/operate/authority.ts'
import { checkBackups, checkCertificate, checkClock, checkDisk, checkTrip } from '../../src/operate/findings.ts'
import { backupsIn, lastNightAt, nextNightAt, nightName } from '../../src/operate/backup-files.ts'
import { startTestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { ownPort } from '../support/port.ts'
import { newPlace, startProduct } from '../support/product.ts'
import { answerAsRedis, bulk } from '../support/sentinel.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'

test('setup writes production settings that start refuses nothing of, with secrets that differ every time', async (t) => {
  const { seeds, setup } = folders(t)
  const { code, output } = await setup(
    '--yes',
    '--name',
    'Winter Cruise',
    '--start',
    '2031-02-03',
    '--days',
    '5',
    '--zone',
    'Europe/Berlin',
    '--address',
    'ship.example:9000',
  )
  assert.equal(code, 0, output)
  const file = join(seeds, 'production.env')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const config = readConfig(['--env', 'production'], { PRIVATE_SEEDS_DIR: seeds })
  const secrets = accountSecrets(config)
  assert.deepEqual(
    [config.eventName, config.startDate, config.lengthInDays, config.portTimeZone, config.externalUrl, config.port],
    ['Winter Cruise', '2031-02-03', 5, 'Europe/Berlin', 'https://ship.example:9000', 9000],
  )
  assert.ok(secrets.adminPassword.value.length >= 16 && config.tokenSecret.length >= 32)
  for (const secret of [secrets.adminPassword.value, secrets.adminRecoveryKey.value, secrets.thoPassword.value, config.tokenSecret])
    assert.ok(output.includes(secret), 'the sheet for the safe has it')
  assert.deepEqual(checkCertificate(config, new Date())[0]?.level, 'good')

  const again = await setup('--yes')
  assert.equal(again.code, 1)
  assert.match(again.output, /exists already.*--force/)
  assert.equal((await setup('--yes', '--force')).code, 0)
  assert.notEqual(
    accountSecrets(readConfig(['--env', 'production'], { PRIVATE_SEEDS_DIR: seeds })).adminPassword.value,
    secrets.adminPassword.value,
  )
  assert.equal(readdirSync(seeds).length, 2, 'the old settings are kept')
})

test('setup --force where there is data asks for each secret, and keeps what nobody is asked for', async (t) => {
  const { seeds, data, setup } = folders(t)
  assert.equal(
    (
      await setup(
        '--yes',
        '--name',
        'Winter',
        '--address',
        'ship.example:9000',
        '--days',
        '5',
        '--backups',
        join(data, 'nights'),
        '--push',
        'host@ship.example',
      )
    ).code,
    0,
  )
  const read = () => readConfig(['--env', 'production'], { PRIVATE_SEEDS_DIR: seeds })
  const secrets = (config: Config) => [...[...config.secrets.values()].map(({ value }) => value), config.tokenSecret]
  const file = join(seeds, 'production.env')
  const database = 'postgres://ship:a%20secret@db.example/ship'
  appendFileSync(file, `DATABASE_URL=${database}\nTRUST_PROXY=true\nDIALECT=twitarr\n`)
  const before = read()
  assert.equal(before.push?.subject, 'mailto:host@ship.example')

  const kept = await setup('--yes', '--force')
  assert.equal(kept.code, 0, kept.output)
  assert.deepEqual(read(), before, 'nothing has changed')
  assert.match(kept.output, /Accounts that exist keep their own passwords/)
  for (const secret of secrets(before)) assert.ok(kept.output.includes(secret))

  // An empty line takes what is proposed: all answers of before, and each secret.
  const force = (...lines: string[]) => runTool('setup', ['--force'], { PRIVATE_SEEDS_DIR: seeds }, `${lines.join('\n')}\n`)
  const asked = await force(...Array<string>(14).fill(''))
  assert.equal(asked.code, 0, asked.output)
  for (const name of ['ADMIN_PASSWORD', 'RECOVERY_KEY', 'THO_PASSWORD', 'THO_RECOVERY_KEY', 'PROMETHEUS_PASSWORD', 'TOKEN_SECRET'])
    assert.equal(asked.output.split(`Keep ${name}? (yes or no) [yes]: `).length, 2, name)
  assert.match(asked.output, /accounts admin, THO and prometheus keep the passwords/)
  assert.match(asked.output, /With another TOKEN_SECRET the server does not start on this data/)
  assert.deepEqual(read(), before)
  assert.equal((await force(...Array<string>(13).fill(''))).code, 2, 'one answer is missing')
  assert.deepEqual(read(), before)

  const one = await force('Summer', ...Array<string>(7).fill(''), 'no', '', 'perhaps', 'n', '', '', 'yes')
  assert.equal(one.code, 0, one.output)
  const after = read()
  assert.deepEqual(
    secrets(after).map((secret, index) => secret === secrets(before)[index]),
    [false, true, false, true, true, true],
  )
  assert.deepEqual(
    [after.eventName, after.databaseUrl, after.trustProxy, after.dialect, after.tls, after.externalUrl],
    ['Summer', database, true, 'twitarr', before.tls, before.externalUrl],
  )
  const anew = await setup('--yes', '--force', '--new-secrets')
  assert.match(anew.output, /! Put the TOKEN_SECRET of before into .*production\.env/)
  assert.ok(secrets(read()).every((secret, index) => secret !== secrets(after)[index]))
})

test('setup takes the TOKEN_SECRET of data that was there before the settings', async (t) => {
  const { seeds, data, setup } = folders(t)
  const secret = 'of a server that was started without settings'
  writeFileSync(join(data, 'token-secret'), secret)
  assert.equal((await setup('--yes')).code, 0)
  assert.equal(readConfig(['--env', 'production'], { PRIVATE_SEEDS_DIR: seeds }).tokenSecret, secret)
})

test('setup asks eight questions, again where an answer will not do', async (t) => {
  const { seeds, data } = folders(t)
  const answers = [
    'Summer camp',
    'tomorrow',
    '2031-07-01',
    '',
    'Atlantis/Sunken',
    'America/Chicago',
    '10.1.2.3',
    'no',
    'no',
    'nobody',
    '',
    '',
  ]
  const { code, output } = await runTool('setup', ['--data', data], { PRIVATE_SEEDS_DIR: seeds }, answers.join('\n'))
  assert.equal(code, 0, output)
  assert.equal(output.match(/\]: /g)?.length, 11)
  const config = readConfig(['--env', 'production'], { PRIVATE_SEEDS_DIR: seeds })
  assert.deepEqual(
    [
      config.eventName,
      config.startDate,
      config.lengthInDays,
      config.portTimeZone,
      config.externalUrl,
      config.tls,
      config.backupDir,
      config.push,
    ],
    ['Summer camp', '2031-07-01', 8, 'America/Chicago', 'http://10.1.2.3:8081', undefined, undefined, undefined],
  )
})

test('setup names every wrong flag at once and writes nothing; so it does when nobody answers', async (t) => {
  const { seeds, data, setup } = folders(t)
  const { code, output } = await setup('--yes', '--start', 'soon', '--days', '0', '--address', 'http://x', '--tls', 'maybe')
  assert.equal(code, 2)
  for (const flag of ['--start', '--days', '--address', '--tls']) assert.ok(output.includes(flag), output)
  assert.equal((await runTool('setup', ['--data', data], { PRIVATE_SEEDS_DIR: seeds }, 'Only a name\n')).code, 2)
  assert.equal((await setup('--yes', '--tls', '/nowhere/a.crt,/nowhere/a.key')).code, 2)
  assert.deepEqual(readdirSync(seeds), [])
})

test('after setup a start is production, with TLS, nothing invented in it, and a backup of the last night', async (t) => {
  const { seeds, data, setup } = folders(t)
  const place = await newPlace(t)
  const backups = join(data, 'backups')
  assert.equal((await setup('--yes', '--address', `localhost:${place.port}`, '--backups', backups)).code, 0)
  const env = { VAPOR_ENV: '', PRIVATE_SEEDS_DIR: seeds, DATA_DIR: '', PORT: '', hostname: '127.0.0.1' }
  const product = startProduct(t, place, [], env)
  await product.says('ADMIN_PASSWORD')
  await until(() => Promise.resolve(existsSync(backups) && readdirSync(backups).some((name) => name.endsWith('.tar'))), 'a backup', 60_000)
  assert.match(product.output(), new RegExp(`Quarterdeck is running at https://localhost:${place.port}`))
  assert.match(product.output(), /Nothing is loaded yet of: schedule \(schedule\.ics\)/)
  assert.match(product.output(), /the password is ADMIN_PASSWORD in .*production\.env/)
  assert.doesNotMatch(product.output(), /james|Sample people/)
  assert.equal(readdirSync(backups).filter((name) => name.endsWith('.tar')).length, 1)

  // Pictures are for members, and the rest holds secrets: to other accounts of this machine only the numbers of processes are open.
  const seen = readdirSync(data).filter((name) => name !== 'start.lock' && (statSync(join(data, name)).mode & 0o007) !== 0)
  assert.deepEqual([seen, statSync(join(data, 'images')).mode & 0o777], [[], 0o750])

  const settings = readConfig(['--env', 'production'], { PRIVATE_SEEDS_DIR: seeds })
  assert.equal((await setup('--yes', '--force')).code, 0)
  assert.deepEqual(readConfig(['--env', 'production'], { PRIVATE_SEEDS_DIR: seeds }), settings, 'people are there: all secrets stay')

  const doctor = await runTool('doctor', [], env)
  assert.match(doctor.output, /✓ Port .* in use by the server that runs here/)
  assert.match(doctor.output, /✓ Postgres +version \d+/)
  assert.match(doctor.output, /✓ Passwords/)
  assert.match(doctor.output, /✓ Certificate/)
  assert.match(doctor.output, /✓ Backups +the newest is/)
  assert.doesNotMatch(doctor.output, /Accounts/)
})

test('a folder of pictures that is open to everybody on the machine is closed to them; its group stays', async (t) => {
  const { data } = folders(t)
  const images = join(data, 'pictures')
  mkdirSync(images)
  chmodSync(images, 0o777)
  const nodes = await startTestNodes(1, { env: { SWIFTARR_USER_IMAGES: images } })
  t.after(() => nodes.stop())
  assert.equal(statSync(images).mode & 0o777, 0o770)
})

test('doctor says what is in the way and ends with 1; a wrong setting is 2', async (t) => {
  const { data } = folders(t)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as AddressInfo
  const env = {
    DATA_DIR: data,
    PORT: String(port),
    SERVICE_START_DATE: '2020-01-01',
    DATABASE_URL: `postgres://u:secret@127.0.0.1:${port}/x`,
    DATABASE_POOLER_URL: 'postgres://u:secret@127.0.0.1:1/x',
    DATABASE_STANDBY_URL: 'postgres://u:secret@127.0.0.1:1/x',
    DATABASE_TIMEOUT: '1',
    REDIS_URL: 'redis://:secret@127.0.0.1:1',
  }
  const { code, output } = await runTool('doctor', [], env)
  assert.equal(code, 1, output)
  for (const about of ['Port', 'Trip', 'Postgres', 'Pooler', 'Standby', 'Redis'])
    assert.match(output, new RegExp(`^✗ ${about} +.*[.?]$`, 'm'))
  assert.match(output, /Redis .*ECONNREFUSED/)
  assert.doesNotMatch(output, /secret/)
  assert.match(output, /^6 to mend/m)
  assert.equal((await runTool('doctor', [], { PORT: 'eighty' })).code, 2)
})

test('doctor knows a Cluster, a Sentinel and a Redis, and which of them is taken for another', async (t) => {
  const { data } = folders(t)
  for (const [scheme, mode, version, says] of [
    ['redis', 'cluster', '7.2.4', /✗ Redis +This is a server of a Cluster.*redis-cluster:/],
    ['redis', 'sentinel', '7.2.4', /✗ Redis +This is a Sentinel/],
    ['redis', 'standalone', '7.2.4', /✓ Redis +version 7\.2\.4/],
    ['redis-cluster', 'cluster', '7.2.4', /✓ Redis +version 7\.2\.4/],
    ['redis-cluster', 'cluster', '6.2.6', /✗ Redis +It is version 6\.2\.6; of a Cluster 7\.0/],
    ['redis-cluster', 'standalone', '7.2.4', /✗ Redis +It is no Cluster/],
  ] as const) {
    const info = bulk(`# Server\r\nredis_version:${version}\r\nredis_mode:${mode}\r\nloading:0\r\n`)
    const port = await answerAsRedis(
      t,
      () => (command) => (command === 'info' ? info : command === 'config' ? '-ERR not here\r\n' : '+OK\r\n'),
    )
    const { output } = await runTool('doctor', [], { DATA_DIR: data, REDIS_URL: `${scheme}://127.0.0.1:${port}` })
    assert.match(output, says)
  }
})

test('doctor ends with 1 for a single thing that is in the way', async (t) => {
  const { data } = folders(t)
  const { code, output } = await runTool('doctor', [], { DATA_DIR: data, PORT: String(await ownPort()), SERVICE_START_DATE: '2020-01-01' })
  assert.match(output, /^1 to mend/m)
  assert.equal(code, 1, output)
})

test('doctor knows the trip and the backups of the night as the console has set them', async (t) => {
  const nodes = await startTestNodes()
  t.after(() => nodes.stop())
  const { data } = folders(t)
  const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
  const env = { DATA_DIR: data, DATABASE_URL: nodes.database.url, SERVICE_START_DATE: '2020-01-01' }
  const doctor = async () => (await runTool('doctor', [], env)).output
  const before = await doctor()
  assert.match(before, /✗ Trip +It is over \(\d+ days from 2020-01-01/)
  assert.match(before, /✓ Backups +none in development/)
  await body(admin.one.post('/admin/event/trip', { eventName: 'Seas', startDate: '2099-03-01', lengthInDays: 5 }))
  await body(admin.one.post('/admin/backups/schedule', { nightly: true, hour: 4, keep: 3 }))
  const after = await doctor()
  assert.match(after, /✓ Trip +5 days from 2099-03-01/)
  assert.match(after, /! Backups +There is none yet\. Does a worker run/)
})

test('doctor sees what is wrong with certificates, trips, clocks and backups', (t) => {
  const { data } = folders(t)
  const { certFile, keyFile } = makeCertificate(data, ['ship.example', '*.deck.example', 'fd00::7'], 30)
  const tls = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }
  const certificate = (url: string, days: number) =>
    checkCertificate(readConfig([], { ...tls, SWIFTARR_EXTERNAL_URL: url }), new Date(Date.now() + days * 86_400_000))[0]?.level
  assert.deepEqual(
    [
      certificate('https://ship.example', 0),
      certificate('https://bow.deck.example', 0),
      certificate('https://ship.example', 20),
      certificate('https://ship.example', 40),
      certificate('https://other.example', 0),
      certificate('https://a.b.deck.example', 0),
      certificate('https://[fd00::7]:8081', 0),
      certificate('https://[fd00::8]:8081', 0),
    ],
    ['good', 'good', 'warning', 'bad', 'bad', 'bad', 'good', 'bad'],
  )
  const trip = (start: string) => checkTrip(readConfig([], { SERVICE_START_DATE: start }), new Date('2031-03-05T12:00:00Z')).level
  assert.deepEqual([trip('2031-04-01'), trip('2031-03-01'), trip('2031-02-01')], ['good', 'good', 'bad'])
  assert.equal(checkClock(new Date('2001-01-01'), new Date('2026-01-01')).level, 'bad')

  const now = new Date('2031-03-05T12:00:00Z')
  const backups = (ageHours?: number, production = true, nightly = false) =>
    checkBackups(
      {
        production,
        nightly,
        ...{
          newest: ageHours === undefined ? undefined : { name: 'x', bytes: 1, createdAt: new Date(now.getTime() - ageHours * 3_600_000) },
        },
      },
      now,
    ).level
  assert.deepEqual(
    [backups(), backups(undefined, false), backups(undefined, false, true), backups(25), backups(27), backups(27, false)],
    ['warning', 'good', 'warning', 'good', 'warning', 'warning'],
  )
})

test('many looks at one disk at once, as servers beside each other have, are no fault of it', async (t) => {
  const { data } = folders(t)
  const config = readConfig([], { DATA_DIR: data })
  const looks = await Promise.all(Array.from({ length: 20 }, () => checkDisk(config)))
  assert.deepEqual(
    looks.filter(({ level }) => level === 'bad').map(({ text }) => text),
    [],
  )
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('.doctor')),
    [],
  )
})

test('what doctor says about a certificate is the command that mends it, in every environment', async (t) => {
  const { seeds, data } = folders(t)
  const folder = join(data, 'own')
  const secrets = ['ADMIN_PASSWORD', 'RECOVERY_KEY', 'THO_PASSWORD', 'THO_RECOVERY_KEY', 'PROMETHEUS_PASSWORD'].map(
    (name) => `${name}=of-our-own`,
  )
  const usual = { VAPOR_ENV: '', PRIVATE_SEEDS_DIR: seeds }
  const said = async (environment: string) => (await runTool('doctor', ['--env', environment], usual)).output
  const obey = async (output: string) => {
    const [, words = ''] = /npm run certificate(?: -- (.*))?$/m.exec(output) ?? assert.fail(output)
    const outcome = await runTool('certificate', ['--yes', ...words.split(' ').filter(Boolean)], usual)
    assert.equal(outcome.code, 0, outcome.output)
    return outcome.output
  }
  for (const environment of ['production', 'winter']) {
    const write = (...lines: string[]) =>
      writeFileSync(
        join(seeds, `${environment}.env`),
        [`VAPOR_ENV=${environment}`, ...secrets, `DATA_DIR=${data}`, 'SWIFTARR_EXTERNAL_URL=https://ship.local', ...lines].join('\n'),
      )
    const files = [`TLS_CERT_FILE=${join(folder, 'server.crt')}`, `TLS_KEY_FILE=${join(folder, 'server.key')}`]
    write(...files)
    // Its name is not among them; it runs out in two weeks; it has run out.
    for (const [names, days, finding] of [
      [['old.local'], 300, /✗ Certificate .*phones use another name \(ship\.local\)/],
      [['ship.local', 'old.local'], 15, /! Certificate .*runs out in 1\d days/],
      [['ship.local', 'old.local'], 0, /✗ Certificate .*has run out/],
    ] as const) {
      makeCertificate(folder, names, days)
      const before = await said(environment)
      assert.match(before, finding)
      await obey(before)
      assert.match(await said(environment), /✓ Certificate +for ship\.local, 39\d days left/)
      assert.ok(readCertificate({ certFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') }).names.includes('old.local'))
    }
    const [certFile, keyFile] = [join(data, `${environment}.pem`), join(data, `${environment}.key`)]
    makeCertificate(folder, ['old.local'], 30)
    renameSync(join(folder, 'server.crt'), certFile)
    renameSync(join(folder, 'server.key'), keyFile)
    write(`TLS_CERT_FILE=${certFile}`, `TLS_KEY_FILE=${keyFile}`)
    const elsewhere = await said(environment)
    assert.match(elsewhere, /✗ Certificate .*Renew it where it comes from/)
    assert.doesNotMatch(elsewhere, /npm run certificate/)
  }

  // Without TLS there is none yet, and what the command says is to be put into the settings.
  const path = join(seeds, 'production.env')
  const lines = ['VAPOR_ENV=production', ...secrets, `DATA_DIR=${join(data, 'new')}`, 'SWIFTARR_EXTERNAL_URL=http://ship.local:8081']
  writeFileSync(path, lines.join('\n'))
  const output = await obey(await said('production'))
  assert.ok(output.includes(`Put this into ${path}`), output)
  writeFileSync(path, [...lines, ...(output.match(/^ {2}[A-Z_]+=.*$/gm) ?? []).map((line) => line.trim())].join('\n'))
  const after = await said('production')
  assert.match(after, /✓ Certificate +for ship\.local/)
  assert.doesNotMatch(after, /! TLS/)
  assert.equal(readConfig(['--env', 'production'], usual).externalUrl, 'https://ship.local:8081')
})

test('a backup is due once for each night, at an hour of the ship', () => {
  const zone = 'America/New_York'
  const local = (date: Date) => DateTime.fromJSDate(date, { zone }).toFormat('yyyy-MM-dd HH:mm')
  const at = (time: string) => DateTime.fromISO(time, { zone }).toJSDate()
  assert.equal(local(lastNightAt(at('2031-03-05T03:59:00'), zone, 4)), '2031-03-04 04:00')
  assert.equal(local(lastNightAt(at('2031-03-05T04:00:00'), zone, 4)), '2031-03-05 04:00')
  assert.equal(local(nextNightAt(at('2031-03-05T04:00:00'), zone, 4)), '2031-03-06 04:00')
  // The night in which the clocks go forward.
  assert.equal(local(nextNightAt(at('2031-03-08T23:30:00'), zone, 23)), '2031-03-09 23:00')
  const due = at('2031-03-05T04:00:00')
  assert.equal(nightName(due, zone, []), 'quarterdeck-2031-03-05.tar')
  assert.equal(nightName(due, zone, ['quarterdeck-2031-03-05.tar']), 'quarterdeck-2031-03-05-again.tar')
})

test('the newest backup comes first, and what is none is left out', async (t) => {
  const { data } = folders(t)
  for (const [name, seconds] of [
    ['quarterdeck-2031-03-05.tar', 1],
    ['quarterdeck-2031-03-04-120000.tar', 2],
    ['quarterdeck-2031-03-05.tar.part', 3],
    ['other.tar', 4],
  ] as const) {
    writeFileSync(join(data, name), '')
    utimesSync(join(data, name), seconds, seconds)
  }
  assert.deepEqual(
    (await backupsIn(data)).map(({ name }) => name),
    ['quarterdeck-2031-03-04-120000.tar', 'quarterdeck-2031-03-05.tar'],
  )
})

function folders(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'quarterdeck-operate-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [seeds, data] = [join(root, 'seeds'), join(root, 'data')]
  mkdirSync(seeds)
  mkdirSync(data)
  const setup = (...args: string[]) => runTool('setup', ['--data', data, ...args], { PRIVATE_SEEDS_DIR: seeds })
  return { seeds, data, setup }
}
