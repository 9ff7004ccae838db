// Sends requests made by chance from the declarations of all routes, as all kinds of callers, and holds
// every answer against what no answer may be.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { projectRoot } from '../../src/core/config.ts'
import type { Route } from '../../src/core/route.ts'
import { ByteStream, type SchemaNode } from '../../src/core/schema.ts'
import { routes, socketRoutes } from '../../src/routes.ts'
import { createAccounts, testPassword, testRecoveryKey, type TestAccount } from '../support/accounts.ts'
import { testTokenSecret, type TestNodes } from '../support/app.ts'
import { Refused, type Answer, type Client, type RequestOptions } from '../support/client.ts'
import { onlySettings } from '../support/settings.ts'
import { buildWorld, hiddenStatesOf, kindOf, type Kind, type World } from '../support/world.ts'
import { largeRequests } from './largest.ts'
import { Dice, queryFor, segmentFor, valueFor, type Ids } from './values.ts'

/** Requests of a round: each has a world and chances of its own, and can be repeated alone. */
export const requestsPerRound = 500
const atOnce = 8
const patienceMs = 10_000

interface Caller {
  name: string
  client: Client
  basic?: [string, string]
}

interface Round {
  nodes: TestNodes
  world: World
  ids: Ids
  callers: Caller[]
  secrets: string[]
  dice: Dice
}

/** One request, before it is sent. */
interface Shot {
  route: Route
  caller: Caller
  path: string
  options: RequestOptions
  /** The same with the id of nothing in place of one that is hidden from the caller. */
  twin?: { path: string, hidden: string, missing: string }
}

export interface Tally {
  sent: number
  /** Answers by status. */
  statuses: Record<number, number>
  /** Routes that have answered with a success. */
  succeeded: Set<string>
  twins: number
}

/** Runs rounds from `firstRound` on until `requests` were sent. @throws AssertionError with everything that went wrong, once for each route, and how to repeat it. */
export async function fuzz(nodes: TestNodes, { requests, seed, firstRound = 0, onRound }: { requests: number, seed: number, firstRound?: number, onRound?: (round: number, tally: Tally) => void }): Promise<Tally> {
  const tally: Tally = { sent: 0, statuses: {}, succeeded: new Set(), twins: 0 }
  const faults = new Map<string, string>()
  for (let number = firstRound; tally.sent < requests; number++) {
    const round = await prepare(nodes, seed * 1_000_003 + number)
    const aimed = Array.from({ length: Math.min(requestsPerRound, requests - tally.sent) }, () => aim(round))
    // Comparisons first: later somebody with the right to do so may have shown what was hidden.
    const shots = [...aimed.filter(({ twin }) => twin), ...aimed.filter(({ twin }) => !twin)]
    for (let at = 0; at < shots.length; at += atOnce) {
      await Promise.all(shots.slice(at, at + atOnce).map((shot) => fire(round, shot, tally).catch((error: unknown) => {
        faults.set(`${shot.route.method} ${shot.route.path}`, `${describe(shot)}\n${(error as Error).message}\nTo repeat it: npm run fuzz -- ${requestsPerRound} ${seed} ${number}`)
      })))
    }
    tally.sent += shots.length
    onRound?.(number, tally)
  }
  assert.ok(faults.size === 0, [...faults.values()].join('\n\n'))
  return tally
}

/** Calls every route with the largest texts that it can be sent. @throws AssertionError with everything that went wrong. */
export async function fuzzLargest(nodes: TestNodes): Promise<number> {
  const round = await prepare(nodes, 0)
  const faults: string[] = []
  let sent = 0
  for (const route of routes) {
    const caller = callerFor(round, route)
    const pathWith = (more: Record<string, string>) => route.path.replace(/:(\w+)/g, (_, name: string) => more[name] ?? goodSegment(round, route, name))
    for (const { what, path, body } of largeRequests(route, pathWith)) {
      sent++
      await send(round, route, caller, path, { ...body === undefined ? {} : { body }, ...caller.basic ? { basic: caller.basic } : {} })
        .catch((error: unknown) => faults.push(`${route.method} ${route.path} with ${what}: ${(error as Error).message}`))
    }
    if (/serversettings|events\/update/.test(route.path)) await onlySettings(nodes)
  }
  assert.ok(faults.length === 0, faults.join('\n'))
  return sent
}

