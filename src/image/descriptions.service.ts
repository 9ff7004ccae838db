// What is to be seen in pictures, for those who cannot see them. A description belongs to the stored picture, wherever that is shown:
// whoever has its name may have both.
import type { Ctx } from '../core/work/ctx.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { selectDescriptions, upsertDescription } from './queries.ts'
import type { ImageDescriptionData } from './schemas.ts'

/** Keeps what the caller says of a picture. Of one that was stored before, only the account that described it changes the words. */
export async function describeImage(ctx: Ctx<Viewer | undefined>, image: string, alt: string, isNew: boolean): Promise<void> {
  const description = alt.trim()
  const { viewer } = ctx
  if (!viewer || description === '') return
  await ctx.statement((tx) => upsertDescription(tx.sql, { image, accountId: viewer.id, description, now: tx.now }, isNew))
}

/** Those of these pictures that somebody has described, in any order. */
export async function listDescriptions(ctx: Ctx, images: readonly string[]): Promise<ImageDescriptionData[]> {
  return await selectDescriptions(ctx.sql, images)
}
