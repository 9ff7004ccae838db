// Marks on posts: reactions, bookmarks, reports.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { forbidden } from '../core/base/errors.ts'
import { fileCountedReport, type Report } from '../moderation/report.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { visiblePost } from './access.service.ts'
import type { Feed, FeedPost } from './feed.ts'
import { deleteBookmark, insertBookmark, quarantineReported, selectMarks, upsertReaction, type QuarantinedType } from './queries.ts'
import type { Reaction } from './types.ts'
import type { FeedName } from '../hits/hits.ts'

/** Sets the caller's reaction to somebody else's post in place of an earlier one; null takes it back. */
export async function react<Row extends FeedPost, Data>(
  ctx: Ctx,
  feed: Feed<Row, Data>,
  postId: number,
  reaction: Reaction | null,
): Promise<Data> {
  const { post, marks } = await ctx.transaction(async (tx) => {
    const found = await visiblePost<Row>(tx, feed.name, postId)
    changesMarks(tx, feed.name, found)
    if (found.authorId === ctx.viewer.id) throw forbidden('own_post', 'You cannot react to your own post.')
    await upsertReaction(tx.sql, feed.name, ctx.viewer.id, postId, reaction)
    return { post: found, marks: await selectMarks(tx.sql, feed.name, postId, ctx.viewer.id) }
  })
  await ctx.node.accounts.load([post.authorId])
  return feed.data(ctx.node.accounts, post, marks)
}

/** Says whose marks a transaction changes, and in which forum: answers in memory know them by both. */
function changesMarks(tx: Tx, feed: FeedName, post: FeedPost & { forumId?: string }): void {
  tx.changesPart([`${feed}_post_mark`], tx.viewer.id)
  if (post.forumId !== undefined) tx.changesPart([`${feed}_post_mark`], post.forumId)
}

/** Bookmarks a post for the caller; false when it was. */
export async function bookmarkPost(ctx: Ctx, feed: FeedName, postId: number): Promise<boolean> {
  const { added } = await ctx.transaction(async (tx) => {
    changesMarks(tx, feed, await visiblePost(tx, feed, postId))
    return { added: await insertBookmark(tx.sql, feed, ctx.viewer.id, postId) }
  })
  return added
}

/** Removes a bookmark of the caller, if there is one; with `mustExist` only of a post that they can see. */
export async function unbookmarkPost(ctx: Ctx, feed: FeedName, postId: number, { mustExist }: { mustExist: boolean }): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (mustExist) changesMarks(tx, feed, await visiblePost(tx, feed, postId))
    await deleteBookmark(tx.sql, feed, ctx.viewer.id, postId)
  })
}

/** Reports a post to the moderators; many reports hide it. */
export async function reportPost<Row extends FeedPost>(ctx: Ctx, feed: Feed<Row, unknown>, postId: number, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { authorId } = await feed.lock(tx, postId)
    await fileAndCount(
      tx,
      { type: feed.contentType, reportedId: String(postId), reportedUserId: authorId, message },
      settingsOf(ctx.node).values.postAutoQuarantineThreshold,
    )
  })
}

/** Files a report on something that is locked, and hides it when it has been reported often. */
export async function fileAndCount(tx: Tx, report: Report & { type: QuarantinedType }, threshold: number): Promise<void> {
  if (await fileCountedReport(tx, report, threshold)) await quarantineReported(tx.sql, report.type, report.reportedId)
}
