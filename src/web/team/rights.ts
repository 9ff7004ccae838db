// Who may see and do what in the console. The server decides; what it would refuse is not shown.
import { me } from '../session.ts'

export const levels = ['banned', 'unverified', 'quarantined', 'verified', 'client', 'moderator', 'serviceteam', 'tho', 'admin'] as const
export type Level = (typeof levels)[number]

/** The product and the phone apps of today call the service team differently. */
export const levelOf = (word: string): Level => (word === 'twitarrteam' ? 'serviceteam' : (word as Level))

/** True when whoever is signed in has at least this level, or this role. */
export function mayDo(minimum: Level, role?: Role): boolean {
  if (role && me.value?.roles.includes(role)) return true
  return levels.indexOf(levelOf(me.value?.accessLevel ?? 'banned')) >= levels.indexOf(minimum)
}

export const roles = [
  'karaokemanager',
  'shutternautmanager',
  'shutternaut',
  'karaokeambassador',
  'performerselfeditor',
  'accountmanager',
  'huntmanager',
] as const
export type Role = (typeof roles)[number]
