// The life of an event: what has to be ready before it, what a host looks at each day, what is left to do at its end.
import { DateTime } from 'luxon'
import { isOwnText } from '../client/public-files.service.ts'
import type { Ctx, Node } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import { openAccounts } from '../operate/stores.findings.ts'
import { settingsOf } from '../settings/channel.ts'
import { tripDates } from '../settings/in-force.ts'
import { changeSettings } from '../settings/update.service.ts'
import { listBackups, operationsData } from './backups.service.ts'
import { selectState, selectTroubledJobs } from './checks.queries.ts'
import {
  countFarewells,
  selectDaySums,
  selectEnding,
  selectHours,
  selectReadiness,
  selectStarting,
  type Readiness,
} from './event.queries.ts'
import type { DayReportData, EventLifeData, StepData, TripData, TripUploadData } from './event.schemas.ts'
import { everybodyState } from './everybody.service.ts'
import { maxFailures } from '../core/outbox/jobs.ts'
import { backupSchedule } from './nightly.service.ts'
import { selectLastNight, selectOperations } from './operations.queries.ts'

const namedEvents = 8
/** Of one day. */
const shownWork = 100
const dayMs = 24 * 60 * 60_000

/** The event's name and dates. */
export function tripData(node: Node): TripData {
  const { values, trip } = settingsOf(node)
  return { eventName: values.eventName || node.config.eventName, startDate: trip.startDate, lengthInDays: trip.lengthInDays }
}

/** Sets the event's name and dates; in force on all nodes when the promise resolves. */
export async function setTrip(ctx: Ctx, { eventName, startDate, lengthInDays, basedOn }: TripUploadData): Promise<TripData> {
  await changeSettings(ctx, {
    values: { eventName: eventName.trim(), tripStartDate: startDate, tripLengthInDays: lengthInDays },
    enable: [],
    disable: [],
    check: (before) => {
      const seen = basedOn && JSON.stringify([basedOn.eventName, basedOn.startDate, basedOn.lengthInDays])
      const { startDate: start, lengthInDays: length } = tripDates(ctx.node.config, before)
      requireSame(seen, JSON.stringify([before.eventName || ctx.node.config.eventName, start, length]), 'the event')
    },
  })
  return tripData(ctx.node)
}

/** When the trip begins and ends, as instants. */
function spanOf(node: Node): { start: Date; end: Date } {
  const { trip } = settingsOf(node)
  const start = trip.start
  return { start, end: DateTime.fromJSDate(start, { zone: trip.portZone }).plus({ days: trip.lengthInDays }).toJSDate() }
}

/** The event from its preparation to its end. */
export async function eventLife(ctx: Ctx): Promise<EventLifeData> {
  const { node, nowMs } = ctx
  const now = new Date(nowMs)
  const { start, end } = spanOf(node)
  const phase = now < start ? 'before' : now < end ? 'during' : 'after'
  return {
    trip: tripData(node),
    startsAt: start,
    endsAt: end,
    phase,
    ...(phase === 'during' ? { day: settingsOf(node).trip.dayOf(now) + 1 } : {}),
    steps: await stepsOf(ctx, end),
    today: await dayOf(ctx, now),
    end: await endOf(ctx, end),
  }
}

/** What there is for the event: entries of the schedule count on its days, of which the last goes on until three in the morning. */
export async function readiness(ctx: Ctx): Promise<Readiness> {
  const { trip } = settingsOf(ctx.node)
  return await selectReadiness(ctx.sql, trip.start, trip.dayWindow(trip.lengthInDays - 1, 3).to)
}

async function stepsOf(ctx: Ctx, end: Date): Promise<StepData[]> {
  const { trip } = settingsOf(ctx.node)
  const [{ events, games, songs, codes, team }, open, { backups, schedule }] = await Promise.all([
    readiness(ctx),
    openAccounts(ctx.sql),
    listBackups(ctx),
  ])
  const weak = open.length
  const verified = backups.filter(({ verifiedAt }) => verifiedAt !== undefined).length
  const texts = (await isOwnText(ctx.node, 'codeofconduct.md')) ? 1 : 0
  const any = (name: StepData['name'], count: number): StepData => ({ name, isDone: count > 0, count })
  return [
    { name: 'trip', isDone: tripData(ctx.node).eventName !== '' && end.getTime() > ctx.nowMs, count: trip.lengthInDays },
    any('schedule', events),
    any('games', games),
    any('songs', songs),
    any('codes', codes),
    any('team', team),
    any('texts', texts),
    { name: 'passwords', isDone: weak === 0, count: weak },
    { name: 'backup', isDone: schedule.nightly && verified > 0, count: verified },
  ]
}

