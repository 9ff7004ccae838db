// Posts that are there for the caller.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { notAvailable } from '../core/base/errors.ts'
import { blocked } from '../core/base/viewer.ts'
import type { Feed, FeedPost, LockedPost } from './feed.ts'
import { lockPosts, selectPostDetail, selectVisiblePosts, type PostDetailRow } from './queries.ts'
import { hasMuteword } from './rules.ts'
import type { FeedName } from '../hits/hits.ts'

/** A post that is there for the caller, whoever is muted. */
export async function visiblePost<Row extends FeedPost>({ sql, viewer }: Ctx | Tx, feed: FeedName, postId: number): Promise<Row> {
  const [post] = await selectVisiblePosts<Row>(sql, feed, [postId], viewer)
  if (!post) throw notAvailable('post')
  return post
}

/** Those of the posts that are there for the caller, whoever is muted, in any order. */
export async function visiblePosts({ sql, viewer }: Ctx, feed: FeedName, postIds: readonly number[]): Promise<FeedPost[]> {
  return postIds.length === 0 ? [] : await selectVisiblePosts(sql, feed, postIds, viewer)
}

/** Locks a post that is not deleted and whose author is in no block with the caller. The feed checks whether the caller sees its place. */
export async function lockUnblockedPost<Row extends FeedPost>(tx: Tx, feed: FeedName, postId: number): Promise<LockedPost<Row>> {
  const [post] = await lockPosts<Row>(tx.sql, feed, [postId], true)
  return await requireUnblocked(tx, post)
}

/** Locks those of the posts that are not deleted; without `wait`, only those that no other transaction holds. */
export async function lockPostsById<Row extends FeedPost>(
  sql: Sql,
  feed: FeedName,
  postIds: readonly number[],
  wait: boolean,
): Promise<Map<number, LockedPost<Row>>> {
  return new Map((await lockPosts<Row>(sql, feed, postIds, wait)).map((post) => [post.id, post]))
}

/** Refuses unless the post is there and its author is in no block with the caller. */
export async function requireUnblocked<Row extends FeedPost>(
  { ctx, viewer }: Tx,
  post: LockedPost<Row> | undefined,
): Promise<LockedPost<Row>> {
  const author = post && (await ctx.node.accounts.find(post.authorId))
  if (!post || !author || (author.id !== viewer.id && blocked(viewer, author))) throw notAvailable('post')
  return post
}

/** One post with everybody who has reacted to it, unless the caller hides its author or one of its words; all accounts are loaded. */
export async function postDetail<Row extends FeedPost>(
  ctx: Ctx,
  { name }: Feed<Row, unknown>,
  postId: number,
): Promise<PostDetailRow<Row>> {
  const post = await selectPostDetail<Row>(ctx.sql, name, postId, ctx.viewer)
  if (!post || hasMuteword(ctx.viewer, post.text)) throw notAvailable('post')
  await ctx.node.accounts.load(new Set([post.authorId, ...post.laughs, ...post.likes, ...post.loves]))
  return post
}
