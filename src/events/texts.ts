// Texts of the server in the forums of events. Times are those of clocks on board at the event. Pure.
import { DateTime } from 'luxon'
import type { Trip } from '../settings/trip.ts'
import type { EventRow, ScheduledEvent } from './rows.ts'
import { eventTypeLabels } from './types.ts'

/** A floating time shows the wall clock of the event in the port's zone, whichever zone is in force then. */
const wallClock = (trip: Trip, floating: Date) => DateTime.fromJSDate(floating, { zone: trip.portZone })

// By hand: general formatting of hundreds of times keeps everybody waiting.
const dayNames = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const two = (number: number) => String(number).padStart(2, '0')
const dayName = ({ weekday }: DateTime) => dayNames[weekday] as string
const twelveHours = ({ hour, minute }: DateTime) => `${hour % 12 || 12}:${two(minute)} ${hour < 12 ? 'AM' : 'PM'}`

/** `Sun, 3:00 PM - 4:00 PM EST`. */
function timeRange(trip: Trip, { startTime, endTime }: ScheduledEvent): string {
  const [start, end] = [wallClock(trip, startTime), wallClock(trip, endTime)]
  const until =
    start.weekday === end.weekday
      ? `${twelveHours(end)} ${trip.zoneAt(trip.portToDisplay(endTime)).abbreviation}`
      : `${dayName(end)}, ${twelveHours(end)}`
  return `${dayName(start)}, ${twelveHours(start)} - ${until}`
}

/** The first post of an event's forum. */
export function infoText(trip: Trip, event: ScheduledEvent): string {
  return [event.title, '', `${eventTypeLabels[event.eventType]} Event`, timeRange(trip, event), event.location, '', event.description].join(
    '\n',
  )
}

/** The title of a forum whose event was changed. */
export function titleAfterChange(trip: Trip, event: ScheduledEvent): string {
  const start = wallClock(trip, event.startTime)
  return `(${dayName(start)}, ${two(start.hour)}:${two(start.minute)}) ${event.title}`
}

/** What followers are told of a move: `Trivia: 7:00 PM → 9:00 PM, Lido → Crow's Nest`. Undefined when nothing of that has changed. */
export function movedText(trip: Trip, before: EventRow, event: ScheduledEvent): string | undefined {
  const [from, to] = [wallClock(trip, before.startTime), wallClock(trip, event.startTime)]
  const isOtherDay = !from.hasSame(to, 'day')
  const at = (time: DateTime) => (isOtherDay ? `${dayName(time)}, ${twelveHours(time)}` : twelveHours(time))
  const changes = [
    +from.startOf('minute') !== +to.startOf('minute') && `${at(from)} → ${at(to)}`,
    before.location !== event.location && `${before.location || '?'} → ${event.location || '?'}`,
  ].filter((change) => typeof change === 'string')
  return changes.length === 0 ? undefined : `${event.title}: ${changes.join(', ')}`
}

/** What followers are told of an event that was taken off. */
export function goneText(trip: Trip, { title, startTime }: EventRow): string {
  const start = wallClock(trip, startTime)
  return `${title} (${dayName(start)}, ${twelveHours(start)}) has been taken off the schedule.`
}

export const addedNotice = 'This event has just been added to the schedule.'

export const deletedNotice = 'This event has been taken off the schedule. It may also have been moved: look for it under another time.'

/** The changes of an event, in words; a restored one is not cancelled any more. */
export function changeNotice(before: EventRow, event: ScheduledEvent): string {
  const startMoved = before.startTime.getTime() !== event.startTime.getTime()
  const changes = [
    before.deletedAt && 'it takes place after all',
    startMoved && 'it starts at another time',
    before.endTime.getTime() !== event.endTime.getTime() && 'it ends at another time',
    before.location !== event.location && 'it is at another place',
    (before.title !== event.title || before.description !== event.description || before.eventType !== event.eventType) &&
      'its title, description or kind is another',
  ].filter((change) => typeof change === 'string')
  return `The schedule has changed for this event: ${changes.join('; ')}. What it is now stands in the first post.`
}
