// The item board: what people have and what they need.
import type { QuartermasterListData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { useInfiniteQuery } from '../infinite.ts'
import { useQuery } from '../store.ts'

/** The halves of the board, and one's own. */
export const views = ['have', 'need', 'owned'] as const
export type View = (typeof views)[number]

const pageSize = 40

/** Items, last changed first. */
export function useItems(view: View, search: string) {
  return useInfiniteQuery<QuartermasterListData, number>({
    queryKey: ['quartermaster', view, search],
    queryFn: ({ pageParam }) =>
      client.quartermaster.list({
        start: pageParam,
        limit: pageSize,
        ...(view === 'owned' ? { mine: true } : { category: view }),
        ...(search && { search }),
      }),
    initialPageParam: 0,
    getNextPageParam: ({ paginator: { start, limit, total } }) => (start + limit < total ? start + limit : undefined),
  })
}

export function useItem(item_id: string) {
  return useQuery({ queryKey: ['quartermaster item', item_id], queryFn: () => client.quartermaster.get({ item_id }) })
}
