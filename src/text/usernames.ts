// The rules for usernames, and the texts derived from a user's names. Pure.
import unhomoglyph from 'unhomoglyph'
import type { FieldFailure } from '../core/base/errors.ts'
import { graphemes } from '../core/schema/decode.ts'
import { appKey, ownKey, teamKey } from './dialect.ts'
import { lowerCased } from './words.ts'

/** Names are unique whatever their case; the team's two are one. */
export const usernameKey = (username: string): string => teamKey(lowerCased(username))

const limits = { min: 2, max: 50 }
// Fifty characters are rarely longer than this; the index on names could not hold much more.
const maxCodeUnits = 200

/** Everything that is wrong with a wanted username; empty when nothing is. */
export function usernameProblems(username: string): FieldFailure[] {
  const length = username.length > maxCodeUnits ? Infinity : graphemes(username)
  // Of one that is too long, this is enough to say what else is wrong: patterns fail on texts of megabytes.
  const begin = username.slice(0, maxCodeUnits)
  return [
    ...(length < limits.min
      ? [{ text: `username must have at least ${limits.min} characters`, rule: 'too_short' as const, min: limits.min }]
      : []),
    ...(length > limits.max
      ? [{ text: `username must have at most ${limits.max} characters`, rule: 'too_long' as const, max: limits.max }]
      : []),
    ...(!/^[\p{L}\p{M}\p{N}\-.+_]*$/u.test(begin)
      ? [{ text: 'username can only contain letters, numbers and the separators - . + _', rule: 'characters' as const }]
      : []),
    ...(!/^[\p{L}\p{N}]/u.test(begin) ? [{ text: 'username must begin with a letter or a number', rule: 'begins_wrong' as const }] : []),
    ...(/[-.+_]$/.test(username.slice(-1)) ? [{ text: 'username must not end with a separator', rule: 'ends_wrong' as const }] : []),
  ]
}

/** Everything that is wrong with a username for a new account; those that there are stay. */
export function newUsernameProblems(username: string): FieldFailure[] {
  return [
    ...usernameProblems(username),
    ...(/\p{Default_Ignorable_Code_Point}/u.test(username.slice(0, maxCodeUnits))
      ? [{ text: 'username must not contain characters that cannot be seen', rule: 'hidden_characters' as const }]
      : []),
  ]
}

/** How a username looks. Two that agree in either are taken for one another. */
export interface Looks {
  /** As it is written: a capital I looks like a small l. */
  look: string
  /** Whatever its case: letters of other scripts count as the Latin ones that they look like, in their own case. */
  foldedLook: string
}

/** Skeletons as in Unicode Technical Standard 39, without regard to case. */
export function looksOf(username: string): Looks {
  const visible = username.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const folded = [...compatible(visible, latinOf)].map(latinOf).join('').toLowerCase()
  return { look: skeletonOf(compatible(visible, unhomoglyph)), foldedLook: skeletonOf(folded) }
}

/** Some characters look like others only before, some only after normalisation. */
const compatible = (text: string, replace: (character: string) => string): string =>
  [...text].map(replace).join('').normalize('NFKC').normalize('NFD')

/** Once more in lower case, where other characters look alike. */
function skeletonOf(text: string): string {
  const skeleton = unhomoglyph(unhomoglyph(text).toLowerCase()).normalize('NFC').toLowerCase()
  // The team's two names are one.
  return skeleton === unhomoglyph(appKey) ? unhomoglyph(ownKey) : skeleton
}

function latinOf(character: string): string {
  if (character <= '\x7f') return character
  const latin = unhomoglyph(character)
  // The standard has a small l for every I.
  return latin === 'l' && /\p{Lu}/u.test(character) ? 'I' : latin
}

/** The text that name searches look at. */
export function userSearchOf({
  username,
  displayName,
  realName,
}: {
  username: string
  displayName?: string | null
  realName?: string | null
}): string {
  const names = displayName ? `${displayName} (@${username})` : `@${username}`
  return realName ? `${names} - ${realName}` : names
}
