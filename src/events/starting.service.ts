// Notifies followers that an event is about to start: a sweep finds the events, a job sends the notices.
import type { Ctx, Tx } from '../core/ctx.ts'
import { unavailable } from '../core/errors.ts'
import type { JobPayloads } from '../core/jobs/jobs.ts'
import { notificationFrame } from '../notices/frames.ts'
import { settingsOf } from '../settings/channel.ts'
import { referenceOf } from '../settings/reference.ts'
import { scheduleId, scheduleKind, type ScheduleEvent } from './channel.ts'
import { insertDueNotices, selectEvent } from './queries.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Notes a job for every event whose start has come near; each event and start time once, also one whose moment no worker saw. */
export async function noteStartingEvents(ctx: Ctx<undefined>): Promise<void> {
  const { values } = settingsOf(ctx.node)
  if (values.upcomingEventNotificationSetting === 'disabled') return
  const { reference, shiftDays } = referenceOf(ctx.node, 'events')
  const nearMs = reference.getTime() + values.upcomingEventNotificationSeconds * 1000
  const until = new Date(nearMs + minuteMs)
  await ctx.transaction(async (tx) => {
    for (const { id, startTime } of await insertDueNotices(tx.sql, { after: reference, until, shiftHours: shiftDays * 24 }, tx.now)) {
      const inMs = startTime.getTime() - nearMs
      tx.enqueue('event-starting', { eventID: id, startTime: startTime.toISOString() }, new Date(tx.now.getTime() + Math.max(0, inMs)))
    }
  })
}

/** Tells the followers on their notification sockets, unless the event was deleted or moved meanwhile. */
export async function announceEvent(tx: Tx<undefined>, { eventID, startTime }: JobPayloads['event-starting']): Promise<void> {
  const event = await selectEvent(tx.sql, eventID)
  if (event?.startTime.toISOString() !== startTime) return
  const info = `${event.title} is starting soon${event.location ? `, ${event.location}` : ''}.`
  const announced = new Date(event.startTime.getTime() + referenceOf(tx.ctx.node, 'events').shiftDays * dayMs)
  const told: ScheduleEvent = {
    type: 'starting',
    eventID,
    startTime: announced.toISOString(),
    notice: notificationFrame('followedEventStarting', info, eventID),
  }
  // Before the job's row is gone: a node that was not reached gets it by the next attempt.
  if (!(await tx.ctx.node.channels.publishDurably(scheduleKind.name, scheduleId, `${eventID} ${told.startTime}`, told)))
    throw unavailable('server_unreachable', 'Not every server could be reached. It will be tried again.')
}

declare module '../core/jobs/jobs.ts' {
  interface JobPayloads {
    'event-starting': { eventID: string; startTime: string }
  }
}
