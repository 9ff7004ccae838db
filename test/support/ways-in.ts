// Ways to sign in beside a password, as rows: no device or provider is needed to have one.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Sql } from '../../src/core/db/db.ts'

/** A passkey of an account. Returns its id. */
export async function insertPasskey(sql: Sql, accountId: string, name = 'A phone'): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into passkey (id, account_id, credential_id, public_key, counter, host, name, created_at)
    values (${id}, ${accountId}, ${randomBytes(16)}, ${randomBytes(77)}, 0, 'ship.example', ${name}, now())`
  return id
}

/** An identity of an account at a provider. Returns its id. */
export async function insertIdentity(sql: Sql, accountId: string, name = 'somebody'): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into oidc_identity (id, account_id, issuer, subject, name, created_at, last_used_at)
    values (${id}, ${accountId}, 'https://college.example', ${id}, ${name}, now(), now())`
  return id
}
