// One of everything that has an id, in every state that matters to somebody who may not see it: for
// tests that try all routes on all things.
import assert from 'node:assert/strict'
import { mapConcurrently } from '../../src/load/concurrency.ts'
import type { TestNodes } from './app.ts'
import { testFeatures, type Cast, type Kind, type Things } from './features.ts'
import { block, people, type Person } from './fez.ts'

const kinds: Readonly<Record<string, Kind>> = Object.assign({}, ...testFeatures.map(({ things }) => things?.kinds))

export interface World extends Cast {
  things: Things
}

/** What a parameter of a path is the id of; undefined when it is none. */
export const kindOf = (path: string, name: string): string | undefined =>
  Object.entries(kinds).find(([, { params = [], under }]) => params.includes(name) && (under?.test(path) ?? true))?.[0]

/** Ids of one kind, by state. */
export const idsOf = ({ things }: Pick<World, 'things'>, kind: string): Readonly<Record<string, string>> =>
  things[kind] ?? assert.fail(`nothing makes a ${kind}`)

/** States of things that the stranger must not be able to tell from `missing`. */
export function hiddenStatesOf(path: string, kind: string): readonly string[] {
  // Pictures of users are for everybody who knows an id, as are those in posts.
  if (path.startsWith('/image/user/')) return []
  // Somebody in a block with the caller can be blocked back, and reported: whoever has the id knows already that it is one.
  if (/^\/users\/:\w+\/(block|report)$/.test(path)) return []
  return kinds[kind]?.hidden ?? []
}

/** A server on a slow machine refuses those that wait too long for a connection to Postgres. */
const makersAtOnce = 6

/** Makes all of it anew, with people of its own; of things only what is wanted, and what comes with that. */
export async function buildWorld(nodes: TestNodes, wanted: readonly string[] = Object.keys(kinds)): Promise<World> {
  const levels = ['moderator', 'serviceteam', 'tho', 'admin', 'banned', 'quarantined'] as const
  const [owner, member, stranger, blocker, manager, moderator, serviceteam, tho, admin, banned, quarantined] = (await people(
    nodes,
    {},
    {},
    {},
    {},
    { roles: ['shutternaut', 'shutternautmanager', 'karaokemanager'] },
    ...levels.map((level) => ({ level })),
  )) as [Person, Person, Person, Person, Person, Person, Person, Person, Person, Person, Person]
  await block(blocker, stranger)
  const cast = { owner, member, stranger, blocker, manager, moderator, serviceteam, tho, admin, banned, quarantined }
  const makers = testFeatures.flatMap(({ things }) =>
    things && Object.keys(things.kinds).some((kind) => wanted.includes(kind)) ? things : [],
  )
  const parts = await mapConcurrently(makers, makersAtOnce, ({ make }) => make(nodes, cast))
  return { ...cast, things: Object.assign({}, ...parts) as Things }
}
