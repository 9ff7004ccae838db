// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const photostreamErrors = {
  event_not_on: 'The event is not on at the moment.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof photostreamErrors, true> {}
}
