// The command line over the network: what the console does, with names, as tables and as JSON, and how it refuses.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test, type TestContext } from 'node:test'
import { projectRoot } from '../../src/core/base/config.ts'
import { remoteCommands } from '../../src/remote/commands.ts'
import { status } from '../../src/remote/machine.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { calendar } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { startWebhook, type Webhook } from '../support/webhook.ts'

interface Ended {
  code: number
  output: string
  error: string
}

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-remote-'))
let nodes: TestNodes
let outside: Webhook<{ type: string }>
let admin: Person
let heidi: Person
let tokens: { admin: string; heidi: string }
before(async () => {
  outside = await startWebhook()
  nodes = await startTestNodes(1, { workers: 1, env: { OUTSIDE_HOSTS: '127.0.0.1' } })
  ;[admin, heidi] = (await people(nodes, { level: 'admin' }, { displayName: 'Heidi Holm' })) as [Person, Person]
  const tokenOf = async (who: Person) =>
    (await body(who.one.post('/auth/tokens', { name: 'Scripts', scope: 'all', days: 1 }), 201)).token as string
  tokens = { admin: await tokenOf(admin), heidi: await tokenOf(heidi) }
})
after(async () => {
  await nodes.stop()
  outside.close()
  rmSync(folder, { recursive: true })
})

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const program = join(projectRoot, 'dist', 'src', 'commands', 'remote.js')
  const variables = { PATH: process.env['PATH'], QUARTERDECK_SERVER: nodes.urls[0], QUARTERDECK_TOKEN: tokens.admin, ...env }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env: variables }, (_, output, error) =>
      resolve({ code: child.exitCode ?? -1, output, error }),
    )
  })
}

async function says(...args: string[]): Promise<string> {
  const { code, output, error } = await run(args)
  assert.equal(code, 0, error)
  return output
}
const saysJson = async (...args: string[]) => JSON.parse(await says(...args, '--json'))

test('people: found by words, promoted and demoted by name', async () => {
  const [names, row] = (await says('users', 'Heidi', 'Holm')).split('\n')
  assert.match(names ?? '', /^username +name +level +roles +room +seen$/)
  assert.match(row ?? '', new RegExp(`^${heidi.username} +Heidi Holm +verified `))
  await says('promote', heidi.username, 'moderator')
  const { users } = await saysJson('users', '--level', 'moderator', heidi.username)
  assert.deepEqual(
    users.map(({ header, accessLevel }: { header: { userID: string }; accessLevel: string }) => [header.userID, accessLevel]),
    [[heidi.id, 'moderator']],
  )
  await says('demote', heidi.username)
  assert.equal((await saysJson('users', heidi.username)).users[0].accessLevel, 'verified')
  const { entries } = await saysJson('audit', '--who', admin.username, '--about', heidi.username, '--limit', '2')
  assert.equal(entries.length, 2)
  assert.match(await says('audit', '--about', heidi.username, '--limit', '1'), /1 of \d+; --limit shows more\.$/m)
})

test('codes are printed as cards, ten on a page, for where people find the server', async () => {
  await says('codes', 'make', '2', '--prefix', 'zz')
  const codes = (await says('codes', 'print')).trim().split('\n')
  const page = await says('codes', 'print', '--cards', '--address', 'https://ship.example/')
  assert.equal(page.split('<svg').length - 1, codes.length)
  const shown = Array.from(page.matchAll(/<p>([^<]*)<b>(\w{3}) (\w{3})<\/b>/g), ([, address, one, other]) => [
    address,
    `${one}${other}`.toLowerCase(),
  ])
  assert.deepEqual(
    shown.map(([, code]) => code),
    codes,
  )
  assert.equal(shown[0]?.[0], 'ship.example')
  const unfit = await run(['codes', 'print', '--cards'])
  assert.deepEqual([unfit.code, unfit.output], [2, ''])
  assert.match(unfit.error, /Phones do not find http:\/\/localhost.*--address/)
  assert.match(
    await says('codes', 'print', '--cards', '--address', 'https://ship.example/"><script>/'),
    /<p>ship\.example\/&#34;&#62;&#60;script&#62;<b>/,
  )
})

