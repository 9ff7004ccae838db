// Statements about what accounts say about posts: reactions, bookmarks, reports.
import type { Sql } from '../core/db.ts'
import type { Viewer } from '../core/viewer.ts'
import { postColumns, rightsOf, type PostRow } from './rows.ts'
import type { Reaction } from './types.ts'

/** Sets or, with null, takes back an account's reaction to a post. */
export async function upsertReaction(sql: Sql, accountId: string, postId: number, reaction: Reaction | null): Promise<void> {
  if (reaction === null) await sql`update forum_post_mark set reaction = null where account_id = ${accountId} and post_id = ${postId}`
  else {
    await sql`
      insert into forum_post_mark (account_id, post_id, reaction) values (${accountId}, ${postId}, ${reaction})
      on conflict (account_id, post_id) do update set reaction = excluded.reaction`
  }
}

/** Returns false when it was bookmarked. */
export async function insertBookmark(sql: Sql, accountId: string, postId: number): Promise<boolean> {
  const result = await sql`
    insert into forum_post_mark (account_id, post_id, is_bookmarked) values (${accountId}, ${postId}, true)
    on conflict (account_id, post_id) do update set is_bookmarked = true where not forum_post_mark.is_bookmarked`
  return result.count > 0
}

export async function deleteBookmark(sql: Sql, accountId: string, postId: number): Promise<void> {
  await sql`update forum_post_mark set is_bookmarked = false where account_id = ${accountId} and post_id = ${postId}`
}

/** A post with everybody who has reacted to it. */
export interface PostDetailRow extends PostRow {
  isBookmarked: boolean
  reaction: Reaction | null
  laughs: string[]
  likes: string[]
  loves: string[]
}

/** A post whose author the viewer does not hide; undefined when it is not there for him. */
export async function selectPostDetail(sql: Sql, postId: number, viewer: Viewer): Promise<PostDetailRow | undefined> {
  const { level, roles } = rightsOf(viewer)
  const who = (reaction: Reaction) => sql`array(select account_id from forum_post_mark every where every.post_id = post.id and every.reaction = ${reaction} order by account_id)`
  const [row] = await sql<PostDetailRow[]>`
    select ${sql(postColumns)}, coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction, ${who('laugh')} as laughs, ${who('like')} as likes, ${who('love')} as loves
    from forum_post post
    join forum on forum.id = post.forum_id
    join forum_category category on category.id = forum.category_id
    left join forum_post_mark mark on mark.account_id = ${viewer.id} and mark.post_id = post.id
    where post.id = ${postId} and post.deleted_at is null and forum.deleted_at is null
      and may_view(category.view_level, category.required_role, ${level}, ${roles}) and post.author_id <> all (hidden_authors(${viewer.id}))`
  return row
}

/** Hides what nobody has judged yet, each time the number of its reports reaches a multiple of `threshold`. The row is locked. */
export async function quarantineReported(sql: Sql, table: 'forum' | 'forum_post', id: string | number, threshold: number): Promise<void> {
  const type = table === 'forum' ? 'forum' : 'forumPost'
  await sql`
    update ${sql(table)} set moderation_status = 'autoQuarantined'
    where id = ${id} and moderation_status = 'normal' and ${threshold}::int > 0
      and (select count(*) > 0 and count(*) % greatest(${threshold}::int, 1) = 0 from report where type = ${type} and reported_id = ${String(id)})`
}
