// Users that an account wants to find quickly. One-directional and private.
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { gathered } from '../core/db/gathered.ts'
import { badRequest } from '../core/base/errors.ts'
import { deleteFavorite, insertFavorite, selectFavorites, selectIsFavorite } from './favorites.queries.ts'
import { visibleUser } from './service.ts'

const readFavorites = gathered(selectFavorites)

/** The caller's favorites, also those that a block hides from them elsewhere. */
export async function listFavorites(ctx: Ctx): Promise<UserHeader[]> {
  return (await readFavorites(ctx.node.db, ctx.viewer.id))?.map(headerOf) ?? []
}

/** Makes a user a favorite of the caller. */
export async function favoriteUser(ctx: Ctx, accountId: string): Promise<void> {
  if (accountId === ctx.viewer.id) throw badRequest('self', 'You cannot favorite yourself.')
  await visibleUser(ctx, accountId)
  await ctx.transaction((tx) => insertFavorite(tx.sql, ctx.viewer.id, accountId, tx.now))
}

/** Takes a user off the caller's favorites. */
export async function unfavoriteUser(ctx: Ctx, accountId: string): Promise<void> {
  const removed = await ctx.transaction((tx) => deleteFavorite(tx.sql, ctx.viewer.id, accountId))
  // A favorite may have become hidden since, and is still listed.
  if (!removed) await visibleUser(ctx, accountId)
}

/** Whether a user has made the caller a favorite. */
export async function isFavoriteOf(ctx: Ctx, accountId: string): Promise<boolean> {
  return await selectIsFavorite(ctx.sql, accountId, ctx.viewer.id)
}
