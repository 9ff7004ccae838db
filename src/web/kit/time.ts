// Times as clocks aboard show them: each moment in the zone that holds then. Zones come from the server: a phone may still be in
// another one.
import { signal } from '@preact/signals'
import { locale, t } from '../texts.ts'

const key = 'zone'
export const zonesKey = 'zones'

/** IANA name of the ship's zone; undefined until it is known: then the device's counts. */
export const shipZone = signal(localStorage.getItem(key) ?? undefined)

export function setShipZone(zone: string): void {
  if (zone === shipZone.value || zone === '') return
  shipZone.value = zone
  localStorage.setItem(key, zone)
}

/** From which moment, in milliseconds since 1970, which zone holds aboard; oldest first, and none while they are not known. */
export type Zones = readonly (readonly [from: number, zone: string])[]
export const zones = signal<Zones>(JSON.parse(localStorage.getItem(zonesKey) ?? '[]') as Zones)

/** The zone of the clocks aboard at a moment; undefined: that of the device. */
export const zoneAt = (moment: number): string | undefined => zones.value.findLast(([from]) => from <= moment)?.[1] ?? shipZone.value

/** By language, zone and options. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(date: string | Date, options: Intl.DateTimeFormatOptions, writing = locale(), zone = zoneAt) {
  const moment = new Date(date)
  const timeZone = zone(moment.getTime())
  // No two of the options below have the same values.
  const wanted = [writing, timeZone, ...Object.values(options)].join()
  let found = formats.get(wanted)
  if (!found) formats.set(wanted, (found = new Intl.DateTimeFormat(writing, { timeZone, ...options })))
  // Where there is little room, the half of the day goes below the hour.
  return found.format(moment).replace('\u202f', ' ')
}

const hours12 = { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' } as const
const hours24 = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

export const clocks = ['auto', '12', '24'] as const
export type Clock = (typeof clocks)[number]
/** Of twelve or of 24 hours; `auto`: as the device's country has it. */
export const clockOf = signal((localStorage.getItem('clock') as Clock | null) ?? 'auto')

export function chooseClock(chosen: Clock): void {
  clockOf.value = chosen
  localStorage.setItem('clock', chosen)
}

/** Whether a country counts to twelve. */
const counts12 = new Map<string, boolean>()

function hours() {
  if (clockOf.value !== 'auto') return clockOf.value === '12' ? hours12 : hours24
  const writing = locale()
  let is12 = counts12.get(writing)
  if (is12 === undefined)
    counts12.set(writing, (is12 = new Intl.DateTimeFormat(writing, { hour: 'numeric' }).resolvedOptions().hour12 ?? false))
  return is12 ? hours12 : hours24
}

const weekdayOptions = { weekday: 'long' } as const
const shortWeekdayOptions = { weekday: 'short' } as const
const fullDayOptions = { weekday: 'long', day: 'numeric', month: 'long' } as const
const shortDayOptions = { day: 'numeric', month: 'short' } as const
const dayKeyOptions = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

/** 14:05, or 2:05 PM */
export const clock = (date: string | Date) => format(date, hours())
/** The same on the device's own clock. */
export const deviceClock = (date: string | Date) => format(date, hours(), locale(), () => undefined)
/** 14:05 as a field for times has it, whatever clock its reader prefers. */
export const clockField = (date: string | Date) => format(date, hours24, 'en-GB')
/** Tuesday */
export const weekday = (date: string | Date) => format(date, weekdayOptions)
/** Tue */
export const shortWeekday = (date: string | Date) => format(date, shortWeekdayOptions)
/** Tuesday, 3 March */
export const fullDay = (date: string | Date) => format(date, fullDayOptions)
/** 2026-03-03: the same for all moments of one day aboard. */
export const dayKey = (date: string | Date) => format(date, dayKeyOptions, 'en-US').replace(/^(\d+)\/(\d+)\/(\d+)$/, '$3-$1-$2')

/** The clock today, the weekday within a week, else the date. */
export function when(date: string): string {
  if (dayKey(date) === dayKey(new Date())) return clock(date)
  const days = Math.abs(Date.now() - new Date(date).getTime()) / (24 * 60 * 60_000)
  return days < 6 ? `${shortWeekday(date)} ${clock(date)}` : format(date, shortDayOptions)
}

const hourMs = 60 * 60_000

/** "in 20 min", "today", "tomorrow" or the weekday; "over" after its end, or after an hour where nobody has said when that is. */
export function until(date: string, end?: string): string {
  const minutes = Math.round((new Date(date).getTime() - Date.now()) / 60_000)
  if (Date.now() > (end === undefined ? Date.parse(date) + hourMs : Date.parse(end))) return t('isOver')
  if (minutes < 0) return t('now')
  if (minutes < 90) return t('minutes', { n: minutes })
  if (dayKey(date) === dayKey(new Date())) return t('today')
  return shortWeekday(date)
}
