// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const postErrors = {
  own_post: 'The caller wrote this post.',
  slow_mode: 'Slow mode is on; Retry-After says when the person can post here again.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof postErrors, true> {}
}
