// The categories that exist from the first start. Code that makes forums for events finds theirs by the
// beginnings of the titles, `event` and `shadow`.
import type { NewCategory } from './queries.ts'

const id = (number: number) => `00000000-0000-4000-8000-${String(300 + number).padStart(12, '0')}`

/** Everybody reads them, also users who are not verified yet. */
const open = { viewLevel: 'unverified', createLevel: 'verified', isEvent: false, requiredRole: null } as const
const official = { ...open, createLevel: 'moderator' } as const
const forModerators = { ...official, viewLevel: 'moderator' } as const

export const defaultCategories: readonly NewCategory[] = [
  { ...forModerators, id: id(1), title: 'Moderators Only', purpose: 'Discussions among moderators. Nobody else sees this category.' },
  { ...forModerators, id: id(2), title: 'Mods Only Dumpster Fire', purpose: 'Where moderators put threads that went up in flames.' },
  { ...official, id: id(3), title: 'Event Forums', purpose: 'One thread for each official event.', isEvent: true },
  {
    ...official,
    id: id(4),
    title: 'Shadow Event Forums',
    purpose: 'One thread for each event that people of the community run.',
    isEvent: true,
  },
  { ...official, id: id(5), title: 'Splashdot', purpose: 'News from the people behind the event.' },
  { ...open, id: id(6), title: 'Help Desk', purpose: 'Ask, and somebody will know.' },
  { ...open, id: id(7), title: 'General', purpose: 'Anything under the sun.' },
  { ...open, id: id(8), title: 'Activities', purpose: 'Things to do that are not on the schedule.' },
  { ...open, id: id(9), title: 'Safe Space', purpose: 'For when you need a kind word. Be supportive here.' },
  { ...open, id: id(10), title: 'Egype', purpose: 'Jokes and pictures about performers and whatever just happened.' },
  { ...open, id: id(11), title: 'Food & Drink', purpose: 'What to eat and what to drink, with photos.' },
  { ...open, id: id(12), title: 'Shutternauts', purpose: 'For the photographers who cover the event.', requiredRole: 'shutternaut' },
]
