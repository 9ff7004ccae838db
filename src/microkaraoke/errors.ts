// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const microkaraokeErrors = {
  no_open_offer: 'The caller has no open offer of a song slot.',
  nothing_to_sing: 'No slot of a song is left for the caller.',
  offer_withdrawn: 'The offer of a song slot was withdrawn.',
  part_fixed: 'This part of a song cannot be sung.',
  song_files_missing: 'Files of a song are missing on the server.',
  song_incomplete: 'The song is not complete.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof microkaraokeErrors, true> {}
}
