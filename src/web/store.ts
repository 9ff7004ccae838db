// The answers of the server that this browser keeps: shown at once, also without a network, and asked for again
// behind what is on the screen.
import { useEffect, useReducer } from 'preact/hooks'
import { Cache, isOld, type Entry, type QueryKey } from './cache.ts'
import { isForVerified } from './client.ts'
import { delMany, getMany, keys, setMany } from './device.ts'
import { whenIdle } from './idle.ts'
import { me, shownKey } from './session.ts'

const dayMs = 24 * 60 * 60_000
const maxAgeMs = 7 * dayMs
const writeEveryMs = 300
const freshMs = 20_000
const maxKeptPosts = 200
const restoredAtOnce = 20
/** Of keys in the store of the browser; other words for a form that has changed. A page that is left may write when the next is there. */
const prefix = `answer 5 ${me.value?.userID} `
const firstPage = '/'

/** The last removal; the store of the browser does one after the other. */
let removing: Promise<unknown> = Promise.resolve()
export const queries = new Cache(
  keep,
  ({ hash }) => {
    removing = delMany([prefix + hash]).catch(() => undefined)
  },
  isForVerified,
)

const unwritten = new Map<string, Entry>()
let timer: number | undefined

function keep(entry: Entry): void {
  // What the console shows of people stays on the server.
  if (String(entry.key[0]).startsWith('console ')) return
  unwritten.set(prefix + entry.hash, entry)
  timer ??= window.setTimeout(() => whenIdle(write), writeEveryMs)
}

function write(): void {
  clearTimeout(timer)
  timer = undefined
  const kept = Array.from(unwritten, ([name, { key, data, dataUpdatedAt: at }]) => [name, { key, data: partOf(data), at }] as const).filter(
    ([, { data }]) => data !== undefined,
  )
  unwritten.clear()
  // Somebody who has signed out leaves nothing behind.
  if (!me.value) return
  if (location.pathname === firstPage) localStorage.setItem(shownKey, JSON.stringify(queries.shown()))
  // A full or forbidden store is no reason to fail: the app then works with the network alone.
  if (kept.length > 0) void setMany(kept as never).catch(() => undefined)
}

/** Of a long thread only some posts are kept, since each new one writes all that are: the last, of a chat those from the first new one on. */
function partOf(data: unknown): unknown {
  const { posts = [], firstStart, members, later } = (data ?? {}) as Partial<LongThread>
  const spare = posts.length - maxKeptPosts
  if (firstStart === undefined || spare <= 0) return data
  const from = members ? Math.max(0, Math.min(spare, members.readCount - firstStart - 1)) : spare
  const kept = { posts: posts.slice(from, from + maxKeptPosts), firstStart: firstStart + from }
  return { ...(data as object), ...kept, ...(later !== undefined && { later: later + spare - from }) }
}

/** A chat or a forum, all from `firstStart` on; a chat but for so many `later` ones. */
interface LongThread {
  posts: unknown[]
  firstStart: number
  members: { readCount: number }
  later: number
}

document.addEventListener('visibilitychange', () => {
  // A page that goes to the background may never come back.
  if (document.visibilityState === 'hidden') write()
  else queries.readOld(freshMs)
})
addEventListener('online', () => queries.readOld(freshMs))

interface Kept {
  key: QueryKey
  data: unknown
  at: number
}

/** Everything that was kept is back. */
let restored: Promise<unknown> = Promise.resolve()

/**
 * Brings back the answers kept by an earlier page: before anything is shown, so that the first picture is not an empty one. Those
 * of the first page come alone, and all others behind it: they are many.
 */
export async function restoreAnswers(): Promise<void> {
  if (!me.value) return
  const known = JSON.parse((location.pathname === firstPage && localStorage.getItem(shownKey)) || 'null') as string[] | null
  const shown = known?.map((hash) => prefix + hash)
  await restore(shown ?? [])
  restored = (shown ? new Promise<void>(whenIdle) : Promise.resolve()).then(() => restoreOthers(shown ?? [])).catch(() => undefined)
  if (!shown) await restored
}

/** A few at a time: to read all at once would stop the page. */
async function restoreOthers(shown: readonly string[]): Promise<void> {
  const others = (await keys<string>()).filter((name) => name.startsWith('answer') && !shown.includes(name))
  for (let at = 0; at < others.length; at += restoredAtOnce) await restore(others.slice(at, at + restoredAtOnce))
}

async function restore(names: string[]): Promise<void> {
  const kept = await getMany<Kept | undefined>(names).catch(() => [])
  putBack(kept.map((answer, index) => [names[index] as string, answer]))
}

function putBack(kept: [string, Kept | undefined][]): void {
  const gone: string[] = []
  for (const [name, answer] of kept) {
    if (!answer) continue
    if (name.startsWith(prefix) && Date.now() - answer.at < maxAgeMs) queries.restore(answer.key, answer.data, answer.at)
    else gone.push(name)
  }
  if (gone.length > 0) void delMany(gone).catch(() => undefined)
}

/** Reads again whatever is on the screen and begins with one of these words; everything else when it is next shown. */
export function refresh(...kinds: string[]): void {
  void queries.invalidateQueries({ predicate: ({ key }) => kinds.includes(String(key[0])) })
}

/** Nobody is to see these again, not even for a moment: they hold what has just been hidden. Resolves when the store has lost them. */
export async function forget(...kinds: string[]): Promise<void> {
  queries.forget({ predicate: ({ key }) => kinds.includes(String(key[0])) })
  await removing
}

interface Question<T> {
  queryKey: QueryKey
  queryFn: () => Promise<T>
  /** As long as this an answer is not asked for again without a reason. */
  staleTime?: number
  enabled?: boolean
  /** Asks again and again while it is on the screen. */
  refetchInterval?: number | false
}

export interface Result<T> {
  data: T | undefined
  error: unknown
  dataUpdatedAt: number
  refetch: () => Promise<void>
}

/** The answer to a question, for as long as a component shows it. */
export function useQuery<T>({ queryKey, queryFn, staleTime = freshMs, enabled = true, refetchInterval = false }: Question<T>): Result<T> {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const entry = queries.entry<T>(queryKey)
  if (enabled) entry.read = queryFn
  const { version } = entry
  useEffect(() => {
    const watch = () => redraw(undefined)
    entry.watchers.add(watch)
    if (entry.version !== version) watch()
    // A kept answer may still come.
    const known = entry.data === undefined ? restored : Promise.resolve()
    if (enabled) void known.then(() => isOld(entry as Entry, staleTime) && void queries.read(entry))
    return () => void entry.watchers.delete(watch)
  }, [entry.hash, enabled])
  useEffect(() => {
    if (refetchInterval === false || !enabled) return
    const asking = setInterval(() => void queries.read(entry), refetchInterval)
    return () => clearInterval(asking)
  }, [entry.hash, enabled, refetchInterval])
  const { data, error, dataUpdatedAt } = entry
  return { data, error, dataUpdatedAt, refetch: () => queries.read(entry) }
}
