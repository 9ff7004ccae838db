// Daily themes: what each day is about. At most one for a day.
import type { Ctx, OpenCtx, Tx } from '../core/ctx.ts'
import { violatesUnique } from '../core/db.ts'
import { badRequest, conflict, notAvailable } from '../core/errors.ts'
import { withEtag } from '../core/etag.ts'
import type { Reply } from '../core/route.ts'
import { requireCreator } from '../core/viewer.ts'
import { deleteDailyTheme, insertDailyTheme, selectDailyThemes, updateDailyTheme, type DailyThemeRow } from './dailythemes.queries.ts'
import type { DailyThemeData, DailyThemeUploadData } from './schemas.ts'

/** The themes of all days, in order. */
export async function listDailyThemes(ctx: OpenCtx): Promise<Reply> {
  const rows = await selectDailyThemes(ctx.sql)
  const themes: DailyThemeData[] = rows.map(({ id, title, info, image, cruiseDay }) => ({ themeID: id, title, info, ...image ? { image } : {}, cruiseDay }))
  return withEtag(ctx, JSON.stringify(themes))
}

/** Gives a day its theme. */
export async function createDailyTheme(ctx: Ctx, upload: DailyThemeUploadData): Promise<void> {
  await change(ctx, (tx) => insertDailyTheme(tx.sql, rowOf(ctx.node.random.uuid(), upload)))
}

/** Replaces all of a theme; without an image it has none any more. */
export async function editDailyTheme(ctx: Ctx, themeId: string, upload: DailyThemeUploadData): Promise<void> {
  await change(ctx, async (tx) => {
    if (!await updateDailyTheme(tx.sql, rowOf(themeId, upload))) throw notAvailable('daily theme')
  })
}

/** Leaves a day without a theme. */
export async function removeDailyTheme(ctx: Ctx, themeId: string): Promise<void> {
  await change(ctx, async (tx) => {
    if (!await deleteDailyTheme(tx.sql, themeId)) throw notAvailable('daily theme')
  })
}

async function change(ctx: Ctx, work: (tx: Tx) => Promise<void>): Promise<void> {
  requireCreator(ctx.viewer, ctx.nowMs)
  try {
    await ctx.transaction(work)
  } catch (error) {
    throw violatesUnique(error, 'daily_theme_day') ? conflict('This day has a theme already.') : error
  }
}

function rowOf(id: string, { title, info, image, cruiseDay }: DailyThemeUploadData): DailyThemeRow {
  if (image?.image && image.image.length > 0) throw badRequest('Images of daily themes cannot be uploaded; name one that is stored already.')
  return { id, title, info, image: image?.filename || null, cruiseDay }
}
