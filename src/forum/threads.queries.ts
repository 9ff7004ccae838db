// Statements about one forum: locking it, changing it, reading a page of it.
import type { Sql } from '../core/db/db.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { pageRefs, type PageRefs } from '../post/refs.ts'
import { lowerCased } from '../text/words.ts'
import { forumColumns, type ForumRow } from './rows.ts'
import { rightsOf } from '../post/rights.ts'
import type { ModerationStatus } from './types.ts'

/** As in lists: forums of people in a block with the viewer are hidden, except in official categories. */
const unblocked = (sql: Sql, viewer: Viewer) => sql`shows_creator(category.create_level, forum.creator_id, blocked_accounts(${viewer.id}))`

/** Locks a forum that is not deleted: all changes in one forum happen one after another. */
export async function lockForum(sql: Sql, forumId: string): Promise<ForumRow | undefined> {
  const [row] = await sql<ForumRow[]>`select ${sql(forumColumns)} from forum where id = ${forumId} and deleted_at is null for no key update`
  return row
}

/** Whether a forum is there for the viewer: to be asked once it is locked. */
export async function isVisibleForum(sql: Sql, forumId: string, viewer: Viewer): Promise<boolean> {
  const { level, roles } = rightsOf(viewer)
  const [row] = await sql`
    select from forum join forum_category category on category.id = forum.category_id
    where forum.id = ${forumId} and may_view(category.view_level, category.required_role, ${level}, ${roles}) and ${unblocked(sql, viewer)}`
  return row !== undefined
}

export async function updateTitle(sql: Sql, forumId: string, title: string, status: ModerationStatus): Promise<void> {
  await sql`
    update forum set title = ${title}, title_key = ${lowerCased(title)}, search = to_tsvector('english', ${title}::text),
      moderation_status = ${status}
    where id = ${forumId}`
}

/** A forum that is there for the viewer. */
export async function selectVisibleForum(sql: Sql, forumId: string, viewer: Viewer): Promise<ForumRow | undefined> {
  const { level, roles } = rightsOf(viewer)
  const [row] = await sql<ForumRow[]>`
    select ${sql(forumColumns)} from forum join forum_category category on category.id = forum.category_id
    where forum.id = ${forumId} and forum.deleted_at is null and may_view(category.view_level, category.required_role, ${level}, ${roles})
      and ${unblocked(sql, viewer)}`
  return row
}

/** Pins a forum first in its category, or ends that. */
export async function updateForumPin(sql: Sql, forumId: string, isPinned: boolean): Promise<void> {
  await sql`update forum set is_pinned = ${isPinned} where id = ${forumId}`
}

/** Keeps what a forum is before a change; `movedFrom` is its category, when that is what changes. */
export async function insertForumEdit(
  sql: Sql,
  edit: { id: string; before: ForumRow; movedFrom?: string; editorId: string; now: Date },
): Promise<void> {
  await sql`
    insert into forum_edit (id, forum_id, editor_id, title, category_id, created_at)
    values (${edit.id}, ${edit.before.id}, ${edit.editorId}, ${edit.before.title}, ${edit.movedFrom ?? null}, ${edit.now})`
}

/** Deletes a forum and its posts softly. */
export async function softDeleteForum(sql: Sql, forum: ForumRow, now: Date): Promise<void> {
  await sql`
    with posts as (update forum_post set deleted_at = ${now} where forum_id = ${forum.id} and deleted_at is null),
    counted as (update forum_category set forum_count = forum_count - 1 where id = ${forum.categoryId})
    update forum set deleted_at = ${now}, post_count = 0 where id = ${forum.id}`
}

/** A forum with the viewer's marks, and the posts on a page of those that they can see. */
export interface ThreadRow extends ForumRow {
  isFavorite: boolean
  isMuted: boolean
  readPostId: number
  hasRead: boolean
  /** The event that the forum belongs to, unless it is off the schedule. */
  eventId: string | null
  /** Posts that the viewer can see. */
  total: number
  /** Index of the page's first post. */
  start: number
  posts: PageRefs
  /** The last of them; null when there is none. */
  lastShownId: number | null
}

/** Where a page begins: at an index, or with a post; else it is the one that holds the last post that was read. */
export interface PageStart {
  index?: number | undefined
  postId?: number | undefined
}

type Start = 'index' | 'post' | 'reading'

