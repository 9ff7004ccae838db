// Statements about single posts, and about forums as far as they begin with one.
import type { Sql } from '../core/db.ts'
import { titleKey, type ForumRow } from './rows.ts'

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

const insertedPost = (sql: Sql, post: NewPost) => sql`
  insert into forum_post (forum_id, author_id, real_author_id, text, images, hashtags, mentions, created_at)
  values (${post.forumId}, ${post.authorId}, ${post.realAuthorId}, ${post.text}, ${post.images}::text[], ${post.hashtags}::text[], ${post.mentions}::text[], ${post.createdAt})
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
