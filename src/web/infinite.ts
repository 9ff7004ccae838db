// Answers that come page by page.
import { useState } from 'preact/hooks'
import type { QueryKey } from './cache.ts'
import { queries, useQuery, type Result } from './store.ts'

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
      await queries.extend<InfiniteData<Page>, Page>(
        queryKey,
        () => queryFn({ pageParam: next }),
        ({ pages }, page) => ({ pages: [...pages, page] }),
      )
    } finally {
      setFetching(false)
    }
  }
  return { ...result, hasNextPage: next !== undefined, isFetchingNextPage, fetchNextPage }
}
