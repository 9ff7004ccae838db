// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const webpushErrors = {
  push_host: 'The endpoint is not one of a known push service.',
  push_off: 'The host does not offer notices while the app is closed.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof webpushErrors, true> {}
}
