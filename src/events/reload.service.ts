// Updating the schedule from the address that publishes it, once an hour and when somebody asks for it.
import { builtIn } from '../accounts/rows.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { DownloadError } from '../core/http/download.ts'
import { settingsOf } from '../settings/channel.ts'
import { applyCalendar, tellOfUpdate } from './apply.service.ts'
import { CalendarError, readCalendar } from './calendar.ts'
import { scheduleId, scheduleKind } from './channel.ts'
import { noteMoves } from './followers.service.ts'
import { countChanges, type Difference } from './difference.ts'
import { fetchFeed } from './feed.ts'
import { insertHourMark } from './queries.ts'
import type { ScheduledEvent } from './rows.ts'
import { countElsewhere, isInTrip, isOfAnotherTrip } from './rules.ts'
import { insertLogEntry } from './update.queries.ts'
import { differenceData, logEntryOf } from './views.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const fetchWithinMs = 8000
/** More than these in one run look like a broken feed. */
const maxDeletions = 50

/** A calendar that a program alone must not apply. */
class RefusedUpdate extends Error {}

/** Orders the hour's update when its fifth minute has come; each hour once, however many workers there are. */
export async function orderHourlyUpdate(ctx: Ctx<undefined>): Promise<void> {
  const { config } = ctx.node
  if (!config.scheduleTimer || settingsOf(ctx.node).values.scheduleUpdateURL === '') return
  const hour = new Date(Math.floor((ctx.nowMs - 5 * minuteMs) / hourMs) * hourMs + 5 * minuteMs)
  await ctx.transaction(async (tx) => {
    if (await insertHourMark(tx.sql, hour, tx.now)) tx.enqueue('schedule-reload', {})
  })
}

/** A calendar, or the reason why there is none; undefined: there is no address any more. */
type Fetched = { calendar: ScheduledEvent[] } | { error: string } | undefined

/** Fetches the calendar. */
export async function fetchSchedule(ctx: Ctx<undefined>): Promise<Fetched> {
  const { values, trip } = settingsOf(ctx.node)
  if (values.scheduleUpdateURL === '') return undefined
  try {
    return { calendar: await readCalendar(await fetchFeed(values.scheduleUpdateURL, fetchWithinMs), trip.portZone) }
  } catch (error) {
    if (error instanceof DownloadError || error instanceof CalendarError) return { error: error.message }
    throw error
  }
}

/** Applies a fetched calendar with everything that belongs to it. What comes of it is logged, failures of the calendar too. */
export async function updateFromFeed(tx: Tx<undefined>, _payload: unknown, fetched: Fetched): Promise<void> {
  if (!fetched) return
  try {
    if ('error' in fetched) throw new RefusedUpdate(fetched.error)
    await applyFeed(tx, fetched.calendar)
  } catch (error) {
    if (!(error instanceof RefusedUpdate)) throw error
    tx.ctx.log.warn({ reason: error.message }, 'the schedule was not updated')
    await insertLogEntry(tx.sql, { automatic: true, changeCount: 0, error: error.message }, tx.now)
  }
}

async function applyFeed(tx: Tx<undefined>, calendar: readonly ScheduledEvent[]): Promise<void> {
  const { node } = tx.ctx
  const { trip } = settingsOf(node)
  const newId = () => node.random.uuid()
  const { difference, before, moves } = await applyCalendar(tx.sql, {
    calendar,
    processDeletes: true,
    forumPosts: true,
    authorId: builtIn.admin,
    trip,
    now: tx.now,
    newId,
    check: requireHarmless,
  })
  const entry = logEntryOf(difference, differenceData(trip, difference, newId, tx.now))
  await insertLogEntry(tx.sql, { automatic: true, ...entry, before }, tx.now)
  if (countChanges(difference) > 0) tx.emitConfirmed(scheduleKind, scheduleId, { type: 'changed' })
  await noteMoves(tx, moves)
  tellOfUpdate(tx, difference)

  function requireHarmless({ deleted }: Difference): void {
    if (deleted.length > 0 && calendar.length === 0) throw new RefusedUpdate('The calendar is empty. A schedule is only emptied by hand.')
    if (deleted.some((event) => isInTrip(trip, event)) && isOfAnotherTrip(trip, calendar))
      throw new RefusedUpdate(
        `${countElsewhere(trip, calendar)} of the ${calendar.length} events in the calendar begin on none of the trip's days. Such a calendar is only applied by hand.`,
      )
    if (deleted.length > maxDeletions)
      throw new RefusedUpdate(`The calendar would delete ${deleted.length} events. More than ${maxDeletions} are only deleted by hand.`)
  }
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'schedule-reload': Record<string, never>
  }
}
