// Reading the schedule, and following events in it.
import type { Ctx, Node, OpenCtx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { withEtag, withKnownEtag } from '../core/http/etag.ts'
import type { Reply } from '../core/http/route.ts'
import { emptyLineup, lineupOf, type Lineup, type LineupChannel } from '../lineup/channel.ts'
import { settingsOf } from '../settings/channel.ts'
import type { Trip } from '../settings/trip.ts'
import { userChannelOf } from '../users/channel.ts'
import { userTopic } from '../accounts/events.ts'
import { etagFor, jsonList, scheduleOf, wholeListFor, withShutternauts, type ScheduleChannel } from './channel.ts'
import { deleteFollower, insertFollower, selectEventsWithWords } from './queries.ts'
import { photographersFor } from './photographers.service.ts'
import type { EventRow } from './rows.ts'
import { isPhotoCrew } from './rules.ts'
import type { EventData, EventQuery, ShutternautEventData } from './schemas.ts'
import { eventData } from './views.ts'

const nothing: ReadonlySet<string> = new Set()
/** What the caller follows or photographs. */
const plannedBy = ({ viewer }: OpenCtx): ReadonlySet<string> => (viewer ? userChannelOf(viewer).plannedEvents : nothing)
const followedBy = ({ viewer }: OpenCtx): ReadonlySet<string> => (viewer ? userChannelOf(viewer).followedEvents : nothing)

/** Asked with every list, by every phone: no list of its values is made. */
function hasFilter(query: EventQuery): boolean {
  for (const name in query) if (query[name as keyof EventQuery] !== undefined) return true
  return false
}

const performers = ['performers'] as const

/** Nobody appears anywhere while performers are switched off. */
const visibleLineup = (node: Node, { lineup }: LineupChannel): Lineup => (settingsOf(node).disabled(performers) ? emptyLineup : lineup)

/** The events that pass all filters, by start. */
export function listEvents(ctx: OpenCtx, query: EventQuery): Reply<EventData[]> | Promise<Reply<EventData[]>> {
  const [schedule, lineup] = [scheduleOf(ctx.node), lineupOf(ctx.node)]
  const isWhole = !hasFilter(query)
  if (!isWhole || (ctx.viewer && isPhotoCrew(ctx.viewer))) return filteredList(ctx, query)
  if (!(schedule instanceof Promise || lineup instanceof Promise)) return wholeList(ctx, schedule, lineup)
  return Promise.all([schedule, lineup]).then((loaded) => wholeList(ctx, ...loaded))
}

function wholeList(ctx: OpenCtx, schedule: ScheduleChannel, lineup: LineupChannel): Reply<EventData[]> {
  const shown = schedule.shown(settingsOf(ctx.node).trip, visibleLineup(ctx.node, lineup))
  const followed = followedBy(ctx)
  return withKnownEtag(etagFor(shown, followed), () => wholeListFor(shown, followed))
}

async function filteredList(ctx: OpenCtx, query: EventQuery): Promise<Reply<EventData[]>> {
  const { trip } = settingsOf(ctx.node)
  const [followed, planned] = [followedBy(ctx), plannedBy(ctx)]
  const { type, search, location = '', following, dayplanner } = query
  if ((following || dayplanner) && !ctx.viewer) throw badRequest('login_needed', 'Log in to see the events that you follow.')
  const shutternautData = await photographersFor(ctx)
  const hasPhotographers = photographerFilter(query, shutternautData)
  const isWithin = timeFilter(trip, query)
  const found = search === undefined ? undefined : await selectEventsWithWords(ctx.sql, search)
  const matches = (event: EventRow): boolean =>
    isWithin(event) &&
    (type === undefined || (type === 'shadow') === (event.eventType === 'shadow')) &&
    (!found || found.has(event.id)) &&
    event.location.includes(location.trim()) &&
    (!following || followed.has(event.id)) &&
    (!dayplanner || planned.has(event.id)) &&
    hasPhotographers(event.id)
  const [schedule, lineup] = await Promise.all([scheduleOf(ctx.node), lineupOf(ctx.node)])
  const { items } = schedule.shown(trip, visibleLineup(ctx.node, lineup))
  const passed = items.filter(({ event }) => matches(event))
  const json = passed.map(({ event, plain, favorite }) => {
    const item = followed.has(event.id) ? favorite : plain
    return shutternautData ? withShutternauts(item, shutternautData(event.id)) : item
  })
  return withEtag(jsonList(json))
}

function photographerFilter(
  { needsPhotographer, hasPhotographer }: EventQuery,
  shutternautData: ((eventId: string) => ShutternautEventData) | undefined,
): (eventId: string) => boolean {
  if (needsPhotographer === undefined && hasPhotographer === undefined) return () => true
  if (!shutternautData) throw badRequest('role_missing', 'Only photographers can filter by photographers.')
  return (eventId) => {
    const { needsPhotographer: isNeeded, photographers } = shutternautData(eventId)
    const isCovered = photographers.length > 0
    return (
      (needsPhotographer === undefined || isNeeded === needsPhotographer) &&
      (hasPhotographer === undefined || (hasPhotographer ? isCovered : isNeeded && !isCovered))
    )
  }
}

/** Of several filters by time one counts: the first of day, cruiseday, date and time. */
export function timeFilter(trip: Trip, { cruiseday, day, date, time }: EventQuery): (event: EventRow) => boolean {
  if (cruiseday !== undefined && !Number.isInteger(cruiseday)) throw badRequest('day_invalid', 'cruiseday must be a whole number.')
  const window =
    day !== undefined
      ? trip.dayWindow(trip.dayNamed(day), 0)
      : cruiseday !== undefined
        ? trip.dayWindow(cruiseday - 1, 0)
        : date !== undefined
          ? trip.dayWindow(trip.dayOf(date), 0)
          : undefined
  if (window) return ({ startTime }) => startTime >= window.from && startTime < window.to
  if (time === undefined) return () => true
  const now = trip.displayToPort(time)
  return ({ startTime, endTime }) => startTime <= now && now < endTime
}

/** One event, by its id or its uid. */
export async function getEvent(ctx: OpenCtx, idOrUid: string): Promise<EventData> {
  const { find, show } = await scheduleFor(ctx)
  const event = find(idOrUid)
  if (!event) throw notAvailable('event')
  return show(event)
}

/** Events as the caller gets them, by start. */
export async function eventsWhere(ctx: OpenCtx, isWanted: (event: EventRow) => boolean): Promise<EventData[]> {
  const { events, show } = await scheduleFor(ctx)
  return events.filter(isWanted).map(show)
}

/** The schedule for features that show events. */
export interface ScheduleView {
  /** By start. */
  readonly events: readonly EventRow[]
  readonly trip: Trip
  /** The event with this id or uid. */
  readonly find: (idOrUid: string) => EventRow | undefined
  /** An event as the caller gets it. */
  readonly show: (event: EventRow) => EventData
}

/** The schedule as it is now, as the caller sees it. */
export async function scheduleFor(ctx: OpenCtx): Promise<ScheduleView> {
  const [schedule, channel, shutternautData] = await Promise.all([scheduleOf(ctx.node), lineupOf(ctx.node), photographersFor(ctx)])
  const { trip } = settingsOf(ctx.node)
  const followed = followedBy(ctx)
  const lineup = visibleLineup(ctx.node, channel)
  return {
    events: schedule.events,
    trip,
    find: (idOrUid) => schedule.find(idOrUid),
    show: (event) => eventData(trip, event, lineup, followed.has(event.id), shutternautData?.(event.id)),
  }
}

/** The events that the caller follows, by start. */
export async function listFavorites(ctx: Ctx): Promise<EventData[]> {
  const followed = followedBy(ctx)
  return await eventsWhere(ctx, ({ id }) => followed.has(id))
}

/** Ids of the events that the caller follows, by start. */
export async function followedIds(ctx: Ctx): Promise<string[]> {
  const followed = followedBy(ctx)
  return (await scheduleOf(ctx.node)).events.filter(({ id }) => followed.has(id)).map(({ id }) => id)
}

/** Follows an event; false if it was followed already. */
export async function followEvent(ctx: Ctx, eventId: string): Promise<boolean> {
  const { added } = await ctx.transaction(async (tx) => {
    const inserted = await insertFollower(tx.sql, ctx.viewer.id, eventId, tx.now)
    if (inserted === undefined) throw notAvailable('event')
    if (inserted) tx.emitConfirmed(userTopic, ctx.viewer.id, { type: 'followedEventsChanged' })
    return { added: inserted }
  })
  return added
}

/** Unfollows an event, also a deleted one; false if not followed. */
export async function unfollowEvent(ctx: Ctx, eventId: string): Promise<boolean> {
  const { removed } = await ctx.transaction(async (tx) => {
    const deleted = await deleteFollower(tx.sql, ctx.viewer.id, eventId)
    if (deleted) tx.emitConfirmed(userTopic, ctx.viewer.id, { type: 'followedEventsChanged' })
    return { removed: deleted }
  })
  return removed
}
