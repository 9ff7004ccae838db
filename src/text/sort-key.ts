// How titles and names are put in order for people.

/** A text without capitals and accents: what lists are sorted by and single letters are compared with. */
export function sortKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
