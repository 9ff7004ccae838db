// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const dailythemesErrors = {
  day_taken: 'The day has a theme already.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof dailythemesErrors, true> {}
}
