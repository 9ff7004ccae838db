// Statements about accounts and their relations that more than one feature needs through the user channel.
import { accountColumns, type AccountRow } from '../core/accounts.ts'
import type { Sql } from '../core/db.ts'
import type { UserRoleType } from '../core/viewer.ts'

/** All that a user channel holds of its account. */
export interface UserChannelRow extends AccountRow {
  roles: UserRoleType[]
  tempQuarantineUntil: Date | null
  tokenDigest: Buffer | null
  blockedPersons: string[]
  mutes: string[]
  /** Chats that the account is a member of. */
  fezIds: string[]
}

export async function selectUserChannelRow(sql: Sql, accountId: string): Promise<UserChannelRow | undefined> {
  const [row] = await sql<UserChannelRow[]>`
    select ${accountColumns(sql)}, roles::text[], temp_quarantine_until, token_digest, blocked_persons(person_id) as blocked_persons,
      array(select muted_id from mute where account_id = account.id) as mutes,
      array(select fez_id from fez_member where account_id = account.id and left_at is null) as fez_ids
    from account where id = ${accountId}`
  return row
}

/** The account that a token belongs to; banned accounts have none. */
export async function selectAccountByToken(sql: Sql, digest: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`select id from account where token_digest = ${digest} and level <> 'banned'`
  return row?.id
}
