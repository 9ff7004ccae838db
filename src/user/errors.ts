// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const userErrors = {
  already_verified: 'The account is verified already.',
  not_in_barrel: 'The barrel does not contain this.',
  text_too_long: 'The text is too long.',
  too_many_accounts: 'The person has the maximum number of sub-accounts.',
  too_many_words: 'The user has the maximum number of words.',
  word_invalid: 'This is not a usable word.',
  wrong_barrel: 'This does not work with this kind of barrel.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof userErrors, true> {}
}
