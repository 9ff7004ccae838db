// One day of the schedule on a desk: its places side by side, by hours.
import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { EventData } from '../../sdk/client.ts'
import { clock } from '../kit/time.ts'
import { t } from '../texts.ts'
import { FollowStar } from './parts.tsx'
import { hueOf, typeName } from './types.ts'

const hourMs = 60 * 60_000
/** Of one hour, in pixels; pages.css knows it, too. */
const hourHeight = 72
/** An event is at least so high that its title can be read. */
const leastHeight = 30
/** The least width of a place, and of an event beside others there. */
const leastPlace = 150
const leastLane = 125
/** There is room for a star that can be pressed. */
const starHeight = 46

/** An event in its place: from and to are pixels below the first hour. */
interface Slot {
  event: EventData
  top: number
  height: number
  /** Beside how many others that take place there at the same time, and as which of them. */
  lane: number
  lanes: number
}

export function DayGrid({ events }: { events: readonly EventData[] }) {
  const box = useRef<HTMLDivElement>(null)
  const starts = events.map(({ startTime }) => Date.parse(startTime))
  const first = Math.floor(Math.min(...starts) / hourMs) * hourMs
  const last = Math.max(...events.map(({ startTime, endTime }) => Math.max(Date.parse(endTime), Date.parse(startTime) + hourMs / 2)))
  const hours = Array.from({ length: Math.ceil((last - first) / hourMs) }, (_, index) => new Date(first + index * hourMs))
  const places = [...new Set(events.map(({ location }) => location))].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))
  const kinds = [...new Set(events.map(({ eventType }) => eventType))].sort()
  const now = ((Date.now() - first) / hourMs) * hourHeight
  const isNow = now > 0 && now < hours.length * hourHeight
  useEffect(() => {
    if (isNow && box.current) box.current.scrollTop = now - hourHeight
  }, [first])
  return (
    <>
      <ul class="kinds" aria-label={t('kind')}>
        {kinds.map((kind) => (
          <li key={kind} style={{ '--hue': String(hueOf(kind)) }}>
            {typeName(kind)}
          </li>
        ))}
      </ul>
      <div class="day-grid card" ref={box} tabIndex={0} role="region" aria-label={t('byPlace')}>
        <ol class="hours" aria-hidden="true">
          {hours.map((hour) => (
            <li key={hour.getTime()}>{clock(hour)}</li>
          ))}
        </ol>
        {places.map((place) => (
          <Place
            key={place}
            name={place}
            hours={hours.length}
            slots={slotsOf(
              events.filter(({ location }) => location === place),
              first,
            )}
          />
        ))}
        {isNow && <div class="now-line" style={{ '--at': `${now}px` }} />}
      </div>
    </>
  )
}

function Place({ name, hours, slots }: { name: string; hours: number; slots: readonly Slot[] }) {
  const lanes = Math.max(...slots.map((slot) => slot.lanes))
  return (
    <section style={{ '--least': `${Math.max(leastPlace, lanes * leastLane)}px` }}>
      <h3 title={name}>{name}</h3>
      <ol style={{ height: `${hours * hourHeight}px` }}>
        {slots.map((slot) => (
          <Shown key={slot.event.eventID} slot={slot} />
        ))}
      </ol>
    </section>
  )
}

function Shown({ slot: { event, top, height, lane, lanes } }: { slot: Slot }) {
  const { eventID, title, startTime, endTime, eventType, isFavorite } = event
  return (
    <li
      class={isFavorite ? 'followed' : ''}
      style={{
        '--hue': String(hueOf(eventType)),
        top: `${top}px`,
        height: `${height}px`,
        left: `${(lane / lanes) * 100}%`,
        width: `${100 / lanes}%`,
      }}
    >
      <Link href={`/events/${eventID}`} title={`${title}, ${clock(startTime)} – ${clock(endTime)}, ${typeName(eventType)}`}>
        <b>{title}</b> <small>{`${clock(startTime)} – ${clock(endTime)}`}</small>
      </Link>
      {height >= starHeight && <FollowStar event={event} />}
    </li>
  )
}

/** Where the events of a place stand: those that overlap, also by a third one, share its width. */
function slotsOf(events: readonly EventData[], first: number): Slot[] {
  const slots: Slot[] = []
  let together: Slot[] = []
  let ends: number[] = []
  const close = () => {
    for (const slot of together) slot.lanes = ends.length
    slots.push(...together)
    together = []
    ends = []
  }
  for (const event of [...events].sort((a, b) => (a.startTime < b.startTime ? -1 : 1))) {
    const top = ((Date.parse(event.startTime) - first) / hourMs) * hourHeight
    const height = Math.max(leastHeight, ((Date.parse(event.endTime) - Date.parse(event.startTime)) / hourMs) * hourHeight)
    if (ends.every((end) => end <= top)) close()
    const free = ends.findIndex((end) => end <= top)
    const lane = free < 0 ? ends.length : free
    ends[lane] = top + height
    together.push({ event, top, height, lane, lanes: 1 })
  }
  close()
  return slots
}