const pages = ['/', '/docs', '/docs/:file', '/openapi.json', '/asyncapi.json', '/health/live', '/health/ready', '/metrics', '/microkaraoke/:file', '/microkaraoke/:file/:file', '/events/:file/calendarevent.ics', '/events/subscribe/:file/following.ics']
const anyText: SchemaNode = { type: 'string' }

/** Calls what is not in the route table: pages outside of the API, and upgrades to sockets. @throws AssertionError with everything that went wrong. */
export async function fuzzPagesAndSockets(nodes: TestNodes, { requests, seed }: { requests: number, seed: number }): Promise<void> {
  const round = await prepare(nodes, seed)
  const { dice, ids, callers, secrets } = round
  const faults = new Map<string, string>()
  const segment = (path: string, name: string, schema: SchemaNode) => {
    const states = round.world.things[kindOf(path, name) as Kind] as Record<string, string> | undefined
    return states && dice.chance(0.6) ? dice.pick(Object.values(states)) : segmentFor(schema, dice, ids, true)
  }
  for (let sent = 0; sent < requests; sent++) {
    const { client, name } = dice.pick(callers)
    if (dice.chance(0.5)) {
      const path = `/${dice.pick(pages).replace(/:\w+/g, (param) => segment('', param, anyText))}${dice.chance(0.2) ? `?${segmentFor(anyText, dice, ids, true)}` : ''}`
      const { status, headers, body } = await client.request<unknown>(dice.pick(['GET', 'GET', 'HEAD']), path, dice.chance(0.3) ? { headers: { authorization: oddAuthorization(dice) } } : {})
      const said = JSON.stringify([headers, body])
      // The program's own text is on the page of documents.
      if (status >= 500 || (!path.startsWith('//docs') && (leaks.some((leak) => leak.test(said)) || secrets.some((secret) => said.includes(secret))))) faults.set(path.slice(0, 20), `GET ${path} as ${name}: ${status} ${said.slice(0, 500)}`)
      continue
    }
    const route = dice.pick(socketRoutes)
    const path = route.path.replace(/:(\w+)/g, (_, param: string) => segment(route.path, param, (route.params as Record<string, SchemaNode>)[param] as SchemaNode))
    const query = route.query ? queryFor(route.query as Record<string, SchemaNode>, dice, ids, true) : ''
    await client.socket(`${path}${query === '' ? '' : `?${query}`}`, dice.chance(0.2) ? { authorization: oddAuthorization(dice) } : {}).then((socket) => socket.terminate(), (error: unknown) => {
      if (!(error instanceof Refused) || error.status >= 500 || leaks.some((leak) => leak.test(JSON.stringify(error.body)))) faults.set(route.path, `WS ${path}?${query} as ${name}: ${String(error)} ${JSON.stringify((error as Refused).body)}`)
    })
  }
  // Whoever has no token yet says who he is in many ways.
  for (const path of ['/auth/login', '/user/whoami', '/client/metrics', '/client/usersearch']) {
    for (let sent = 0; sent < 40; sent++) {
      const authorization = oddAuthorization(dice)
      const { status, body } = await nodes.client().request<unknown>(path === '/auth/login' ? 'POST' : 'GET', path, { headers: { authorization, 'x-service-user': 'a' } })
      if (status >= 500) faults.set(path, `${path} with ${authorization.slice(0, 200)}: ${status} ${JSON.stringify(body)}`)
    }
  }
  assert.ok(faults.size === 0, [...faults.values()].join('\n'))
}

function oddAuthorization(dice: Dice): string {
  const names = ['a:b', ':', '', 'a', 'a\0b:c', 'james:a\0b', '\ud800:a', 'İ:a', `${'x'.repeat(2000)}:y`, `james:${'x'.repeat(2000)}`, '\r\n:a', "' or 1=1 --:a", 'admin:', 'admin:x', '💥:💥', '\u202e:a']
  const basic = dice.chance(0.1) ? Buffer.from([0xff, 0x3a, 0xfe]) : Buffer.from(dice.pick(names))
  return dice.pick([`Basic ${basic.toString('base64')}`, `Basic ${basic.toString('base64')}`, 'Basic', 'Basic ====', 'Basic %%%', 'Bearer', 'Bearer ', `Bearer ${'x'.repeat(2000)}`, 'Bearer a b', 'Digest a', 'Negotiate', ',', `bearer  ${basic.toString('base64url')}`])
}

