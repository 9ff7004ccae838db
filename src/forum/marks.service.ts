// What users say about posts and forums: reactions, bookmarks, reports; and a post with all of it.
import type { Ctx } from '../core/ctx.ts'
import { forbidden, notAvailable } from '../core/errors.ts'
import { fileReport } from '../mod/report.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { deleteBookmark, insertBookmark, quarantineReported, selectPostDetail, upsertReaction } from './marks.queries.ts'
import { selectMarks, selectVisiblePost } from './posts.queries.ts'
import { lockVisiblePost } from './posts.service.ts'
import { hasMuteword } from './rules.ts'
import type { PostData, PostDetailData } from './schemas.ts'
import { lockVisibleForum } from './threads.service.ts'
import type { Reaction } from './types.ts'
import { postData, postDetailData } from './views.ts'

/** One post with everybody who has reacted to it. */
export async function getPost(ctx: Ctx, postId: number): Promise<PostDetailData> {
  const post = await selectPostDetail(ctx.sql, postId, ctx.viewer)
  if (!post || hasMuteword(ctx.viewer, post.text)) throw notAvailable('post')
  await ctx.node.accounts.load(new Set([post.authorId, ...post.laughs, ...post.likes, ...post.loves]))
  return postDetailData(ctx.node.accounts, post)
}

/** Sets the caller's reaction to somebody else's post in place of an earlier one; null takes it back. */
export async function react(ctx: Ctx, postId: number, reaction: Reaction | null): Promise<PostData> {
  const { post, marks } = await ctx.transaction(async (tx) => {
    const found = await selectVisiblePost(tx.sql, postId, ctx.viewer)
    if (!found) throw notAvailable('post')
    if (found.authorId === ctx.viewer.id) throw forbidden('You cannot react to your own post.')
    await upsertReaction(tx.sql, ctx.viewer.id, postId, reaction)
    return { post: found, marks: await selectMarks(tx.sql, postId, ctx.viewer.id) }
  })
  await ctx.node.accounts.load([post.authorId])
  return postData(ctx.node.accounts, post, marks)
}

/** Bookmarks a post for the caller; false when it was. */
export async function bookmarkPost(ctx: Ctx, postId: number): Promise<boolean> {
  const { added } = await ctx.transaction(async (tx) => {
    if (!await selectVisiblePost(tx.sql, postId, ctx.viewer)) throw notAvailable('post')
    return { added: await insertBookmark(tx.sql, ctx.viewer.id, postId) }
  })
  return added
}

/** Ends a bookmark, if there is one. */
export async function unbookmarkPost(ctx: Ctx, postId: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (!await selectVisiblePost(tx.sql, postId, ctx.viewer)) throw notAvailable('post')
    await deleteBookmark(tx.sql, ctx.viewer.id, postId)
  })
}

/** Reports a forum to the moderators; many reports hide its title. */
export async function reportForum(ctx: Ctx, forumId: string, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    await fileReport(tx, { type: 'forum', reportedId: forumId, reportedUserId: forum.creatorId, message })
    await quarantineReported(tx.sql, 'forum', forumId, settingsOf(ctx.node).values.forumAutoQuarantineThreshold)
  })
}

/** Reports a post to the moderators; many reports hide it. */
export async function reportForumPost(ctx: Ctx, postId: number, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { post } = await lockVisiblePost(tx, postId)
    await fileReport(tx, { type: 'forumPost', reportedId: String(postId), reportedUserId: post.authorId, message })
    await quarantineReported(tx.sql, 'forum_post', postId, settingsOf(ctx.node).values.postAutoQuarantineThreshold)
  })
}
