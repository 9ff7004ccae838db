// What a user has not seen yet, derived from rows.
import type { Sql } from '../core/db.ts'
import type { MailboxEntry } from './mailbox.ts'

/** The chats of an account, with the highest unread visible post. */
export async function selectMailbox(sql: Sql, accountId: string): Promise<MailboxEntry[]> {
  return await sql<MailboxEntry[]>`
    with hidden as materialized (select hidden_authors(${accountId}) as ids)
    select fez.id as "fezID", fez_type, position, is_muted as muted,
      case when not cancelled and fez_type not in ('closed', 'open') then start_time end as start_time,
       added, read_post_id as "readPostID",
      case when fez.last_post_id > read_post_id then coalesce((
        select max(post.id) from fez_post post
        where post.fez_id = fez.id and post.id > read_post_id and post.deleted_at is null and post.author_id <> all (hidden.ids)), 0)
      else 0 end as "lastPostID"
    from fez_member
    join fez on fez.id = fez_member.fez_id
    cross join hidden
    where fez_member.account_id = ${accountId} and left_at is null and fez.deleted_at is null`
}
