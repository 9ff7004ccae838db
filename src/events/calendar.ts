// Reads iCalendar text into events. ical.js takes content lines apart; which lines count, and where one
// that cannot be read stands, is decided here. Pure.
import { setImmediate as nextTurn } from 'node:timers/promises'
import ICAL from 'ical.js'
import { DateTime, IANAZone } from 'luxon'
import type { ScheduledEvent } from './rows.ts'
import { eventTypeOf } from './types.ts'

/** A calendar that cannot be read. `message` is a whole sentence for people and names the line. */
export class CalendarError extends Error {
  override name = 'CalendarError'
}

const maxEvents = 5000
/** Of one line with its continuations. */
const maxLineLength = 50_000
const maxZones = 100
const maxLengths = { title: 500, location: 500, uid: 500, description: 20_000 } as const
/** Other work gets its turn this often while a long file is read. */
const breatheAfterMs = 5

/**
 * The events of a calendar; of those with the same UID the first. An empty text has none. Floating times
 * of the file are read in the port's zone.
 *
 * @throws CalendarError as soon as a line cannot be read: half a schedule is worse than the old one.
 */
export async function readCalendar(file: string, portZone: string): Promise<ScheduledEvent[]> {
  const text = file.replace(/^\uFEFF/, '')
  const reader = new CalendarReader(portZone)
  const take = (line: string, at: number) => {
    try {
      reader.take(line, at)
    } catch (error) {
      if (error instanceof LineError) throw new CalendarError(`Line ${lineNumber(text, error.at)} of the calendar: ${error.message}`)
      throw error
    }
  }
  let [line, startedAt, breathedMs] = ['', 0, performance.now()]
  for (const { 0: raw, index } of text.matchAll(/[^\r\n]+/g)) {
    // A line that begins with a space continues the one before.
    if (line !== '' && /^\s/.test(raw)) line += raw.slice(1)
    else {
      take(line, startedAt)
      ;[line, startedAt] = [raw, index]
    }
    if (performance.now() - breathedMs > breatheAfterMs) {
      await nextTurn()
      breathedMs = performance.now()
    }
  }
  take(line, startedAt)
  take(endOfText, text.length)
  return reader.events
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

function lineNumber(text: string, at: number): number {
  let number = 1
  for (let index = 0; index < at; index++) {
    const unit = text.charCodeAt(index)
    // CR LF is one end of a line.
    if (unit === lineFeed || (unit === carriageReturn && text.charCodeAt(index + 1) !== lineFeed)) number++
  }
  return number
}

/** No content line is empty of letters. */
const endOfText = '\n'

/** The fault of the line that begins at an index of the text. */
class LineError extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** An event whose end has not been read. */
interface OpenEvent {
  at: number
  /** Components within it, such as alarms, that have not ended: their properties are not the event's. */
  inside: string[]
  found: Partial<ScheduledEvent>
}

class CalendarReader {
  readonly events: ScheduledEvent[] = []
  readonly #portZone: string
  readonly #uids = new Set<string>()
  /** By their names in lower case. */
  readonly #zones = new Map<string, string>()
  #event: OpenEvent | undefined
  #calendarAt: number | undefined
  #isCalendar = false

  constructor(portZone: string) {
    this.#portZone = portZone
  }

  /** Takes one whole content line that begins at `at`. */
  take(line: string, at: number): void {
    if (line === endOfText) return this.#end()
    if (line.trim() === '') return
    if (line.length > maxLineLength) throw new LineError(at, 'it is too long.')
    if (line.includes('\0')) throw new LineError(at, 'it holds a NUL character.')
    const [, bound] = /^(BEGIN|END):/i.exec(line) ?? []
    const name = bound === undefined ? '' : line.slice(bound.length + 1).trim()
    if (bound === undefined || /\s/.test(name)) return this.#property(line, at)
    if (bound.toUpperCase() === 'BEGIN') this.#begins(name.toUpperCase(), at)
    else this.#ends(name.toUpperCase(), at)
  }

  #begins(component: string, at: number): void {
    if (component === 'VCALENDAR') {
      if (this.#calendarAt !== undefined) throw new LineError(at, 'a calendar begins within another one.')
      this.#calendarAt = at
      this.#isCalendar = true
    }
    if (!this.#event) {
      if (component !== 'VEVENT') return
      this.#isCalendar = true
      this.#event = { at, inside: [], found: {} }
    } else if (component === 'VEVENT') throw new LineError(at, 'an event begins within another one.')
    else this.#event.inside.push(component)
  }

  #ends(component: string, at: number): void {
    if (!this.#event) {
      if (component === 'VEVENT') throw new LineError(at, 'an event ends that has not begun.')
      if (component === 'VCALENDAR') this.#calendarAt = undefined
      return
    }
    const expected = this.#event.inside.pop() ?? 'VEVENT'
    if (component !== expected) throw new LineError(at, `END:${expected} should come before this.`)
    if (component === 'VEVENT') this.#finish(this.#event)
  }

  #end(): void {
    if (this.#event) throw new LineError(this.#event.at, 'this event has no end.')
    if (this.#calendarAt !== undefined) throw new LineError(this.#calendarAt, 'this calendar has no end.')
  }

  #finish({ at, found }: OpenEvent): void {
    this.#event = undefined
    const { uid, title, startTime, endTime, description = '', location = '', eventType = 'general' } = found
    const missing = Object.entries({ UID: uid, SUMMARY: title, DTSTART: startTime, DTEND: endTime }).find(
      ([, value]) => value === undefined,
    )
    if (missing) throw new LineError(at, `this event has no ${missing[0]}.`)
    if (this.#uids.has(uid as string)) return
    if (this.events.length === maxEvents) throw new LineError(at, `there can be at most ${maxEvents} events.`)
    this.#uids.add(uid as string)
    this.events.push({
      uid: uid as string,
      title: title as string,
      description,
      location,
      eventType,
      startTime: startTime as Date,
      endTime: endTime as Date,
    })
  }

  #property(line: string, at: number): void {
    if (!this.#isCalendar) throw new LineError(at, 'this is not a calendar.')
    if (!this.#event || this.#event.inside.length > 0) return
    const name = /^[A-Za-z0-9-]+(?=[;:])/.exec(line)?.[0].toUpperCase()
    if (name === undefined) throw new LineError(at, 'it could not be understood.')
    const { found } = this.#event
    switch (name) {
      case 'SUMMARY':
        found.title = textOf('title', line, at)
        break
      case 'DESCRIPTION':
        found.description = textOf('description', line, at)
        break
      case 'LOCATION':
        found.location = textOf('location', line, at)
        break
      case 'CATEGORIES':
        found.eventType = eventTypeOf(textOf('title', line, at))
        break
      case 'UID':
        found.uid = uidOf(line, at)
        break
      case 'DTSTART':
        found.startTime = this.#instantOf(line, at)
        break
      case 'DTEND':
        found.endTime = this.#instantOf(line, at)
        break
      case 'RRULE':
      case 'RDATE':
        throw new LineError(at, 'events that repeat are not understood.')
      default:
    }
  }

  /** Asked once for each zone: the answer costs memory that does not come back. */
  #zoneIn({ tzid }: Record<string, unknown>, at: number): string | undefined {
    if (tzid === undefined) return undefined
    const zone = String(tzid).replace(/^\//, '')
    const key = zone.toLowerCase()
    const known = this.#zones.get(key)
    if (known !== undefined) return known
    if (this.#zones.size === maxZones) throw new LineError(at, `there can be at most ${maxZones} time zones.`)
    if (!IANAZone.isValidZone(zone)) throw new LineError(at, `the time zone ${zone.slice(0, 100)} is not known.`)
    this.#zones.set(key, zone)
    return zone
  }

  #instantOf(line: string, at: number): Date {
    const { parameters } = takeApart(line, at)
    const [, local, utc] = /:(\d{8}T\d{6})(Z?)\s*$/.exec(line) ?? []
    if (local === undefined) throw new LineError(at, 'a date and time such as 20250302T130000Z is needed.')
    const zone = utc === 'Z' ? 'UTC' : (this.#zoneIn(parameters, at) ?? this.#portZone)
    const time = DateTime.fromISO(local, { zone })
    if (!time.isValid || time.year < 1970 || time.year > 2200) throw new LineError(at, `${local} is no date and time.`)
    return time.toJSDate()
  }
}

/** The first of a line's texts, without escapes. Feeds that come out of web pages hold HTML's ampersand. */
function textOf(field: keyof typeof maxLengths, line: string, at: number): string {
  const { value } = takeApart(line, at)
  if (typeof value !== 'string') throw new LineError(at, 'a text is needed.')
  return bounded(field, value.replace(/&amp;/gi, '&'), at)
}

/** Kept as it is written: it is only ever compared. */
function uidOf(line: string, at: number): string {
  takeApart(line, at)
  const uid = line.slice(line.indexOf(':') + 1).trim()
  if (uid === '') throw new LineError(at, 'the UID is empty.')
  return bounded('uid', uid, at)
}

function bounded(field: keyof typeof maxLengths, value: string, at: number): string {
  if (value.length > maxLengths[field]) throw new LineError(at, `at most ${maxLengths[field]} characters are possible.`)
  return value
}

function takeApart(line: string, at: number): { parameters: Record<string, unknown>; value: unknown } {
  try {
    const [, parameters, , value] = ICAL.parse.property(line) as [string, Record<string, unknown>, string, unknown]
    return { parameters, value }
  } catch {
    throw new LineError(at, 'it could not be understood.')
  }
}
