// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const performersErrors = {
  code_needed: 'The caller needs a registration code.',
  code_of_chat_user: 'The registration code is one for users of a chat.',
  event_official: 'Only the team says who appears at this event.',
  preregistration_over: 'This can only be done during pre-registration.',
  too_many_events: 'The caller appears at the maximum number of events.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof performersErrors, true> {}
}
