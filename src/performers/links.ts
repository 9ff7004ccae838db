// Finds the events and performers that a spreadsheet names. Pure.
import type { Trip } from '../settings/trip.ts'
import { sheetTime, titleKey } from './rules.ts'
import type { Link, MatchableEvent, PerformerRow } from './rows.ts'
import type { EventPerformerValidationData } from './schemas.ts'
import type { Sheet, SheetLine } from './sheet.ts'

export interface LinksPlan {
  links: Link[]
  report: EventPerformerValidationData
}

/** More than anybody reads; the others are only counted. */
const maxErrors = 500

/** Decides about each row of a spreadsheet. */
export function planLinks(
  { lines, warnings }: Sheet,
  { performers, events, trip }: { performers: readonly PerformerRow[]; events: readonly MatchableEvent[]; trip: Trip },
): LinksPlan {
  const byName = new Map<string, PerformerRow>()
  for (const performer of performers) for (const name of performer.alternativeNames) byName.set(name, performer)
  for (const performer of performers) byName.set(performer.name, performer)
  const byStart = new Map<number, MatchableEvent[]>()
  for (const event of events) {
    const then = byStart.get(event.startTime.getTime())
    if (then) then.push(event)
    else byStart.set(event.startTime.getTime(), [event])
  }

  const errors = [...warnings]
  const names = new Set(lines.flatMap((line) => line.names))
  const missing = [...names].filter((name) => !byName.has(name))
  errors.push(...missing.map((name) => `There is no official performer named "${name}".`))
  const found = new Set([...names].flatMap((name) => byName.get(name)?.id ?? []))

  const links = new Map<string, Link>()
  let matched = 0
  for (const line of lines) {
    const event = eventOf(line, trip, byStart)
    if (typeof event === 'string') {
      errors.push(`Row ${line.row}: ${event}`)
      continue
    }
    matched++
    for (const name of line.names) {
      const performer = byName.get(name)
      if (performer) links.set(`${performer.id} ${event.id}`, { performerId: performer.id, eventId: event.id })
    }
  }
  return {
    links: [...links.values()],
    report: {
      oldPerformerCount: performers.length,
      newPerformerCount: names.size,
      missingPerformerCount: missing.length,
      noEventsPerformerCount: performers.filter(({ id }) => !found.has(id)).length,
      eventsWithPerformerCount: matched,
      unmatchedEventCount: lines.length - matched,
      errors: errors.length > maxErrors ? [...errors.slice(0, maxErrors), `And ${errors.length - maxErrors} more.`] : errors,
    },
  }
}

/** The event of a row, or a sentence that says why there is none. */
function eventOf(
  { day, start, title }: SheetLine,
  trip: Trip,
  byStart: ReadonlyMap<number, readonly MatchableEvent[]>,
): MatchableEvent | string {
  const at = sheetTime(trip, day, start)
  if (!at) return `"${day}" and "${start}" are no day and time, such as Sun and 3:05pm.`
  const then = byStart.get(at.getTime()) ?? []
  const same = then.find((event) => event.title === title)
  if (same) return same
  const alike = then.filter((event) => titleKey(event.title) === titleKey(title))
  if (alike.length > 1) return `More than one event on ${day} at ${start} may be "${title}".`
  return alike[0] ?? `There is no event "${title}" on ${day} at ${start}.`
}
