// Statements for what lists of forums are made of, as it stays in memory.
import type { Sql } from '../core/db/db.ts'
import { categoryColumns, forumColumns, type CategoryRow, type ForumRow } from './rows.ts'

/** A post, as far as lists of forums show it. */
export interface RecentPost {
  id: number
  authorId: string
  createdMs: number
}

/** A forum as all lists show it, with its latest posts, newest first. */
export interface ForumHead extends ForumRow {
  titleKey: string
  postCount: number
  lastPostTime: Date
  /** Of the event that it belongs to, unless that is off the schedule. */
  eventId: string | null
  eventStart: Date | null
  /** What it is sorted by in a category of events, after the start. */
  eventKey: string
  recent: readonly RecentPost[]
}

const recentPosts = 12

/** The ids of all forums. */
export async function selectForumIds(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from forum where deleted_at is null`
  return rows.map(({ id }) => id)
}

/** Forums by their ids, without deleted ones. */
export async function selectForumHeads(sql: Sql, ids: readonly string[]): Promise<ForumHead[]> {
  const rows = await sql<(ForumHead & { recentIds: number[]; recentAuthorIds: string[]; recentTimes: number[] })[]>`
    select ${sql(forumColumns)}, forum.title_key, forum.post_count, forum.last_post_time, event.id as event_id,
      event.start_time as event_start, coalesce(lower(event.title), forum.title_key) as event_key, newest.*
    from forum
    left join event on event.forum_id = forum.id and event.deleted_at is null
    cross join lateral (
      select coalesce(array_agg(post.id), '{}') as recent_ids, coalesce(array_agg(post.author_id), '{}') as recent_author_ids,
        coalesce(array_agg((extract(epoch from post.created_at) * 1000)::float8), '{}') as recent_times
      from (select id, author_id, created_at from forum_post post where post.forum_id = forum.id and post.deleted_at is null
        order by post.id desc limit ${recentPosts}) post) newest
    where forum.id = any (${ids}::uuid[]) and forum.deleted_at is null`
  // Forums have few creators and authors: each id is there once.
  const texts = new Map<string, string>()
  const shared = (id: string) => texts.get(id) ?? (texts.set(id, id), id)
  return rows.map(({ recentIds, recentAuthorIds, recentTimes, ...row }) => ({
    ...row,
    categoryId: shared(row.categoryId),
    creatorId: shared(row.creatorId),
    recent: recentIds.map((id, at) => ({ id, authorId: shared(recentAuthorIds[at] as string), createdMs: recentTimes[at] as number })),
  }))
}

/** All categories. */
export async function selectAllCategories(sql: Sql): Promise<CategoryRow[]> {
  return await sql<CategoryRow[]>`select ${sql(categoryColumns)} from forum_category category`
}

/** How an account stands to a forum that it has had to do with. */
export interface ReaderRow {
  readPostId: number
  isFavorite: boolean
  isMuted: boolean
  /** When it had to do with it last. */
  touchedMs: number
}

/** How these accounts stand to forums, by account and forum. */
export async function selectReaders(sql: Sql, accountIds: readonly string[]): Promise<Map<string, Map<string, ReaderRow>>> {
  const rows = await sql<(Omit<ReaderRow, 'touchedMs'> & { accountId: string; forumId: string; updatedAt: Date })[]>`
    select account_id, forum_id, read_post_id, is_favorite, is_muted, updated_at from forum_reader
    where account_id = any (${accountIds}::uuid[])`
  const readers = new Map(accountIds.map((id) => [id, new Map<string, ReaderRow>()]))
  for (const { accountId, forumId, updatedAt, ...row } of rows)
    readers.get(accountId)?.set(forumId, { ...row, touchedMs: updatedAt.getTime() })
  return readers
}

/** The numbers that a forum shows one account, as they were when it had so many posts. */
export interface CountedForum {
  postCount: number
  lastPostId: number
  /** Without authors that the account hides. */
  visible: number
  unread: number
  /** The newest of those; null when there is none. */
  lastPosterId: string | null
  lastPostAt: Date | null
}

/** The numbers of some forums, by forum. */
export async function selectCounted(sql: Sql, viewerId: string, forumIds: readonly string[]): Promise<Map<string, CountedForum>> {
  const rows = await sql<(CountedForum & { id: string })[]>`
    with hidden as materialized (select hidden_authors(${viewerId}) as authors)
    select forum.id, forum.post_count, forum.last_post_id, counted.visible,
      case when reader.read_post_id > 0 then (select count(*)::int from forum_post post
        where post.forum_id = forum.id and post.id > reader.read_post_id and post.deleted_at is null
          and post.author_id <> all (hidden.authors)) else counted.visible end as unread,
      newest.author_id as last_poster_id, newest.created_at as last_post_at
    from forum
    cross join hidden
    left join forum_reader reader on reader.account_id = ${viewerId} and reader.forum_id = forum.id
    cross join lateral (
      -- Author by author: Postgres would rather walk through a forum, however long it is.
      select forum.post_count - coalesce((
        select sum((select count(*) from forum_post post where post.forum_id = forum.id and post.author_id = hidden_author
          and post.deleted_at is null))
        from unnest(hidden.authors) hidden_author), 0)::int as visible) counted
    left join lateral (
      select author_id, created_at from forum_post post
      where post.forum_id = forum.id and post.deleted_at is null and post.author_id <> all (hidden.authors)
        order by post.id desc limit 1) newest on true
    where forum.id = any (${forumIds}::uuid[])`
  return new Map(rows.map(({ id, ...counted }) => [id, counted]))
}
