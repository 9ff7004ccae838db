// Who is let in: every route, against every level, without credentials, in temporary quarantine, and with
// features switched off. A new route fails here until it stands in access-table.ts.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accessLevels, atLeast, type UserAccessLevel } from '../../src/core/base/viewer.ts'
import type { ServiceFeature } from '../../src/core/http/route.ts'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { routes, socketRoutes } from '../../src/features.ts'
import { expectations, type Expected } from '../access-table.ts'
import { createAccount, testPassword, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { goodBody } from '../support/bodies.ts'
import { Refused, type Answer, type RequestOptions } from '../support/client.ts'
import { body, createChat, people, say, type Person } from '../support/fez.ts'
import { categories, startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { streamPhoto } from '../support/photostream.ts'
import { boardItem } from '../support/quartermaster.ts'
import { disable } from '../support/settings.ts'
import { knownImage, storedImage } from '../support/images.ts'

let nodes: TestNodes
let owner: Person
let victim: Person
const callers = new Map<UserAccessLevel, TestAccount>()
before(async () => {
  // Whoever makes the things to call with makes more in a minute than anybody may.
  nodes = await startTestNodes(2, { workers: 1, env: { WRITES_PER_MINUTE: '0' } })
  ;[owner, victim] = (await people(nodes, {}, {})) as [Person, Person]
  for (const level of accessLevels) callers.set(level, await createAccount(nodes.sql, { level }))
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const key = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`
const requests = expectations.filter(({ method }) => method !== 'WS')
const sockets = expectations.filter(({ method }) => method === 'WS')
const isLevel = (who: string): who is UserAccessLevel => (accessLevels as readonly string[]).includes(who)

/** What a call came to. `through`: the feature itself decides. */
type Outcome = '401' | '403' | '451' | 'quarantined' | 'through'

/** Refusals by the features themselves have other reasons. */
function outcomeOf({ status, body: answer }: Pick<Answer, 'status' | 'body'>): Outcome {
  const reason: string = answer?.reason ?? ''
  if (status === 401 && /authenticat|username or password/.test(reason)) return '401'
  if (status === 403 && /access level|banned|Only moderators|change this profile/.test(reason)) return '403'
  if (status === 403 && /quarantine/.test(reason)) return 'quarantined'
  return status === 451 ? '451' : 'through'
}

/** Things of somebody else's to call a route with, by their kind. */
const made = new Map<string, Record<string, string>>()

const kindOf = (path: string): string => /forum|photostream|microblog|twarrt|fez|quartermaster/.exec(path)?.[0] ?? ''

/** What one call does must not be seen by the next: to be called when a call was let in. */
const usedUp = (path: string): boolean => made.delete(kindOf(path))

async function things(path: string): Promise<Record<string, string>> {
  const kind = kindOf(path)
  const known = made.get(kind)
  if (known) return known
  const ids = { user_id: victim.id, userID: victim.id, category_id: categories.general, ...(await newThings(kind)) }
  made.set(kind, ids)
  return ids
}

async function newThings(kind: string): Promise<Record<string, string>> {
  if (kind === 'forum') {
    const { forumID, postID } = await startForum(owner.one, 'A forum')
    return { forum_id: forumID, post_id: String(postID) }
  }
  if (kind === 'quartermaster') return { item_id: await boardItem(owner.one) }
  if (kind === 'photostream') return { stream_photoID: String(await streamPhoto(nodes, owner)) }
  if (kind === 'microblog' || kind === 'twarrt') return { post_id: String(await write(owner.one, 'A post')) }
  if (kind !== 'fez') return {}
  const fez = await createChat(owner.one)
  const post = String(await say(owner.one, fez, 'hello'))
  return { fezID: fez, fez_id: fez, postID: post, post_id: post }
}

function sample(schema: SchemaNode): unknown {
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, name === 'username' ? 'somebody-new' : sample(schema.properties?.[name] ?? {})]),
    )
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  if (schema.enum) return schema.enum[0]
  if (schema.format === 'uuid') return nobody
  if (schema.format === 'date-time') return '2099-01-01T00:00:00Z'
  return 'x'.repeat(Math.max(1, schema.minLength ?? 0))
}

/** Nothing is wrong with it. One name is for all: who gets it could not log in by their old name. */
const bodyFor = (path: string, schema: SchemaNode) => (path.endsWith('/username') ? sample(schema) : goodBody(schema))

async function pathOf(path: string, params: object | undefined): Promise<string> {
  const ids = await things(path)
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name] || String(sample((params as Record<string, SchemaNode>)[name] ?? {})))
}

interface Caller {
  token?: string | undefined
  basic?: [string, string]
  node?: number
}

async function call(expected: Expected, { token, basic, node = 1 }: Caller): Promise<Outcome> {
  const route = routes.find((each) => key(each) === key(expected))
  const path = await pathOf(expected.path, route?.params)
  // One of the calls before may have put it away.
  storedImage(nodes, knownImage)
  const options: RequestOptions = {
    ...(route?.body ? { body: bodyFor(route.path, route.body as SchemaNode) } : {}),
    ...(basic ? { basic } : {}),
  }
  const outcome = outcomeOf(await nodes.client(token, node).request(expected.method, path, options))
  if (outcome === 'through') usedUp(expected.path)
  return outcome
}

async function connect(expected: Expected, token: string | undefined): Promise<Outcome> {
  const route = socketRoutes.find(({ path }) => path === expected.path)
  try {
    const socket = await nodes.client(token, 1).socket(await pathOf(expected.path, route?.params))
    socket.terminate()
    return 'through'
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return outcomeOf({ status: error.status, body: error.body })
  }
}

/** Fails with everything that differs. */
async function compare(
  rows: readonly Expected[],
  expected: (row: Expected) => Outcome,
  actual: (row: Expected) => Promise<Outcome>,
): Promise<void> {
  assert.ok(rows.length > 0)
  const differences: string[] = []
  for (const row of rows) {
    const [wanted, got] = [expected(row), await actual(row)]
    if (wanted !== got) differences.push(`${key(row)}: ${wanted} expected, got ${got}`)
  }
  assert.deepEqual(differences, [])
}

/** A token of its own for calls that end it. */
const tokenOf = async (row: Expected, level: UserAccessLevel): Promise<string | undefined> =>
  (key(row).startsWith('POST /auth/logout') ? await createAccount(nodes.sql, { level }) : callers.get(level))?.token

describe('the table', () => {
  it('has every route of the product, and no other', () => {
    const declared = [...routes.map(key), ...socketRoutes.map(({ path }) => `WS ${path}`)]
    assert.deepEqual(
      declared.filter((each) => !expectations.some((row) => key(row) === each)),
      [],
      'these are missing in test/access-table.ts',
    )
    assert.deepEqual(
      expectations.map(key).filter((each) => !declared.includes(each)),
      [],
      'these do not exist',
    )
    assert.equal(new Set(expectations.map(key)).size, expectations.length)
  })
})

describe('without credentials', () => {
  const open = ({ who }: Expected): Outcome => (who === 'none' || who === 'flex' ? 'through' : '401')
  it('only open routes', () => compare(requests, open, (row) => call(row, {})))
  it('an unknown token is none', () => compare(requests, open, (row) => call(row, { token: 'A'.repeat(24) })))
  it('no socket', () =>
    compare(
      sockets,
      () => '401',
      (row) => connect(row, undefined),
    ))
})

describe('by token', () => {
  for (const level of accessLevels) {
    const expected = ({ who }: Expected): Outcome => {
      if (who === 'none' || who === 'flex') return 'through'
      if (level === 'banned' || who === 'basic' || who === 'service') return '401'
      return isLevel(who) && !atLeast(level, who) ? '403' : 'through'
    }
    // A quarantined user's own content and profile are refused like those of a temporary quarantine.
    it(level, () =>
      compare(requests, expected, async (row) => {
        const got = await call(row, { token: await tokenOf(row, level) })
        return level === 'quarantined' && row.creates && expected(row) === 'through' && got === '403' ? 'through' : got
      }),
    )
  }
  it('sockets are for everybody who can log in', () =>
    compare(
      sockets,
      () => 'through',
      (row) => connect(row, callers.get('unverified')?.token),
    ))
})

describe('by password', () => {
  const taken = new Set(['basic', 'either'])
  const basicOf = (level: UserAccessLevel): Caller => ({ basic: [callers.get(level)?.username ?? '', testPassword] })
  const rows = requests.filter(({ who }) => who !== 'none' && who !== 'flex')
  it('only where one is asked for', () =>
    compare(
      rows,
      ({ who }) => (taken.has(who) ? 'through' : '401'),
      (row) => call(row, basicOf('verified')),
    ))
  it('not by banned users', () =>
    compare(
      rows.filter(({ who }) => taken.has(who)),
      () => '403',
      (row) => call(row, basicOf('banned')),
    ))
  it('service accounts', () =>
    compare(
      rows.filter(({ who }) => who === 'service'),
      () => 'through',
      (row) => call(row, { basic: ['admin', 'password'] }),
    ))
})

describe('in temporary quarantine', () => {
  it('nothing is created or changed, whatever the level; everything else stays', async () => {
    const { token } = await createAccount(nodes.sql, { level: 'admin', tempQuarantineUntil: new Date(Date.now() + 3_600_000) })
    const rows = requests.filter(({ path, who }) => !path.startsWith('/auth/logout') && who !== 'basic' && who !== 'service')
    await compare(
      rows,
      ({ creates }) => (creates ? 'quarantined' : 'through'),
      async (row) => {
        const got = await call(row, { token })
        return row.creates && got === '403' ? 'quarantined' : got
      },
    )
  })
})

describe('with features switched off', () => {
  const used = [...new Set(expectations.flatMap(({ features }) => features))] as ServiceFeature[]
  const needing = (feature: string) => (row: Expected) => row.features.includes(feature)
  const off = async (features: ServiceFeature[], check: () => Promise<void>) => {
    await disable(nodes, ...features)
    try {
      await check()
    } finally {
      await disable(nodes)
    }
  }
  const byTeam = async (row: Expected) =>
    await (row.method === 'WS' ? connect(row, callers.get('serviceteam')?.token) : call(row, { token: await tokenOf(row, 'serviceteam') }))
  const forTeam = expectations.filter(
    ({ who, path }) => !['basic', 'service', 'tho', 'admin'].includes(who) && !path.startsWith('/auth/logout'),
  )

  it('every feature that has an effect on the API is tried here', () => {
    const withRoutes = [
      'tweets',
      'forums',
      'schedule',
      'friendlyfez',
      'karaoke',
      'microkaraoke',
      'gameslist',
      'images',
      'users',
      'phone',
      'directphone',
      'registration',
      'hunts',
      'performers',
      'photostream',
      'eventFeedback',
      'quartermaster',
    ]
    assert.deepEqual(
      withRoutes.filter((feature) => !used.includes(feature as ServiceFeature)),
      [],
    )
  })

  for (const feature of used) {
    it(`${feature}: its routes and no others`, async () => {
      const rows = forTeam.filter(needing(feature))
      const others = forTeam.filter(({ features }) => features.length > 1 && !features.includes(feature))
      await withThings(async () => {
        await off([feature], () => compare(rows, () => '451', byTeam))
        await off(
          used.filter((other) => other !== feature),
          () => compare(rows, ({ features }) => (features.length > 1 ? '451' : 'through'), byTeam),
        )
        // Of a route with one feature, the call before has shown that no other one closes it.
        if (others.length > 0) await off([feature], () => compare(others, () => 'through', byTeam))
      })
    })
  }

  it('all: every route that has a feature, and only those', async () => {
    await withThings(() => off(['all'], () => compare(forTeam, ({ features }) => (features.length > 0 ? '451' : 'through'), byTeam)))
  })

  it('all: tho and admins are let in where they are known, others are asked for credentials first', async () => {
    const rows = requests.filter(({ features }) => features.length > 0)
    await withThings(() =>
      off(['all'], async () => {
        for (const level of ['tho', 'admin'] as const)
          await compare(
            rows,
            ({ who }) => (who === 'none' ? '451' : isLevel(who) && !atLeast(level, who) ? '403' : 'through'),
            (row) => call(row, { token: callers.get(level)?.token }),
          )
        await compare(
          rows,
          ({ who }) => (who === 'none' || who === 'flex' ? '451' : '401'),
          (row) => call(row, {}),
        )
      }),
    )
  })

  /** Whoever makes the things to call with must not be kept from it. */
  async function withThings(check: () => Promise<void>): Promise<void> {
    const before = owner
    owner = (await people(nodes, { level: 'tho' }))[0] as Person
    made.clear()
    try {
      await body(owner.one.get('/user/whoami'))
      await check()
    } finally {
      owner = before
      made.clear()
    }
  }
})
