// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const imageErrors = {
  image_invalid: 'The image cannot be used; the reason says why.',
  image_too_large: 'The image has more bytes than the settings allow.',
  quota_used: 'The pictures and recordings of the person take up all the bytes that the server keeps for one.',
  storage_full: 'The server keeps no more files: as the host has set it, or because the disk is nearly full.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof imageErrors, true> {}
}
