// Times as operators type and read them, by the clock of their machine.
import { DateTime } from 'luxon'
import { ConfigError } from '../core/base/config.ts'

const unitMs = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 }

/** `30m`, `3h` and `2d` after a moment, or a time such as `2026-11-27T18:00`; in milliseconds since 1970. */
export function momentOf(text: string, fromMs: number): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  if (number !== undefined) return fromMs + Number(number) * unitMs[unit as keyof typeof unitMs]
  const moment = DateTime.fromISO(text)
  if (!moment.isValid) throw new ConfigError(`A time is such as 30m, 3h, 2d or 2026-11-27T18:00, not "${text}".`)
  return moment.toMillis()
}

/** 2026-11-27 18:00 */
export function shownTime(moment: string | Date): string {
  return DateTime.fromJSDate(new Date(moment)).toFormat('yyyy-MM-dd HH:mm')
}
