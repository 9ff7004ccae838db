// Codes of refusals that nothing else has.

/** Each with its meaning, as the API documents show it. */
export const passkeyErrors = {
  passkey_wrong: 'The passkey is not known, or what it has signed is not what it was asked to sign, or was so too long ago.',
  passkey_known: 'This passkey belongs to an account already.',
  too_many_passkeys: 'The account has as many passkeys as it may have.',
} as const

declare module '../core/base/errors.ts' {
  interface ErrorCodes extends Record<keyof typeof passkeyErrors, true> {}
}
