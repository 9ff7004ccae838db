// Favorites and mutes: the forums that an account lists first, and last.
import type { Ctx } from '../core/work/ctx.ts'
import { changesOwn } from '../accounts/events.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { lockReader, updateReaderFlag, type ReaderFlag } from './readers.queries.ts'
import { selectVisibleForum } from './threads.queries.ts'

/** Makes a forum a favorite of the caller; false when it was. */
export async function favoriteForum(ctx: Ctx, forumId: string): Promise<boolean> {
  return await setFlag(ctx, forumId, 'isFavorite', 'A muted forum cannot be a favorite.')
}

/** Mutes a forum for the caller: it comes last, and not among unread ones. False when it was muted. */
export async function muteForum(ctx: Ctx, forumId: string): Promise<boolean> {
  return await setFlag(ctx, forumId, 'isMuted', 'A favorite forum cannot be muted.')
}

async function setFlag(ctx: Ctx, forumId: string, flag: ReaderFlag, refusal: string): Promise<boolean> {
  const { changed } = await ctx.transaction(async (tx) => {
    changesOwn(tx, ctx.viewer.id, 'forum_reader')
    if (!(await selectVisibleForum(tx.sql, forumId, ctx.viewer))) throw notAvailable('forum')
    const { isFavorite, isMuted } = await lockReader(tx.sql, ctx.viewer.id, forumId, tx.now)
    if (flag === 'isFavorite' ? isMuted : isFavorite) throw badRequest('favorite_and_mute', refusal)
    return { changed: await updateReaderFlag(tx.sql, ctx.viewer.id, forumId, flag, true, tx.now) }
  })
  return changed
}

/** Ends one of the two, also for a forum that is not there any more; false when it was not so. */
export async function clearForumFlag(ctx: Ctx, forumId: string, flag: ReaderFlag): Promise<boolean> {
  const { changed } = await ctx.transaction(async (tx) => {
    changesOwn(tx, ctx.viewer.id, 'forum_reader')
    return { changed: await updateReaderFlag(tx.sql, ctx.viewer.id, forumId, flag, false, tx.now) }
  })
  return changed
}
