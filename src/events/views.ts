// Rows to what is sent. Pure.
import { emptyLineup, type Lineup } from '../lineup/channel.ts'
import type { Trip } from '../settings/trip.ts'
import { countChanges, type Difference } from './difference.ts'
import type { EventRow, ScheduledEvent } from './rows.ts'
import type { EventData, EventUpdateDifferenceData, EventUpdateLogData } from './schemas.ts'
import { eventTypeLabels } from './types.ts'
import type { LogRow } from './update.queries.ts'

/** An event as one viewer gets it. */
export function eventData(trip: Trip, event: EventRow, lineup: Lineup, isFavorite: boolean): EventData {
  return {
    eventID: event.id,
    ...contentOf(trip, event),
    eventType: eventTypeLabels[event.eventType],
    lastUpdateTime: event.updatedAt,
    ...(event.forumId === null ? {} : { forum: event.forumId }),
    isFavorite,
    performers: [...(lineup.byEvent.get(event.id) ?? [])],
  }
}

/** An event that is only in a calendar: its id means nothing. */
function calendarEventData(trip: Trip, event: ScheduledEvent, eventID: string, now: Date): EventData {
  return { eventID, ...contentOf(trip, event), eventType: event.eventType, lastUpdateTime: now, isFavorite: false, performers: [] }
}

function contentOf(trip: Trip, { uid, title, description, location, startTime, endTime }: ScheduledEvent) {
  const shownStart = trip.portToDisplay(startTime)
  const zone = trip.zoneAt(shownStart)
  return {
    uid,
    title,
    description,
    startTime: shownStart,
    endTime: trip.portToDisplay(endTime),
    timeZone: zone.abbreviation,
    timeZoneID: zone.id,
    location,
  }
}

/** The changes of a calendar, as the API shows them. */
export function differenceData(trip: Trip, difference: Difference, newId: () => string, now: Date): EventUpdateDifferenceData {
  const fromCalendar = (events: readonly ScheduledEvent[]) => events.map((event) => calendarEventData(trip, event, newId(), now))
  return {
    deletedEvents: difference.deleted.map((event) => eventData(trip, event, emptyLineup, false)),
    createdEvents: fromCalendar(difference.created),
    timeChangeEvents: fromCalendar(difference.timeChanged),
    locationChangeEvents: fromCalendar(difference.locationChanged),
    minorChangeEvents: fromCalendar(difference.minorChanged),
  }
}

/** A log entry of an update. */
export function logEntryOf(
  difference: Difference,
  data: EventUpdateDifferenceData,
): { changeCount: number; difference?: EventUpdateDifferenceData } {
  const changeCount = countChanges(difference)
  return { changeCount, ...(changeCount > 0 ? { difference: data } : {}) }
}

/** An entry of the log. */
export function logData({ id, automatic, changeCount, createdAt, error }: LogRow): EventUpdateLogData {
  return { entryID: id, automaticUpdate: automatic, changeCount, timestamp: createdAt, ...(error === null ? {} : { error }) }
}
