// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const moderationErrors = {
  already_reported: 'The caller has reported this before.',
  changed_meanwhile: 'Somebody else has changed it since the caller read it.',
  too_many_templates: 'There are as many templates as there may be.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof moderationErrors, true> {}
}
