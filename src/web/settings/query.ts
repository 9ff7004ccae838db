// Settings of the server that apps may know.
import type { ClientSettingsData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { useQuery } from '../store.ts'

/** Asked at the sign-in, too, where the table of calls that has this one is not loaded yet. */
const read = () => client.call('GET /client/settings') as Promise<ClientSettingsData>

export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: read, staleTime: 60 * 60_000 })
}
