// Rules of performers: their order, who may edit their own page, and how spreadsheets name events. Pure.
import { DateTime } from 'luxon'
import { isModerator, type Viewer } from '../core/base/viewer.ts'
import type { Trip } from '../settings/trip.ts'
import { sortKey } from '../text/sort-key.ts'
import { profileFields, type PerformerRow, type Profile } from './rows.ts'
import type { PerformerUploadData } from './schemas.ts'

/** Lists are in the order of the last word of a name. */
export const nameKey = (name: string): string => sortKey(name.trim().split(/\s+/).at(-1) ?? '')

/** Distinct years, ascending. */
export const sortedYears = (years: readonly number[]): number[] => [...new Set(years)].toSorted((a, b) => a - b)

/** The fields of a profile; absent ones are null. */
export function profileOf(given: Partial<Record<keyof Profile, string | null>>): Profile {
  return Object.fromEntries(profileFields.map((field) => [field, given[field] ?? null])) as Profile
}

/** A performer as they were sent; `photo` is stored already. */
export function rowOf(
  upload: PerformerUploadData,
  photo: string | null,
  identity: Pick<PerformerRow, 'id' | 'accountId' | 'isOfficial'>,
): PerformerRow {
  return {
    ...identity,
    ...profileOf(upload),
    name: upload.name.trim(),
    photo,
    yearsAttended: sortedYears(upload.yearsAttended),
    alternativeNames: upload.alternativeNames ?? [],
  }
}

/** How many events a user may have claimed before they claim another. */
export const maxClaimedBefore = 5

/** Users edit their own page during pre-registration, and always with a role. */
export const mayEditOwnPage = (viewer: Viewer, isPreregistration: boolean): boolean =>
  isPreregistration || viewer.roles.has('performerselfeditor')

/** As `mayEditOwnPage`; moderators may always take theirs away. */
export const mayRemoveOwnPage = (viewer: Viewer, isPreregistration: boolean): boolean =>
  mayEditOwnPage(viewer, isPreregistration) || isModerator(viewer)

/** A title as a spreadsheet and the schedule have in common: without what is quoted, case, accents and kinds of quotes and spaces. */
export function titleKey(title: string): string {
  const straight = title
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u2033]/g, '"')
  return sortKey(straight.replace(/"[^"]*"/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}

/** The first such moment after the trip has begun, as a floating time; undefined when a day or a time is none. */
export function sheetTime(trip: Trip, day: string, start: string): Date | undefined {
  if (!/^(sun|mon|tue|wed|thu|fri|sat)$/i.test(day)) return undefined
  const time = /^all day$/i.test(start) ? { hour: 7, minute: 0 } : clockTime(start)
  if (!time) return undefined
  const at = DateTime.fromISO(trip.startDate, { zone: trip.portZone })
    .plus({ days: trip.dayNamed(day) })
    .set(time)
  return (at.toJSDate() > trip.start ? at : at.plus({ days: 7 })).toJSDate()
}

/** `3:05pm`. */
function clockTime(text: string): { hour: number; minute: number } | undefined {
  const [, hour, minute, half] = /^(\d{1,2}):(\d\d) ?([ap])m$/i.exec(text) ?? []
  if (hour === undefined || minute === undefined || half === undefined) return undefined
  if (Number(hour) < 1 || Number(hour) > 12 || Number(minute) > 59) return undefined
  return { hour: (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minute: Number(minute) }
}
