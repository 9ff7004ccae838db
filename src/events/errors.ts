// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const eventsErrors = {
  no_forum: 'The event has no forum.',
  nothing_to_undo: 'There is nothing that can be undone, or not any more.',
  schedule_elsewhere: 'Few events of the calendar are on days of the trip, and nobody has said that this is meant.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof eventsErrors, true> {}
}
