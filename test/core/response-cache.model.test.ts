// Random changes by random users over two nodes, each by a route of the table: after every one, answers from the
// memory of both nodes are what Postgres says. A failed run prints its seed: see support/random-runs.ts.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import * as fc from 'fast-check'
import type { App } from '../../src/app.ts'
import type { Route } from '../../src/core/http/route.ts'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { routes } from '../../src/features.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { goodBody } from '../support/bodies.ts'
import type { Client } from '../support/client.ts'
import type { Person } from '../support/fez.ts'
import { knownImage, storedImage } from '../support/images.ts'
import { randomTest } from '../support/random-runs.ts'
import { buildWorld, kindOf, type World } from '../support/world.ts'

let nodes: TestNodes
let world: World
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' } })
  storedImage(nodes, knownImage)
  world = await buildWorld(nodes)
})
after(() => nodes.stop())

/** They end sessions, read large files, or need more than a good body. */
const apart =
  /auth\/|bulkuserfile|schedule|\/events\/update|serversettings|password|username|phone|microkaraoke|karaoke\/mk|user\/(create|add|verify)|image|photo|signout|\/ban|client\/|reload/
const changes = routes.filter(({ method, path }) => method !== 'GET' && !apart.test(path))
const lists = routes.filter(({ cached }) => cached !== undefined)
const words: Readonly<Record<string, readonly string[]>> = {
  search_string: ['hello', 'word'],
  user_search_string: ['resident'],
  hashtag: ['#sea'],
  user_role: ['shutternaut'],
  mod_state: ['locked', 'normal', 'quarantined', 'reviewed'],
  access_level: ['verified', 'quarantined'],
  quarantine_length: ['0'],
  new_name: ['Another', 'One more'],
  barrel_name: ['Another', 'One more'],
  string: ['lantern'],
  alert_word: ['lantern'],
  mute_word: ['lantern', 'hello'],
}
const queries = ['', '', '', '?search=hello', '?limit=2', '?onlynew=true', '?sort=create', '?favorite=true&search=a', '?mentionSelf=true']

/** Made of rows in memory: looked at in every run. */
const ofRows = [
  '/fez/joined',
  '/fez/joined?onlynew=true',
  '/fez/joined?excludetype=closed&start=1&limit=2',
  '/fez/owner?hidePast=true',
  '/personalevents',
  '/microblog',
  '/microblog?start=2&limit=3',
  '/forum/unread',
  '/forum/recent',
  '/forum/owner?sort=create',
]

/** A number for every choice that has to be made: which one it is follows from how many there are. */
const dice = fc.array(fc.nat({ max: 9999 }), { minLength: 6, maxLength: 6 })
const change = fc.record({ route: fc.nat({ max: 9999 }), who: fc.nat({ max: 9999 }), node: fc.nat({ max: 1 }), dice })
const shown = fc.record({ route: fc.nat({ max: 9999 }), who: fc.nat({ max: 9999 }), dice })

const at = <T>(values: readonly T[], dice: number): T => values[dice % values.length] as T
/** The first ones more often: those are open to everybody, and what changes in them shows. */
const oftenFirst = <T>(values: readonly T[], dice: number, first = 1): T => at(values, dice % 4 === 0 ? dice >> 2 : (dice >> 2) % first)
let counter = 0

function cast(): Person[] {
  return [world.owner, world.member, world.stranger, world.blocker, world.moderator, world.admin, world.manager]
}

function addressOf({ path, params = {} }: Route, rolls: readonly number[]): string {
  return Object.keys(params).reduce((address, name, index) => {
    const kind = kindOf(path, name)
    const roll = rolls[index] as number
    const value =
      kind === 'user'
        ? at(cast(), roll).id
        : kind
          ? oftenFirst(Object.values(world.things[kind] ?? {}), roll)
          : at(words[name] ?? ['word'], roll)
    return address.replace(`:${name}`, encodeURIComponent(value))
  }, path)
}

/** The body, with other texts each time. */
function freshBody(schema: SchemaNode, roll: number): unknown {
  const body = goodBody(schema) as Record<string, unknown>
  if (typeof body !== 'object') return body
  const number = ++counter
  const text = `hello ${number} ${at(['', '#sea', 'lantern', `@${at(cast(), roll).username}`], roll)}`
  for (const name of ['text', 'title', 'message', 'note', 'displayName', 'about', 'info']) if (name in body) body[name] = `${text}`.trim()
  if (schema.$id === 'UserProfileUploadData') Object.assign(body, { displayName: `Name ${number}` })
  if ('initialUsers' in body)
    body['initialUsers'] = cast()
      .slice(0, 3)
      .map(({ id }) => id)
  if ('firstPost' in body) body['firstPost'] = { text, images: [] }
  if ('fezType' in body) body['fezType'] = at(['gaming', 'closed', 'open'], roll)
  return body
}

randomTest('answers.model', 'answers from memory are what Postgres says after every change', 6, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(shown, { minLength: 16, maxLength: 16 }),
      fc.array(change, { minLength: 25, maxLength: 25 }),
      async (watched, made) => {
        const pairs = [
          ...watched.map(({ route, who, dice: rolls }) => ({
            person: oftenFirst(cast(), who, 2),
            path: addressOf(at(lists, route), rolls) + at(queries, rolls[5] as number),
          })),
          ...ofRows.map((path, index) => ({ person: oftenFirst(cast(), (watched[index] as { who: number }).who, 2), path })),
          { person: world.moderator, path: '/fez/joined?foruser=moderator' },
        ]
        for (const { route: number, who, node, dice: rolls } of made) {
          const route = at(changes, number)
          const client = oftenFirst(cast(), who, 2).clients[node] as Client
          const path = addressOf(route, rolls)
          const { status } = await client.request(route.method, path, route.body ? { body: freshBody(route.body, rolls[4] as number) } : {})
          assert.ok(status < 500, `${route.method} ${path}: ${status}`)
          // Posts in chats are published, and nobody waits for it.
          for (const app of nodes.apps) await app.node.channels.publishConfirmed('invalidation', 'all', [])
          for (const pair of pairs)
            await compare(pair, `after ${route.method} ${path} by ${oftenFirst(cast(), who, 2).username} (${status}) on node ${node}`)
        }
      },
    ),
    { ...parameters, endOnFailure: true },
  )
})

async function compare({ person, path }: { person: Person; path: string }, when: string): Promise<void> {
  const kept = [await person.one.get(path), await person.two.get(path)]
  const [app] = nodes.apps as [App]
  const fresh = await fromPostgres(app, () => person.one.get(path))
  for (const [node, { status, body }] of kept.entries())
    assert.deepEqual(
      { status, body },
      { status: fresh.status, body: fresh.body },
      `GET ${path} for ${person.username} on node ${node} ${when}`,
    )
}

/** Without answers in memory, and without the rows that others are made of. */
async function fromPostgres<T>({ node }: App, ask: () => Promise<T>): Promise<T> {
  const { chatHeads, newestPages, forumHeads } = node
  const none = { page: async () => undefined }
  node.versions.reset()
  Object.assign(node, { chatHeads: { of: async () => new Map() }, newestPages: none, forumHeads: none })
  try {
    return await ask()
  } finally {
    Object.assign(node, { chatHeads, newestPages, forumHeads })
  }
}
