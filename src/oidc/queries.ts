// Statements about identities at a provider.
import type { Sql } from '../core/db/db.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'

/** Whom the provider knows under one subject. */
export interface Known {
  issuer: string
  subject: string
}

/** The account of an identity. */
export interface ConnectedRow {
  id: string
  username: string
  level: UserAccessLevel
  /** The secret of its second factor as it is stored; null without one. */
  factor: Buffer | null
}

export async function selectConnected(sql: Sql, { issuer, subject }: Known): Promise<ConnectedRow | undefined> {
  const [row] = await sql<ConnectedRow[]>`
    select account.id, username, level,
      (select secret from second_factor where account_id = account.id and confirmed_at is not null) as factor
    from oidc_identity join account on account.id = account_id
    where issuer = ${issuer} and subject = ${subject}`
  return row
}

/** Connects an identity with an account; false when it is connected with another one. */
export async function upsertIdentity(
  sql: Sql,
  { issuer, subject, ...more }: Known & { id: string; accountId: string; name: string; now: Date },
): Promise<boolean> {
  const { id, accountId, name, now } = more
  const result = await sql`
    insert into oidc_identity (id, account_id, issuer, subject, name, created_at, last_used_at)
    values (${id}, ${accountId}, ${issuer}, ${subject}, ${name}, ${now}, ${now})
    on conflict (issuer, subject) do update set name = excluded.name, last_used_at = excluded.last_used_at
      where oidc_identity.account_id = excluded.account_id`
  return result.count > 0
}

/** Notes a use; undefined when the identity is connected with no account, else the account that it is connected with. */
export async function useIdentity(sql: Sql, { issuer, subject }: Known, now: Date): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`
    update oidc_identity set last_used_at = ${now} where issuer = ${issuer} and subject = ${subject} returning account_id`
  return row?.accountId
}

export interface IdentityRow {
  id: string
  issuer: string
  name: string
  createdAt: Date
  lastUsedAt: Date
}

export const selectIdentities = (sql: Sql, accountId: string): Promise<IdentityRow[]> => sql<IdentityRow[]>`
  select id, issuer, name, created_at, last_used_at from oidc_identity where account_id = ${accountId} order by created_at, id`

/** Whose identity it is. */
export async function selectIdentityOwner(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`select account_id from oidc_identity where id = ${id}`
  return row?.accountId
}

export async function deleteIdentity(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const result = await sql`delete from oidc_identity where id = ${id} and account_id = ${accountId}`
  return result.count > 0
}
