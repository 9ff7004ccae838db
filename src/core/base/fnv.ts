// FNV-1a with 32 bits (https://datatracker.ietf.org/doc/draft-eastlake-fnv/): where texts are put into numbered places.

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

// V8 has many kinds of strings, and where all of them come it looks a method up for each call.
const { charCodeAt } = String.prototype

/** The hash of the code units of `text`, signed, going on from the hash of what comes before it. */
export function fnv1a(text: string, before = fnvOffset): number {
  let hash = before
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ charCodeAt.call(text, at), fnvPrime)
  return hash
}
