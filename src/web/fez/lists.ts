// The lists of groups: those to join, and those that one is, owns or was in.
import { client } from '../client.ts'
import { useQuery } from '../store.ts'
import type { GroupKind } from './parts.tsx'

export const groupLists = ['open', 'joined', 'owner', 'former'] as const
export type GroupList = (typeof groupLists)[number]

export interface GroupFilter {
  search: string
  /** Empty: any. */
  kind: GroupKind | ''
  /** Of the trip, from 0; empty: any. */
  day: string
}

/** All groups. */
export const noFilter: GroupFilter = { search: '', kind: '', day: '' }

const listSize = 200

export function useGroupList(which: GroupList, { search, kind, day }: GroupFilter) {
  return useQuery({
    queryKey: ['chats', 'groups', which, search, kind, day],
    queryFn: async () => {
      if (which === 'former') return client.fez.former({ limit: listSize })
      const types = kind === '' ? { lfgtypes: true } : { type: [kind] }
      const query = { ...types, limit: listSize, ...(search && { search }), ...(day && { cruiseday: Number(day) }) }
      if (which !== 'open') return client.fez[which]({ ...query, lastpost: true })
      // Without past ones the server leaves out those without a time, too.
      const open = await client.fez.open({ ...query, hidePast: false })
      return { ...open, fezzes: open.fezzes.filter(({ startTime }) => startTime === undefined || Date.parse(startTime) > Date.now()) }
    },
  })
}
