// What those who follow an event are told of it, on their notification sockets.
import type { JobPayloads } from '../core/outbox/jobs.ts'
import type { Tx } from '../core/work/ctx.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { notificationFrame } from '../notices/frames.ts'
import { settingsOf } from '../settings/channel.ts'
import { scheduleId, scheduleKind, type ScheduleEvent } from './channel.ts'
import { selectFollowed } from './queries.ts'
import { byStart, type EventRow, type ScheduledEvent } from './rows.ts'
import { goneText, movedText } from './texts.ts'

/** An event as it was, and as it is now unless it was taken off. */
export interface Move {
  before: EventRow
  after: ScheduledEvent | undefined
}

/** Of a calendar in which everything has moved, the next ones are told: nobody reads hundreds. */
const mostTold = 30

/**
 * Orders that followers hear of events which have another time or place, or are not any more; not of those that are over. The
 * setting that switches reminders of events off holds for these, too.
 */
export async function noteMoves(tx: Tx<Viewer | undefined>, moves: readonly Move[]): Promise<void> {
  const settings = settingsOf(tx.ctx.node)
  if (settings.values.upcomingEventNotificationSetting === 'disabled') return
  const { floatingNow } = settings.shipTimeAt(tx.now.getTime())
  const isComing = ({ endTime }: ScheduledEvent) => endTime > floatingNow
  const coming = moves.filter(({ before, after }) => isComing(before) || (after && isComing(after)))
  if (coming.length === 0) return
  const followed = await selectFollowed(
    tx.sql,
    coming.map(({ before }) => before.id),
  )
  const noticeKey = `moved ${tx.now.toISOString()}`
  const told = coming.flatMap(({ before, after }) => {
    const info = after ? movedText(settings.trip, before, after) : goneText(settings.trip, before)
    return info && followed.has(before.id) ? [{ eventID: before.id, event: after ?? before, info }] : []
  })
  for (const { eventID, info } of told.toSorted((a, b) => byStart(a.event, b.event)).slice(0, mostTold))
    tx.enqueue('event-moved', { eventID, noticeKey, info })
}

/** Tells them; apps show the sentence of a reminder, and lead to the event. */
export const announceMove = (tx: Tx<undefined>, { eventID, noticeKey, info }: JobPayloads['event-moved']): Promise<void> =>
  tellFollowers(tx, eventID, noticeKey, info)

/** Once for each key, on every device that listens, however often the job runs. */
export async function tellFollowers(tx: Tx<undefined>, eventID: string, noticeKey: string, info: string): Promise<void> {
  const told: ScheduleEvent = { type: 'noticed', eventID, noticeKey, notice: notificationFrame('followedEventStarting', info, eventID) }
  await tx.ctx.node.channels.publishDurably(scheduleKind, scheduleId, `${eventID} ${noticeKey}`, told)
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'event-moved': { eventID: string; noticeKey: string; info: string }
  }
}
