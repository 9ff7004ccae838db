// Words, for alertwords, mutewords and the content they are compared with. Pure.

/** Letters that a word must have to be listened for or muted: shorter ones are everywhere. */
export const minLetters = 4
const maxCodeUnits = 200

/** The words of a text: lower case, letters only, so that `Foo-bar!` is `foobar`. A letter keeps its accents and vowel signs. */
export function wordsIn(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .split(/\p{White_Space}+/u)
      // Letters that come together may have a shorter form.
      .map((piece) => (piece.match(/\p{L}\p{M}*/gu) ?? []).join('').normalize('NFC'))
      .filter((word) => word !== '')
  )
}

/** True when `wordsIn` finds any. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text)

/** True for a normalised word that is long enough to be found, and short enough to be kept. */
export function isUsable(word: string): boolean {
  return (word.match(/\p{L}/gu) ?? []).length >= minLetters && word.length <= maxCodeUnits
}

/** A text as it is compared with others whatever their case. */
export const lowerCased = (text: string): string => text.normalize('NFC').toLowerCase()
