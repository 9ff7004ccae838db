// The kinds of events, by the words of the server.
import { t, type TextKey } from '../texts.ts'

const names: Readonly<Record<string, TextKey>> = {
  Gaming: 'event.gaming',
  Official: 'event.official',
  'Live Podcast': 'event.podcast',
  'Main Concert': 'event.concert',
  'Office Hours': 'event.officeHours',
  Party: 'event.party',
  'Q&A/Panel': 'event.panel',
  'Reading/Performance': 'event.reading',
  'Shadow Event': 'event.shadow',
  Signing: 'event.signing',
  Workshop: 'event.workshop',
  Dining: 'event.dining',
}

/** As people read it; a kind that is not known here keeps its own word. */
export const typeName = (type: string): string => (names[type] ? t(names[type]) : type)

const kinds = Object.keys(names)

/** A colour for each kind, as an angle: kinds that are known stand apart, another has one of its own word. */
export function hueOf(type: string): number {
  const known = kinds.indexOf(type)
  // Steps of the golden angle: neighbours in the list are far from each other.
  if (known >= 0) return Math.round(known * 137.5) % 360
  return Array.from(type).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7)
}
