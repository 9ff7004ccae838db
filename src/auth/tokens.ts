// Access tokens. Clients of one account share one token, so a login must be able to give it out again;
// the database must not. Hence a token is derived from a nonce and a secret that only servers have,
// and the database keeps its digest.
import { createHash, createHmac } from 'node:crypto'

const tokenBytes = 16

/** The token of an account: 24 characters of base64. */
export function deriveToken(secret: string, accountId: string, nonce: Uint8Array): string {
  return createHmac('sha256', secret).update(accountId).update(nonce).digest().subarray(0, tokenBytes).toString('base64')
}

/** The digest that is stored and looked up instead of a token. */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
