// Notifies followers that an event is about to start.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import { announcedStart, noteStarts } from '../settings/starting.ts'
import { tellFollowers } from './followers.service.ts'
import { eventsOn, selectEvent } from './queries.ts'

/** Notes a job for every event whose start has come near. */
export const noteStartingEvents = (ctx: Ctx<undefined>): Promise<void> =>
  noteStarts(ctx, {
    of: 'events',
    kind: 'event',
    candidates: eventsOn,
    enqueue: (tx, eventID, startTime, due) => tx.enqueue('event-starting', { eventID, startTime }, due),
  })

/** Tells the followers on their notification sockets, unless the event was deleted or moved meanwhile. */
export async function announceEvent(tx: Tx<undefined>, { eventID, startTime }: JobPayloads['event-starting']): Promise<void> {
  const event = await selectEvent(tx.sql, eventID)
  if (event?.startTime.toISOString() !== startTime) return
  const info = `${event.title} is starting soon${event.location ? `, ${event.location}` : ''}.`
  // Without the days by which the trip's week was moved.
  await tellFollowers(tx, eventID, announcedStart(tx.ctx.node, 'events', event.startTime), info)
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'event-starting': { eventID: string; startTime: string }
  }
}
