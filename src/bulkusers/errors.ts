// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const bulkusersErrors = {
  import_running: 'Pictures of the last import are still being processed.',
  server_open: 'The setting that keeps users out must be on first.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof bulkusersErrors, true> {}
}
