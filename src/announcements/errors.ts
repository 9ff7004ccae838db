// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const announcementsErrors = {
  too_many_planned: 'There are as many planned announcements as there may be.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof announcementsErrors, true> {}
}
