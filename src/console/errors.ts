// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const consoleErrors = {
  deletion_not_allowed: 'People may not delete their accounts on this server.',
  event_name_missing: 'The event has no name yet.',
  event_name_wrong: 'This is not the name of the event.',
  work_under_way: 'Long work has to end first.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof consoleErrors, true> {}
}
