// Feedback on events: who held or attended one says how it went, and the team reads it.
import type { Ctx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { requireCreator } from '../core/base/viewer.ts'
import type { EventRow } from '../events/rows.ts'
import { scheduleFor, type ScheduleView } from '../events/service.ts'
import { audit } from '../moderation/audit.service.ts'
import { ownProfile } from '../users/profile.service.ts'
import {
  countFeedback,
  lockFeedback,
  selectAllFeedback,
  selectEventsPerformed,
  selectEventsWithFeedback,
  selectFeedback,
  selectJudgedFeedback,
  updateActionable,
  upsertFeedback,
} from './queries.ts'
import type { JudgedFeedbackRow } from './rows.ts'
import { isHeldByUsers, isInRoom, roomOf } from './rules.ts'
import type { EventFeedbackData, EventFeedbackReport, EventFeedbackSelectionData, EventFeedbackStats } from './schemas.ts'
import { adminFields, feedbackData, feedbackForm } from './views.ts'

/** The events that have begun and feedback is wanted on, the last first, and which of them may be meant. */
export async function listEventsForFeedback(ctx: Ctx, room = ''): Promise<EventFeedbackSelectionData> {
  const [schedule, answered, performed] = await Promise.all([
    scheduleFor(ctx),
    selectEventsWithFeedback(ctx.sql, ctx.viewer.id),
    selectEventsPerformed(ctx.sql, ctx.viewer.id),
  ])
  const { trip, show } = schedule
  const now = trip.displayToPort(new Date(ctx.nowMs))
  const begun = schedule.events
    .filter((event) => isHeldByUsers(event) && event.startTime < now)
    .toSorted((a, b) => b.startTime.getTime() - a.startTime.getTime())
  const wanted = room.trim()
  return {
    existingFeedback: begun.filter(({ id }) => answered.has(id)).map(show),
    performerAttached: begun.filter(({ id }) => performed.has(id)).map(show),
    matchingRoom: wanted === '' ? [] : begun.filter(({ location }) => isInRoom(location, wanted)).map(show),
    events: begun.map(show),
  }
}

/** The caller's feedback on an event; undefined when there is none. */
export async function getFeedback(ctx: Ctx, eventId: string): Promise<EventFeedbackReport | undefined> {
  const schedule = await scheduleFor(ctx)
  return await feedbackOn(ctx, schedule, existing(schedule, eventId))
}

/** The caller's feedback on an event, or a form to write it. */
export async function getFeedbackForm(ctx: Ctx, eventUid: string): Promise<EventFeedbackReport> {
  const schedule = await scheduleFor(ctx)
  const event = existing(schedule, eventUid)
  const given = await feedbackOn(ctx, schedule, event)
  if (given) return given
  const { header, realName } = await ownProfile(ctx)
  return feedbackForm(header, schedule.show(event), realName || header.displayName || '')
}

/** Refuses feedback on an event that is not on the schedule. */
export async function requireEvent(ctx: Ctx, { eventUID = '' }: EventFeedbackData): Promise<void> {
  existing(await scheduleFor(ctx), eventUID)
}

function existing(schedule: ScheduleView, idOrUid: string): EventRow {
  const event = schedule.find(idOrUid)
  if (!event) throw notAvailable('event')
  return event
}

async function feedbackOn(ctx: Ctx, { trip, show }: ScheduleView, event: EventRow): Promise<EventFeedbackReport | undefined> {
  const row = await selectFeedback(ctx.sql, ctx.viewer.id, event.id)
  if (!row) return undefined
  const { accounts } = ctx.node
  await accounts.load([row.authorId])
  return feedbackData(trip, row, accounts.get(row.authorId).header, show(event))
}

/** Takes the caller's feedback on an event, in place of what they gave before. */
export async function giveFeedback(ctx: Ctx, feedback: EventFeedbackData): Promise<void> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const { eventUID = '', eventTitle, eventLocation, eventTime, hostName, attendance, recapString, issuesString } = feedback
  const schedule = await scheduleFor(ctx)
  const { id: eventId } = existing(schedule, eventUID)
  const row = {
    id: ctx.node.random.uuid(),
    authorId: ctx.viewer.id,
    eventId,
    eventTitle,
    eventLocation,
    eventTime: schedule.trip.displayToPort(eventTime),
    hostName,
    attendance,
    recap: recapString,
    issues: issuesString,
  }
  await ctx.transaction((tx) => upsertFeedback(tx.sql, row, tx.now))
}

/** Rooms in which events are that feedback is wanted on, by name. */
export async function listRooms(ctx: Ctx): Promise<string[]> {
  const { events } = await scheduleFor(ctx)
  const rooms = new Set(events.filter(isHeldByUsers).map(({ location }) => roomOf(location)))
  return [...rooms].filter((room) => room !== '').toSorted((a, b) => a.localeCompare(b, 'en'))
}

/** All feedback, last changed first. */
export async function listFeedback(ctx: Ctx): Promise<EventFeedbackReport[]> {
  return await shownToTeam(ctx, await selectAllFeedback(ctx.sql))
}

/** One feedback as the team sees it. */
export async function getFeedbackForTeam(ctx: Ctx, feedbackId: string): Promise<EventFeedbackReport> {
  const row = await selectJudgedFeedback(ctx.sql, feedbackId)
  const [shown] = await shownToTeam(ctx, row ? [row] : [])
  if (!shown) throw notAvailable('feedback')
  return shown
}

async function shownToTeam(ctx: Ctx, rows: readonly JudgedFeedbackRow[]): Promise<EventFeedbackReport[]> {
  const { accounts } = ctx.node
  const [schedule] = await Promise.all([scheduleFor(ctx), accounts.load(new Set(rows.map(({ authorId }) => authorId)))])
  return rows.map((row) => {
    const event = schedule.find(row.eventId)
    return {
      ...feedbackData(schedule.trip, row, accounts.get(row.authorId).header, event && schedule.show(event)),
      adminFields: adminFields(row),
    }
  })
}

/** How many events there are to give feedback on, and how much there is. */
export async function feedbackStats(ctx: Ctx): Promise<EventFeedbackStats> {
  const [{ events, trip }, given] = await Promise.all([scheduleFor(ctx), countFeedback(ctx.sql)])
  const held = events.filter(isHeldByUsers)
  const now = trip.displayToPort(new Date(ctx.nowMs))
  return {
    totalShadowEvents: held.length,
    completedShadowEvents: held.filter(({ endTime }) => endTime <= now).length,
    totalFeedbackReports: given.reports,
    uniqueEventsWithFeedback: given.events,
  }
}

/** Marks feedback as something to act on, or takes the mark away, for the whole team; false if it was so. */
export async function markFeedback(ctx: Ctx, feedbackId: string, isActionable: boolean): Promise<boolean> {
  const { changed } = await ctx.transaction(async (tx) => {
    const before = await lockFeedback(tx.sql, feedbackId)
    if (!before) throw notAvailable('feedback')
    if (before.isActionable === isActionable) return { changed: false }
    await updateActionable(tx.sql, feedbackId, isActionable)
    await audit(tx, {
      action: isActionable ? 'markFeedback' : 'unmarkFeedback',
      subject: { type: 'eventFeedback', id: feedbackId },
      userId: before.authorId,
    })
    return { changed: true }
  })
  return changed
}
