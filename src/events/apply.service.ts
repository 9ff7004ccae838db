// Bringing the stored schedule to what a calendar says, with the forums that belong to it.
import type { Viewer } from '../core/base/viewer.ts'
import type { Sql } from '../core/db/db.ts'
import type { Tx } from '../core/work/ctx.ts'
import type { Move } from './followers.service.ts'
import { keepEventForums, type EventForumChange } from './forums.service.ts'
import type { Trip } from '../settings/trip.ts'
import { compareSchedules, countChanges, type Difference } from './difference.ts'
import { insertEvents, lockSchedule, selectAllEvents, softDeleteEvents, updateEvents } from './queries.ts'
import type { EventRow, ScheduledEvent } from './rows.ts'
import { addedNotice, changeNotice, deletedNotice, infoText, titleAfterChange } from './texts.ts'

export interface Application {
  calendar: readonly ScheduledEvent[]
  /** Without it the calendar only adds and changes. */
  processDeletes: boolean
  /** Whether forums get a post about changes. */
  forumPosts: boolean
  /** Takes the forums of events that go with them, unless somebody has written there. */
  removeUnwritten?: boolean
  /** Author of forums and their posts. */
  authorId: string
  trip: Trip
  now: Date
  newId(): string
  /** Refuses by throwing, before anything is written. */
  check?(difference: Difference): void
}

/** What was done, and all events as they were before. */
export interface Applied {
  difference: Difference
  before: ScheduledEvent[]
  /** What those who follow an event may want to hear. */
  moves: Move[]
}

/** Applies a calendar within a transaction; one at a time. */
export async function applyCalendar(sql: Sql, application: Application): Promise<Applied> {
  const { calendar, processDeletes, forumPosts, removeUnwritten = false, authorId, trip, now, newId } = application
  await lockSchedule(sql)
  const stored = await selectAllEvents(sql)
  const found = compareSchedules(stored, calendar)
  application.check?.(found)
  const difference = processDeletes ? found : { ...found, deleted: [] }

  const known = new Map(stored.map((event) => [event.uid, event]))
  const added = difference.created.filter(({ uid }) => !known.has(uid)).map((event) => ({ id: newId(), forumId: newId(), event }))
  const changed = changesOf(difference, known)
  const changedForums = changed.flatMap(({ before, event }): EventForumChange[] =>
    before.forumId === null
      ? []
      : [
          {
            forumId: before.forumId,
            now: { title: titleAfterChange(trip, event), description: infoText(trip, event) },
            ...(forumPosts ? { notice: changeNotice(before, event) } : {}),
          },
        ],
  )
  const goneForums = difference.deleted.flatMap(({ forumId }): EventForumChange[] =>
    forumId === null || !forumPosts ? [] : [{ forumId, notice: deletedNotice }],
  )

  const made = await keepEventForums(sql, {
    opened: added.map(({ forumId, event }) => ({
      id: forumId,
      isShadow: event.eventType === 'shadow',
      title: event.title,
      texts: [infoText(trip, event), ...(forumPosts ? [addedNotice] : [])],
    })),
    changed: [...changedForums, ...goneForums],
    left: removeUnwritten ? difference.deleted.flatMap(({ forumId }) => forumId ?? []) : [],
    authorId,
    now,
  })
  if (added.length > 0)
    await insertEvents(
      sql,
      added.map(({ id, forumId, event }) => ({ id, ...event, forumId: made.has(forumId) ? forumId : null })),
      now,
    )
  if (changed.length > 0)
    await updateEvents(
      sql,
      changed.map(({ before, event }) => ({ id: before.id, ...event, forumId: before.forumId })),
      now,
    )
  if (difference.deleted.length > 0)
    await softDeleteEvents(
      sql,
      difference.deleted.map(({ id }) => id),
      now,
    )
  const moves = [
    ...changed.flatMap(({ before, event }): Move[] => (before.deletedAt ? [] : [{ before, after: event }])),
    ...difference.deleted.map((before): Move => ({ before, after: undefined })),
  ]
  return { difference, before: stored.filter(({ deletedAt }) => !deletedAt).map(scheduledPart), moves }
}

const scheduledPart = ({ uid, title, description, location, eventType, startTime, endTime }: EventRow): ScheduledEvent => ({
  uid,
  title,
  description,
  location,
  eventType,
  startTime,
  endTime,
})

/** Every event that is stored and to be changed or brought back, once. */
function changesOf(
  { created, timeChanged, locationChanged, minorChanged }: Difference,
  known: ReadonlyMap<string, EventRow>,
): { before: EventRow; event: ScheduledEvent }[] {
  const events = new Map([...created, ...timeChanged, ...locationChanged, ...minorChanged].map((event) => [event.uid, event]))
  return [...events.values()].flatMap((event) => {
    const before = known.get(event.uid)
    return before ? [{ before, event }] : []
  })
}

/** Lets programs elsewhere hear of an update that has changed something. */
export function tellOfUpdate(tx: Tx<Viewer | undefined>, difference: Difference): void {
  const changes = countChanges(difference)
  if (changes > 0) tx.enqueue('webhook-event', { kind: 'schedule.updated', at: tx.now, data: { changes } })
}
