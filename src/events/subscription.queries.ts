// Statements about the addresses under which calendar programs read what people have planned.
import type { Sql } from '../core/db/db.ts'

/** When the address of an account was made; undefined without one. */
export async function selectSubscribedAt(sql: Sql, accountId: string): Promise<Date | undefined> {
  const [row] = await sql<{ createdAt: Date }[]>`select created_at from calendar_subscription where account_id = ${accountId}`
  return row?.createdAt
}

/** The account whose address has this secret. */
export async function selectSubscriber(sql: Sql, digest: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`select account_id from calendar_subscription where secret_digest = ${digest}`
  return row?.accountId
}

/** In place of the one before, which ends. */
export async function upsertSubscription(sql: Sql, accountId: string, digest: Buffer, now: Date): Promise<void> {
  await sql`
    insert into calendar_subscription (account_id, secret_digest, created_at) values (${accountId}, ${digest}, ${now})
    on conflict (account_id) do update set secret_digest = excluded.secret_digest, created_at = excluded.created_at`
}

export async function deleteSubscription(sql: Sql, accountId: string): Promise<void> {
  await sql`delete from calendar_subscription where account_id = ${accountId}`
}
