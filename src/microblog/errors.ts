// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const microblogErrors = {
  under_review: 'The post is under moderator review.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof microblogErrors, true> {}
}
