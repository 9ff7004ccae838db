// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const phoneErrors = {
  call_answered: 'The call was answered on another device.',
  in_call: 'One of the two is in a call already.',
  not_a_favorite: 'The user only takes calls from their favorites.',
  user_offline: 'The user is not connected.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof phoneErrors, true> {}
}
