// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const oidcErrors = {
  identity_connected: 'This identity at the provider belongs to an account already.',
  identity_missing: 'The browser has not come back from the provider, or did so too long ago.',
  identity_unconnected: 'This identity at the provider belongs to no account.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof oidcErrors, true> {}
}
