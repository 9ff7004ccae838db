// The alertwords of all accounts, in memory: most posts have none of them, and need no job that looks for them.
import type { Clock } from '../core/base/clock.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Db } from '../core/db/db.ts'
import type { Versions } from '../core/live/versions.ts'
import { LiveRows } from '../core/live/live-rows.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { hasWords, wordsIn } from '../text/words.ts'
import { selectWatchedWords } from './queries.ts'

/** All of them, under this id. */
const allId = 'all'
const maxBytes = 16 * 1024 * 1024
const bytesOfWord = 80

interface WatchedWords {
  words: ReadonlySet<string>
}

export function watchedWords({ versions, clock, db }: { versions: Versions; clock: Clock; db: Db }): LiveRows<WatchedWords> {
  return new LiveRows<WatchedWords>({
    versions,
    clock,
    tables: ['alertword'],
    maxBytes,
    bytesOf: ({ words }) => bytesOfWord * words.size,
    read: async () => new Map([[allId, { words: new Set(await selectWatchedWords(db.sql)) }]]),
  })
}

/** True when a text has a word that somebody watches. */
export async function isWatched({ node }: Ctx<Viewer | undefined>, text: string): Promise<boolean> {
  if (!hasWords(text)) return false
  const watched = (await node.watchedWords.of([allId])).get(allId)?.words
  return watched !== undefined && watched.size > 0 && wordsIn(text).some((word) => watched.has(word))
}

declare module '../core/work/ctx.ts' {
  interface Node {
    readonly watchedWords: LiveRows<WatchedWords>
  }
}
