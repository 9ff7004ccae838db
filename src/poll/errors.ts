// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const pollErrors = {
  choice_invalid: 'The choices are not ones that the poll lets the caller vote for.',
  poll_ended: 'The poll has ended.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof pollErrors, true> {}
}
