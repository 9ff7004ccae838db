// Answers that more than one page of the console asks for.
import { useQuery } from '@tanstack/preact-query'
import { client } from '../client.ts'

export type Span = 'hour' | 'day' | 'event'

const figuresEveryMs = 5000
const checksEveryMs = 30_000

export function useFigures(span: Span) {
  return useQuery({
    queryKey: ['figures', span],
    queryFn: () => client.admin.figures({ span }),
    refetchInterval: span === 'hour' ? figuresEveryMs : checksEveryMs,
    gcTime: 0,
  })
}

export function useChecks() {
  return useQuery({ queryKey: ['checks'], queryFn: () => client.admin.checks(), refetchInterval: checksEveryMs })
}
