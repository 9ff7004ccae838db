// The rules for usernames, and the texts derived from a user's names. Pure.
import { graphemes } from '../core/schema/decode.ts'
import { teamKey } from './dialect.ts'

/** Names are unique whatever their case; the team's two are one. */
export const usernameKey = (username: string): string => teamKey(username.normalize('NFC').toLowerCase())

const limits = { min: 2, max: 50 }
// Fifty characters are rarely longer than this; the index on names could not hold much more.
const maxCodeUnits = 200

/** Everything that is wrong with a wanted username; empty when nothing is. */
export function usernameProblems(username: string): string[] {
  const length = username.length > maxCodeUnits ? Infinity : graphemes(username)
  return [
    ...(length < limits.min ? [`username must have at least ${limits.min} characters`] : []),
    ...(length > limits.max ? [`username must have at most ${limits.max} characters`] : []),
    ...(!/^[\p{L}\p{M}\p{N}\-.+_]*$/u.test(username) ? ['username can only contain letters, numbers and the separators - . + _'] : []),
    ...(!/^[\p{L}\p{N}]/u.test(username) ? ['username must begin with a letter or a number'] : []),
    ...(/[-.+_]$/.test(username) ? ['username must not end with a separator'] : []),
  ]
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
