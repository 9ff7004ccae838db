// The kinds of events: what they are called in the calendar, in the API and by people.

const eventTypes = [
  'gaming',
  'general',
  'livePodcast',
  'mainConcert',
  'officeHours',
  'party',
  'qaPanel',
  'readingPerformance',
  'shadow',
  'signing',
  'workshop',
  'dining',
] as const
export type EventType = (typeof eventTypes)[number]

/** Types of events, as clients get them. */
export const eventTypeLabels: Readonly<Record<EventType, string>> = {
  gaming: 'Gaming',
  general: 'Official',
  livePodcast: 'Live Podcast',
  mainConcert: 'Main Concert',
  officeHours: 'Office Hours',
  party: 'Party',
  qaPanel: 'Q&A/Panel',
  readingPerformance: 'Reading/Performance',
  shadow: 'Shadow Event',
  signing: 'Signing',
  workshop: 'Workshop',
  dining: 'Dining',
}

const byCategory = new Map<string, EventType>([
  ['GAMING', 'gaming'],
  ['LIVE PODCAST', 'livePodcast'],
  ['MAIN CONCERT', 'mainConcert'],
  ['OFFICE HOURS', 'officeHours'],
  ['PARTY', 'party'],
  ['Q&A / PANEL', 'qaPanel'],
  ['Q&A', 'qaPanel'],
  ['PANEL', 'qaPanel'],
  ['READING / PERFORMANCE', 'readingPerformance'],
  ['READING', 'readingPerformance'],
  ['PERFORMANCE', 'readingPerformance'],
  ['SHADOW CRUISE', 'shadow'],
  ['SIGNING', 'signing'],
  ['WORKSHOP', 'workshop'],
  ['DINING', 'dining'],
])

/** The type for a category of the calendar; unknown ones are general. */
export const eventTypeOf = (category: string): EventType => byCategory.get(category.trim().toUpperCase()) ?? 'general'
