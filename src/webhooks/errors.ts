// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const webhooksErrors = {
  address_not_allowed: 'The operator does not let the server send anything to this host.',
  too_many_endpoints: 'There are as many webhooks as there may be.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof webhooksErrors, true> {}
}
