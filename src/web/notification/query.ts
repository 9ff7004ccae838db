// The numbers of what waits, and what notices change.
import { useEffect } from 'preact/hooks'
import { client } from '../client.ts'
import { setShipZone } from '../kit/time.ts'
import { dismissLinks, toast } from '../kit/toast.tsx'
import { listening, whenNoticed, type Notice } from '../live.ts'
import { me } from '../session.ts'
import { slowModeChanged } from '../outbox.ts'
import { queries, refresh, useQuery } from '../store.ts'

const pollMs = 60_000
/** The server says nothing when one has ended or was withdrawn. */
const pollAnnouncementsMs = 5 * 60_000

/** The state of the server and what waits for the viewer. */
export function useNumbers() {
  return useQuery({
    queryKey: ['numbers'],
    queryFn: async () => {
      const numbers = await client.notification.global()
      setShipZone(numbers.serverTimeZoneID)
      return numbers
    },
    enabled: me.value !== undefined,
    refetchInterval: listening.value ? false : pollMs,
  })
}

export function useAnnouncements() {
  return useQuery({ queryKey: ['announcements'], queryFn: () => client.notification.announcements(), refetchInterval: pollAnnouncementsMs })
}

export function useThemes() {
  return useQuery({ queryKey: ['themes'], queryFn: () => client.notification.dailythemes() })
}

/** Where a notice leads, and the answers it makes old. */
const effects: Readonly<Record<string, { kinds: string[]; href?: (id: string) => string }>> = {
  announcement: { kinds: ['announcements'], href: () => '/' },
  seamailUnreadMsg: { kinds: ['chats'], href: (id) => `/seamail/${id}` },
  fezUnreadMsg: { kinds: ['chats'], href: (id) => `/lfg/${id}` },
  privateEventUnreadMsg: { kinds: ['chats'], href: (id) => `/privateevent/${id}` },
  addedToSeamail: { kinds: ['chats'], href: (id) => `/seamail/${id}` },
  addedToLFG: { kinds: ['chats'], href: (id) => `/lfg/${id}` },
  addedToPrivateEvent: { kinds: ['chats'], href: (id) => `/privateevent/${id}` },
  lfgCanceled: { kinds: ['chats', 'chat'], href: (id) => `/lfg/${id}` },
  privateEventCanceled: { kinds: ['chats', 'chat'], href: (id) => `/privateevent/${id}` },
  followedEventStarting: { kinds: [], href: (id) => `/events/${id}` },
  joinedLFGStarting: { kinds: [], href: (id) => `/lfg/${id}` },
  personalEventStarting: { kinds: [], href: (id) => `/privateevent/${id}` },
  alertwordTwarrt: { kinds: ['microblog'], href: (id) => `/tweets/${id}` },
  twarrtMention: { kinds: ['microblog'], href: (id) => `/tweets/${id}` },
  alertwordPost: { kinds: ['forums'], href: (id) => `/forum/containingpost/${id}` },
  incident: { kinds: [], href: () => '/admin/incidents' },
  forumMention: { kinds: ['forums'], href: (id) => `/forum/containingpost/${id}` },
}

/** The page that a notice is about. */
export const hrefOf = ({ type, contentID }: Pick<Notice, 'type' | 'contentID'>): string | undefined => effects[type]?.href?.(contentID)

/** Keeps numbers and lists up to date, and shows notices of what is not on the screen. */
export function useNotices(path: string): void {
  useEffect(dismissLinks, [path])
  useEffect(
    () =>
      whenNoticed((notice) => {
        // For one page alone, every five seconds.
        if (notice.type === 'figures') return
        if (notice.type === 'slowModeChanged') return showSlowMode(notice.contentID)
        refresh('numbers', ...(effects[notice.type]?.kinds ?? []))
        const target = hrefOf(notice)
        if (target !== path) show(notice, target)
      }),
    [path],
  )
}

/** The writing fields of a place say at once how fast one may write there. */
function showSlowMode(place: string): void {
  slowModeChanged(place)
  const [kind, id] = place.split(' ')
  void queries.invalidateQueries({ queryKey: kind === 'microblog' ? ['slow mode'] : [kind === 'fez' ? 'chat' : 'forum', id] })
}

/** A notice as its reader reads it; the server's own words until `outside.ts` knows better ones. */
export const words = { of: ({ info }: Pick<Notice, 'type' | 'info'>): string => info }

function show(notice: Notice, href: string | undefined): void {
  if (notice.info !== '') toast(words.of(notice), href === undefined ? {} : { href })
}
