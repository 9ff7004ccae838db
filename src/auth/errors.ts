// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const authErrors = {
  program_refused: 'A program with a token of its own cannot do this.',
  recovery_by_code_refused: 'Accounts of the team are recovered with the recovery key, not with the registration code.',
  recovery_failed: 'User name and credential do not match.',
  recovery_locked: 'Recovery of the account has failed too often.',
  second_factor_needed: 'The account has a second factor: its code has to stand directly behind the password.',
  second_factor_on: 'The account has a second factor already.',
  second_factor_wrong: 'The code of the second factor is wrong, or was used before.',
  token_reads_only: 'The token was made for reading alone.',
  too_many_tokens: 'The account has as many tokens for programs as it may have.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof authErrors, true> {}
}
