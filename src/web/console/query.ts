// Answers that more than one page of the console asks for.
import { useEffect } from 'preact/hooks'
import type { FiguresData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { listening, whenNoticed, type Notice } from '../live.ts'
import { queries, useQuery } from '../store.ts'

export type Span = 'hour' | 'day' | 'event'

/** They come by themselves, as long as they are asked for now and then. */
const figuresWatchMs = 45_000
const figuresEveryMs = 5000
const checksEveryMs = 30_000

const hourMs = 60 * 60_000

/** Puts newer points behind, or in place of, those that are there. */
function add({ info }: Notice): void {
  const newer = JSON.parse(info) as FiguresData
  queries.setQueryData<FiguresData>(['console figures', 'hour'], (before) => {
    if (!before) return before
    const points = new Map([...before.points, ...newer.points].map((point) => [point.at, point]))
    const last = Math.max(...newer.points.map(({ at }) => Date.parse(at)))
    return { ...newer, points: [...points.values()].filter(({ at }) => Date.parse(at) > last - hourMs) }
  })
}

export function useFigures(span: Span) {
  useEffect(
    () =>
      whenNoticed((notice) => {
        if (notice.type === 'figures') add(notice)
      }),
    [],
  )
  return useQuery({
    queryKey: ['console figures', span],
    queryFn: () => client.admin.figures({ span }),
    refetchInterval: span !== 'hour' ? checksEveryMs : listening.value ? figuresWatchMs : figuresEveryMs,
  })
}

export function useChecks() {
  return useQuery({ queryKey: ['console checks'], queryFn: () => client.admin.checks(), refetchInterval: checksEveryMs })
}
