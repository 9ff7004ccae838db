// One event as a line of a list.
import type { EventData } from '../../sdk/client.ts'
import { Row } from '../kit/row.tsx'
import { Star } from '../kit/star.tsx'
import { clock, until } from '../kit/time.ts'
import { t } from '../texts.ts'
import { follow, isOn } from './query.ts'

interface EventRowProps {
  event: EventData
  /** The second line of the column of times: the end, or how long until the start. */
  second: 'end' | 'until'
  overlaps?: readonly { title: string }[]
  /** What else is to be said of it. */
  note?: string | undefined
}

export function EventRow({ event, second, overlaps = [], note }: EventRowProps) {
  const { eventID, title, location, startTime, endTime } = event
  return (
    <Row
      href={`/events/${eventID}`}
      lead={
        <div class="when">
          <time dateTime={startTime}>{clock(startTime)}</time>
          <small>{second === 'until' ? (isOn(event) ? t('now') : until(startTime, endTime)) : t('to', { time: clock(endTime) })}</small>
        </div>
      }
      title={title}
      sub={
        <>
          {location}
          {overlaps.length > 0 && <span class="warn"> · {t('overlaps', { title: overlaps[0]?.title ?? '' })}</span>}
          {note && <span class="last">{note}</span>}
        </>
      }
      tail={<FollowStar event={event} />}
    />
  )
}

export function FollowStar({ event }: { event: EventData }) {
  return <Star on={event.isFavorite} label={t('followTitle', { title: event.title })} press={() => void follow(event)} />
}

/** The words of the server for events that users hold. */
export const isHeldByUsers = ({ eventType }: EventData): boolean => eventType === 'Shadow Event' || eventType === 'Workshop'