/** Somebody whom the route lets in. */
function callerFor({ callers }: Round, { access, role }: Route): Caller {
  const name = access === 'basic' ? 'password' : access === 'service' ? 'service' : access === 'client' ? 'client' : role ? 'manager' : access === 'token' || access === 'verified' ? 'stranger' : 'admin'
  return callers.find((caller) => caller.name === name) as Caller
}

function goodSegment({ world, dice, ids }: Round, route: Route, name: string): string {
  const states = world.things[kindOf(route.path, name) as Kind] as Record<string, string> | undefined
  return states ? (states['own'] ?? states['other'] ?? states['missing']) as string : segmentFor((route.params as Record<string, SchemaNode>)[name] as SchemaNode, dice, ids, false)
}

async function prepare(nodes: TestNodes, seed: number): Promise<Round> {
  await onlySettings(nodes)
  const world = await buildWorld(nodes)
  const { things, ...cast } = world
  const levels = ['unverified', 'quarantined', 'client'] as const
  const made = await createAccounts(nodes.sql, [...levels.map((level) => ({ level })), { tempQuarantineUntil: new Date(Date.now() + 3_600_000) }, {}])
  const accounts = [...Object.entries(cast), ...[...levels, 'held'].map((name, index): [string, TestAccount] => [name, made[index] as TestAccount])]
  const ofPassword = made.at(-1) as TestAccount
  return {
    nodes, world, dice: new Dice(seed),
    ids: {
      uuids: Object.values(things).flatMap((states) => Object.values(states)).filter((id) => /^[0-9a-f-]{36}$/.test(id)),
      ints: Object.values(things).flatMap((states) => Object.values(states)).filter((id) => /^\d+$/.test(id)),
    },
    callers: [
      // Those with rights get further.
      ...[...accounts, ...accounts.filter(([name]) => /owner|stranger|moderator|tho|admin/.test(name))].map(([name, { token }]) => ({ name, client: nodes.client(token) })),
      { name: 'anybody', client: nodes.client() }, { name: 'a wrong token', client: nodes.client('A'.repeat(24)) },
      { name: 'password', client: nodes.client(), basic: [ofPassword.username, testPassword] }, { name: 'service', client: nodes.client(), basic: ['admin', 'password'] },
    ],
    secrets: [...accounts.map(([, { token }]) => token), ofPassword.token, testPassword, testRecoveryKey, testTokenSecret, projectRoot, nodes.config.dataDir, nodes.database.url],
  }
}

/** Makes the next request. */
function aim({ dice, callers, ids, world }: Round): Shot {
  const route = dice.pick(routes)
  const names = Object.entries(route.params ?? {}) as [string, SchemaNode][]
  const secretive = names.flatMap(([name]) => (hiddenStatesOf(route.path, kindOf(route.path, name) as Kind).length > 0 ? [name] : []))
  const hides = secretive.length > 0 && dice.chance(0.3) ? dice.pick(secretive) : undefined
  const caller = hides ? callers.find(({ name }) => name === 'stranger') as Caller : dice.pick(callers)
  const hostile = dice.chance(0.5)
  const params = Object.fromEntries(names.map(([name, schema]) => [name, segmentOf(route.path, name, schema)]))
  const query = route.query && dice.chance(0.7) ? queryFor(route.query as Record<string, SchemaNode>, dice, ids, hostile) : ''
  const options = { ...bodyFor(route, dice, ids, hostile), ...caller.basic ? { basic: caller.basic } : {} }
  const headers = { ...headersFor(dice, world), ...options.headers }
  const pathWith = (more: Record<string, string>) => route.path.replace(/:(\w+)/g, (_, name: string) => ({ ...params, ...more })[name] as string) + (query === '' ? '' : `?${query}`)
  if (!hides) return { route, caller, path: pathWith({}), options: { ...options, headers } }
  const kind = kindOf(route.path, hides) as Kind
  const [hidden, missing] = [world.things[kind][dice.pick(hiddenStatesOf(route.path, kind))] as string, world.things[kind]['missing'] as string]
  return { route, caller, path: pathWith({ [hides]: hidden }), options: { ...options, headers }, twin: { path: pathWith({ [hides]: missing }), hidden, missing } }

  function segmentOf(path: string, name: string, schema: SchemaNode): string {
    const kind = kindOf(path, name)
    return kind && (!hostile || dice.chance(0.8)) ? dice.pick(Object.values(world.things[kind])) : segmentFor(schema, dice, ids, hostile)
  }
}

