// Pins: forums that come first in their category, posts that stand out in their forum.
import type { Ctx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { isModerator, requireNotTempQuarantined } from '../core/base/viewer.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { statusAfterChange } from '../moderation/types.ts'
import { hasMuteword } from '../post/rules.ts'
import { selectPinnedPosts, updatePostPin } from './posts.queries.ts'
import { lockVisiblePost } from './posts.service.ts'
import { requireOpenForum } from './rules.ts'
import type { PostData } from './schemas.ts'
import { updateForumPin } from './threads.queries.ts'
import { lockVisibleForum } from './threads.service.ts'
import { postData } from './views.ts'

/** Pins or unpins a forum; false when it was so. */
export async function pinForum(ctx: Ctx, forumId: string, isPinned: boolean): Promise<boolean> {
  const { changed } = await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    if (forum.isPinned === isPinned) return { changed: false }
    await updateForumPin(tx.sql, forumId, isPinned)
    await logModeratorAction(
      tx,
      { action: isPinned ? 'pin' : 'unpin', contentType: 'forum', contentId: forumId, ownerId: forum.creatorId },
      { beyondOwner: true },
    )
    return { changed: true }
  })
  return changed
}

/** Pins or unpins a post: for the creator of its forum and moderators. False when it was so. */
export async function pinPost(ctx: Ctx, postId: number, isPinned: boolean): Promise<boolean> {
  const { changed } = await ctx.transaction(async (tx) => {
    const { post, forum } = await lockVisiblePost(tx, postId)
    requireNotTempQuarantined(ctx.viewer, ctx.nowMs)
    if (forum.creatorId !== ctx.viewer.id && !isModerator(ctx.viewer))
      throw forbidden('not_owner', 'Only the creator of the forum and moderators can pin its posts.')
    requireOpenForum(ctx.viewer, forum.moderationStatus)
    if (post.isPinned === isPinned) return { changed: false }
    await updatePostPin(tx.sql, postId, isPinned, statusAfterChange(post.moderationStatus, post.authorId === ctx.viewer.id))
    await logModeratorAction(tx, {
      action: isPinned ? 'pin' : 'unpin',
      contentType: 'forumPost',
      contentId: String(postId),
      ownerId: post.authorId,
    })
    return { changed: true }
  })
  return changed
}

/** The pinned posts of a forum, in order. */
export async function listPinnedPosts(ctx: Ctx, forumId: string): Promise<PostData[]> {
  const rows = await selectPinnedPosts(ctx.sql, forumId, ctx.viewer)
  if (!rows) throw notAvailable('forum')
  const posts = rows.filter(({ text }) => !hasMuteword(ctx.viewer, text))
  await ctx.node.accounts.load(new Set(posts.map(({ authorId }) => authorId)))
  return posts.map((post) => postData(ctx.node.accounts, post, post))
}
