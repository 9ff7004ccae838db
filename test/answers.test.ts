// Answers that stay in memory: every table that one is made of stands in its route.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { App } from '../src/app.ts'
import type { Route } from '../src/core/http/route.ts'
import { routes } from '../src/routes.ts'
import { startTestNodes, type TestNodes } from './support/app.ts'
import { knownImage, storedImage } from './support/images.ts'
import { textsOfStatements } from './support/statements.ts'
import { buildWorld, kindOf, type World } from './support/world.ts'

let nodes: TestNodes
let world: World
before(async () => {
  nodes = await startTestNodes()
  storedImage(nodes, knownImage)
  world = await buildWorld(nodes)
})
after(() => nodes.stop())

/** What every answer depends on without saying so: see `Answers`. */
const always = ['account', 'block', 'mute', 'barrel', 'barrel_word', 'setting', 'time_zone_change']

const searches = [
  '',
  '?search=word',
  '?onlynew=true&foruser=moderator',
  '?sort=event&order=descending',
  '?favorite=true',
  '?replyGroup=1',
  '?mentionSelf=true&likeType=like',
]
const words: Readonly<Record<string, string>> = {
  search_string: 'word',
  hashtag: '#word',
  user_role: 'shutternaut',
  user_search_string: 'word',
  username: 'admin',
}

function addressesOf({ path, params = {} }: Route): string[] {
  let addresses = [path]
  for (const name of Object.keys(params)) {
    const kind = kindOf(path, name)
    const values = kind ? Object.values(world.things[kind] ?? {}) : [words[name] ?? '2024-01-01T00:00:00Z']
    addresses = addresses.flatMap((address) => values.map((value) => address.replace(`:${name}`, encodeURIComponent(value))))
  }
  return addresses
}

test('GET of every answer that stays in memory: its route names the tables that it is made of', async () => {
  const app = nodes.apps[0] as App
  const mentions = await tablesByWord()
  const wrong: string[] = []
  const callers = [world.owner, world.member, world.moderator, world.admin]
  for (const { one } of callers) await one.get('/user/whoami')
  for (const route of routes) {
    if (!route.kept) continue
    const { tables, parts = {} } = route.kept
    const texts = await textsOfStatements(app, async () => {
      for (const address of addressesOf(route))
        for (const search of searches) for (const { one } of callers) await one.get(address + search).catch(() => undefined)
    })
    const found = new Set(texts.flatMap((text) => [...text.matchAll(/\w+/g)].flatMap(([word]) => mentions.get(word) ?? [])))
    const missing = [...found].filter((table) => !always.includes(table) && !tables.includes(table) && !(table in parts))
    if (missing.length > 0) wrong.push(`${route.path}: ${missing.toSorted().join(', ')}`)
  }
  assert.deepEqual(wrong, [])
})

/** Tables, and functions with the tables in their texts. */
async function tablesByWord(): Promise<Map<string, string[]>> {
  const tables = await nodes.sql<
    { name: string }[]
  >`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const isTable = new Set(tables.map(({ name }) => name))
  const functions = await nodes.sql<{ name: string; text: string }[]>`
    select proname as name, coalesce(nullif(prosrc, ''), pg_get_functiondef(oid)) as text from pg_proc where pronamespace = 'public'::regnamespace`
  const textOf = new Map(functions.map(({ name, text }) => [name, text]))
  const tablesIn = (name: string, inside: readonly string[] = []): string[] => {
    if (isTable.has(name)) return [name]
    const words = inside.includes(name) ? [] : [...(textOf.get(name) ?? '').matchAll(/\w+/g)].map(([word]) => word)
    return [...new Set(words.flatMap((word) => tablesIn(word, [...inside, name])))]
  }
  return new Map([...isTable, ...textOf.keys()].map((name) => [name, tablesIn(name)]))
}
