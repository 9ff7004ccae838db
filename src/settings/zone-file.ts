// Reads the file of the trip's zone changes. Two forms of a line, told apart by the second field:
// a number is an offset in hours before an abbreviation, anything else an abbreviation before a zone.
import { DateTime, IANAZone } from 'luxon'
import type { ZoneChange } from './trip.ts'

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
  UTC: 'UTC',
  GMT: 'UTC',
}

/**
 * The changes in a file, in order of time.
 *
 * @throws Error with a sentence for people when a zone is unknown or there is no change at all.
 */
export function readZoneChanges(text: string, portZone: string): ZoneChange[] {
  const changes = text.split(/\r?\n/).flatMap((line) => {
    const [instant = '', second = '', third = ''] = line.split('\t').map((field) => field.trim())
    const activeDate = /^\d{8}T\d{6}Z$/.test(instant) ? DateTime.fromFormat(instant, "yyyyMMdd'T'HHmmss'Z'", { zone: 'utc' }) : undefined
    if (!activeDate?.isValid || second === '' || third === '') return []
    const offset = /^[+-]?\d+(\.\d+)?$/.test(second) ? Number(second) : undefined
    const abbreviation = offset === undefined ? second : third
    const zoneId = offset === undefined ? third : zoneOf(activeDate, offset, abbreviation, portZone)
    if (!IANAZone.isValidZone(zoneId)) throw new Error(`The time zone "${zoneId}" in the file of zone changes is not known.`)
    return [{ activeDate: activeDate.toJSDate(), abbreviation, zoneId }]
  })
  if (changes.length === 0) throw new Error('The file of zone changes has no change in it.')
  return changes.sort((a, b) => a.activeDate.getTime() - b.activeDate.getTime())
}

function zoneOf(at: DateTime, offsetHours: number, abbreviation: string, portZone: string): string {
  const inPort = at.setZone(portZone).setLocale('en-US')
  if (inPort.offset === offsetHours * 60 && inPort.offsetNameShort === abbreviation) return portZone
  // The signs of these zones are the other way round.
  return (
    zonesByAbbreviation[abbreviation] ?? (offsetHours === 0 ? 'Etc/GMT' : `Etc/GMT${offsetHours > 0 ? '-' : '+'}${Math.abs(offsetHours)}`)
  )
}
