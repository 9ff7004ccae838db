// Sends requests made by chance from the declarations of all routes, as all kinds of callers, and holds
// every answer against what no answer may be.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { projectRoot } from '../../src/core/base/config.ts'
import type { Route } from '../../src/core/http/route.ts'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { routes, socketRoutes } from '../../src/features.ts'
import { createAccounts, testPassword, testRecoveryKey, type TestAccount } from '../support/accounts.ts'
import { testTokenSecret, type TestNodes } from '../support/app.ts'
import { Refused, type Answer, type RequestOptions } from '../support/client.ts'
import { onlySettings } from '../support/settings.ts'
import { longestTurnOf } from '../support/turns.ts'
import { buildWorld, kindOf } from '../support/world.ts'
import { judge, leaks } from './judge.ts'
import { bombsFor } from './bombs.ts'
import { largeRequests } from './largest.ts'
import { aim, callerFor, describe, goodSegment, oddAuthorization, type Caller, type Round, type Shot } from './shots.ts'
import { Dice, queryFor, segmentFor } from './values.ts'

/** Requests of a round: each has a world and chances of its own, and can be repeated alone. */
const requestsPerRound = 500
const atOnce = 8
const patienceMs = 10_000

export interface Tally {
  sent: number
  /** Answers by status. */
  statuses: Record<number, number>
  /** Routes that have answered with a success. */
  succeeded: Set<string>
  twins: number
}

/**
 * Runs rounds from `firstRound` on until `requests` were sent. @throws AssertionError with everything that went wrong,
 * once for each route, and how to repeat it.
 */
export async function fuzz(
  nodes: TestNodes,
  {
    requests,
    seed,
    firstRound = 0,
    onRound,
  }: { requests: number; seed: number; firstRound?: number; onRound?: (round: number, tally: Tally) => void },
): Promise<Tally> {
  const tally: Tally = { sent: 0, statuses: {}, succeeded: new Set(), twins: 0 }
  const faults = new Map<string, string>()
  for (let number = firstRound; tally.sent < requests; number++) {
    const round = await prepare(nodes, seed * 1_000_003 + number)
    const aimed = Array.from({ length: Math.min(requestsPerRound, requests - tally.sent) }, () => aim(round))
    // Comparisons first: later somebody with the right to do so may have shown what was hidden.
    const shots = [...aimed.filter(({ twin }) => twin), ...aimed.filter(({ twin }) => !twin)]
    for (let at = 0; at < shots.length; at += atOnce) {
      await Promise.all(
        shots.slice(at, at + atOnce).map((shot) =>
          fire(round, shot, tally).catch((error: unknown) => {
            faults.set(
              `${shot.route.method} ${shot.route.path}`,
              `${describe(shot)}\n${(error as Error).message}\nTo repeat it: npm run fuzz -- ${requestsPerRound} ${seed} ${number}`,
            )
          }),
        ),
      )
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
    const pathWith = (more: Record<string, string>) =>
      route.path.replace(/:(\w+)/g, (_, name: string) => more[name] ?? goodSegment(round, route, name))
    for (const { what, path, body } of largeRequests(route, pathWith)) {
      sent++
      await send(round, route, caller, path, {
        ...(body === undefined ? {} : { body }),
        ...(caller.basic ? { basic: caller.basic } : {}),
      }).catch((error: unknown) => faults.push(`${route.method} ${route.path} with ${what}: ${(error as Error).message}`))
    }
    if (/serversettings|events\/update/.test(route.path)) await onlySettings(nodes)
  }
  assert.ok(faults.length === 0, faults.join('\n'))
  return sent
}

// The server shares its process with the client: alone its loop stands still for less than 50 ms. Without bounds these take
// seconds, and gigabytes.
const longestTurnMs = 500
const mostMemory = 300 * 1024 * 1024

/**
 * Sends every route with a body what would cost much if it were read as a whole; `every` leaves others out. @throws
 * AssertionError with everything that went wrong.
 */
export async function fuzzBombs(nodes: TestNodes, { every = 1 } = {}): Promise<number> {
  const round = await prepare(nodes, 0)
  const faults: string[] = []
  let sent = 0
  let number = 0
  for (const route of routes) {
    const caller = callerFor(round, route)
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => goodSegment(round, route, name))
    if (/bulkuserfile/.test(path)) await onlySettings(nodes, { minAccessUserLevel: 'admin' })
    for (const { what, make } of bombsFor(route)) {
      // Uploads get all of them.
      if (number++ % every > 0 && !/picture|zip|file/.test(what)) continue
      sent++
      const bomb = await make()
      const options = { ...bomb, ...(caller.basic ? { basic: caller.basic } : {}) }
      let fault = ''
      // On a machine that does other work something may always come between; what a body costs, it costs every time.
      for (let attempt = 0; attempt < 3; attempt++) {
        fault = await harmOf(() => send(round, route, caller, path, options))
        if (fault === '') break
      }
      if (fault !== '') faults.push(`${route.method} ${route.path} with ${what}: ${fault}`)
    }
    await onlySettings(nodes)
  }
  assert.ok(faults.length === 0, faults.join('\n'))
  return sent
}

