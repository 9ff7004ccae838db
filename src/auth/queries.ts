// Statements about credentials.
import type { Sql } from '../core/db.ts'
import type { UserAccessLevel } from '../core/viewer.ts'

/** What checking a password needs. */
export interface CredentialRow {
  id: string
  personId: string
  level: UserAccessLevel
  passwordHash: string
}

export async function selectCredentials(sql: Sql, usernameKey: string): Promise<CredentialRow | undefined> {
  const [row] = await sql<CredentialRow[]>`select id, person_id, level, password_hash from account where username_key = ${usernameKey}`
  return row
}

export async function updatePasswordHash(sql: Sql, accountId: string, passwordHash: string): Promise<void> {
  await sql`update account set password_hash = ${passwordHash} where id = ${accountId}`
}

export interface TokenRow {
  level: UserAccessLevel
  tokenNonce: Buffer | null
  tokenDigest: Buffer | null
}

/** Locks the account's row. */
export async function lockToken(sql: Sql, accountId: string): Promise<TokenRow | undefined> {
  const [row] = await sql<TokenRow[]>`select level, token_nonce, token_digest from account where id = ${accountId} for update`
  return row
}

export async function updateToken(sql: Sql, accountId: string, nonce: Buffer | null, digest: Buffer | null): Promise<void> {
  await sql`update account set token_nonce = ${nonce}, token_digest = ${digest} where id = ${accountId}`
}
