// What somebody types into a field for date and time is the ship's time of that day.
import { zoneAt } from './time.ts'

/**
 * `2026-03-03T19:00` by the clocks aboard, as the server takes it: it reads what it is sent in the zone that holds now, and keeps the
 * hands of the clock where they are, whatever zone holds on that day.
 */
export function fromShipTime(local: string): string {
  const asUtc = Date.parse(`${local}Z`)
  const now = zoneAt(Date.now())
  // Twice: the first guess may be on the other side of a change of summer time.
  const guess = asUtc - offsetAt(asUtc, now)
  return new Date(asUtc - offsetAt(guess, now)).toISOString()
}

/** A moment as a field for date and time shows it, by the clocks aboard. */
export function toShipTime(date: string): string {
  const moment = Date.parse(date)
  return new Date(moment + offsetAt(moment, zoneAt(moment))).toISOString().slice(0, 16)
}

/** So much later by the same clock. */
export const laterBy = (local: string, ms: number): string => new Date(Date.parse(`${local}Z`) + ms).toISOString().slice(0, 16)

/** Milliseconds that clocks of a zone are ahead of UTC. */
function offsetAt(moment: number, timeZone: string | undefined): number {
  const whole = Math.floor(moment / 1000) * 1000
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(whole)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - whole
}
