// Answers that more than one page of the console asks for.
import { client } from '../client.ts'
import { useQuery } from '../store.ts'

export type Span = 'hour' | 'day' | 'event'

const figuresEveryMs = 5000
const checksEveryMs = 30_000

export function useFigures(span: Span) {
  return useQuery({
    queryKey: ['console figures', span],
    queryFn: () => client.admin.figures({ span }),
    refetchInterval: span === 'hour' ? figuresEveryMs : checksEveryMs,
  })
}

export function useChecks() {
  return useQuery({ queryKey: ['console checks'], queryFn: () => client.admin.checks(), refetchInterval: checksEveryMs })
}
