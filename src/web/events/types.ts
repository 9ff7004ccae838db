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
