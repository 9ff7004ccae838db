// Events in memory, and their columns.
import type { EventType } from './types.ts'

/** An event of a calendar. Times are floating. */
export interface ScheduledEvent {
  uid: string
  title: string
  description: string
  location: string
  eventType: EventType
  startTime: Date
  endTime: Date
}

/** An event as it is stored. */
export interface EventRow extends ScheduledEvent {
  id: string
  forumId: string | null
  updatedAt: Date
  deletedAt: Date | null
}

/** Of an EventRow. */
export const eventColumns = [
  'id',
  'uid',
  'title',
  'description',
  'location',
  'event_type',
  'start_time',
  'end_time',
  'forum_id',
  'updated_at',
  'deleted_at',
].map((name) => `event.${name}`)

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of every list of events. */
export function byStart(a: ScheduledEvent, b: ScheduledEvent): number {
  return a.startTime.getTime() - b.startTime.getTime() || compareText(a.title, b.title) || compareText(a.uid, b.uid)
}
