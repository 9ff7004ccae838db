// Notices of the server. One tab listens and passes them on to the others.
import { signal } from '@preact/signals'
import type { UserHeader } from '../sdk/client.ts'
import { client } from './client.ts'
import { me } from './session.ts'
import { queries } from './store.ts'

/** A notice as it is shown. */
export interface Notice {
  type: string
  /** A sentence for people. */
  info: string
  /** The id that belongs to the type: of a chat, an event, a post. */
  contentID: string
  /** Of a call. */
  caller?: UserHeader
  callerAddress?: object
}

/** True while notices come in by themselves. */
export const listening = signal(false)

/** `isFirst`: in the tab that hears for all. */
type Listener = (notice: Notice, isFirst: boolean) => void

const listeners = new Set<Listener>()

/** Calls `run` for each notice; returns the end of it. */
export function whenNoticed(run: Listener): () => void {
  listeners.add(run)
  return () => void listeners.delete(run)
}

/** Listens for as long as the page is there. */
export function startListening(): void {
  if (!me.value) return
  const tabs = 'BroadcastChannel' in window ? new BroadcastChannel(`notices ${me.value.userID}`) : undefined
  tabs?.addEventListener('message', ({ data }: MessageEvent<Notice | boolean>) => {
    if (typeof data === 'boolean') opened(data)
    else take(data, false)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no other origin
  const tell = (frame: Notice | boolean) => tabs?.postMessage(frame)
  const listen = () =>
    hear(
      (notice) => {
        take(notice, true)
        tell(notice)
      },
      (open) => {
        opened(open)
        tell(open)
      },
    )
  // Locks exist only over TLS; elsewhere each tab listens for itself.
  if (navigator.locks) void navigator.locks.request('notices', listen)
  else void listen()
}

/** Until the account leaves the page. */
async function hear(take: (notice: Notice) => void, opened: (open: boolean) => void): Promise<void> {
  const ending = new AbortController()
  me.subscribe((now) => now ?? ending.abort())
  while (me.value) {
    try {
      const socket = client.notification.socket(undefined, {
        signal: ending.signal,
        onStatus: (status) => {
          if (status === 'open' || status === 'waiting') opened(status === 'open')
        },
      })
      for await (const { type, ...notice } of socket) take({ type: Object.keys(type)[0] ?? '', ...notice })
    } catch {
      opened(false)
      await new Promise((resolve) => setTimeout(resolve, 30_000))
    }
  }
}

function take(notice: Notice, isFirst: boolean): void {
  for (const run of listeners) run(notice, isFirst)
}

let hasListened = false

/** Whatever happened while nobody listened is read again. A page that begins has just read all; numbers tell whether it is still so. */
function opened(open: boolean): void {
  listening.value = open
  if (!open) return
  const readAll = () => queries.invalidateQueries({ predicate: ({ key }) => key[0] !== 'events' })
  if (hasListened) return void readAll()
  hasListened = true
  const before = waiting()
  // They count chats, not what is new in each.
  void queries.invalidateQueries({ queryKey: ['chats'] })
  void queries.invalidateQueries({ queryKey: ['numbers'] }).then(() => before !== waiting() && void readAll())
}

/** What waits for the viewer, to be compared. */
const waiting = () =>
  JSON.stringify(queries.getQueryData(['numbers']), (_, value: unknown) => (typeof value === 'string' ? undefined : value))
