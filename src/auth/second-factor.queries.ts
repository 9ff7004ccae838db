// Statements about second factors.
import type { Sql } from '../core/db/db.ts'

/** The driver takes no list of bytes. */
const listOf = (sql: Sql, digests: readonly Buffer[]) =>
  sql`array(select decode(digest, 'hex') from unnest(${digests.map((digest) => digest.toString('hex'))}::text[]) as digest)`

/** A second factor as it is stored. */
export interface FactorRow {
  secret: Buffer
  confirmedAt: Date | null
  recoveryCodes: number
}

export async function selectFactor(sql: Sql, accountId: string): Promise<FactorRow | undefined> {
  const [row] = await sql<FactorRow[]>`
    select secret, confirmed_at, cardinality(recovery_codes) as recovery_codes from second_factor where account_id = ${accountId}`
  return row
}

/** Keeps the secret of a factor that is being set up, in place of an earlier one; false when there is one in force. */
export async function upsertPending(sql: Sql, accountId: string, secret: Buffer): Promise<boolean> {
  const result = await sql`
    insert into second_factor (account_id, secret) values (${accountId}, ${secret})
    on conflict (account_id) do update set secret = excluded.secret where second_factor.confirmed_at is null`
  return result.count > 0
}

/** Puts a factor with this secret in force; false when that is no longer the one that waits. */
export async function confirmFactor(
  sql: Sql,
  accountId: string,
  { secret, step, recoveryCodes, now }: { secret: Buffer; step: number; recoveryCodes: readonly Buffer[]; now: Date },
): Promise<boolean> {
  const result = await sql`
    update second_factor set confirmed_at = ${now}, last_step = ${step}, recovery_codes = ${listOf(sql, recoveryCodes)}
    where account_id = ${accountId} and secret = ${secret} and confirmed_at is null`
  return result.count > 0
}

/** Uses the digits of a step up; false when they, or those of a later step, were used before. */
export async function useStep(sql: Sql, accountId: string, step: number): Promise<boolean> {
  const result = await sql`
    update second_factor set last_step = ${step} where account_id = ${accountId} and confirmed_at is not null and last_step < ${step}`
  return result.count > 0
}

/** Uses a recovery code up; false when it is none, or was used before. */
export async function useRecoveryCode(sql: Sql, accountId: string, digest: Buffer): Promise<boolean> {
  const result = await sql`
    update second_factor set recovery_codes = array_remove(recovery_codes, ${digest}::bytea)
    where account_id = ${accountId} and confirmed_at is not null and ${digest}::bytea = any(recovery_codes)`
  return result.count > 0
}

export async function updateRecoveryCodes(sql: Sql, accountId: string, recoveryCodes: readonly Buffer[]): Promise<boolean> {
  const result = await sql`
    update second_factor set recovery_codes = ${listOf(sql, recoveryCodes)} where account_id = ${accountId} and confirmed_at is not null`
  return result.count > 0
}

/** Removes a factor; true when it was in force. */
export async function deleteFactor(sql: Sql, accountId: string): Promise<boolean> {
  const [row] = await sql<{ isConfirmed: boolean }[]>`
    delete from second_factor where account_id = ${accountId} returning confirmed_at is not null as is_confirmed`
  return row?.isConfirmed === true
}
