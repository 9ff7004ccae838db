// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const forumErrors = {
  categories_missing: 'The order does not name each category once.',
  category_used: 'Forums are, or were, in this category.',
  filter_missing: 'A search needs at least one filter.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof forumErrors, true> {}
}
