// What a user has not seen yet, derived from rows.
import type { Sql } from '../core/db.ts'
import type { PostNotice } from './frames.ts'
import type { MailboxEntry, MissedPosts } from './mailbox.ts'

/** The chats of an account, with the highest unread visible post. */
export async function selectMailbox(sql: Sql, accountId: string): Promise<MailboxEntry[]> {
  return await sql<MailboxEntry[]>`
    with hidden as materialized (select hidden_authors(${accountId}) as ids)
    select fez.id as "fezID", fez_type, position, is_muted as muted,
      case when not cancelled and fez_type not in ('closed', 'open') then start_time end as start_time,
      added, read_post_id as "readPostID", fez.seq, fez.last_post_id as "heardPostID",
      case when fez.last_post_id > read_post_id then coalesce((
        select max(post.id) from fez_post post
        where post.fez_id = fez.id and post.id > read_post_id and post.deleted_at is null and post.author_id <> all (hidden.ids)), 0)
      else 0 end as "lastPostID"
    from fez_member
    join fez on fez.id = fez_member.fez_id
    cross join hidden
    where fez_member.account_id = ${accountId} and left_at is null and fez.deleted_at is null`
}

/** At most this many notices are made up for after an outage. */
const maxMissed = 500

/** Notices of visible posts by others that an account has not heard of, oldest first. */
export async function selectMissedNotices(sql: Sql, accountId: string, missed: readonly MissedPosts[]): Promise<PostNotice[]> {
  const heard = missed.flatMap(({ heardPostIDs }) => heardPostIDs)
  const rows = await sql<(Omit<PostNotice, 'title' | 'text'> & { title: string | null, text: string | null })[]>`
    with hidden as materialized (select hidden_authors(${accountId}) as ids)
    select fez.id as "fezID", fez_type, account.username as author_username,
      case when fez.moderation_status not in ('quarantined', 'autoQuarantined') then title end as title,
      case when post.moderation_status not in ('quarantined', 'autoQuarantined') then text end as text
    from unnest(${missed.map(({ fezID }) => fezID)}::uuid[], ${missed.map(({ afterPostID }) => afterPostID)}::int[],
      ${missed.map(({ upToPostID }) => upToPostID)}::int[]) as missed (fez_id, after_id, up_to_id)
    join fez on fez.id = missed.fez_id
    join fez_post post on post.fez_id = fez.id and post.id > missed.after_id and post.id <= missed.up_to_id and post.deleted_at is null
    join account on account.id = post.author_id
    cross join hidden
    where post.real_author_id <> ${accountId} and post.author_id <> all (hidden.ids) and post.id <> all (${heard}::int[])
    order by post.id desc limit ${maxMissed}`
  return rows.toReversed().map((row) => ({ ...row, title: row.title ?? undefined, text: row.text ?? undefined }))
}
