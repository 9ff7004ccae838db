// The answers of the server that this browser keeps: shown at once, also without a network, and asked for again
// behind what is on the screen.
import { QueryClient } from '@tanstack/preact-query'
import { persistQueryClientRestore, persistQueryClientSubscribe, type PersistedClient } from '@tanstack/query-persist-client-core'
import { del, get, set } from 'idb-keyval'
import { me } from './session.ts'

const dayMs = 24 * 60 * 60_000
const writeEveryMs = 300

export const queries = new QueryClient({
  defaultOptions: {
    // The client repeats what can be repeated. A ship's network is there or not whatever the browser thinks of it.
    queries: { staleTime: 20_000, gcTime: 7 * dayMs, networkMode: 'always', retry: false },
    mutations: { networkMode: 'always', retry: false },
  },
})

let pending: PersistedClient | undefined

const persister = {
  persistClient(client: PersistedClient) {
    if (!pending) setTimeout(write, writeEveryMs)
    pending = client
  },
  restoreClient: () => get<PersistedClient>('answers'),
  removeClient: () => del('answers'),
}

function write(): void {
  const client = pending
  pending = undefined
  // A full or forbidden store is no reason to fail: the app then works with the network alone.
  if (client && me.value) void set('answers', client).catch(() => undefined)
}

// A page that goes to the background may never come back.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') write()
})

/** Brings back the answers kept by an earlier page: before anything is shown, so that the first picture is not an empty one. */
export async function restoreAnswers(): Promise<void> {
  const options = { queryClient: queries as never, persister, maxAge: 7 * dayMs, buster: `1 ${me.value?.userID ?? ''}` }
  if (me.value) await persistQueryClientRestore(options).catch(() => undefined)
  persistQueryClientSubscribe(options)
}

/** Reads again whatever is on the screen and begins with one of these words; everything else when it is next shown. */
export function refresh(...kinds: string[]): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => kinds.includes(String(queryKey[0])) })
}

/** The same without reading anything now: what is on the screen is about to go. */
export function outdate(...kinds: string[]): void {
  void queries.invalidateQueries({ predicate: ({ queryKey }) => kinds.includes(String(queryKey[0])), refetchType: 'none' })
}
