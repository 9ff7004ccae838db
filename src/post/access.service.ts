// Posts that are there for the caller.
import type { Ctx, Tx } from '../core/ctx.ts'
import { notAvailable } from '../core/errors.ts'
import { blocked } from '../core/viewer.ts'
import type { Feed, FeedPost, LockedPost } from './feed.ts'
import { lockPost, selectPostDetail, selectVisiblePost, type PostDetailRow } from './queries.ts'
import { hasMuteword } from './rules.ts'
import type { FeedName } from '../hits/hits.ts'

/** A post that is there for the caller, whoever is muted. */
export async function visiblePost<Row extends FeedPost>({ sql, viewer }: Ctx | Tx, feed: FeedName, postId: number): Promise<Row> {
  const post = await selectVisiblePost<Row>(sql, feed, postId, viewer)
  if (!post) throw notAvailable('post')
  return post
}

/** Locks a post that is not deleted and whose author is in no block with the caller. Whether he sees the place where it stands is for the feed to judge. */
export async function lockUnblockedPost<Row extends FeedPost>(tx: Tx, feed: FeedName, postId: number): Promise<LockedPost<Row>> {
  const post = await lockPost<Row>(tx.sql, feed, postId)
  const author = post && (await tx.ctx.node.accounts.find(post.authorId))
  if (!post || !author || (author.id !== tx.viewer.id && blocked(tx.viewer, author))) throw notAvailable('post')
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