test('codes are made, listed and printed', async () => {
  const made = (await says('codes', 'make', '3')).trim().split('\n')
  assert.equal(made.length, 3)
  const printed = (await says('codes', 'print')).trim().split('\n')
  for (const code of made) assert.ok(printed.includes(code), code)
  const { codes } = await saysJson('codes', made[0] as string, '--free')
  assert.deepEqual(
    codes.map(({ regCode }: { regCode: string }) => regCode),
    [made[0]],
  )
  await nodes.sql`update registration_code set person_id = ${heidi.id} where code = ${made[1] as string}`
  assert.equal((await saysJson('codes', made[1] as string)).codes.length, 1)
  assert.equal((await saysJson('codes', made[1] as string, '--free')).codes.length, 0)
})

test('announcements: now, later, and taken back', async () => {
  assert.match(await says('announce', 'Boats', 'at', 'noon', '--until', '3h'), /^It is shown until \d{4}-\d\d-\d\d \d\d:\d\d\.$/m)
  const [one] = await saysJson('announcements')
  assert.deepEqual([one.text, one.author.userID], ['Boats at noon', admin.id])
  const until = Date.parse(one.displayUntil) - Date.now()
  assert.ok(until > 2.9 * 3_600_000 && until < 3.1 * 3_600_000, String(until))
  await says('announcements', 'delete', String(one.id))
  assert.deepEqual(await saysJson('announcements'), [])
  await says('announce', 'Tomorrow', '--at', '1d')
  const [planned] = await body(admin.one.get('/admin/announcements/planned'))
  assert.equal(planned.text, 'Tomorrow')
  assert.ok(Date.parse(planned.displayUntil) - Date.parse(planned.showAt) === 24 * 3_600_000)
  assert.match((await run(['announce', 'Never', '--until', 'soon'])).error, /^A time is such as 30m, 3h, 2d or .*, not "soon"\.$/m)
})