/** What was wrong while a bomb was sent; empty when nothing was. */
async function harmOf(sending: () => Promise<Answer>): Promise<string> {
  const before = process.memoryUsage.rss()
  const { result: said, turnMs } = await longestTurnOf(() =>
    sending().then(
      ({ status }) => (status < 500 || status === 503 ? '' : `answered ${status}`),
      // A server that has refused a body need not read the rest of it.
      (error: Error) => (/other side closed|EPIPE|ECONNRESET/.test(String(error.cause ?? error.message)) ? '' : error.message),
    ),
  )
  const memory = process.memoryUsage.rss() - before
  if (said !== '') return said
  if (turnMs > longestTurnMs) return `the loop stood still for ${Math.round(turnMs)} ms`
  return memory > mostMemory ? `took ${Math.round(memory / 1024 / 1024)} MB` : ''
}

const pages = [
  '/',
  '/docs',
  '/docs/:file',
  '/openapi.json',
  '/asyncapi.json',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/microkaraoke/:file',
  '/microkaraoke/:file/:file',
  '/events/:file/calendarevent.ics',
  '/events/subscribe/:file/following.ics',
]
const anyText: SchemaNode = { type: 'string' }

/**
 * Calls what is not in the route table: pages outside of the API, and upgrades to sockets. @throws AssertionError with
 * everything that went wrong.
 */
export async function fuzzPagesAndSockets(nodes: TestNodes, { requests, seed }: { requests: number; seed: number }): Promise<void> {
  const round = await prepare(nodes, seed)
  const { dice, ids, callers, secrets } = round
  const faults = new Map<string, string>()
  const segment = (path: string, name: string, schema: SchemaNode) => {
    const states = round.world.things[kindOf(path, name) ?? '']
    return states && dice.chance(0.6) ? dice.pick(Object.values(states)) : segmentFor(schema, dice, ids, true)
  }
  for (let sent = 0; sent < requests; sent++) {
    const { client, name } = dice.pick(callers)
    if (dice.chance(0.5)) {
      const path = `/${dice.pick(pages).replace(/:\w+/g, (param) => segment('', param, anyText))}${dice.chance(0.2) ? `?${segmentFor(anyText, dice, ids, true)}` : ''}`
      const { status, headers, body } = await client.request<unknown>(
        dice.pick(['GET', 'GET', 'HEAD']),
        path,
        dice.chance(0.3) ? { headers: { authorization: oddAuthorization(dice) } } : {},
      )
      const said = JSON.stringify([headers, body])
      // The program's own text is on the page of documents.
      if (
        status >= 500 ||
        (!path.startsWith('//docs') && (leaks.some((leak) => leak.test(said)) || secrets.some((secret) => said.includes(secret))))
      )
        faults.set(path.slice(0, 20), `GET ${path} as ${name}: ${status} ${said.slice(0, 500)}`)
      continue
    }
    const route = dice.pick(socketRoutes)
    const path = route.path.replace(/:(\w+)/g, (_, param: string) =>
      segment(route.path, param, (route.params as Record<string, SchemaNode>)[param] as SchemaNode),
    )
    const query = route.query ? queryFor(route.query as Record<string, SchemaNode>, dice, ids, true) : ''
    await client
      .socket(`${path}${query === '' ? '' : `?${query}`}`, dice.chance(0.2) ? { authorization: oddAuthorization(dice) } : {})
      .then(
        (socket) => socket.terminate(),
        (error: unknown) => {
          if (!(error instanceof Refused) || error.status >= 500 || leaks.some((leak) => leak.test(JSON.stringify(error.body))))
            faults.set(route.path, `WS ${path}?${query} as ${name}: ${String(error)} ${JSON.stringify((error as Refused).body)}`)
        },
      )
  }
  // Whoever has no token yet says who he is in many ways.
  for (const path of ['/auth/login', '/user/whoami', '/client/metrics', '/client/usersearch']) {
    for (let sent = 0; sent < 40; sent++) {
      const authorization = oddAuthorization(dice)
      const { status, body } = await nodes
        .client()
        .request<unknown>(path === '/auth/login' ? 'POST' : 'GET', path, { headers: { authorization, 'x-service-user': 'a' } })
      if (status >= 500) faults.set(path, `${path} with ${authorization.slice(0, 200)}: ${status} ${JSON.stringify(body)}`)
    }
  }
  assert.ok(faults.size === 0, [...faults.values()].join('\n'))
}

