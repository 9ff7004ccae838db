// The difference between a calendar and the schedule. Pure.
import { byStart, type EventRow, type ScheduledEvent } from './rows.ts'

/** Events are the same when their uid is. An event may be in all three lists of changes. */
export interface Difference {
  deleted: EventRow[]
  created: ScheduledEvent[]
  timeChanged: ScheduledEvent[]
  locationChanged: ScheduledEvent[]
  minorChanged: ScheduledEvent[]
}

const hasOtherTimes = (a: ScheduledEvent, b: ScheduledEvent) =>
  a.startTime.getTime() !== b.startTime.getTime() || a.endTime.getTime() !== b.endTime.getTime()
const hasOtherInfo = (a: ScheduledEvent, b: ScheduledEvent) =>
  a.title !== b.title || a.description !== b.description || a.eventType !== b.eventType

/** Compares a calendar with what is stored; what is stored as deleted counts as not there. */
export function compareSchedules(stored: readonly EventRow[], calendar: readonly ScheduledEvent[]): Difference {
  const current = new Map(stored.filter(({ deletedAt }) => !deletedAt).map((event) => [event.uid, event]))
  const uids = new Set(calendar.map(({ uid }) => uid))
  const sorted = calendar.toSorted(byStart)
  const changed = (differs: (before: EventRow, event: ScheduledEvent) => boolean) =>
    sorted.filter((event) => {
      const before = current.get(event.uid)
      return before !== undefined && differs(before, event)
    })
  return {
    deleted: [...current.values()].filter(({ uid }) => !uids.has(uid)).toSorted(byStart),
    created: sorted.filter(({ uid }) => !current.has(uid)),
    timeChanged: changed(hasOtherTimes),
    locationChanged: changed((before, event) => before.location !== event.location),
    minorChanged: changed(hasOtherInfo),
  }
}

/** The number of changes; an event that is changed in several ways counts for each. */
export function countChanges(difference: Difference): number {
  return Object.values(difference).reduce((sum, events) => sum + events.length, 0)
}
