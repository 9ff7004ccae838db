// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const clientErrors = {
  clients_only: 'Only client accounts may call this.',
  participants_missing: 'An alert names nobody to send it to.',
  service_user_missing: 'The header x-service-user is missing or wrong.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof clientErrors, true> {}
}