// As single values: joined with the thread, all its posts would be sorted.
const seen =
  'post.forum_id = (select id from thread) and post.deleted_at is null and post.author_id <> all ((select authors from hidden)::uuid[])'

const countBefore = (post: string) => `(case
  when ${post} > ((select min(id) from forum_post post where post.forum_id = thread.id
    and post.deleted_at is null) + thread.last_post_id::bigint) / 2
    then thread.total - (select count(*)::int from forum_post post where ${seen} and post.id >= ${post})
  else (select count(*)::int from forum_post post where ${seen} and post.id < ${post}) end)`

const starts: Record<Start, string> = {
  index: '$6::int',
  post: countBefore('$6::int'),
  reading: `case when thread.read_post_id = 0 then 0 else ${countBefore('thread.read_post_id')} / $5::int * $5::int end`,
}

/**
 * $1 viewer, $2 level, $3 roles, $4 forum or post, $5 limit, $6 where it begins. Put together once: as fragments it
 * would cost as much again for each request.
 */
const threadStatement = (forumId: string, start: Start): string => `
  with hidden as materialized (select hidden_authors($1) as authors),
  thread as materialized (
    select ${forumColumns.join(', ')}, coalesce(reader.is_favorite, false) as is_favorite, coalesce(reader.is_muted, false) as is_muted,
      forum.last_post_id, coalesce(reader.read_post_id, 0) as read_post_id, reader.account_id is not null as has_read,
      (select event.id from event where event.forum_id = forum.id and event.deleted_at is null) as event_id,
      -- Author by author: Postgres would rather walk through the forum, however long it is.
      forum.post_count - coalesce((
        select sum((select count(*) from forum_post post where post.forum_id = forum.id and post.author_id = hidden_author
          and post.deleted_at is null))
        from unnest(hidden.authors) hidden_author), 0)::int as total
    from forum
    join forum_category category on category.id = forum.category_id
    cross join hidden
    left join forum_reader reader on reader.account_id = $1 and reader.forum_id = forum.id
    where forum.id = ${forumId} and forum.deleted_at is null and may_view(category.view_level, category.required_role, $2, $3)
      and shows_creator(category.create_level, forum.creator_id, blocked_accounts($1))),
  place as materialized (select ${starts[start]} as start from thread),
  -- From the end that is nearer: the last page of a long forum costs what the first does.
  page as materialized (
    (select post.id from forum_post post where ${seen} and (select start::bigint * 2 <= total from place cross join thread)
      order by post.id limit $5 offset (select start from place))
    union all
    (select post.id from forum_post post where ${seen} and (select start::bigint * 2 > total from place cross join thread)
      order by post.id desc
      limit (select greatest(0, least($5::int, total::bigint - start)) from place cross
        join thread) offset (select greatest(0, total::bigint - start - $5::int) from place cross join thread)))
  select thread.*, place.start, (select max(id) from page) as last_shown_id,
    (select ${pageRefs('forum_post_mark', 'asc')} from page join forum_post post on post.id = page.id left
      join forum_post_mark mark on mark.account_id = $1 and mark.post_id = post.id) as posts
  from thread cross join place`

const statementsBy = (forumId: string): Record<Start, string> => ({
  index: threadStatement(forumId, 'index'),
  post: threadStatement(forumId, 'post'),
  reading: threadStatement(forumId, 'reading'),
})

const threadStatements = {
  forum: statementsBy('$4'),
  post: statementsBy('(select forum_id from forum_post where id = $4 and deleted_at is null and author_id <> all (blocked_accounts($1)))'),
}

/**
 * The forum with this id, or that of this post, and a page of it, with the contents of its posts if they are wanted;
 * undefined when it is not there for the viewer.
 */
export async function selectThread(
  sql: Sql,
  viewer: Viewer,
  of: { forumId: string } | { postId: number },
  { index, postId }: PageStart,
  limit: number,
): Promise<ThreadRow | undefined> {
  const { level, roles } = rightsOf(viewer)
  const start = index !== undefined ? 'index' : postId !== undefined ? 'post' : 'reading'
  const [statements, place] = 'forumId' in of ? [threadStatements.forum, of.forumId] : [threadStatements.post, of.postId]
  const [row] = await sql.unsafe<ThreadRow[]>(
    statements[start],
    [viewer.id, level, roles, place, limit, ...(start === 'reading' ? [] : [index ?? postId])] as never[],
    { prepare: true },
  )
  return row
}
