// One forum: reading it from where one left off, renaming it, deleting it.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { changesOwn, userTopic } from '../accounts/events.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { joinedJson } from '../core/base/json-text.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { isModerator, requireNotTempQuarantined } from '../core/base/viewer.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { statusAfterChange } from '../moderation/types.ts'
import { forgetForum } from '../hits/service.ts'
import { shownPosts } from '../post/pages.service.ts'
import { requireMayModify } from '../post/rules.ts'
import { settingsOf } from '../settings/channel.ts'
import { changesForum } from './changes.ts'
import { raiseReadPosition, selectNewestVisible } from './readers.queries.ts'
import type { ForumRow } from './rows.ts'
import type { ForumData, ForumQuery } from './schemas.ts'
import {
  insertForumEdit,
  isVisibleForum,
  lockForum,
  selectThread,
  softDeleteForum,
  updateTitle,
  type PageStart,
} from './threads.queries.ts'
import { forumData, postContent } from './views.ts'

/** A forum that is there for the viewer, locked for this transaction. */
export async function lockVisibleForum(tx: Tx, forumId: string, what: 'forum' | 'post' = 'forum'): Promise<ForumRow> {
  // In this order: the forum may be moved while its lock is waited for.
  const [forum, visible] = await Promise.all([lockForum(tx.sql, forumId), isVisibleForum(tx.sql, forumId, tx.viewer)])
  if (!forum || !visible) throw notAvailable(what)
  // All changes behind this lock are of this forum.
  changesForum(tx, forumId, forum.categoryId)
  return forum
}

/** A page of a forum; without `start` or `startPost` the one with the last post that the caller has read. What is on it counts as read. */
export async function getForum(ctx: Ctx, forumId: string, query: ForumQuery): Promise<Reply<ForumData>> {
  return await threadPage(ctx, { forumId }, query, { index: query.start, postId: query.startPost })
}

/** The forum of a post, from that post on. */
export async function getForumFromPost(ctx: Ctx, postId: number, query: ForumQuery): Promise<Reply<ForumData>> {
  return await threadPage(ctx, { postId }, query, { index: query.start, postId: query.startPost ?? postId })
}

async function threadPage(
  ctx: Ctx,
  of: { forumId: string } | { postId: number },
  query: ForumQuery,
  { index, postId }: PageStart,
): Promise<Reply<ForumData>> {
  const limit = pageOf(query, settingsOf(ctx.node).values.maximumForumPosts).limit
  const thread = await selectThread(ctx.sql, ctx.viewer, of, { index: index === undefined ? undefined : Math.max(0, index), postId }, limit)
  if (!thread) throw notAvailable('forumId' in of ? 'forum' : 'post')
  const { id, posts, lastShownId, total, start } = thread
  if (lastShownId !== null && lastShownId > thread.readPostId)
    await ctx.markSeen({ topic: userTopic, id: ctx.viewer.id }, (tx) => raiseRead(tx, id, lastShownId))
  const shown = await shownPosts(ctx, { name: 'forum', contentOf: postContent }, posts, thread.creatorId)
  const { posts: _none, ...forum } = forumData(ctx.node.accounts, thread, thread, { total, start, limit }, [])
  return new Reply(200, joinedJson(`${narrowJson(JSON.stringify(forum)).slice(0, -1)},"posts":${shown}}`))
}

/** Marks everything in a forum as read; false when it was. */
export async function markForumRead(ctx: Ctx, forumId: string): Promise<boolean> {
  const { raised } = await ctx.transaction(async (tx) => {
    await lockVisibleForum(tx, forumId)
    const newest = await selectNewestVisible(tx.sql, ctx.viewer.id, forumId)
    return { raised: await raiseRead(tx, forumId, newest) }
  })
  return raised
}

function raiseRead(tx: Tx, forumId: string, postId: number): Promise<boolean> {
  changesOwn(tx, tx.viewer.id, 'forum_reader')
  return raiseReadPosition(tx.sql, tx.viewer.id, forumId, postId, tx.now)
}

/** Gives a forum another title. */
export async function renameForum(ctx: Ctx, forumId: string, title: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    const item = { authorId: forum.creatorId, status: forum.moderationStatus }
    requireMayModify(ctx.viewer, item, ctx.nowMs)
    if (title === forum.title) return
    await insertForumEdit(tx.sql, { id: ctx.node.random.uuid(), before: forum, editorId: ctx.viewer.id, now: tx.now })
    await updateTitle(tx.sql, forumId, title, statusAfterChange(item.status, item.authorId === ctx.viewer.id))
    await logModeratorAction(tx, { action: 'edit', contentType: 'forum', contentId: forumId, ownerId: forum.creatorId })
  })
}

/** Deletes a forum with all its posts. Owners cannot. */
export async function deleteForum(ctx: Ctx, forumId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    requireNotTempQuarantined(ctx.viewer, ctx.nowMs)
    if (!isModerator(ctx.viewer)) throw forbidden('moderators_only', 'Only moderators can delete a forum.')
    await softDeleteForum(tx.sql, forum, tx.now)
    await forgetForum(tx, forumId)
    await logModeratorAction(
      tx,
      { action: 'delete', contentType: 'forum', contentId: forumId, ownerId: forum.creatorId },
      { beyondOwner: true },
    )
  })
}
