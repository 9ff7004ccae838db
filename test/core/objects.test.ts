// Whose things a route takes: every route with an id in its path, with the ids of others' things in every
// state that matters. A new route fails here until it stands in objects-table.ts.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { routes, socketRoutes } from '../../src/features.ts'
import { rows, type Row } from '../objects-table.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { goodBody } from '../support/bodies.ts'
import { Refused } from '../support/client.ts'
import type { Person } from '../support/fez.ts'
import { buildWorld, idsOf, kindOf, type World } from '../support/world.ts'
import { knownImage, storedImage } from '../support/images.ts'

let nodes: TestNodes
let shared: World
before(async () => {
  nodes = await startTestNodes(1, { env: { WRITES_PER_MINUTE: '0' } })
  storedImage(nodes, knownImage)
  shared = await buildWorld(nodes)
})
after(() => nodes.stop())

/** A declared route or socket as far as this matters. */
interface Declared {
  method: string
  path: string
  params: Record<string, SchemaNode>
  body?: SchemaNode
}

const declared: readonly Declared[] = [
  ...routes.map(({ method, path, params = {}, body }) => ({
    method: method as string,
    path,
    params: params as Record<string, SchemaNode>,
    ...(body ? { body: body as SchemaNode } : {}),
  })),
  ...socketRoutes.map(({ path, params = {} }) => ({ method: 'WS', path, params: params as Record<string, SchemaNode> })),
].filter(({ path, params }) => Object.keys(params).some((name) => kindOf(path, name)))

const kindsIn = ({ path, params }: Declared): string[] => Object.keys(params).flatMap((name) => kindOf(path, name) ?? [])

/** Values of what is no id. */
const words: Readonly<Record<string, string>> = {
  mod_state: 'locked',
  access_level: 'quarantined',
  quarantine_length: '1',
  user_role: 'shutternaut',
  new_name: 'Another',
  string: 'word',
  barrel_name: 'Another',
  search_string: 'word',
}

interface Outcome {
  status: number
  body: unknown
}

async function call(route: Declared, caller: Person, ids: Record<string, string>): Promise<Outcome> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? words[name] ?? assert.fail(`no value for ${name}`))
  if (route.method !== 'WS') return await caller.one.request(route.method, path, route.body ? { body: goodBody(route.body) } : {})
  try {
    ;(await caller.one.socket(path)).terminate()
    return { status: 101, body: undefined }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { status: error.status, body: error.body }
  }
}

/** `ok`, `like missing`, or the status of another refusal. */
function nameOf(outcome: Outcome, ofMissing: Outcome): string {
  if (outcome.status < 400) return 'ok'
  const same = outcome.status === ofMissing.status && JSON.stringify(outcome.body) === JSON.stringify(ofMissing.body)
  return same ? 'missing' : String(outcome.status)
}

/** What each state of one parameter comes to, in the order of the row. */
async function outcomesOf(route: Declared, { param, caller }: Row): Promise<string> {
  const kind = kindOf(route.path, param) as string
  // What is read stays as it was.
  const world = route.method === 'GET' ? shared : await buildWorld(nodes, kindsIn(route))
  const others = Object.fromEntries(
    Object.keys(route.params).flatMap((name) => {
      const states = world.things[kindOf(route.path, name) ?? '']
      return states ? [[name, states['own'] ?? states['other'] ?? states['others'] ?? '']] : []
    }),
  )
  const ids = idsOf(world, kind)
  const outcome = (state: string) => call(route, world[caller], { ...others, [param]: ids[state] as string })
  const ofMissing = await outcome('missing')
  const found = [`missing=${ofMissing.status < 400 ? 'ok' : ofMissing.status}`]
  for (const state of Object.keys(ids)) if (state !== 'missing') found.push(`${state}=${nameOf(await outcome(state), ofMissing)}`)
  return found.join(' ')
}

describe('the table', () => {
  it('has every id of every route', () => {
    const wanted = declared.flatMap((route) =>
      Object.keys(route.params)
        .filter((name) => kindOf(route.path, name))
        .map((name) => `${route.method} ${route.path} ${name}`),
    )
    const there = new Set(rows.map(({ method, path, param }) => `${method} ${path} ${param}`))
    assert.deepEqual(
      wanted.filter((each) => !there.has(each)),
      [],
      'these are missing in test/objects-table.ts',
    )
    assert.deepEqual(
      [...there].filter((each) => !wanted.includes(each)),
      [],
      'these do not exist',
    )
  })
})

describe('others\u2019 things', () => {
  const folders = [...new Set(rows.map(({ path }) => path.split('/')[1] as string))]
  for (const folder of folders) {
    it(`/${folder}`, async () => {
      const differences: string[] = []
      for (const row of rows.filter(({ path }) => path.split('/')[1] === folder)) {
        const route = declared.find(({ method, path }) => method === row.method && path === row.path) as Declared
        const found = await outcomesOf(route, row)
        if (found !== row.outcomes) differences.push(`${row.method} ${row.path} ${row.param} ${row.caller}: ${found}`)
      }
      assert.deepEqual(differences, [])
    })
  }
})
