// Statements about single posts, and about forums as far as they begin with one.
import type { Sql } from '../core/db/db.ts'
import { insertedJob, type JobOrigin } from '../core/jobs/jobs.ts'
import type { Viewer } from '../core/viewer.ts'
import type { PostMarks } from '../post/feed.ts'
import { postColumns, titleKey, type ForumRow, type PostRow } from './rows.ts'
import { rightsOf } from '../post/rights.ts'
import type { ModerationStatus } from './types.ts'

export interface NewPost {
  forumId: string
  authorId: string
  realAuthorId: string
  text: string
  images: readonly string[]
  hashtags: readonly string[]
  mentions: readonly string[]
  createdAt: Date
}

const insertedPost = (sql: Sql, post: NewPost, where = sql``) => sql`
  insert into forum_post (forum_id, author_id, real_author_id, text, images, hashtags, mentions, created_at)
  select ${post.forumId}, ${post.authorId}, ${post.realAuthorId}, ${post.text}, ${post.images}::text[], ${post.hashtags}::text[], ${post.mentions}::text[], ${post.createdAt} ${where}
  returning id`

/** Writes a forum with its first post and counts it in its category, which is locked. Returns the post's id. */
export async function insertForum(sql: Sql, forum: ForumRow, firstPost: NewPost): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    with written as (${insertedPost(sql, firstPost)}),
    counted as (update forum_category set forum_count = forum_count + 1 where id = ${forum.categoryId})
    insert into forum (id, category_id, creator_id, title, title_key, post_count, last_post_id, last_post_time, created_at)
    select ${forum.id}, ${forum.categoryId}, ${forum.creatorId}, ${forum.title}, ${titleKey(forum.title)}, 1, written.id, ${forum.createdAt}, ${forum.createdAt} from written
    returning last_post_id as id`
  return row.id
}

/** A forum as it was when somebody wrote in it, or wanted to. */
export interface PostingRow {
  visible: boolean
  moderationStatus: ModerationStatus
  /** Null when nothing was written. */
  postId: number | null
}

/**
 * Locks a forum, and writes a post if it is there for the viewer, its creator is in no block with him and
 * its state is one of these. With its job, and counted. Undefined when there is no such forum.
 */
export async function insertPost(
  sql: Sql,
  viewer: Viewer,
  post: NewPost,
  states: readonly ModerationStatus[],
  scan: JobOrigin | undefined,
): Promise<PostingRow | undefined> {
  const { level, roles } = rightsOf(viewer)
  const [row] = await sql<PostingRow[]>`
    with place as materialized (
      select id, category_id, creator_id, moderation_status from forum where id = ${post.forumId} and deleted_at is null for no key update),
    -- Once the lock is there: meanwhile the forum may have been moved, and somebody may have blocked somebody.
    standing as materialized (
      select may_view(category.view_level, category.required_role, ${level}, ${roles}) and (category.create_level >= 'moderator' or not in_block_now(${viewer.id}, place.creator_id)) as visible
      from place join forum_category category on category.id = place.category_id),
    written as (${insertedPost(sql, post, sql`from place cross join standing where visible and moderation_status = any (${states}::moderation_status[])`)}),
    counted as (
      update forum set post_count = post_count + 1, last_post_id = written.id, last_post_time = ${post.createdAt} from written where forum.id = ${post.forumId})
    ${scan ? sql`, noted as (${insertedJob(sql, 'alertword-scan', scan, sql`jsonb_build_object('feed', 'forum', 'postId', id) from written`)})` : sql``}
    select visible, moderation_status, written.id as post_id from place cross join standing left join written on true`
  return row
}

/** The forum of a post that is not deleted. */
export async function selectForumOfPost(sql: Sql, postId: number): Promise<string | undefined> {
  const [row] = await sql<{ forumId: string }[]>`select forum_id from forum_post where id = ${postId} and deleted_at is null`
  return row?.forumId
}

/** Pins a post in its forum, or ends that. */
export async function updatePostPin(sql: Sql, postId: number, isPinned: boolean, status: ModerationStatus): Promise<void> {
  await sql`update forum_post set is_pinned = ${isPinned}, moderation_status = ${status} where id = ${postId}`
}

/** Pinned posts of a forum that the viewer can see, in order; undefined when the forum is not there for him. */
export async function selectPinnedPosts(sql: Sql, forumId: string, viewer: Viewer): Promise<(PostRow & PostMarks)[] | undefined> {
  const { level, roles } = rightsOf(viewer)
  const rows = await sql<(PostRow & PostMarks)[]>`
    select ${sql(postColumns)}, coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction,
      (select count(*)::int from forum_post_mark every where every.post_id = post.id and every.reaction is not null) as like_count
    from (select hidden_authors(${viewer.id}) as authors) hidden
    cross join forum
    join forum_category category on category.id = forum.category_id
    left join forum_post post on post.forum_id = forum.id and post.is_pinned and post.deleted_at is null and post.author_id <> all (hidden.authors)
    left join forum_post_mark mark on mark.account_id = ${viewer.id} and mark.post_id = post.id
    where forum.id = ${forumId} and forum.deleted_at is null and may_view(category.view_level, category.required_role, ${level}, ${roles})
      and (category.create_level >= 'moderator' or forum.creator_id <> all (blocked_accounts(${viewer.id})))
    order by post.id`
  return rows.length === 0 ? undefined : rows.filter(({ id }) => id !== null)
}

/** Deletes softly, in a forum that is locked. */
export async function softDeletePost(sql: Sql, { id, forumId }: PostRow, now: Date): Promise<void> {
  await sql`
    with gone as (update forum_post set deleted_at = ${now} where id = ${id})
    update forum set post_count = post_count - 1 where id = ${forumId}`
}
