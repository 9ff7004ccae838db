// Which event somebody gives feedback on: those of the room whose poster they have scanned come first.
import { useSearchParams } from 'wouter-preact'
import type { EventData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Page, Section } from '../kit/page.tsx'
import { OpenIcon } from '../kit/page-icon.tsx'
import { Row } from '../kit/row.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'

const shownAtOnce = 40

export function ChooseFeedback() {
  const [params] = useSearchParams()
  const room = params.get('room') ?? ''
  const found = useQuery({
    queryKey: ['feedback', 'events', room],
    queryFn: () => client.feedback.eventlist(room === '' ? {} : { room }),
  })
  return (
    <Page title={t('feedback')} {...(room && { sub: room })} back="/events">
      <Answer of={found} rows={8}>
        {({ matchingRoom, performerAttached, existingFeedback, events }) => {
          if (events.length === 0) return <Empty title={t('feedback.none')}>{t('feedback.noneText')}</Empty>
          const given = new Set(existingFeedback.map(({ eventID }) => eventID))
          const own = new Set([...matchingRoom, ...performerAttached].map(({ eventID }) => eventID))
          const others = events.filter(({ eventID }) => !own.has(eventID))
          const followed = others.filter(({ isFavorite }) => isFavorite)
          const rest = others.filter(({ isFavorite }) => !isFavorite).slice(0, shownAtOnce)
          return (
            <>
              {room !== '' && matchingRoom.length > 0 && (
                <Events title={t('feedback.here', { room })} events={matchingRoom} given={given} />
              )}
              {performerAttached.length > 0 && <Events title={t('feedback.own')} events={performerAttached} given={given} />}
              {followed.length > 0 && <Events title={t('feedback.followed')} events={followed} given={given} />}
              {rest.length > 0 && <Events title={t('feedback.all')} events={rest} given={given} />}
            </>
          )
        }}
      </Answer>
    </Page>
  )
}

function Events({ title, events, given }: { title: string; events: readonly EventData[]; given: ReadonlySet<string> }) {
  return (
    <Section title={title}>
      <ul class="card">
        {events.map(({ eventID, title: name, location, startTime }) => (
          <Row
            key={eventID}
            href={`/events/${eventID}/feedback`}
            title={name}
            sub={`${fullDay(startTime)}, ${clock(startTime)} · ${location}${given.has(eventID) ? ` · ${t('feedback.given')}` : ''}`}
            tail={<OpenIcon size={18} />}
          />
        ))}
      </ul>
    </Section>
  )
}
