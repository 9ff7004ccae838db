// What somebody types into a field for date and time is the ship's time.
import { shipZone } from './time.ts'

/** `2026-03-03T19:00` by the clocks aboard, as the moment it is. */
export function fromShipTime(local: string): string {
  const asUtc = Date.parse(`${local}Z`)
  // Twice: the first guess may be on the other side of a change of the clocks.
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess)).toISOString()
}

/** A moment as a field for date and time shows it, by the clocks aboard. */
export function toShipTime(date: string): string {
  const moment = Date.parse(date)
  return new Date(moment + offsetAt(moment)).toISOString().slice(0, 16)
}

/** Milliseconds that clocks aboard are ahead of UTC. */
function offsetAt(moment: number): number {
  const whole = Math.floor(moment / 1000) * 1000
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: shipZone.value,
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
