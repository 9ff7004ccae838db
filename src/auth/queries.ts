// Statements about credentials: passwords, tokens, registration codes.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'

/** An account, as checking a password needs it. */
export interface CredentialRow {
  id: string
  username: string
  personId: string
  level: UserAccessLevel
  passwordHash: string
  /** The secret of its second factor as it is stored; null without one. */
  factor: Buffer | null
}

/** What is known of a name and an address: the account, if there is one, and whether its person has logged in from there lately. */
export type Candidate = { [Key in keyof CredentialRow]: CredentialRow[Key] | null } & { isKnown: boolean }

/** Names a candidate for `selectCandidates`. */
export const candidateKey = (usernameKey: string, addressDigest: Buffer): string => `${addressDigest.toString('hex')} ${usernameKey}`

/** Candidates by their keys. */
export async function selectCandidates(sql: Sql, keys: readonly string[]): Promise<Map<string, Candidate>> {
  const rows = await sql<(Candidate & { key: string })[]>`
    select wanted.key, account.id, account.username, account.person_id, level, password_hash, second_factor.secret as factor,
      known_address.person_id is not null as is_known
    from (select key, split_part(key, ' ', 1) as digest, substr(key, strpos(key, ' ') + 1) as username_key
      from unnest(${keys as string[]}::text[]) as key) wanted
    left join account on account.username_key = wanted.username_key
    left join second_factor on second_factor.account_id = account.id and confirmed_at is not null
    left join known_address on known_address.person_id = account.person_id and address_digest = decode(wanted.digest, 'hex')`
  return new Map(rows.map(({ key, ...candidate }) => [key, candidate]))
}

/** Notes once a day that an address is in use, and forgets those that have not been for a month. */
export async function upsertKnownAddress(sql: Sql, personId: string, digest: Buffer, now: Date): Promise<void> {
  await sql`
    with forgotten as (
      delete from known_address where person_id = ${personId} and address_digest <> ${digest}
        and seen_at < ${now}::timestamptz - interval '30 days')
    insert into known_address (person_id, address_digest, seen_at) values (${personId}, ${digest}, ${now})
    on conflict (person_id, address_digest) do update set seen_at = excluded.seen_at
      where known_address.seen_at < excluded.seen_at - interval '1 day'`
}

export async function updatePasswordHash(sql: Sql, accountId: string, stored: string, passwordHash: string): Promise<void> {
  await sql`update account set password_hash = ${passwordHash} where id = ${accountId} and password_hash = ${stored}`
}

/** An account with what its token is made of. */
export interface TokenRow extends AccountRow {
  tokenNonce: Buffer | null
  tokenDigest: Buffer | null
}

/** Locks the account's row; undefined when its person has deleted it. */
export async function lockToken(sql: Sql, accountId: string): Promise<TokenRow | undefined> {
  const [row] = await sql<
    TokenRow[]
  >`select ${accountColumns(sql)}, token_nonce, token_digest from account where id = ${accountId} and deleted_at is null for update`
  return row
}

export async function updateToken(sql: Sql, accountId: string, nonce: Buffer | null, digest: Buffer | null): Promise<void> {
  await sql`update account set token_nonce = ${nonce}, token_digest = ${digest} where id = ${accountId}`
}

/** Whether apps are signed in to the account. */
export async function selectHasToken(sql: Sql, accountId: string): Promise<boolean> {
  const [row] = await sql`select from account where id = ${accountId} and token_digest is not null`
  return row !== undefined
}

/** What a recovery needs of an account; for an unknown name only its number of failures. */
export interface RecoveryRow {
  id: string | null
  username: string | null
  personId: string | null
  passwordHash: string | null
  recoveryKeyHash: string | null
  /** The secret of its second factor as it is stored; null without one. */
  factor: Buffer | null
  recoveryFailures: number
  /** Registration code of the person, if there is one. */
  code: string | null
  codeUsedForRecovery: boolean | null
  /** An account of the person is one of a moderator or above. */
  isOfTeam: boolean
}

/** Where failures of a name are counted: at its account, or in a bucket when nobody has it. */
export interface FailureCounter {
  key: string
  bucket: number
}

