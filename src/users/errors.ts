// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const usersErrors = {
  moderator_not_blockable: 'Moderators cannot be blocked.',
  renamed_recently: 'The user name was changed a short time ago.',
  search_too_wide: 'The text to search for matches everybody.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof usersErrors, true> {}
}