function bodyFor({ body }: Route, dice: Dice, ids: Ids, hostile: boolean): RequestOptions {
  if (!body) return dice.chance(0.05) ? { body: 'a body that nobody asked for' } : {}
  if (body === ByteStream) return { body: dice.pick(['', 'PK\u0003\u0004', 'text', 'PK\u0005\u0006'.padEnd(22, '\0')]), headers: { 'content-type': 'application/octet-stream' } }
  const value = valueFor(body as SchemaNode, dice, ids, hostile)
  const json = { 'content-type': 'application/json' }
  switch (hostile ? dice.below(15) : 6 + dice.below(2)) {
    case 0: return {}
    case 1: return { body: JSON.stringify(value).slice(0, -1 - dice.below(5)), headers: json }
    case 2: return { body: dice.pick(['{', '[', '"', 'null', '1', '[]', '{}', '[{}]', '\ufeff{}', '{"a":', '[[[[[[[[[['.repeat(2000), '{"a":'.repeat(2000), `{"text":"${'\\u0000'.repeat(100)}"}`, '{"text":"\\ud800"}']), headers: json }
    case 3: return { body: JSON.stringify(value), headers: { 'content-type': dice.pick(['application/xml', 'text/html', 'multipart/form-data', 'multipart/form-data; boundary=b', 'x', '', 'application/json; charset=utf-16', 'application/octet-stream']) } }
    case 4: case 5: return { body: brokenOrNot(multipartOf(value, dice), dice), headers: { 'content-type': 'multipart/form-data; boundary=b' } }
    case 6: return { body: multipartOf(value, dice), headers: { 'content-type': 'multipart/form-data; boundary=b' } }
    case 7: return { body: JSON.stringify(value), headers: json }
    case 8: return { body: Buffer.concat([Buffer.from(JSON.stringify(value)), Buffer.from(dice.pick([[0xff], [0xc3, 0x28], [0], [0xed, 0xa0, 0x80]]))]), headers: json }
    default: return { body: JSON.stringify(value), headers: json }
  }
}

/** The form that says the same. */
function multipartOf(value: unknown, dice: Dice): string {
  const parts: string[] = []
  const add = (name: string, each: unknown): void => {
    if (Array.isArray(each)) each.forEach((item, index) => add(`${name}[${dice.chance(0.5) ? index : ''}]`, item))
    else if (typeof each === 'object' && each !== null) for (const [key, item] of Object.entries(each)) add(name === '' ? key : `${name}[${key}]`, item)
    else parts.push(`--b\r\nContent-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '')}"${dice.chance(0.02) ? `; filename="${dice.pick(['a.png', '../../a', 'a\0b', ''])}"` : ''}\r\n\r\n${String(each)}\r\n`)
  }
  add('', value)
  return `${parts.join('')}--b--\r\n`
}

function brokenOrNot(form: string, dice: Dice): string {
  return dice.chance(0.5) ? dice.pick([form.slice(0, dice.below(form.length)), form.replace('\r\n\r\n', '\r\n'), form.replace('name=', ''), form.replaceAll('--b', '--c'), '--b', form + form]) : form
}

function headersFor(dice: Dice, { stranger }: World): Record<string, string> {
  const headers: Record<string, string> = {}
  if (dice.chance(0.1)) headers['idempotency-key'] = dice.pick(['a', 'b', 'x'.repeat(200), 'x'.repeat(201), 'with space', '"'])
  if (dice.chance(0.2)) headers['x-service-user'] = dice.pick([stranger.username, stranger.id, 'nobody', '', 'x'.repeat(1000)])
  if (dice.chance(0.1)) headers['if-none-match'] = dice.pick(['*', '"x"', 'W/"1"', '"', ','.repeat(500)])
  if (dice.chance(0.1)) headers['range'] = dice.pick(['bytes=0-', 'bytes=-1', 'bytes=5-1', 'bytes=99999999999999-', 'bytes=0-0,1-1', 'x'])
  if (dice.chance(0.1)) headers['accept-encoding'] = 'gzip;q=0'
  if (dice.chance(0.05)) headers['x-request-id'] = dice.pick(['abc', 'x'.repeat(100), '<script>'])
  return headers
}

