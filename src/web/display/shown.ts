// What a display shows, read again and again. Nobody stands beside it: it goes on with what it has, and says how old that is.
import { useEffect, useState } from 'preact/hooks'
import { createClient, QuarterdeckError, type AnnouncementData, type EventData, type PhotostreamListData } from '../../sdk/client.ts'

const everyMs = 30_000
const photos = 12

export interface Shown {
  events: readonly EventData[]
  announcements: readonly AnnouncementData[]
  photos: PhotostreamListData['photos']
  readAt: number
}

/** `isRefused`: the token counts no more, and nothing will come. */
export function useShown(token: string): { shown: Shown | undefined; isRefused: boolean } {
  const [shown, show] = useState<Shown>()
  const [isRefused, refuse] = useState(false)
  useEffect(() => {
    if (token === '') return
    const read = () =>
      readAll(token).then(
        (all) => {
          refuse(false)
          show(all)
        },
        (error: unknown) => {
          if (error instanceof QuarterdeckError && error.status === 401) refuse(true)
        },
      )
    void read()
    const timer = setInterval(() => void read(), everyMs)
    return () => clearInterval(timer)
  }, [token])
  return { shown, isRefused }
}

async function readAll(token: string): Promise<Shown> {
  const client = createClient({ token })
  // What is switched off is just not there.
  const orNone = async <T>(answer: Promise<unknown>, none: T): Promise<T> =>
    await answer.then(
      (value) => value as T,
      (error: unknown) => {
        if (error instanceof QuarterdeckError && error.status === 451) return none
        throw error
      },
    )
  const [events, announcements, stream] = await Promise.all([
    orNone<EventData[]>(client.call('GET /events'), []),
    orNone<AnnouncementData[]>(readAnnouncements(token), []),
    orNone<Pick<PhotostreamListData, 'photos'>>(client.call('GET /photostream', { limit: photos }), { photos: [] }),
  ])
  return { events, announcements, photos: stream.photos, readAt: Date.now() }
}

/** Without a name, where the host lets: with one, the owner of the token would have read them. */
async function readAnnouncements(token: string): Promise<unknown> {
  try {
    return await createClient({}).call('GET /notification/announcements')
  } catch (error) {
    if (error instanceof QuarterdeckError && error.status === 401)
      return await createClient({ token }).call('GET /notification/announcements')
    throw error
  }
}
