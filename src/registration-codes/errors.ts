// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const registrationCodesErrors = {
  code_invalid: 'This does not look like a registration code.',
  codes_exhausted: 'Hardly any registration codes are left that begin like this.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof registrationCodesErrors, true> {}
}
