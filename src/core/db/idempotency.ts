// Creates that may be repeated: a client on bad Wi-Fi sends the same Idempotency-Key again and gets
// the first answer instead of a second record.
import { AppError } from '../base/errors.ts'
import type { Sql } from './db.ts'

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

type KeyRow = Pick<IdempotencyKey, 'accountId' | 'key' | 'route'>

const idOf = ({ accountId, key, route }: KeyRow): string => JSON.stringify([accountId, key, route])

/**
 * Takes keys for this transaction, of which no two are the same; a concurrent request with one of them waits
 * for its end. Resolves in order with what prevents the work: `Replay` when the request was answered before,
 * 422 when the key was used with another body, undefined when the key is taken.
 */
export async function claimKeys(sql: Sql, keys: readonly IdempotencyKey[]): Promise<(Replay | AppError | undefined)[]> {
  // Sorted: transactions that want the same keys wait for each other in the same order.
  const claimed = await sql<KeyRow[]>`
    insert into idempotency_key (account_id, key, route, digest)
    select wanted.* from unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ key }) => key)}::text[],
      ${keys.map(({ route }) => route)}::text[], ${keys.map(({ digest }) => digest)}::text[]) as wanted (account_id, key, route, digest)
    order by 1, 2, 3
    on conflict do nothing returning account_id, key, route`
  if (claimed.length === keys.length) return keys.map(() => undefined)
  const isClaimed = new Set(claimed.map(idOf))
  const found = await selectAnswers(
    sql,
    keys.filter((key) => !isClaimed.has(idOf(key))),
  )
  const byId = new Map(found.map((row) => [idOf(row), row]))
  return keys.map((key) => {
    if (isClaimed.has(idOf(key))) return undefined
    const row = byId.get(idOf(key))
    if (row && row.digest !== key.digest)
      return new AppError(422, 'idempotency_key_used', 'This Idempotency-Key was used for a different request.')
    return new Replay(row?.answer ? JSON.parse(row.answer) : undefined)
  })
}

const listed = (sql: Sql, keys: readonly KeyRow[]) =>
  sql`unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ key }) => key)}::text[],
    ${keys.map(({ route }) => route)}::text[])`

async function selectAnswers(sql: Sql, keys: readonly KeyRow[]): Promise<(KeyRow & { digest: string; answer: string | null })[]> {
  return await sql<(KeyRow & { digest: string; answer: string | null })[]>`
    select account_id, key, route, digest, answer from idempotency_key
    where (account_id, key, route) in (select * from ${listed(sql, keys)})`
}

/** The answer to an earlier request with this key and body that has committed; undefined when there is none. */
export async function selectReplay(sql: Sql, key: IdempotencyKey): Promise<Replay | undefined> {
  const [row] = await selectAnswers(sql, [key])
  return row?.answer && row.digest === key.digest ? new Replay(JSON.parse(row.answer)) : undefined
}

/** Keeps answers beside their keys, in the same transaction as what they answer. */
export async function storeAnswers(sql: Sql, answers: readonly { key: IdempotencyKey; answer: unknown }[]): Promise<void> {
  const texts = answers.map(({ answer }) => (answer === undefined ? null : JSON.stringify(answer)))
  await sql`
    update idempotency_key taken set answer = given.answer
    from unnest(${answers.map(({ key }) => key.accountId)}::uuid[], ${answers.map(({ key }) => key.key)}::text[],
      ${answers.map(({ key }) => key.route)}::text[], ${texts}::text[]) as given (account_id, key, route, answer)
    where taken.account_id = given.account_id and taken.key = given.key and taken.route = given.route`
}

/** Gives back keys that were taken in this transaction: their requests were refused, and may be tried again. */
export async function releaseKeys(sql: Sql, keys: readonly IdempotencyKey[]): Promise<void> {
  await sql`delete from idempotency_key where (account_id, key, route) in (select * from ${listed(sql, keys)})`
}

/** Forgets answers older than a day. */
export async function forgetAnswers({ sql, nowMs }: { sql: Sql; nowMs: number }): Promise<void> {
  await sql`delete from idempotency_key where created_at < ${new Date(nowMs)}::timestamptz - ${idempotencyHours} * interval '1 hour'`
}
