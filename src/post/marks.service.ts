// What users say about posts: reactions, bookmarks, reports; and a post with all of it.
import type { Ctx, Tx } from '../core/ctx.ts'
import { forbidden, notAvailable } from '../core/errors.ts'
import { blocked } from '../core/viewer.ts'
import { fileReport, type Report } from '../mod/report.service.ts'
import { settingsOf } from '../settings/channel.ts'
import type { Feed, FeedPost, LockedPost } from './feed.ts'
import { deleteBookmark, insertBookmark, lockPost, quarantineReported, selectMarks, selectPostDetail, selectVisiblePost, upsertReaction, type PostDetailRow, type QuarantinedType } from './queries.ts'
import { hasMuteword } from './rules.ts'
import type { FeedName, Reaction } from './types.ts'

export type { PostDetailRow }

/** Locks a post that is not deleted and whose author is in no block with the caller. Where it stands is for the feed to judge. */
export async function lockUnblockedPost<Row extends FeedPost>(tx: Tx, feed: FeedName, postId: number): Promise<LockedPost<Row>> {
  const post = await lockPost<Row>(tx.sql, feed, postId)
  const author = post && await tx.ctx.node.accounts.find(post.authorId)
  if (!post || !author || (author.id !== tx.viewer.id && blocked(tx.viewer, author))) throw notAvailable('post')
  return post
}

/** One post with everybody who has reacted to it; all accounts are loaded. */
export async function visibleDetail<Row extends FeedPost>(ctx: Ctx, feed: Feed<Row, unknown>, postId: number): Promise<PostDetailRow<Row>> {
  const post = await selectPostDetail<Row>(ctx.sql, feed.name, postId, ctx.viewer)
  if (!post || hasMuteword(ctx.viewer, post.text)) throw notAvailable('post')
  await ctx.node.accounts.load(new Set([post.authorId, ...post.laughs, ...post.likes, ...post.loves]))
  return post
}

/** Sets the caller's reaction to somebody else's post in place of an earlier one; null takes it back. */
export async function react<Row extends FeedPost, Data>(ctx: Ctx, feed: Feed<Row, Data>, postId: number, reaction: Reaction | null): Promise<Data> {
  const { post, marks } = await ctx.transaction(async (tx) => {
    const found = await selectVisiblePost<Row>(tx.sql, feed.name, postId, ctx.viewer)
    if (!found) throw notAvailable('post')
    if (found.authorId === ctx.viewer.id) throw forbidden('You cannot react to your own post.')
    await upsertReaction(tx.sql, feed.name, ctx.viewer.id, postId, reaction)
    return { post: found, marks: await selectMarks(tx.sql, feed.name, postId, ctx.viewer.id) }
  })
  await ctx.node.accounts.load([post.authorId])
  return feed.data(ctx.node.accounts, post, marks)
}

/** Bookmarks a post for the caller; false when it was. */
export async function bookmarkPost(ctx: Ctx, feed: FeedName, postId: number): Promise<boolean> {
  const { added } = await ctx.transaction(async (tx) => {
    if (!await selectVisiblePost(tx.sql, feed, postId, ctx.viewer)) throw notAvailable('post')
    return { added: await insertBookmark(tx.sql, feed, ctx.viewer.id, postId) }
  })
  return added
}

/** Ends a bookmark of the caller, if there is one; with `mustExist` only of a post that is there for him. */
export async function unbookmarkPost(ctx: Ctx, feed: FeedName, postId: number, { mustExist }: { mustExist: boolean }): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (mustExist && !await selectVisiblePost(tx.sql, feed, postId, ctx.viewer)) throw notAvailable('post')
    await deleteBookmark(tx.sql, feed, ctx.viewer.id, postId)
  })
}

/** Reports a post to the moderators; many reports hide it. */
export async function reportPost<Row extends FeedPost>(ctx: Ctx, feed: Feed<Row, unknown>, postId: number, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { authorId } = await feed.lock(tx, postId)
    await fileAndCount(tx, { type: feed.contentType, reportedId: String(postId), reportedUserId: authorId, message }, settingsOf(ctx.node).values.postAutoQuarantineThreshold)
  })
}

/** Files a report on something that is locked, and hides it when the number of its reports reaches a multiple of `threshold`. */
export async function fileAndCount(tx: Tx, report: Report & { type: QuarantinedType }, threshold: number): Promise<void> {
  await fileReport(tx, report)
  await quarantineReported(tx.sql, report.type, report.reportedId, threshold)
}
