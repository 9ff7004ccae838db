// Updating the schedule by hand: a calendar is uploaded, compared, applied; each as often as one likes.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { Reply } from '../core/http/route.ts'
import { jsonText } from '../core/base/json-text.ts'
import { updateServerSettings } from '../settings/server-settings.service.ts'
import { audit } from '../moderation/audit.service.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import { settingsOf } from '../settings/channel.ts'
import { applyCalendar, tellOfUpdate } from './apply.service.ts'
import { CalendarError, readCalendar } from './calendar.ts'
import { scheduleId, scheduleKind } from './channel.ts'
import { noteMoves } from './followers.service.ts'
import { compareSchedules, countChanges } from './difference.ts'
import { countFollowers, lockSchedule, selectAllEvents } from './queries.ts'
import type { ScheduledEvent } from './rows.ts'
import type {
  EventData,
  EventsOrSettingsUpdateData,
  EventUpdateDifferenceData,
  EventUpdateLogData,
  ScheduleApplyData,
  ScheduleChangesData,
  ScheduleUploadData,
} from './schemas.ts'
import {
  insertLogEntry,
  selectKeptSchedule,
  selectLastChange,
  selectLog,
  selectLoggedDifference,
  selectUpload,
  upsertUpload,
  type Undo,
} from './update.queries.ts'
import { countElsewhere, isOfAnotherTrip } from './rules.ts'
import { eventsWhere } from './service.ts'
import { changesData, differenceData, logData, logEntryOf } from './views.ts'

const shownLogEntries = 100

/** Keeps a calendar for later steps, in place of the one before. One that cannot be read is refused, and the one before stays. */
export async function uploadSchedule(ctx: Ctx, calendar: string): Promise<ScheduleUploadData> {
  const events = await readUpload(ctx, calendar)
  await ctx.transaction(async (tx) => {
    await upsertUpload(tx.sql, calendar, ctx.viewer.id, tx.now)
    await audit(tx, { action: 'uploadSchedule', subject: { type: 'schedule', id: scheduleId }, details: { characters: calendar.length } })
  })
  return { events: events.length, elsewhere: countElsewhere(settingsOf(ctx.node).trip, events) }
}

/** The changes that the uploaded calendar would make. */
export async function verifySchedule(ctx: Ctx): Promise<EventUpdateDifferenceData> {
  const [{ calendar }, stored] = await Promise.all([uploadedCalendar(ctx), selectAllEvents(ctx.sql)])
  return differenceData(settingsOf(ctx.node).trip, compareSchedules(stored, calendar), () => ctx.node.random.uuid(), new Date(ctx.nowMs))
}

/** The same by event: with what each was before, and how many follow it. */
export async function scheduleChanges(ctx: Ctx): Promise<ScheduleChangesData> {
  // The version is read first: what comes after it is at least as new.
  const last = await selectLastChange(ctx.sql)
  const [{ calendar, uploadedAt }, stored, followers] = await Promise.all([
    uploadedCalendar(ctx),
    selectAllEvents(ctx.sql),
    countFollowers(ctx.sql),
  ])
  const difference = compareSchedules(stored, calendar)
  const { trip } = settingsOf(ctx.node)
  const made = changesData(trip, { stored, calendar, difference, followers }, () => ctx.node.random.uuid(), new Date(ctx.nowMs))
  return { ...made, version: versionOf(uploadedAt, last) }
}

/** Keeps a calendar and says what it would change. */
export async function uploadAndVerifySchedule(ctx: Ctx, calendar: string): Promise<EventUpdateDifferenceData> {
  await uploadSchedule(ctx, calendar)
  return await verifySchedule(ctx)
}

/**
 * Brings the schedule to what the uploaded calendar says; in force on all nodes when the promise resolves. `otherDays` false
 * refuses a calendar of another trip; programs that do not know of it are not asked.
 */
export async function applySchedule(
  ctx: Ctx,
  {
    processDeletes,
    forumPosts,
    otherDays = true,
    basedOn,
  }: { processDeletes?: string; forumPosts?: string; otherDays?: boolean; basedOn?: string },
): Promise<ScheduleApplyData> {
  const isOn = (text = '') => text.toLowerCase() === 'true'
  const { calendar, uploadedAt } = await uploadedCalendar(ctx)
  const { trip } = settingsOf(ctx.node)
  if (!otherDays && isOfAnotherTrip(trip, calendar))
    throw badRequest(
      'schedule_elsewhere',
      `${countElsewhere(trip, calendar)} of the ${calendar.length} events begin on none of the trip's days. Send otherDays=true if they are meant.`,
    )
  return await ctx.transaction(async (tx) => {
    await lockSchedule(tx.sql)
    requireSame(basedOn, versionOf(uploadedAt, await selectLastChange(tx.sql)), 'the calendar or the schedule')
    return await applyByHand(tx, calendar, { processDeletes: isOn(processDeletes), forumPosts: isOn(forumPosts) })
  })
}

/** Names an uploaded calendar together with the schedule that it was compared with. */
const versionOf = (uploadedAt: Date, lastUpdate: number): string => `${uploadedAt.getTime()}.${lastUpdate}`