async function dayOf(ctx: Ctx, now: Date): Promise<EventLifeData['today']> {
  const { trip } = settingsOf(ctx.node)
  const { floatingNow } = settingsOf(ctx.node).shipTimeAt(now.getTime())
  const { from, to } = trip.dayWindow(trip.dayOf(floatingNow), 0)
  const [{ openReports }, { failed: failedJobs }, starting, ending, lastNight] = await Promise.all([
    selectState(ctx.sql),
    selectTroubledJobs(ctx.sql, now, maxFailures),
    selectStarting(ctx.sql, from, to),
    selectEnding(ctx.sql, floatingNow, to),
    selectLastNight(ctx.sql),
  ])
  return {
    openReports,
    failedJobs,
    ...(lastNight ? { lastNight: (await operationsData(ctx, [lastNight]))[0]! } : {}),
    nightly: backupSchedule(ctx.node).nightly,
    eventsToday: starting.length,
    nextEvents: starting
      .filter(({ startTime }) => startTime >= floatingNow)
      .slice(0, namedEvents)
      .map(({ id, title, location, startTime }) => ({ eventID: id, text: title, location, at: trip.portToDisplay(startTime) })),
    announcementsEnding: ending.map(({ text, displayUntil }) => ({ text, at: trip.portToDisplay(displayUntil) })),
  }
}

async function endOf(ctx: Ctx, end: Date): Promise<EventLifeData['end']> {
  const { floatingNow } = settingsOf(ctx.node).shipTimeAt(ctx.nowMs)
  const { backups } = await listBackups(ctx)
  const final = backups.find(({ createdAt }) => createdAt >= end)
  const everybody = await everybodyState(ctx)
  return {
    farewells: await countFarewells(ctx.sql, floatingNow, end),
    ...everybody,
    ...(final ? { finalBackup: final.name } : {}),
    ...(final?.verifiedAt ? { finalBackupVerifiedAt: final.verifiedAt } : {}),
  }
}

/** A day aboard in figures; the present one unless another is named. */
export async function dayReport(ctx: Ctx, date: string | undefined): Promise<DayReportData> {
  const { trip } = settingsOf(ctx.node)
  const now = new Date(ctx.nowMs)
  const zone = trip.zoneAt(date === undefined ? now : new Date(`${date}T12:00:00Z`)).id
  const midnight = date === undefined ? DateTime.fromJSDate(now, { zone }).startOf('day') : DateTime.fromISO(date, { zone })
  if (!midnight.isValid) throw badRequest('day_invalid', 'date must be a day such as 2026-03-01.')
  const [from, to] = [midnight.toJSDate(), midnight.plus({ days: 1 }).toJSDate()]
  const [rows, sums, work] = await Promise.all([
    selectHours(ctx.sql, from, to),
    selectDaySums(ctx.sql, from, to),
    selectOperations(ctx.sql, ['backup', 'verify'], shownWork, [from, to]),
  ])
  const day = trip.dayOf(new Date(from.getTime() + dayMs / 2))
  const sum = (field: 'posts' | 'requests' | 'errors') => rows.reduce((all, row) => all + row[field], 0)
  const free = rows.flatMap(({ diskFreeMb }) => diskFreeMb ?? [])
  const slowest = rows.flatMap(({ p99 }) => p99 ?? [])
  return {
    eventName: tripData(ctx.node).eventName,
    date: midnight.toISODate() ?? '',
    ...(day >= 0 && day < trip.lengthInDays ? { day: day + 1 } : {}),
    from,
    to,
    hours: rows.map(({ at, online, posts, requests, errors }) => ({ at, online, posts, requests, errors })),
    mostOnline: Math.max(0, ...rows.map(({ online }) => online)),
    posts: sum('posts'),
    requests: sum('requests'),
    errors: sum('errors'),
    ...sums,
    backups: await operationsData(ctx, work),
    ...(free.length > 0 ? { diskFreeMb: Math.min(...free) } : {}),
    ...(slowest.length > 0 ? { p99: Math.round(Math.max(...slowest)) } : {}),
  }
}
