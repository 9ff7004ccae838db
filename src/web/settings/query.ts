// Settings of the server that apps may know.
import { client } from '../client.ts'
import { useQuery } from '../store.ts'

export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: () => client.client.settings(), staleTime: 60 * 60_000 })
}