interface CategoryRow {
  id: string
  title: string
  viewLevel: string
  createLevel: string
  requiredRole: string | null
}

const firstCategories = new WeakMap<TestNodes, readonly CategoryRow[]>()

/** Categories that there were at first get their rules again: the team has changed some in the round before, or removed them. */
async function restoreCategories(nodes: TestNodes): Promise<void> {
  const { sql } = nodes
  const rows = await sql<CategoryRow[]>`select id, title, view_level, create_level, required_role from forum_category`
  const first = firstCategories.get(nodes)
  if (!first) return void firstCategories.set(nodes, rows)
  // Titles are unique, and one of these may be somebody else's by now.
  await sql`update forum_category set title = id::text`
  for (const { id, title, viewLevel, createLevel, requiredRole } of first)
    await sql`
      insert into forum_category (id, title, purpose, view_level, create_level, required_role)
      values (${id}, ${title}, '', ${viewLevel}, ${createLevel}, ${requiredRole})
      on conflict (id) do update set title = excluded.title, view_level = excluded.view_level, create_level = excluded.create_level,
        required_role = excluded.required_role`
}

async function prepare(nodes: TestNodes, seed: number): Promise<Round> {
  await onlySettings(nodes)
  await restoreCategories(nodes)
  const world = await buildWorld(nodes)
  const { things, ...cast } = world
  const levels = ['unverified', 'quarantined', 'client'] as const
  const made = await createAccounts(nodes.sql, [
    ...levels.map((level) => ({ level })),
    { tempQuarantineUntil: new Date(Date.now() + 3_600_000) },
    {},
  ])
  const accounts = [
    ...Object.entries(cast),
    ...[...levels, 'held'].map((name, index): [string, TestAccount] => [name, made[index] as TestAccount]),
  ]
  const ofPassword = made.at(-1) as TestAccount
  return {
    nodes,
    world,
    dice: new Dice(seed),
    ids: {
      uuids: Object.values(things)
        .flatMap((states) => Object.values(states))
        .filter((id) => /^[0-9a-f-]{36}$/.test(id)),
      ints: Object.values(things)
        .flatMap((states) => Object.values(states))
        .filter((id) => /^\d+$/.test(id)),
    },
    callers: [
      // Those with rights get further.
      ...[...accounts, ...accounts.filter(([name]) => /owner|stranger|moderator|tho|admin/.test(name))].map(([name, { token }]) => ({
        name,
        client: nodes.client(token),
      })),
      { name: 'anybody', client: nodes.client() },
      { name: 'a wrong token', client: nodes.client('A'.repeat(24)) },
      { name: 'password', client: nodes.client(), basic: [ofPassword.username, testPassword] },
      { name: 'service', client: nodes.client(), basic: ['admin', 'password'] },
    ],
    secrets: [
      ...accounts.map(([, { token }]) => token),
      ofPassword.token,
      testPassword,
      testRecoveryKey,
      testTokenSecret,
      projectRoot,
      nodes.config.dataDir,
      nodes.database.url,
    ],
  }
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
async function compareTwins(
  round: Round,
  { route, caller, path, options }: Shot,
  { path: twinPath, hidden, missing }: NonNullable<Shot['twin']>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const [ofHidden, ofMissing] = [await send(round, route, caller, path, options), await send(round, route, caller, twinPath, options)]
    const [a, b] = [ofHidden, ofMissing].map(({ status, body }) =>
      JSON.stringify([status, body]).toLowerCase().replaceAll(hidden, 'ID').replaceAll(missing, 'ID'),
    )
    if (a === b) return
    if (attempt === 3) assert.fail(`hidden and missing can be told apart:\n${a}\n${b}`)
    await pause(50)
  }
}

async function send({ secrets }: Round, route: Route, { client }: Caller, path: string, options: RequestOptions): Promise<Answer> {
  const answering = client.request<unknown>(route.method, path, options)
  const timer = new AbortController()
  const late = pause(patienceMs, undefined, { signal: timer.signal, ref: false }).then(() =>
    assert.fail(`no answer within ${patienceMs} ms`),
  )
  late.catch(() => undefined)
  const answer = await Promise.race([answering, late])
  timer.abort()
  judge(route, path, answer, secrets)
  return answer
}
