// The alertwords of all accounts, in memory as hashes: most posts have none of them, and need no job that looks for them.
import type { Clock } from '../core/base/clock.ts'
import { fnv1a } from '../core/base/fnv.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Db } from '../core/db/db.ts'
import type { Versions } from '../core/live/versions.ts'
import { LiveRows } from '../core/live/live-rows.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { hasWords, wordsIn } from '../text/words.ts'
import { selectWatchedWords } from './queries.ts'

/** Words are read, and read again after a change, in groups by their first letter. */
const groups = 64
const maxBytes = 16 * 1024 * 1024

/** Hashes of all words of a group, in order. A word that shares one is looked for by a job that finds nobody. */
type WatchedWords = Uint32Array

/** The group of a word. */
export const watchedGroupOf = (word: string): string => String((word.codePointAt(0) ?? 0) % groups)

const hashOf = (word: string): number => fnv1a(word) >>> 0

export function watchedWords({ versions, clock, db }: { versions: Versions; clock: Clock; db: Db }): LiveRows<WatchedWords> {
  return new LiveRows<WatchedWords>({
    versions,
    clock,
    parts: ['alertword'],
    maxBytes,
    bytesOf: ({ byteLength }) => byteLength,
    read: async (ids) => {
      const found = await selectWatchedWords(db.sql, groups, ids)
      return new Map(found.map(({ group, words }) => [group, Uint32Array.from(words.split(' '), hashOf).sort()]))
    },
  })
}

/** True when a text has a word that somebody watches; seldom also without one. */
export async function isWatched({ node }: Ctx<Viewer | undefined>, text: string): Promise<boolean> {
  if (!hasWords(text)) return false
  const words = wordsIn(text)
  const watched = await node.watchedWords.of([...new Set(words.map(watchedGroupOf))])
  return (
    watched.size > 0 &&
    words.some((word) => {
      const hashes = watched.get(watchedGroupOf(word))
      return hashes !== undefined && holds(hashes, hashOf(word))
    })
  )
}

/** True when `sorted` has `wanted`. */
function holds(sorted: Uint32Array, wanted: number): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const found = sorted[middle] as number
    if (found === wanted) return true
    if (found < wanted) from = middle + 1
    else to = middle
  }
  return false
}

declare module '../core/work/ctx.ts' {
  interface Node {
    readonly watchedWords: LiveRows<WatchedWords>
  }
}
