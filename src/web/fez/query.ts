// The lists of chats that the first page needs, too: seamails, and what one is in.
import { client } from '../client.ts'
import type { Team } from '../outbox.ts'
import { useQuery } from '../store.ts'

const listSize = 200

/** One's own, or those of a team. */
export function useSeamails(search: string, inbox?: Team) {
  return useQuery({
    queryKey: ['chats', 'seamail', search, inbox ?? ''],
    queryFn: () =>
      client.fez.joined({
        type: ['closed', 'open'],
        lastpost: true,
        limit: listSize,
        ...(search && { search }),
        ...(inbox && { foruser: inbox }),
      }),
  })
}

/** Groups and private events that the viewer is in. */
export function useGroups() {
  return useQuery({
    queryKey: ['chats', 'joined'],
    queryFn: () => client.fez.joined({ lfgtypes: true, type: ['privateEvent', 'personalEvent'], lastpost: true, limit: listSize }),
  })
}
