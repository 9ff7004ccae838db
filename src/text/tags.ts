// Tags and names in the texts of posts, as searches for exactly one of them find them. Pure.
import { teamKey } from './dialect.ts'
import { lowerCased } from './words.ts'

// An index takes no key of any length, and nobody looks for longer ones.
const maxCodeUnits = 200

/** A hashtag as it is kept and compared, with its #. */
export const tagKey = lowerCased

/** The hashtags of a text: pieces between white space and `. , ; : ! ?` that begin with #, in the form of `tagKey`. */
export function hashtagsIn(text: string): string[] {
  if (!text.includes('#')) return []
  return [
    ...new Set(
      lowerCased(text)
        .split(/[\p{White_Space}.,;:!?]+/u)
        .filter((piece) => piece.startsWith('#') && piece.length > 1 && piece.length <= maxCodeUnits),
    ),
  ]
}

const trailingSeparators = /(?<![-.+_])[-.+_]+$/

/** A name as it is kept and compared, without an @ before it. */
export const mentionKey = (name: string): string => teamKey(lowerCased(name).replace(/^@/, '').replace(trailingSeparators, ''))

/** The names after an @ anywhere in a text, up to the first character that no name has; in the form of `mentionKey`. */
export function namesIn(text: string): string[] {
  if (!text.includes('@')) return []
  const found = [...lowerCased(text).matchAll(/@([\p{L}\p{M}\p{N}\-.+_]+)/gu)].map(([, run]) => mentionKey(run as string))
  return [...new Set(found.filter((name) => name !== '' && name.length <= maxCodeUnits))]
}
