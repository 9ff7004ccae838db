// Statements about who has read what in shared inboxes.
import type { Sql } from '../core/db/db.ts'

/**
 * Moves the read positions forward that an account has in shared inboxes. Returns those that have changed, with the
 * shared account's place in the chat.
 */
export async function markInboxesRead(
  sql: Sql,
  fezId: string,
  accountId: string,
  inboxIds: readonly string[],
  postId: number,
): Promise<{ inboxId: string; position: number }[]> {
  return await sql<{ inboxId: string; position: number }[]>`
    with inbox as (
      select account_id as id, position from fez_member where fez_id = ${fezId} and account_id = any(${inboxIds}::uuid[])
        and left_at is null),
    seen as (
      insert into fez_inbox_reader (account_id, inbox_id, fez_id, read_post_id) select ${accountId}, id, ${fezId}, ${postId}::int from inbox
      on conflict (account_id, inbox_id, fez_id) do update set read_post_id = excluded.read_post_id
        where fez_inbox_reader.read_post_id is null or fez_inbox_reader.read_post_id < excluded.read_post_id
      returning inbox_id)
    select inbox_id, position from seen join inbox on inbox.id = seen.inbox_id`
}

/** Somebody who joins a team has read everything that was in its inboxes before. */
export async function insertInboxReader(sql: Sql, accountId: string, inboxIds: readonly string[]): Promise<void> {
  await sql`
    insert into fez_inbox_reader (account_id, inbox_id, fez_id, read_post_id)
    select ${accountId}, member.account_id, fez.id, fez.last_post_id from fez_member member join fez on fez.id = member.fez_id
    where member.account_id = any(${inboxIds}::uuid[]) and left_at is null and fez.deleted_at is null
    on conflict (account_id, inbox_id, fez_id) do update set read_post_id = excluded.read_post_id`
}
