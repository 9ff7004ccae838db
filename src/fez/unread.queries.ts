// Unread posts of a user, derived from rows.
import type { Fragment, Sql } from '../core/db/db.ts'
import { groupedBy } from '../core/db/gathered.ts'
import type { PostNotice } from './notices.ts'
import type { UnreadEntry, MissedPosts } from './unread.ts'

/** The chats of accounts, by these, with the highest unread visible post. */
export async function selectUnread(sql: Sql, accountIds: readonly string[]): Promise<Map<string, UnreadEntry[]>> {
  const entries = await entriesOf(
    sql,
    accountIds,
    sql`
    select account_id as reader_id, fez_id, account_id as inbox_id, position, is_muted, is_favorite, added, read_post_id from fez_member
    where account_id = any(${accountIds}::uuid[]) and left_at is null`,
  )
  // Thousands of them stay in memory: without what is the same for all of one reader.
  const own = ({ readerId: _reader, inboxID: _own, ...entry }: EntryRow): UnreadEntry => entry
  return new Map(
    Array.from(
      groupedBy(entries, ({ readerId }) => readerId),
      ([id, rows]) => [id, rows.map(own)],
    ),
  )
}

/** The chats in shared inboxes, as one account has read them. */
export async function selectInboxes(
  sql: Sql,
  accountId: string,
  inboxIds: readonly string[],
): Promise<(UnreadEntry & { inboxID: string })[]> {
  const entries = await entriesOf(
    sql,
    [accountId],
    sql`
    select ${accountId}::uuid as reader_id, member.fez_id, member.account_id as inbox_id, position,
      coalesce(seen.is_muted, false) as is_muted, coalesce(seen.is_favorite, false) as is_favorite,
      added and seen.read_post_id is null as added, coalesce(seen.read_post_id, 0) as read_post_id
    from fez_member member
    left join fez_inbox_reader seen on seen.account_id = ${accountId} and seen.inbox_id = member.account_id
      and seen.fez_id = member.fez_id
    where member.account_id = any(${inboxIds}::uuid[]) and left_at is null`,
  )
  return entries
}

/** Ids of the chats that these accounts are members of. */
export async function selectChatIds(sql: Sql, accountIds: readonly string[]): Promise<string[]> {
  const rows = await sql<
    { fezId: string }[]
  >`select distinct fez_id from fez_member where account_id = any(${accountIds}::uuid[]) and left_at is null`
  return rows.map(({ fezId }) => fezId)
}

type EntryRow = UnreadEntry & { inboxID: string; readerId: string }

/** `places`: of memberships, each for one of these readers. */
async function entriesOf(sql: Sql, readerIds: readonly string[], places: Fragment): Promise<EntryRow[]> {
  return await sql<EntryRow[]>`
    with reader as materialized (
      select id, hidden_authors(id) as hidden, blocked_accounts(id) as blocked from unnest(${readerIds}::uuid[]) as id),
    place as (${places})
    select reader_id, fez.id as "fezID", inbox_id as "inboxID", fez_type, position, is_muted as muted, is_favorite,
      fez.owner_id = any (reader.blocked) as hidden,
      case when not cancelled and fez_type not in ('closed', 'open') then start_time end as start_time,
      added, read_post_id as "readPostID", fez.seq, fez.last_post_id as "heardPostID",
      case when fez.last_post_id > read_post_id then coalesce((
        select max(post.id) from fez_post post
        where post.fez_id = fez.id and post.id > read_post_id and post.deleted_at is null and post.author_id <> all (reader.hidden)), 0)
      else 0 end as "lastPostID"
    from place
    join fez on fez.id = place.fez_id
    join reader on reader.id = reader_id
    where fez.deleted_at is null`
}

/** Of a post whose event did not arrive. */
export type MissedNotice = PostNotice & { postID: number }

/** At most this many notices are made up for after an outage. */
const maxMissed = 500

/** Notices of visible posts by others that an account was not notified of, oldest first. */
export async function selectMissedNotices(sql: Sql, accountId: string, missed: readonly MissedPosts[]): Promise<MissedNotice[]> {
  const heard = missed.flatMap(({ heardPostIDs }) => heardPostIDs)
  const rows = await sql<(Omit<MissedNotice, 'title' | 'text'> & { title: string | null; text: string | null })[]>`
    with hidden as materialized (select hidden_authors(${accountId}) as ids)
    select post.id as "postID", fez.id as "fezID", fez_type, account.username as author_username,
      case when not is_hidden(fez.moderation_status) then title end as title,
      case when not is_hidden(post.moderation_status) then text end as text
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
