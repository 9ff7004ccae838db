// The answers of the server that this browser keeps: shown at once, also without a network, and asked for again
// behind what is on the screen.
import { delMany, entries, setMany } from 'idb-keyval'
import { useEffect, useReducer, useState } from 'preact/hooks'
import { Cache, isOld, type Entry, type QueryKey } from './cache.ts'
import { me } from './session.ts'

const dayMs = 24 * 60 * 60_000
const maxAgeMs = 7 * dayMs
const writeEveryMs = 300
const freshMs = 20_000
/** Of keys in the store of the browser; other words for a form that has changed. */
const prefix = 'answer 3 '

export const queries = new Cache(keep, ({ hash }) => void delMany([prefix + hash]).catch(() => undefined))

const unwritten = new Map<string, Entry>()
let timer: number | undefined

function keep(entry: Entry): void {
  // What the console shows of people stays on the server.
  if (String(entry.key[0]).startsWith('console ')) return
  unwritten.set(prefix + entry.hash, entry)
  timer ??= window.setTimeout(write, writeEveryMs)
}

function write(): void {
  clearTimeout(timer)
  timer = undefined
  const kept = Array.from(unwritten, ([key, entry]) => [key, { key: entry.key, data: entry.data, at: entry.dataUpdatedAt }] as const)
  unwritten.clear()
  // A full or forbidden store is no reason to fail: the app then works with the network alone.
  if (kept.length > 0 && me.value) void setMany(kept as never).catch(() => undefined)
}

document.addEventListener('visibilitychange', () => {
  // A page that goes to the background may never come back.
  if (document.visibilityState === 'hidden') write()
  else queries.readOld(freshMs)
})
addEventListener('online', () => queries.readOld(freshMs))

/** Brings back the answers kept by an earlier page: before anything is shown, so that the first picture is not an empty one. */
export async function restoreAnswers(): Promise<void> {
  if (!me.value) return
  const kept = await entries<string, { key: QueryKey; data: unknown; at: number }>().catch(() => [])
  const gone: string[] = []
  for (const [name, { key, data, at }] of kept.filter(([name]) => name.startsWith('answer'))) {
    if (name.startsWith(prefix) && Date.now() - at < maxAgeMs) queries.restore(key, data, at)
    else gone.push(name)
  }
  if (gone.length > 0) void delMany(gone).catch(() => undefined)
}

/** Reads again whatever is on the screen and begins with one of these words; everything else when it is next shown. */
export function refresh(...kinds: string[]): void {
  void queries.invalidateQueries({ predicate: ({ key }) => kinds.includes(String(key[0])) })
}

/** The same without reading anything now: what is on the screen is about to go. */
export function outdate(...kinds: string[]): void {
  void queries.invalidateQueries({ predicate: ({ key }) => kinds.includes(String(key[0])), refetchType: 'none' })
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
    if (enabled && isOld(entry as Entry, staleTime)) void queries.read(entry)
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

/** A list that grows at its end. */
export interface InfiniteData<Page> {
  pages: Page[]
}

export interface InfiniteResult<Page> extends Result<InfiniteData<Page>> {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<void>
}

interface InfiniteQuestion<Page, Param> {
  queryKey: QueryKey
  queryFn: (from: { pageParam: Param }) => Promise<Page>
  initialPageParam: Param
  /** Undefined: this page was the last. */
  getNextPageParam: (page: Page) => Param | undefined
  enabled?: boolean
}

export function useInfiniteQuery<Page, Param>({
  queryKey,
  queryFn,
  initialPageParam,
  getNextPageParam,
  enabled = true,
}: InfiniteQuestion<Page, Param>): InfiniteResult<Page> {
  const [isFetchingNextPage, setFetching] = useState(false)
  const result = useQuery<InfiniteData<Page>>({
    queryKey,
    queryFn: async () => {
      const count = queries.getQueryData<InfiniteData<Page>>(queryKey)?.pages.length ?? 1
      const pages: Page[] = []
      let pageParam: Param | undefined = initialPageParam
      while (pages.length < count && pageParam !== undefined) {
        const page: Page = await queryFn({ pageParam })
        pages.push(page)
        pageParam = getNextPageParam(page)
      }
      return { pages }
    },
    enabled,
  })
  const last = result.data?.pages.at(-1)
  const next = last === undefined ? undefined : getNextPageParam(last)
  const fetchNextPage = async () => {
    if (next === undefined || isFetchingNextPage) return
    setFetching(true)
    try {
      const page = await queryFn({ pageParam: next })
      queries.setQueryData<InfiniteData<Page>>(queryKey, (before) => before && { pages: [...before.pages, page] })
    } finally {
      setFetching(false)
    }
  }
  return { ...result, hasNextPage: next !== undefined, isFetchingNextPage, fetchNextPage }
}
