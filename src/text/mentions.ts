// Mentions and hashtags of a text. Pure. Searches look at texts in their own way: see tags.ts.
import { graphemes } from '../core/schema/decode.ts'
import { usernameKey } from './usernames.ts'

// No name or tag of so many characters is longer, and no index could hold it.
const maxCodeUnits = 200

/** Groups of letters and digits with one separator between them, after an @ that begins a piece. */
const mention = /(?<=^|\p{White_Space})@([\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-.+_][\p{L}\p{M}\p{N}]+)*)/gu

/** The users that a text mentions, as keys of their names; some may not exist. */
export function mentionedNames(text: string): string[] {
  if (!text.includes('@')) return []
  const names = Array.from(text.normalize('NFC').matchAll(mention), ([, name]) => name as string)
  return [...new Set(names.filter((name) => hasLength(name, 2, 50)).map(usernameKey))]
}

/** The hashtags of a text that others are offered when they begin to type them: without #, as written. */
export function hashtagsOf(text: string): string[] {
  if (!text.includes('#')) return []
  const tags = text
    .normalize('NFC')
    .split(/\p{White_Space}+/u)
    .filter((piece) => piece.startsWith('#') && hasLength(piece, 3, 49))
    .map((piece) => /^#([\p{L}\p{M}\p{N}]+)/u.exec(piece)?.[1] ?? '')
  return [...new Set(tags.filter((tag) => hasLength(tag, 2, 49)))].sort()
}

function hasLength(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > maxCodeUnits) return false
  const length = graphemes(text)
  return length >= min && length <= max
}
