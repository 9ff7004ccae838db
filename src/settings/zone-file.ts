// Reads the file of the trip's zone changes. Two forms of a line, told apart by the second field:
// a number is an offset in hours before an abbreviation, anything else an abbreviation before a zone.
import { DateTime, IANAZone } from 'luxon'
import { isZone, type ZoneChange } from './trip.ts'

const weekMs = 7 * 24 * 3600 * 1000
/** How far ahead the last line of a file is looked at: every daylight saving time comes within a year. */
const yearMs = 53 * weekMs

const zonesByAbbreviation: Readonly<Record<string, string>> = {
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  AST: 'America/Halifax',
  ADT: 'America/Halifax',
  NST: 'America/St_Johns',
  NDT: 'America/St_Johns',
  UTC: 'UTC',
  GMT: 'UTC',
}

/** A line of the file. It has either a zone, or an offset that a zone has to be found for. */
interface Line {
  number: number
  activeDate: DateTime
  abbreviation: string
  offsetMinutes: number | undefined
  zoneId: string
}

/**
 * The changes in a file, in order of time. A line with an offset gets a zone that keeps this offset as
 * long as the line is in force.
 *
 * @throws Error with a sentence for people when a zone is unknown or there is no change at all.
 */
export function readZoneChanges(text: string, portZone: string): ZoneChange[] {
  const lines = linesOf(text).toSorted((a, b) => a.activeDate.toMillis() - b.activeDate.toMillis())
  if (lines.length === 0) throw new Error('The file of zone changes has no change in it.')
  return lines.map((line, index) => {
    const zoneId = line.offsetMinutes === undefined ? line.zoneId : zoneWith(line.offsetMinutes, line, lines[index + 1], portZone)
    if (!isZone(zoneId)) {
      throw new Error(`The time zone "${zoneId}" in line ${line.number} of the file of zone changes is not known.`)
    }
    return { activeDate: line.activeDate.toJSDate(), abbreviation: line.abbreviation, zoneId }
  })
}

function linesOf(text: string): Line[] {
  return text.split(/\r?\n/).flatMap((line, index): Line[] => {
    const [instant = '', second = '', third = ''] = line.split('\t').map((field) => field.trim())
    const activeDate = /^\d{8}T\d{6}Z$/.test(instant) ? DateTime.fromFormat(instant, "yyyyMMdd'T'HHmmss'Z'", { zone: 'utc' }) : undefined
    if (!activeDate?.isValid || second === '' || third === '') return []
    const offsetMinutes = /^[+-]?\d+(\.\d+)?$/.test(second) ? Math.round(Number(second) * 60) : undefined
    const abbreviation = offsetMinutes === undefined ? second : third
    return [{ number: index + 1, activeDate, abbreviation, offsetMinutes, zoneId: third }]
  })
}

/** The port's own zone if the line names it, else the abbreviation's customary zone or any other that keeps the offset until `next`. */
function zoneWith(offsetMinutes: number, { activeDate, abbreviation }: Line, next: Line | undefined, portZone: string): string {
  const inPort = activeDate.setZone(portZone).setLocale('en-US')
  if (inPort.offset === offsetMinutes && inPort.offsetNameShort === abbreviation) return portZone
  const fromMs = activeDate.toMillis()
  const untilMs = next ? next.activeDate.toMillis() : fromMs + yearMs
  const keepsOffset = (zoneId: string): boolean => {
    const zone = IANAZone.create(zoneId)
    if (!zone.isValid) return false
    for (let ms = fromMs; ms < untilMs; ms += weekMs) if (zone.offset(ms) !== offsetMinutes) return false
    return fromMs === untilMs || zone.offset(untilMs - 1) === offsetMinutes
  }
  const customary = zonesByAbbreviation[abbreviation]
  if (customary !== undefined && keepsOffset(customary)) return customary
  if (offsetMinutes === 0) return 'Etc/GMT'
  // The signs of these zones are the other way round.
  if (offsetMinutes % 60 === 0) return `Etc/GMT${offsetMinutes > 0 ? '-' : '+'}${Math.abs(offsetMinutes) / 60}`
  const place = Intl.supportedValuesOf('timeZone').find(keepsOffset)
  if (place !== undefined) return place
  // Phones know the names of places best: one that has the offset for now is better than a zone without a place.
  return customary !== undefined && IANAZone.create(customary).offset(fromMs) === offsetMinutes ? customary : fixedZone(offsetMinutes)
}

/** A zone without a place, for offsets that no place on earth keeps that long. */
function fixedZone(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes)
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
