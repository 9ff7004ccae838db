// One event.
import { Link } from 'wouter-preact'
import type { EventData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { ForumsIcon, ScheduleIcon, StarIcon } from '../kit/icon.tsx'
import { PlaceIcon, TagIcon } from '../kit/page-icon.tsx'
import { Page } from '../kit/page.tsx'
import { ShareButton } from '../kit/share.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { Words } from '../kit/words.tsx'
import { PerformerRow } from '../lineup/parts.tsx'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { useIsOff } from '../switches/gate.tsx'
import { mayWrite } from '../session.ts'
import { wantsFeedback } from './feedback.tsx'
import { useMayOrganise } from '../lineup/rights.ts'
import { isHeldByUsers } from './parts.tsx'
import { follow, overlapping, useEvents } from './query.ts'
import { typeName } from './types.ts'

export function Event({ id }: { id: string }) {
  const { data: all = [] } = useEvents()
  const known = all.find(({ eventID, uid }) => eventID === id || uid === id)
  const read = useQuery({ queryKey: ['events', id], queryFn: () => client.events.get({ event_id: id }), enabled: !known })
  const mayOrganise = useMayOrganise()
  const isFeedbackOff = useIsOff('eventFeedback')
  const result = known ? { ...read, data: known, error: null } : read
  return (
    <Page title={result.data?.title ?? t('event.loading')} back="/events">
      <Answer of={result}>
        {(event) => {
          const clashes = overlapping(event, all)
          return (
            <article class="card pad about">
              <p class="fact">
                <ScheduleIcon size={18} /> {fullDay(event.startTime)}, {clock(event.startTime)} – {clock(event.endTime)}
              </p>
              {event.location && (
                <p class="fact">
                  <PlaceIcon size={18} /> {event.location}
                </p>
              )}
              <p class="fact">
                <TagIcon size={18} /> {typeName(event.eventType)}
              </p>
              {clashes.length > 0 && <p class="warn">{t('overlaps', { title: clashes.map(({ title }) => title).join(', ') })}</p>}
              {event.description && (
                <p class="words">
                  <Words text={event.description} />
                </p>
              )}
              {event.performers.length > 0 && (
                <ul class="who-appears" aria-label={t('performers')}>
                  {event.performers.map((performer) => (
                    <PerformerRow key={performer.id} performer={performer} />
                  ))}
                </ul>
              )}
              <p class="links">
                <FollowButton event={event} />
                {event.forum && (
                  <Link href={`/forum/${event.forum}`} class="btn quiet">
                    <ForumsIcon size={18} /> {t('talkAboutIt')}
                  </Link>
                )}
                <a class="btn quiet" href={client.events.calendareventIcs.url({ event_id: event.eventID })} download>
                  {t('toCalendar')}
                </a>
                <ShareButton path={`/events/${event.eventID}`} title={event.title} />
                {mayWrite.value && mayOrganise && isHeldByUsers(event) && (
                  <Link href={`/performers/own?event=${event.eventID}`} class="btn quiet">
                    {t('organiseThis')}
                  </Link>
                )}
                {mayWrite.value && !isFeedbackOff && wantsFeedback(event) && (
                  <Link href={`/events/${event.eventID}/feedback`} class="btn quiet">
                    {t('giveFeedback')}
                  </Link>
                )}
              </p>
            </article>
          )
        }}
      </Answer>
    </Page>
  )
}

function FollowButton({ event }: { event: EventData }) {
  return (
    <button type="button" class={event.isFavorite ? 'btn quiet star on' : 'btn'} onClick={() => void follow(event)}>
      <StarIcon size={20} /> {t(event.isFavorite ? 'following' : 'follow')}
    </button>
  )
}
