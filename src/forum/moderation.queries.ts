// Statements about forums and their posts as moderators see and judge them.
import type { Sql } from '../core/db.ts'
import type { Viewer } from '../core/viewer.ts'
import { categoryColumns, forumColumns, postColumns, rightsOf, type CategoryRow, type ForumRow, type PostRow } from './rows.ts'
import type { ModerationStatus } from './types.ts'

/** A forum in a category that the viewer can see, deleted or not. */
export async function selectAnyForum(sql: Sql, forumId: string, viewer: Viewer): Promise<ForumRow & { deletedAt: Date | null } | undefined> {
  const { level, roles } = rightsOf(viewer)
  const [row] = await sql<(ForumRow & { deletedAt: Date | null })[]>`
    select ${sql(forumColumns)}, forum.deleted_at from forum join forum_category category on category.id = forum.category_id
    where forum.id = ${forumId} and may_view(category.view_level, category.required_role, ${level}, ${roles})`
  return row
}

/** A post in a category that the viewer can see, deleted or not. */
export async function selectAnyPost(sql: Sql, postId: number, viewer: Viewer): Promise<PostRow & { deletedAt: Date | null } | undefined> {
  const { level, roles } = rightsOf(viewer)
  const [row] = await sql<(PostRow & { deletedAt: Date | null })[]>`
    select ${sql(postColumns)}, post.deleted_at from forum_post post
    join forum on forum.id = post.forum_id
    join forum_category category on category.id = forum.category_id
    where post.id = ${postId} and may_view(category.view_level, category.required_role, ${level}, ${roles})`
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

/** What a forum was before each change, oldest first. */
export async function selectForumEdits(sql: Sql, forumId: string): Promise<ForumEditRow[]> {
  return await sql<ForumEditRow[]>`select id, editor_id, title, category_id, created_at from forum_edit where forum_id = ${forumId} order by created_at, id`
}

export interface PostEditRow {
  id: string
  editorId: string
  text: string
  images: string[] | null
  createdAt: Date
}

/** What a post was before each change, oldest first. */
export async function selectPostEdits(sql: Sql, postId: number): Promise<PostEditRow[]> {
  return await sql<PostEditRow[]>`select id, editor_id, text, images, created_at from forum_post_edit where post_id = ${postId} order by created_at, id`
}

/** Sets the state of a forum or a post, which is locked. */
export async function updateState(sql: Sql, table: 'forum' | 'forum_post', id: string | number, status: ModerationStatus): Promise<void> {
  await sql`update ${sql(table)} set moderation_status = ${status} where id = ${id}`
}

/** Locks two categories, always in the same order. */
export async function lockCategories(sql: Sql, categoryIds: readonly string[]): Promise<CategoryRow[]> {
  return await sql<CategoryRow[]>`select ${sql(categoryColumns)} from forum_category category where id = any(${categoryIds}) order by id for no key update`
}

/** Moves a forum, which is locked, and counts it where it is now; both categories are locked. */
export async function updateCategory(sql: Sql, forumId: string, from: string, to: string): Promise<void> {
  await sql`
    with counted as (update forum_category set forum_count = forum_count + case when id = ${to} then 1 else -1 end where id in (${from}, ${to}))
    update forum set category_id = ${to} where id = ${forumId}`
}
