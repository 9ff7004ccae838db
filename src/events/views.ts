// Rows to what is sent. Pure.
import type { UserHeader } from '../accounts/schemas.ts'
import { emptyLineup, type Lineup } from '../lineup/channel.ts'
import type { Trip } from '../settings/trip.ts'
import { countChanges, type Difference } from './difference.ts'
import type { EventRow, ScheduledEvent } from './rows.ts'
import { countElsewhere, isOfAnotherTrip } from './rules.ts'
import type {
  EventData,
  EventUpdateDifferenceData,
  EventUpdateLogData,
  ScheduleChangeData,
  ScheduleChangesData,
  ShutternautEventData,
} from './schemas.ts'
import { eventTypeLabels } from './types.ts'
import type { LogRow } from './update.queries.ts'

/** An event as one viewer gets it. */
export function eventData(
  trip: Trip,
  event: EventRow,
  lineup: Lineup,
  isFavorite: boolean,
  shutternautData?: ShutternautEventData,
): EventData {
  return {
    eventID: event.id,
    ...contentOf(trip, event),
    eventType: eventTypeLabels[event.eventType],
    lastUpdateTime: event.updatedAt,
    ...(event.forumId === null ? {} : { forum: event.forumId }),
    isFavorite,
    performers: [...(lineup.byEvent.get(event.id) ?? [])],
    ...(shutternautData ? { shutternautData } : {}),
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

/** The changes of a calendar by event, in order of time. */
export function changesData(
  trip: Trip,
  {
    stored,
    calendar,
    difference,
    followers,
  }: {
    stored: readonly EventRow[]
    calendar: readonly ScheduledEvent[]
    difference: Difference
    followers: ReadonlyMap<string, number>
  },
  newId: () => string,
  now: Date,
): Omit<ScheduleChangesData, 'version'> {
  const before = new Map(stored.filter(({ deletedAt }) => !deletedAt).map((event) => [event.uid, event]))
  const changes = new Map<string, ScheduleChangeData>()
  const note = (kind: ScheduleChangeData['kinds'][number], event: ScheduledEvent) => {
    const known = changes.get(event.uid)
    if (known) return void known.kinds.push(kind)
    const old = before.get(event.uid)
    changes.set(event.uid, {
      uid: event.uid,
      kinds: [kind],
      ...(old ? { before: eventData(trip, old, emptyLineup, false) } : {}),
      ...(kind === 'gone' ? {} : { after: calendarEventData(trip, event, old?.id ?? newId(), now) }),
      followers: (old && followers.get(old.id)) ?? 0,
    })
  }
  for (const event of difference.created) note('new', event)
  for (const event of difference.deleted) note('gone', event)
  for (const event of difference.timeChanged) note('time', event)
  for (const event of difference.locationChanged) note('place', event)
  for (const event of difference.minorChanged) note('text', event)
  const startOf = ({ before: old, after }: ScheduleChangeData) => (after ?? old)?.startTime.getTime() ?? 0
  return {
    changes: [...changes.values()].sort((a, b) => startOf(a) - startOf(b)),
    unchanged: before.size - [...changes.keys()].filter((uid) => before.has(uid)).length,
    scheduled: before.size,
    events: calendar.length,
    elsewhere: countElsewhere(trip, calendar),
    ofAnotherTrip: isOfAnotherTrip(trip, calendar),
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

/** An entry of the log. `by`: whoever made the update. */
export function logData(row: LogRow, by: UserHeader | undefined): EventUpdateLogData {
  const { id, automatic, changeCount, createdAt, error, undoable, undoes, isUndo } = row
  const counts = { new: row.created, gone: row.deleted, time: row.timeChanged, place: row.locationChanged, text: row.minorChanged }
  return {
    entryID: id,
    automaticUpdate: automatic,
    changeCount,
    timestamp: createdAt,
    ...(error === null ? {} : { error }),
    counts,
    undoable,
    ...(undoes === null ? {} : { undoes }),
    isUndo,
    ...(by ? { by } : {}),
  }
}
