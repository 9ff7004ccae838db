// Statements about posts of the microblog that those of forums do not have.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Sql } from '../core/db/db.ts'
import { insertedJob, type JobOrigin } from '../core/jobs/jobs.ts'
import type { PackedPosts } from '../post/kept.ts'
import { packedPosts } from '../post/packed.ts'

export interface NewPost {
  authorId: string
  realAuthorId: string
  text: string
  images: readonly string[]
  replyGroup: number | null
  hashtags: readonly string[]
  mentions: readonly string[]
  createdAt: Date
}

// Held until the commit: whoever has read up to an id misses no lower one.
const writersLock = advisoryLock('microblog writers')

/** Writes a post, with its job if it has one; returns its id. */
export async function insertPost(sql: Sql, post: NewPost, scan?: JobOrigin): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    with turn as materialized (select pg_advisory_xact_lock(${writersLock})),
    written as (
      insert into microblog_post (author_id, real_author_id, text, images, reply_group, hashtags, mentions, created_at)
      select ${post.authorId}, ${post.realAuthorId}, ${post.text}, ${post.images}::text[], ${post.replyGroup}::int, ${post.hashtags}::text[], ${post.mentions}::text[], ${post.createdAt} from turn
      returning id)
    ${scan ? sql`, noted as (${insertedJob(sql, 'alertword-scan', scan, sql`jsonb_build_object('feed', 'microblog', 'postId', id) from written`)})` : sql``}
    select id from written`
  return row.id
}

/** True when nobody has ever written anything. */
export async function hasNoPosts(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ none: boolean }]>`select not exists (select from microblog_post) as none`
  return row.none
}

/** A post, which is locked, becomes the first of a group of answers. */
export async function beginReplyGroup(sql: Sql, postId: number): Promise<void> {
  await sql`update microblog_post set reply_group = id where id = ${postId}`
}

export async function softDeletePost(sql: Sql, postId: number, now: Date): Promise<void> {
  await sql`update microblog_post set deleted_at = ${now} where id = ${postId}`
}

const newestPosts = `
  with hidden as materialized (select hidden_authors($1) as authors),
  page as materialized (
    select id from microblog_post where deleted_at is null and author_id <> all ((select authors from hidden)::uuid[]) order by id desc limit $2 offset $3)
  select ${packedPosts('microblog', 'microblog_post_mark', 'desc', 'false')} as posts
  from page join microblog_post post on post.id = page.id
  left join microblog_post_mark mark on mark.account_id = $1 and mark.post_id = post.id`

/** A part of the posts whose authors the viewer does not hide, newest first. */
export async function selectNewestPosts(sql: Sql, viewerId: string, start: number, limit: number): Promise<PackedPosts> {
  const [{ posts }] = await sql.unsafe<[{ posts: PackedPosts }]>(newestPosts, [viewerId, limit, start], { prepare: true })
  return posts
}