test('the schedule: looked at, applied, and undone', async (t) => {
  const file = join(folder, 'all.ics')
  const event = { uid: 'waltz', title: 'Waltz', location: 'Lido', start: '2025-03-03T19:00:00Z', end: '2025-03-03T20:00:00Z' }
  writeFileSync(file, calendar([event]))
  assert.match(await says('schedule', 'check', file), /^new +\d{4}-\d\d-\d\d \d\d:\d\d +Waltz +Lido$/m)
  const [, number = ''] =
    /^1 new, 0 changed, 0 deleted\. The way back: schedule undo (\d+)$/m.exec(await says('schedule', 'apply', file)) ?? []
  const isOn = async () => (await body(heidi.one.get('/events'))).some(({ uid }: { uid: string }) => uid === 'waltz')
  assert.ok(await isOn())
  assert.doesNotMatch(await says('schedule', 'check', file), /Waltz/)
  assert.match(await says('schedule', 'log'), new RegExp(`^ *${number} .* ${admin.username} +1 +yes$`, 'm'))
  await says('schedule', 'undo', number)
  assert.ok(!(await isOn()))
  // What is of another week is put there only when that is meant.
  writeFileSync(file, calendar([{ ...event, start: '2031-03-03T19:00:00Z', end: '2031-03-03T20:00:00Z' }]))
  const refusal = await run(['schedule', 'apply', file])
  assert.equal(refusal.code, 1)
  assert.match(refusal.error, /none of the trip's days/)
  const [, meant = ''] = /schedule undo (\d+)$/m.exec(await says('schedule', 'apply', file, '--other-days')) ?? []
  assert.ok(await isOn())
  await says('schedule', 'undo', meant)
  const elsewhere = createServer(({ url }, answer) => answer.writeHead(url === '/all.ics' ? 200 : 404).end(calendar([event])))
  t.after(() => elsewhere.close())
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  assert.match(await says('schedule', 'check', `${address}/all.ics`), /^new .* Waltz +Lido$/m)
  assert.match((await run(['schedule', 'check', `${address}/none.ics`])).error, /none\.ics cannot be read/)
  assert.match((await run(['schedule', 'check', join(folder, 'none.ics')])).error, /none\.ics cannot be read/)
})

test('settings, jobs, backups, how it does, and any other endpoint', async () => {
  await says('settings', 'set', 'maximumTwarrts=150', 'allowAnimatedImages=false', 'shipWifiSSID=Deck 9')
  const after = await saysJson('settings')
  assert.deepEqual([after.maximumTwarrts, after.allowAnimatedImages, after.shipWifiSSID], [150, false, 'Deck 9'])
  assert.match(await says('settings'), /^maximumTwarrts +150$/m)
  assert.equal((await run(['settings', 'set', 'allowAnimatedImages=maybe'])).code, 2)
  assert.match((await run(['settings', 'set', 'maximumTwarrts=0'])).error, /maximumTwarrts/)
  assert.match(await says('jobs'), /^image +0 /m)
  await says('jobs', 'pause', 'push')
  assert.match(await says('jobs'), /^push .* paused$/m)
  await says('jobs', 'resume', 'push')
  assert.equal(typeof (await saysJson('backups')).backups.length, 'number')
  const { code, output } = await run(['status'])
  assert.match(output, /^\d+ online, /)
  assert.equal(code, /^bad: /m.test(output) ? 1 : 0)
  // The same of two disks is said once.
  await nodes.sql`
    insert into incident (kind, subject, state, sentence, mend, code, values, began_at)
    select 'test', disk, 'bad', 'The hold is full.', 'Throw something out.', 'test', '{}', now() from unnest(array['a', 'b']) disk`
  const full = await run(['status'])
  assert.equal(full.code, 1)
  assert.equal(full.output.split('bad: The hold is full. Throw something out.').length - 1, 1, full.output)
  await nodes.sql`delete from incident where kind = 'test'`
  const profile = JSON.parse(await says('call', 'GET /users/:user_id/profile', JSON.stringify({ user_id: heidi.id })))
  assert.equal(profile.header.userID, heidi.id)
})

test('status is bad only where something is bad', async () => {
  const now = { online: 1, requestsPerSecond: 0, postsPerMinute: 0, errorsInHour: 0 }
  const asked = (state: string) =>
    status({
      admin: {
        figures: () => Promise.resolve({ now }),
        checks: () => Promise.resolve([{ state, sentence: 'The clock is late.' }]),
        incidents: () => Promise.resolve({ open: [] }),
      },
    } as never)
  const outcomes = await Promise.all(['good', 'warning', 'bad'].map(asked))
  assert.deepEqual(
    outcomes.map(({ isBad, lines = [] }) => [isBad, lines[1]]),
    [
      [false, 'Nothing is wrong.'],
      [false, 'look: The clock is late.'],
      [true, 'bad: The clock is late.'],
    ],
  )
})

/** A request at which the server fails. */
async function fail(id: string): Promise<void> {
  await nodes.sql`alter table note rename to note_away`
  try {
    const answer = await heidi.one.post(`/users/${admin.id}/note`, { note: 'a secret' }, { headers: { 'x-request-id': id } })
    assert.equal(answer.status, 500)
  } finally {
    await nodes.sql`alter table note_away rename to note`
  }
}

/** Follows the faults of servers until the test ends. */
function follow(t: TestContext, token: string, ...args: string[]) {
  const program = join(projectRoot, 'dist', 'src', 'commands', 'remote.js')
  const child = spawn(process.execPath, [program, 'logs', ...args], {
    env: { PATH: process.env['PATH'], QUARTERDECK_SERVER: nodes.urls[0], QUARTERDECK_TOKEN: token },
  })
  t.after(() => child.kill('SIGKILL'))
  const seen: string[] = []
  createInterface(child.stdout).on('line', (each) => seen.push(each))
  return { child, seen }
}

test('faults of servers: those there were, and with --follow those to come, for people and programs', async (t) => {
  await fail('first-fault')
  const line = /^\S.* \S+ POST \/api\/v3\/users\/:user_id\/note 500: PostgresError 42P01 .*\(first-fault\)$/m
  const shown = await says('logs', 'first-fault')
  assert.match(shown, line)
  assert.doesNotMatch(shown, /secret/)
  assert.deepEqual((await saysJson('logs', 'nothing-like-it')).faults, [])
  assert.equal(await says('logs', 'nothing-like-it'), 'No server has failed at a request lately.\n')
  const { token, tokenID } = await body(admin.one.post('/auth/tokens', { name: 'Logs', scope: 'all', days: 1 }), 201)
  const [people, programs] = [follow(t, token, '-f'), follow(t, token, '--follow', '--json')]
  await until(() => people.seen.length > 0 && programs.seen.length > 0, 'those there were are shown')
  await fail('second-fault')
  await until(() => people.seen.length > 1 && programs.seen.length > 1, 'the next one is shown')
  const idsOf = (lines: readonly string[]) => lines.map((each) => /(first|second)-fault/.exec(each)?.[0])
  for (const { seen } of [people, programs]) assert.deepEqual(idsOf(seen), ['first-fault', 'second-fault'])
  assert.equal(JSON.parse(programs.seen[1] ?? '').requestID, 'second-fault')
  // Apps may give all requests one id.
  await fail('second-fault')
  await until(() => people.seen.length > 2, 'the same id once more is another fault')
  // Whoever reads a pipe may have seen enough.
  people.child.stdout.destroy()
  await fail('third-fault')
  await once(people.child, 'exit')
  // A token that is no longer good ends it, with a reason.
  let reason = ''
  programs.child.stderr.on('data', (text) => (reason += String(text)))
  await body(admin.one.delete(`/auth/tokens/${tokenID}`), 204)
  await once(programs.child, 'exit')
  assert.equal(programs.child.exitCode, 1)
  assert.match(reason, /not authenticated/)
})

test('faults of servers are followed on after the server was away, each shown once', async (t) => {
  const { token } = await body(admin.one.post('/auth/tokens', { name: 'Away', scope: 'all', days: 1 }), 201)
  let [isAway, refusals] = [false, 0]
  const front = createServer((asked, answer) => {
    if (isAway) {
      refusals++
      answer.writeHead(503).end()
      return
    }
    const { method, headers } = asked
    const passOn = request(`${nodes.urls[0]}${asked.url}`, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 0, got.headers)
      got.pipe(answer)
    })
    asked.pipe(passOn)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  t.after(() => front.close().closeAllConnections())
  await fail('before-it')
  const server = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const { seen } = follow(t, token, 'it', '-f', '--server', server)
  await until(() => seen.length > 0, 'what was before is shown')
  isAway = true
  await until(() => refusals > 0, 'it looks while the server is away', 20_000)
  await fail('after-it')
  isAway = false
  await until(() => seen.length > 1, 'it looks on', 60_000)
  assert.deepEqual(
    seen.map((each) => /\((.*)\)$/.exec(each)?.[1]),
    ['before-it', 'after-it'],
  )
})

test('tables for a spreadsheet', async () => {
  const [names, row, ...rest] = (await says('export', 'people', heidi.username)).trim().split('\n')
  assert.match(names ?? '', /^"?username/i)
  assert.ok(row?.includes(heidi.username))
  assert.deepEqual(rest, [])
  await says('codes', 'make', '1')
  assert.ok((await says('export', 'audit')).includes(admin.username))
  assert.ok(!(await says('export', 'audit', '--who', heidi.username)).includes(admin.username))
  for (const wrong of [['export'], ['export', 'secrets'], ['export', 'audit', 'words']])
    assert.equal((await run(wrong)).code, 2, wrong.join(' '))
})

test('retention: what would go is looked at first', async () => {
  assert.match(await says('retention'), /^deleted +for good +0$/m)
  assert.match(await says('retention', 'trails=30'), /^trails +for good +0$/m)
  assert.match(await says('retention', 'set', 'trails=400', 'deleted=90'), /^trails: 400 days$/m)
  assert.match(await says('retention', 'set', 'deleted=30'), /^trails: 400 days$/m)
  assert.match(await says('retention'), /^deleted +30 days +0$/m)
  assert.match((await run(['retention', 'set', 'trails=2'])).error, /trails must be 0 or from 30 to 3650/)
  assert.match((await run(['retention', 'set', 'trails'])).error, /such as deleted=90/)
  assert.match((await run(['retention', 'set', 'hats=90'])).error, /hats/)
  await says('retention', 'set', 'trails=0', 'deleted=0')
})

test('webhooks, by their names', async () => {
  assert.match(
    await says('webhooks', 'make', 'Board', outside.url, 'announcement.created', 'fez.created'),
    /^Its key, shown this once: whsec_/,
  )
  assert.match(await says('webhooks'), /^Board +127\.0\.0\.1:\d+ +on +0 +0 +never +announcement\.created, fez\.created$/m)
  await says('webhooks', 'test', 'Board')
  await until(async () => /^[^ ].* test +sent +1 +200$/m.test(await says('webhooks', 'log', 'Board')), 'it is taken', 20_000)
  assert.deepEqual(
    outside.messages.map(({ type }) => type),
    ['test'],
  )
  await says('webhooks', 'pause', 'Board')
  assert.match(await says('webhooks'), / paused /)
  await says('webhooks', 'resume', 'Board')
  assert.match(await says('webhooks'), / on /)
  assert.match((await run(['webhooks', 'make', 'Other', outside.url, 'everything'])).error, /kinds/)
  assert.match((await run(['webhooks', 'delete', 'Other'])).error, /No webhook is named Other/)
  await says('webhooks', 'delete', 'Board')
  assert.equal((await saysJson('webhooks')).endpoints.length, 0)
  for (let times = 0; times < 2; times++) await says('webhooks', 'make', 'Twin', outside.url, 'fez.created')
  assert.match((await run(['webhooks', 'delete', 'Twin'])).error, /Several webhooks are named Twin/)
  assert.equal((await saysJson('webhooks')).endpoints.length, 2)
})

test('what is refused, wrong or missing says so, and by its exit code', async () => {
  const asHeidi = { QUARTERDECK_TOKEN: tokens.heidi }
  for (const args of [['users'], ['promote', heidi.username, 'admin'], ['codes', 'make', '1'], ['settings'], ['audit']]) {
    const { code, output, error } = await run(args, asHeidi)
    assert.deepEqual([code, output], [1, ''], args.join(' '))
    assert.match(error, /needs the access level|may not/)
  }
  for (const [args, env] of [
    [['steer'], {}],
    [['promote', heidi.username], {}],
    [['promote', heidi.username, 'captain'], {}],
    [['demote'], {}],
    [['status', 'now'], {}],
    [['users', '--colour', 'red'], {}],
    [['status'], { QUARTERDECK_TOKEN: '' }],
    [['status', '--token-file', join(folder, 'none')], {}],
    [['call', 'GET /events', '{'], {}],
  ] as const) {
    const { code, error } = await run(args, env)
    assert.equal(code, 2, `${args.join(' ')}: ${error}`)
    assert.ok(!error.includes(tokens.admin))
  }
  const { code, error } = await run(['demote', 'nobody-of-that-name'])
  assert.deepEqual([code, error.includes('at ')], [1, false])
  const away = await run(['call', 'POST /admin/memory/reload', '{}', '--server', 'http://127.0.0.1:9'])
  assert.equal(away.code, 1)
  assert.match(away.error, /^http:\/\/127\.0\.0\.1:9 does not answer/)
})

test('a token may be in a file', async () => {
  const file = join(folder, 'token')
  writeFileSync(file, `${tokens.admin}\n`, { mode: 0o600 })
  for (const [args, env] of [
    [['users', heidi.username, '--token-file', file], {}],
    [['users', heidi.username], { QUARTERDECK_TOKEN_FILE: file }],
  ] as const) {
    const { code, output } = await run(args, { QUARTERDECK_TOKEN: '', ...env })
    assert.equal(code, 0)
    assert.match(output, /Heidi Holm/)
  }
})

const launch = (...args: string[]) =>
  execFileSync(process.execPath, [join(projectRoot, 'src', 'launch.mjs'), ...args], { encoding: 'utf8' })

test('every command is in the help, with each of its options, and the help names no other', () => {
  const [, ...parts] = launch('remote', '--help').split(/^npm run remote -- /m)
  const told = new Map<string, string>()
  for (const part of parts) {
    const [, first = '', second = ''] = /^(\w+)(?: ([a-z|]+)(?=[ \n]))?/.exec(part) ?? []
    for (const word of second.split('|')) if (first) told.set(`${first} ${word}`.trim(), part.split('\n\n')[0] ?? '')
  }
  assert.deepEqual([...told.keys()].toSorted(), Object.keys(remoteCommands).toSorted())
  for (const [name, { options = {} }] of Object.entries(remoteCommands))
    for (const option of Object.keys(options)) assert.ok(told.get(name)?.includes(`--${option}`), `${name} --${option}`)
})

test('completion offers commands, their words and options; the manual has a part for each command', () => {
  const script = join(folder, 'completion.sh')
  writeFileSync(script, launch('completion', 'bash'))
  const offered = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quarterdeck; echo "\${COMPREPLY[*]}"`,
        script,
        'quarterdeck',
        ...words,
      ],
      { encoding: 'utf8' },
    ).trim()
  assert.equal(offered('sche'), 'schedule')
  assert.equal(offered('up'), 'upgrade')
  assert.equal(offered('jobs', 'r'), 'retry resume')
  assert.equal(offered('users', '--l'), '--level --limit')
  assert.equal(offered('upgrade', '--sh'), '--sha256')
  assert.match(launch('completion', 'zsh'), /^autoload -U \+X bashcompinit/)
  const manual = launch('man')
  for (const part of ['start', 'upgrade', 'over the network', 'wipe']) assert.match(manual, new RegExp(`^\\.SS ${part}$`, 'm'))
  assert.match(manual, /^quarterdeck schedule undo <number>$/m)
})
