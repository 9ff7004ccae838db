// The manifest of a feature for tests that try everything: each `test/<noun>/feature.ts` exports one as `feature`. They are found
// by their names.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestNodes } from './app.ts'
import type { Person } from './fez.ts'

/** What is absent, it has not. */
export interface TestFeature {
  /** Rows of the table of access-table.ts. */
  access?: string
  /** Rows of the table of objects-table.ts. */
  objects?: string
  /** Bodies of requests that nothing is wrong with, by the names of their schemas. */
  bodies?: Readonly<Record<string, () => unknown>>
  /**
   * Plays its part of the evening in which pages are looked at; returns its pages by name. `at`: a moment so many
   * milliseconds from then.
   */
  evening?: (guests: Guests, at: (offset: number) => string) => Promise<Record<string, string>>
  /** What of it has ids. */
  things?: {
    kinds: Readonly<Record<string, Kind>>
    /** Makes some of each kind, in every state. */
    make: (nodes: TestNodes, cast: Cast) => Promise<Things>
  }
}

export interface Kind {
  /** Parameters of paths that are ids of it. */
  params?: readonly string[]
  /** Where the same names mean something else: those of these paths. */
  under?: RegExp
  /** States that the stranger must not be able to tell from `missing`. */
  hidden?: readonly string[]
}

/** People of the evening that pages are looked at in (evening.ts). */
export type Guests = Readonly<Record<'heidi' | 'sam' | 'mara' | 'otto' | 'kim' | 'captain', Person>>

/** Ids by kind and the state of what they belong to; `missing` belongs to nothing. */
export type Things = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Cast {
  /** Has made what is open to everybody. */
  owner: Person
  /** Is in the chats of the owner. */
  member: Person
  /** An ordinary user who is in none of it. */
  stranger: Person
  /** Blocks the stranger. */
  blocker: Person
  /** Has the roles that let somebody look after something. */
  manager: Person
  moderator: Person
  serviceteam: Person
  tho: Person
  admin: Person
  banned: Person
  quarantined: Person
}

const tests = join(import.meta.dirname, '..')
const files = readdirSync(tests).flatMap((noun) => {
  const file = join(tests, noun, 'feature.js')
  return existsSync(file) ? [file] : []
})

export const testFeatures: readonly TestFeature[] = await Promise.all(
  files.map(async (file) => ((await import(pathToFileURL(file).href)) as { feature: TestFeature }).feature),
)
