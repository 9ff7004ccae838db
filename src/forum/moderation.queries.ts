// Statements about forums as moderators see and judge them.
import type { Sql } from '../core/db/db.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { categoryColumns, forumColumns, type CategoryRow, type ForumRow } from './rows.ts'
import { rightsOf } from '../post/rights.ts'
import type { ModerationStatus } from './types.ts'
import type { WrittenFilter, WrittenRow } from '../moderation/judged.ts'

/** A forum in a category that the viewer can see, deleted or not. */
export async function selectAnyForum(
  sql: Sql,
  forumId: string,
  viewer: Viewer,
): Promise<(ForumRow & { deletedAt: Date | null }) | undefined> {
  const { level, roles } = rightsOf(viewer)
  const [row] = await sql<(ForumRow & { deletedAt: Date | null })[]>`
    select ${sql(forumColumns)}, forum.deleted_at from forum join forum_category category on category.id = forum.category_id
    where forum.id = ${forumId} and may_view(category.view_level, category.required_role, ${level}, ${roles})`
  return row
}

export interface ForumEditRow {
  id: string
  editorId: string
  title: string
  /** Where it was before it was moved. */
  categoryId: string | null
  createdAt: Date
}

/** Earlier versions of a forum, oldest first. */
export async function selectForumEdits(sql: Sql, forumId: string): Promise<ForumEditRow[]> {
  return await sql<
    ForumEditRow[]
  >`select id, editor_id, title, category_id, created_at from forum_edit where forum_id = ${forumId} order by created_at, id`
}

/** Sets the state of a forum, which is locked. */
export async function updateForumState(sql: Sql, forumId: string, status: ModerationStatus): Promise<void> {
  await sql`update forum set moderation_status = ${status} where id = ${forumId}`
}

export async function updateSlowMode(sql: Sql, forumId: string, seconds: number): Promise<void> {
  await sql`update forum set slow_seconds = ${seconds} where id = ${forumId}`
}

/** Locks two categories, always in the same order. */
export async function lockCategories(sql: Sql, categoryIds: readonly string[]): Promise<CategoryRow[]> {
  return await sql<
    CategoryRow[]
  >`select ${sql(categoryColumns)} from forum_category category where id = any(${categoryIds}) order by id for no key update`
}

/** Moves a forum, which is locked, and counts it where it is now; both categories are locked. */
export async function updateCategory(sql: Sql, forumId: string, from: string, to: string): Promise<void> {
  await sql`
    with counted as (update forum_category set forum_count = forum_count + case when id = ${to} then 1 else -1 end
      where id in (${from}, ${to}))
    update forum set category_id = ${to} where id = ${forumId}`
}

/** Forums that accounts have started, newest first. */
export async function selectWrittenForums(sql: Sql, { accountIds, before, pattern, limit, viewer }: WrittenFilter): Promise<WrittenRow[]> {
  const { level, roles } = rightsOf(viewer)
  return await sql<WrittenRow[]>`
    select forum.id::text as id, forum.creator_id as author_id, left(forum.title, 300) as text, '{}'::text[] as images,
      category.title as place, forum.moderation_status, forum.created_at
    from forum join forum_category category on category.id = forum.category_id
    where forum.creator_id = any (${accountIds}::uuid[]) and may_view(category.view_level, category.required_role, ${level}, ${roles})
      and forum.deleted_at is null and forum.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(forum.title) like ${pattern}`}
    order by forum.created_at desc, forum.id::text collate "C" desc limit ${limit}`
}

/** Posts in forums by accounts, newest first. */
export async function selectWrittenPosts(sql: Sql, { accountIds, before, pattern, limit, viewer }: WrittenFilter): Promise<WrittenRow[]> {
  const { level, roles } = rightsOf(viewer)
  return await sql<WrittenRow[]>`
    select post.id::text as id, post.author_id, left(post.text, 300) as text, coalesce(post.images, '{}') as images,
      forum.title as place, post.moderation_status, post.created_at
    from forum_post post join forum on forum.id = post.forum_id and forum.deleted_at is null
      join forum_category category on category.id = forum.category_id
    where post.author_id = any (${accountIds}::uuid[]) and may_view(category.view_level, category.required_role, ${level}, ${roles})
      and post.deleted_at is null and post.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(post.text) like ${pattern}`}
    order by post.created_at desc, post.id::text collate "C" desc limit ${limit}`
}
