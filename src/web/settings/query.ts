// Settings of the server that apps may know.
import { client } from '../client.ts'
import { ownHosts } from '../kit/words.tsx'
import { useQuery } from '../store.ts'

async function readSettings() {
  const settings = await client.client.settings()
  for (const host of settings.canonicalHostnames) ownHosts.add(host)
  return settings
}

export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: readSettings, staleTime: 60 * 60_000 })
}
