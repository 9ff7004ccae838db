// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const incidentsErrors = {
  mail_missing: 'No mail can be sent: the operator has named no server that takes it.',
  script_missing: 'No program is told: the operator has named none.',
  webhook_failed: 'The address does not take messages; the reason says why.',
  webhook_missing: 'Incidents are told nowhere yet.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof incidentsErrors, true> {}
}
