// Statements about passkeys.
import type { Sql } from '../core/db/db.ts'

/** A passkey that somebody signs in with. */
export interface KeyRow {
  id: string
  accountId: string
  username: string
  publicKey: Buffer
  counter: number
  host: string
}

export async function selectKey(sql: Sql, credentialId: Buffer): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select passkey.id, account_id, username, public_key, counter::float8 as counter, host
    from passkey join account on account.id = account_id
    where credential_id = ${credentialId}`
  return row
}

/** Notes a use; undefined when it was removed, or has signed as often before. */
export async function useKey(sql: Sql, id: string, counter: number, now: Date): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`
    update passkey set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (counter < ${counter} or ${counter} = 0) returning account_id`
  return row?.accountId
}

export interface NewKeyRow {
  id: string
  accountId: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  host: string
  name: string
  now: Date
}

/** False when somebody has it already. */
export async function insertKey(sql: Sql, row: NewKeyRow): Promise<boolean> {
  const { id, accountId, credentialId, publicKey, counter, host, name, now } = row
  const result = await sql`
    insert into passkey (id, account_id, credential_id, public_key, counter, host, name, created_at)
    values (${id}, ${accountId}, ${credentialId}, ${publicKey}, ${counter}, ${host}, ${name}, ${now})
    on conflict (credential_id) do nothing`
  return result.count > 0
}

export interface ListedKeyRow {
  id: string
  credentialId: Buffer
  host: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export const selectKeys = (sql: Sql, accountId: string): Promise<ListedKeyRow[]> => sql<ListedKeyRow[]>`
  select id, credential_id, host, name, created_at, last_used_at from passkey where account_id = ${accountId} order by created_at, id`

/** Of an account whose row is locked until the transaction ends, so that the number stays. */
export async function lockAndCountKeys(sql: Sql, accountId: string): Promise<number> {
  await sql`select from account where id = ${accountId} for update`
  const [row] = await sql<[{ n: number }]>`select count(*)::int as n from passkey where account_id = ${accountId}`
  return row.n
}

/** Whose passkey it is. */
export async function selectKeyOwner(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`select account_id from passkey where id = ${id}`
  return row?.accountId
}

export async function deleteKey(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const result = await sql`delete from passkey where id = ${id} and account_id = ${accountId}`
  return result.count > 0
}