/** Does the same for every name. */
export async function selectForRecovery(sql: Sql, { key, bucket }: FailureCounter): Promise<RecoveryRow> {
  const [row] = await sql<[RecoveryRow]>`
    select account.id, account.username, account.person_id, password_hash, recovery_key_hash, second_factor.secret as factor,
      case when account.id is null then coalesce(unknown.failures, 0) else recovery_failures end as recovery_failures,
      registration_code.code, registration_code.used_for_recovery as code_used_for_recovery,
      exists (select from account as other where other.person_id = account.person_id and other.level >= 'moderator') as is_of_team
    from (values (${key}::text, ${bucket}::integer)) as wanted (username_key, bucket)
      left join account using (username_key)
      left join second_factor on second_factor.account_id = account.id and confirmed_at is not null
      left join registration_code on registration_code.person_id = account.person_id
      left join unknown_recovery as unknown on unknown.bucket = wanted.bucket`
  return row
}

/** The name of the primary account of the person with a code. */
export async function selectOwnerOfCode(
  sql: Sql,
  code: string,
): Promise<{ id: string; username: string; level: UserAccessLevel } | undefined> {
  const [row] = await sql<{ id: string; username: string; level: UserAccessLevel }[]>`
    select account.id, username, level from registration_code join account on account.id = registration_code.person_id where code = ${code}`
  return row
}

/** Counts one failed recovery in advance; false when there have been `limit` already. Writes one row for every name. */
export async function countRecoveryFailure(sql: Sql, { key, bucket }: FailureCounter, limit: number): Promise<boolean> {
  const [row] = await sql`
    with known as (
      update account set recovery_failures = recovery_failures + 1 where username_key = ${key} and recovery_failures < ${limit}
        returning 1),
    unknown as (
      insert into unknown_recovery (bucket, failures) select ${bucket}::integer, 1
        where not exists (select from account where username_key = ${key})
      on conflict (bucket) do update set failures = unknown_recovery.failures + 1 where unknown_recovery.failures < ${limit} returning 1)
    select from known union all select from unknown`
  return row !== undefined
}

/** Takes back one count: the attempt could not be checked, or was right. */
export async function uncountRecoveryFailure(sql: Sql, { key, bucket }: FailureCounter): Promise<void> {
  await sql`
    with known as (
      update account set recovery_failures = greatest(recovery_failures - 1, 0) where username_key = ${key} returning 1)
    update unknown_recovery set failures = greatest(failures - 1, 0) where bucket = ${bucket} and not exists (select from known)`
}

/** Sets a new password and forgets earlier failures. */
export async function updateRecovered(sql: Sql, accountId: string, passwordHash: string): Promise<void> {
  await sql`update account set password_hash = ${passwordHash}, recovery_failures = 0 where id = ${accountId}`
}

/** The hash of an account's password. */
export async function selectPasswordHash(sql: Sql, accountId: string): Promise<string | undefined> {
  const [row] = await sql<{ passwordHash: string }[]>`select password_hash from account where id = ${accountId}`
  return row?.passwordHash
}

/** The account of a name. */
export async function selectIdOfName(sql: Sql, key: string): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`select id from account where username_key = ${key} and deleted_at is null`
  return row
}

/** Sets a new password, removes the second factor and other ways to sign in, ends all sessions of the account, and forgets failed recoveries. */
export async function updateForgotten(sql: Sql, accountId: string, passwordHash: string): Promise<void> {
  await sql`
    with ended as (delete from browser_session where account_id = ${accountId}),
    removed as (delete from second_factor where account_id = ${accountId}),
    disconnected as (delete from oidc_identity where account_id = ${accountId}),
    forgotten as (delete from passkey where account_id = ${accountId})
    update account set password_hash = ${passwordHash}, recovery_failures = 0, token_nonce = null, token_digest = null where id = ${accountId}`
}

/** Replaces the hash of a person's recovery key by another of the same key, unless there is a new key by now. */
export async function updateRecoveryKeyHash(sql: Sql, personId: string, stored: string, renewed: string): Promise<void> {
  await sql`update account set recovery_key_hash = ${renewed} where person_id = ${personId} and recovery_key_hash = ${stored}`
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
