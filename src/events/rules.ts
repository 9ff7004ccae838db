// Who may know of the photographers of events; whether a calendar is one of this trip. Pure.
import { atLeast, type Viewer } from '../core/base/viewer.ts'
import type { Trip } from '../settings/trip.ts'
import type { ScheduledEvent } from './rows.ts'

/** Photographers, their managers and the team. */
export const isPhotoCrew = ({ roles, level }: Viewer): boolean =>
  roles.has('shutternaut') || roles.has('shutternautmanager') || atLeast(level, 'serviceteam')

type Starting = Pick<ScheduledEvent, 'startTime'>

/** An event begins on a day of the trip; the last night goes on until three in the morning. */
export const isInTrip = (trip: Trip, { startTime }: Starting): boolean =>
  startTime >= trip.start && startTime < trip.dayWindow(trip.lengthInDays - 1, 3).to

/** So many events of a calendar begin on none of the trip's days. */
export const countElsewhere = (trip: Trip, calendar: readonly Starting[]): number =>
  calendar.filter((event) => !isInTrip(trip, event)).length

/** True for a calendar of which no event or few are in the trip: that of last year, or of another one. */
export const isOfAnotherTrip = (trip: Trip, calendar: readonly Starting[]): boolean =>
  calendar.length > 0 && 2 * countElsewhere(trip, calendar) > calendar.length
