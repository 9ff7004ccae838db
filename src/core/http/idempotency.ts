// Creates that may be repeated: a client on bad Wi-Fi sends the same Idempotency-Key again and gets
// the first answer instead of a second record.
import { AppError } from '../errors.ts'
import type { Sql } from '../db/db.ts'

/** Hours for which an answer is kept. */
const idempotencyHours = 24

export interface IdempotencyKey {
  /** The caller's account. */
  accountId: string
  /** The key as the client sent it: 1 to 200 visible ASCII characters. */
  key: string
  /** Method and path: the same key on another path is another key. */
  route: string
  /** Digest of the request body: the same key with another body is refused. */
  digest: string
}

/** Not a failure: carries the first result out of a repeated transaction, which is rolled back. */
export class Replay extends Error {
  override name = 'Replay'
  readonly answer: unknown

  constructor(answer: unknown) {
    super('already answered')
    this.answer = answer
  }
}

/**
 * Takes the key for this transaction; a concurrent request with the same key waits for its end.
 *
 * @throws Replay when the request was answered before; 422 when the key was used with another body.
 */
export async function claimKey(sql: Sql, { accountId, key, route, digest }: IdempotencyKey): Promise<void> {
  const [claimed] = await sql`
    insert into idempotency_key (account_id, key, route, digest) values (${accountId}, ${key}, ${route}, ${digest})
    on conflict do nothing returning 1`
  if (claimed) return
  const [found] = await sql<{ digest: string; answer: string | null }[]>`
    select digest, answer from idempotency_key where account_id = ${accountId} and key = ${key} and route = ${route}`
  if (found && found.digest !== digest)
    throw new AppError(422, 'idempotency_key_used', 'This Idempotency-Key was used for a different request.')
  throw new Replay(found?.answer ? JSON.parse(found.answer) : undefined)
}

/** Keeps the answer beside the key, in the same transaction as what it answers. */
export async function storeAnswer(sql: Sql, { accountId, key, route }: IdempotencyKey, answer: unknown): Promise<void> {
  await sql`
    update idempotency_key set answer = ${answer === undefined ? null : JSON.stringify(answer)}
    where account_id = ${accountId} and key = ${key} and route = ${route}`
}

/** Forgets answers older than a day; returns how many. */
export async function deleteExpiredKeys(sql: Sql, now: Date): Promise<number> {
  const result = await sql`delete from idempotency_key where created_at < ${now}::timestamptz - ${idempotencyHours} * interval '1 hour'`
  return result.count
}
