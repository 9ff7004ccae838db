// Statements about credentials: passwords, tokens, registration codes.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
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

/** Whether the person has logged in there lately. Asks as long when there is no such person. */
export async function isKnownAddress(sql: Sql, personId: string | undefined, digest: Buffer): Promise<boolean> {
  const [row] = await sql`select from known_address where person_id = ${personId ?? null} and address_digest = ${digest}`
  return row !== undefined
}

/** Notes once a day that an address is in use, and forgets those that have not been for a month. */
export async function upsertKnownAddress(sql: Sql, personId: string, digest: Buffer, now: Date): Promise<void> {
  await sql`
    with forgotten as (
      delete from known_address where person_id = ${personId} and address_digest <> ${digest} and seen_at < ${now}::timestamptz - interval '30 days')
    insert into known_address (person_id, address_digest, seen_at) values (${personId}, ${digest}, ${now})
    on conflict (person_id, address_digest) do update set seen_at = excluded.seen_at where known_address.seen_at < excluded.seen_at - interval '1 day'`
}

export async function updatePasswordHash(sql: Sql, accountId: string, passwordHash: string): Promise<void> {
  await sql`update account set password_hash = ${passwordHash} where id = ${accountId}`
}

/** An account with what its token is made of. */
export interface TokenRow extends AccountRow {
  tokenNonce: Buffer | null
  tokenDigest: Buffer | null
}

/** Locks the account's row. */
export async function lockToken(sql: Sql, accountId: string): Promise<TokenRow | undefined> {
  const [row] = await sql<
    TokenRow[]
  >`select ${accountColumns(sql)}, token_nonce, token_digest from account where id = ${accountId} for update`
  return row
}

export async function updateToken(sql: Sql, accountId: string, nonce: Buffer | null, digest: Buffer | null): Promise<void> {
  await sql`update account set token_nonce = ${nonce}, token_digest = ${digest} where id = ${accountId}`
}

/** What recovering an account needs. */
export interface RecoveryRow extends CredentialRow {
  recoveryKeyHash: string | null
  recoveryFailures: number
  /** Registration code of the person, if there is one. */
  code: string | null
  codeUsedForRecovery: boolean | null
}

export async function selectForRecovery(sql: Sql, usernameKey: string): Promise<RecoveryRow | undefined> {
  const [row] = await sql<RecoveryRow[]>`
    select account.id, account.person_id, level, password_hash, recovery_key_hash, recovery_failures,
      registration_code.code, registration_code.used_for_recovery as code_used_for_recovery
    from account left join registration_code on registration_code.person_id = account.person_id
    where username_key = ${usernameKey}`
  return row
}

/** Counts one failed recovery in advance; false when there have been `limit` already. */
export async function countRecoveryFailure(sql: Sql, accountId: string, limit: number): Promise<boolean> {
  const result =
    await sql`update account set recovery_failures = recovery_failures + 1 where id = ${accountId} and recovery_failures < ${limit}`
  return result.count > 0
}

/** Takes as long as counting a failure, down to the disk, and leaves nothing: unknown names must not be answered faster. */
export async function countNothing(sql: Sql): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'quarterdeck', ''::text)`
}

/** Takes back one count: the attempt could not be judged. */
export async function uncountRecoveryFailure(sql: Sql, accountId: string): Promise<void> {
  await sql`update account set recovery_failures = greatest(recovery_failures - 1, 0) where id = ${accountId}`
}

/** Sets a new password and forgets earlier failures. */
export async function updateRecovered(sql: Sql, accountId: string, passwordHash: string): Promise<void> {
  await sql`update account set password_hash = ${passwordHash}, recovery_failures = 0 where id = ${accountId}`
}

/** Uses the person's code up for recovery; false when it was already. */
export async function markCodeUsed(sql: Sql, code: string, personId: string): Promise<boolean> {
  const result = await sql`
    update registration_code set used_for_recovery = true where code = ${code} and person_id = ${personId} and not used_for_recovery`
  return result.count > 0
}

/** Keeps the first fingerprint ever given; returns the one that is kept. */
export async function insertSecretFingerprint(sql: Sql, fingerprint: string): Promise<string | undefined> {
  const [row] = await sql<{ value: string }[]>`
    insert into setting (name, value) values ('tokenSecretFingerprint', to_jsonb(${fingerprint}::text))
    on conflict (name) do update set name = excluded.name returning value`
  return row?.value
}