async function fire(round: Round, shot: Shot, tally: Tally): Promise<void> {
  const answer = await send(round, shot.route, shot.caller, shot.path, shot.options)
  tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1
  if (answer.status < 400) tally.succeeded.add(`${shot.route.method} ${shot.route.path}`)
  // What an admin has switched off or closed would hide everything else.
  if (answer.status < 400 && /serversettings\/update|events\/update/.test(shot.path)) await onlySettings(round.nodes)
  if (shot.twin) {
    tally.twins++
    await compareTwins(round, shot, shot.twin)
  }
}

/** What else is under way may have come between the two: a difference counts when it stays. */
async function compareTwins(round: Round, { route, caller, path, options }: Shot, { path: twinPath, hidden, missing }: NonNullable<Shot['twin']>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const [ofHidden, ofMissing] = [await send(round, route, caller, path, options), await send(round, route, caller, twinPath, options)]
    const [a, b] = [ofHidden, ofMissing].map(({ status, body }) => JSON.stringify([status, body]).toLowerCase().replaceAll(hidden, 'ID').replaceAll(missing, 'ID'))
    if (a === b) return
    if (attempt === 3) assert.fail(`hidden and missing can be told apart:\n${a}\n${b}`)
    await pause(50)
  }
}

async function send({ secrets }: Round, route: Route, { client }: Caller, path: string, options: RequestOptions): Promise<Answer> {
  const answering = client.request<unknown>(route.method, path, options)
  const timer = new AbortController()
  const late = pause(patienceMs, undefined, { signal: timer.signal, ref: false }).then(() => assert.fail(`no answer within ${patienceMs} ms`))
  late.catch(() => undefined)
  const answer = await Promise.race([answering, late])
  timer.abort()
  judge(route, path, answer, secrets)
  return answer
}

/** What a store, a runtime or a file system would say. */
const leaks = [/\n\s+at .+:\d+:\d+/, /node_modules|\/dist\/src\//, /\$argon2/, /syntax error at|violates|duplicate key|invalid input syntax|operator does not exist|(relation|column) "/, /\b(insert into|select .{1,200} from|update \w+ set|delete from)\b/, /ENOENT|ECONN|EACCES/, /Cannot read propert|is not a function|undefined \(/]
/** These answer with a token, or with everything of all users. */
const giveSecrets = /^\/(auth\/(login|recovery)|user\/create|admin\/bulkuserfile\/download)/

function judge(route: Route, path: string, { status, headers, body }: Answer<unknown>, secrets: readonly string[]): void {
  const said = JSON.stringify([headers, body])
  if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/)
  assert.ok(status < 500 || (status === 503 && mayBeBusy(route)), `${status} ${said.slice(0, 1000)}`)
  if (status === 404) assert.ok(path.split('?')[0]?.split('/').slice(1).some((segment) => segment === '' || segment.startsWith('.') || segment.startsWith('%2e')), `404 on a path that exists: ${said.slice(0, 500)}`)
  if (status >= 400) assert.ok(((body as { reason?: string } | undefined)?.reason?.length ?? 0) > 0, `a refusal without a reason: ${said.slice(0, 500)}`)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  for (const leak of leaks) assert.doesNotMatch(said, leak)
  if (giveSecrets.test(path)) return
  for (const secret of secrets) assert.ok(!said.includes(secret), `the answer holds ${secret}`)
}

/** 503 is meant where pictures and passwords queue. */
const mayBeBusy = ({ access, body, path }: Route): boolean => access === 'basic' || access === 'either' || access === 'service' || /image|create|reply|update|edit|recovery|password|post/.test(path) && body !== undefined

function describe({ route, caller, path, options: { body, headers } }: Shot): string {
  const sent = body === undefined ? 'no body' : Buffer.isBuffer(body) ? `base64 ${body.toString('base64').slice(0, 2000)}` : JSON.stringify(body).slice(0, 2000)
  return `${route.method} ${path.slice(0, 1000)} as ${caller.name} with ${JSON.stringify(headers)} and ${sent}`
}