async function applyByHand(
  tx: Tx,
  calendar: readonly ScheduledEvent[],
  wishes: { processDeletes: boolean; forumPosts: boolean },
  undo?: Undo,
): Promise<ScheduleApplyData> {
  const { ctx } = tx
  const { trip } = settingsOf(ctx.node)
  const newId = () => ctx.node.random.uuid()
  const { difference, before, moves } = await applyCalendar(tx.sql, {
    calendar,
    ...wishes,
    removeUnwritten: undo !== undefined,
    authorId: tx.viewer.id,
    trip,
    now: tx.now,
    newId,
  })
  const entry = logEntryOf(difference, differenceData(trip, difference, newId, tx.now))
  const entryID = await insertLogEntry(tx.sql, { automatic: false, ...entry, actorId: tx.viewer.id, before, ...(undo && { undo }) }, tx.now)
  await audit(tx, {
    action: undo ? 'undoSchedule' : 'updateSchedule',
    subject: { type: 'schedule', id: scheduleId },
    details: { ...wishes, ...(undo && { undoes: undo.undoes }), changes: entry.changeCount },
  })
  tx.emitConfirmed(scheduleKind, scheduleId, { type: 'changed' })
  await noteMoves(tx, moves)
  tellOfUpdate(tx, difference)
  const [created, deleted] = [difference.created.length, difference.deleted.length]
  return { created, changed: countChanges(difference) - created - deleted, deleted, entryID }
}

/**
 * Undoes an update, by hand or automatic, once all later ones are undone: all events are again what they were before, with
 * those who follow them, their photographers and their forums. Posts about the changes stay, and so do forums of events that were
 * new, unless nobody has written there;
 * a reminder that was sent has been sent. Undoing an undo applies its update again, until there is another update.
 */
export async function undoUpdate(ctx: Ctx, entryId: number, { forumPosts = false }: { forumPosts?: boolean }): Promise<ScheduleApplyData> {
  return await ctx.transaction(async (tx) => {
    await lockSchedule(tx.sql)
    const kept = await selectKeptSchedule(tx.sql, entryId)
    if (!kept) throw notAvailable('log entry')
    const { before, isNext, isUndo } = kept
    if (!before) throw badRequest('nothing_to_undo', 'This update changed nothing, was undone, or is too old to be undone.')
    if (!isNext) throw badRequest('nothing_to_undo', 'Undo the later updates first, the newest of them before the others.')
    return await applyByHand(tx, before, { processDeletes: true, forumPosts }, { undoes: entryId, isUndo: !isUndo })
  })
}

async function uploadedCalendar(ctx: Ctx): Promise<{ calendar: ScheduledEvent[]; uploadedAt: Date }> {
  const upload = await selectUpload(ctx.sql)
  if (!upload) throw badRequest('nothing_uploaded', 'No schedule was uploaded. Upload one first.')
  return { calendar: await readUpload(ctx, upload.calendar), uploadedAt: upload.uploadedAt }
}

async function readUpload(ctx: Ctx, calendar: string): Promise<ScheduledEvent[]> {
  try {
    return await readCalendar(calendar, settingsOf(ctx.node).trip.portZone)
  } catch (error) {
    if (error instanceof CalendarError) throw badRequest('file_invalid', error.message)
    throw error
  }
}

/**
 * Adds and changes the events of a calendar at once, and returns them; or changes settings, when there is no calendar,
 * and returns nothing.
 */
export async function updateEventsOrSettings(ctx: Ctx, { schedule, ...settings }: EventsOrSettingsUpdateData): Promise<EventData[]> {
  if (schedule === undefined) {
    await updateServerSettings(ctx, {
      ...settings,
      enableFeatures: settings.enableFeatures ?? [],
      disableFeatures: settings.disableFeatures ?? [],
    })
    return []
  }
  const calendar = await readUpload(ctx, schedule)
  await ctx.transaction((tx) => applyByHand(tx, calendar, { processDeletes: false, forumPosts: false }))
  return await eventsOf(ctx, calendar)
}

async function eventsOf(ctx: Ctx, calendar: readonly ScheduledEvent[]): Promise<EventData[]> {
  const uids = new Set(calendar.map(({ uid }) => uid))
  return await eventsWhere(ctx, ({ uid }) => uids.has(uid))
}

/** The latest updates, newest first. */
export async function listUpdates(ctx: Ctx): Promise<EventUpdateLogData[]> {
  const entries = await selectLog(ctx.sql, shownLogEntries)
  const { accounts } = ctx.node
  await accounts.load(new Set(entries.flatMap(({ actorId }) => actorId ?? [])))
  return entries.map((entry) => logData(entry, entry.actorId === null ? undefined : accounts.get(entry.actorId).header))
}

/** The changes of one update. */
export async function getUpdate(ctx: Ctx, entryId: number): Promise<Reply<EventUpdateDifferenceData>> {
  const difference = await selectLoggedDifference(ctx.sql, entryId)
  if (difference === undefined) throw notAvailable('log entry')
  const none: EventUpdateDifferenceData = {
    deletedEvents: [],
    createdEvents: [],
    timeChangeEvents: [],
    locationChangeEvents: [],
    minorChangeEvents: [],
  }
  return new Reply(200, difference ?? jsonText(none))
}

/** Orders an automatic update; the log shows its outcome. */
export async function orderUpdate(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    tx.enqueue('schedule-reload', {})
    await audit(tx, { action: 'reloadSchedule', subject: { type: 'schedule', id: scheduleId } })
  })
}
