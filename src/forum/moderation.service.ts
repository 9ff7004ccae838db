// Forums and their posts as moderators see, judge and sort them.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { audit } from '../moderation/audit.service.ts'
import { caseOf } from '../moderation/acts.service.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import type { ForumModerationData, ForumPostModerationData } from './moderation.schemas.ts'
import { recordState } from '../moderation/state.service.ts'
import { settableStates, type SettableState } from '../moderation/types.ts'
import { judgedPost, setPostState } from '../post/moderation.service.ts'
import { changesForum } from './changes.ts'
import { lockCategories, selectAnyForum, selectForumEdits, updateCategory, updateForumState, updateSlowMode } from './moderation.queries.ts'
import { slowModeTopic, type SlowModeData } from '../post/pace.service.ts'
import { forumPosts } from './posts.service.ts'
import { mayView } from './rules.ts'
import { insertForumEdit } from './threads.queries.ts'
import { lockVisibleForum } from './threads.service.ts'
import { judgedPostData } from './views.ts'

/** A forum with its real title, deleted or not; without posts. */
export async function getForumModeration(ctx: Ctx, forumId: string): Promise<ForumModerationData> {
  const forum = await selectAnyForum(ctx.sql, forumId, ctx.viewer)
  if (!forum) throw notAvailable('forum')
  const { accounts } = ctx.node
  const edits = await selectForumEdits(ctx.sql, forumId)
  await accounts.load(new Set([forum.creatorId, ...edits.map(({ editorId }) => editorId)]))
  return {
    forumID: forum.id,
    categoryID: forum.categoryId,
    creator: accounts.get(forum.creatorId).header,
    title: forum.title,
    createdAt: forum.createdAt,
    isDeleted: forum.deletedAt !== null,
    ...(forum.slowSeconds > 0 ? { slowModeSeconds: forum.slowSeconds } : {}),
    edits: edits.map(({ id, editorId, createdAt, title, categoryId }) => ({
      forumID: forumId,
      editID: id,
      createdAt,
      author: accounts.get(editorId).header,
      title,
      ...(categoryId ? { categoryID: categoryId } : {}),
    })),
    ...(await caseOf(ctx, ['forum'], forumId, forum.moderationStatus)),
  }
}

/** A post with nothing hidden, deleted or not. */
export async function getForumPostModeration(ctx: Ctx, postId: number): Promise<ForumPostModerationData> {
  const { post, judged } = await judgedPost(ctx, forumPosts, postId)
  return { forumPost: judgedPostData(ctx.node.accounts, post), ...judged }
}

/** Sets the state of a forum. */
export async function setForumState(ctx: Ctx, forumId: string, state: SettableState, basedOn?: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    await updateForumState(tx.sql, forumId, settableStates[state].status)
    await recordState(tx, {
      contentType: 'forum',
      contentId: forumId,
      ownerId: forum.creatorId,
      before: forum.moderationStatus,
      state,
      basedOn,
    })
  })
}

/** Lets each person post once in so many seconds in a forum. */
export async function setForumSlowMode(ctx: Ctx, forumId: string, { seconds }: SlowModeData, basedOn?: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    requireSame(basedOn, forum.slowSeconds, 'slow mode')
    if (forum.slowSeconds === seconds) return
    await updateSlowMode(tx.sql, forumId, seconds)
    await audit(tx, {
      action: 'setSlowMode',
      subject: { type: 'forum', id: forumId },
      userId: forum.creatorId,
      details: { from: forum.slowSeconds, to: seconds },
    })
    tx.emitConfirmed(slowModeTopic, `forum ${forumId}`, { type: 'changed' })
  })
}

/** Sets the state of a post. */
export async function setForumPostState(ctx: Ctx, postId: number, state: SettableState, basedOn?: string): Promise<void> {
  await setPostState(ctx, forumPosts, postId, { state, basedOn })
}

/** Puts a forum into another category: from then on that one says who sees it. */
export async function moveForum(ctx: Ctx, forumId: string, categoryId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    if (forum.categoryId === categoryId) throw badRequest('already_done', 'The forum is in this category already.')
    const to = (await lockCategories(tx.sql, [forum.categoryId, categoryId])).find(({ id }) => id === categoryId)
    if (!to || !mayView(ctx.viewer, to)) throw notAvailable('category')
    await insertForumEdit(tx.sql, {
      id: ctx.node.random.uuid(),
      before: forum,
      movedFrom: forum.categoryId,
      editorId: ctx.viewer.id,
      now: tx.now,
    })
    changesForum(tx, categoryId)
    await updateCategory(tx.sql, forumId, forum.categoryId, categoryId)
    const details = { from: forum.categoryId, to: categoryId }
    await logModeratorAction(
      tx,
      { action: 'move', contentType: 'forum', contentId: forumId, ownerId: forum.creatorId },
      { beyondOwner: true, details },
    )
  })
}
