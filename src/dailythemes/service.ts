// Daily themes: what each day is about. At most one for a day.
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { violatesUnique } from '../core/db/errors.ts'
import { conflict, notAvailable } from '../core/base/errors.ts'
import { withEtag } from '../core/http/etag.ts'
import type { Reply } from '../core/http/route.ts'
import { requireCreator } from '../core/base/viewer.ts'
import { jsonText } from '../core/base/json-text.ts'
import { audit } from '../moderation/audit.service.ts'
import { laterThan, requireSame } from '../moderation/meanwhile.ts'
import { archiveImages, holdImages, storeUpload } from '../image/service.ts'
import { shownSize, sizesOf } from '../image/sizes.ts'
import { deleteDailyTheme, insertDailyTheme, lockDailyTheme, selectDailyThemes, updateDailyTheme, type DailyThemeRow } from './queries.ts'
import type { DailyThemeData, DailyThemeUploadData } from './schemas.ts'

/** The themes of all days, in order. */
export async function listDailyThemes(ctx: OpenCtx): Promise<Reply<DailyThemeData[]>> {
  const rows = await selectDailyThemes(ctx.sql)
  const themes: DailyThemeData[] = rows.map(({ id, title, info, image, imageSizes, cruiseDay, updatedAt }) => ({
    themeID: id,
    title,
    info,
    ...(image ? { image, ...shownSize(imageSizes) } : {}),
    cruiseDay,
    updatedAt,
  }))
  return withEtag(jsonText(themes))
}

/** Gives a day its theme. */
export async function createDailyTheme(ctx: Ctx, upload: DailyThemeUploadData): Promise<void> {
  const row = await rowOf(ctx, ctx.node.random.uuid(), upload)
  await change(ctx, async (tx) => {
    await holdImages(tx, uploadsOf(upload))
    await insertDailyTheme(tx.sql, row)
    await auditChange(tx, 'create', row.id, { to: row })
  })
}

/** Replaces all of a theme; without an image in the request, its image is removed. */
export async function editDailyTheme(ctx: Ctx, themeId: string, upload: DailyThemeUploadData): Promise<void> {
  const row = await rowOf(ctx, themeId, upload)
  const { image } = await change(ctx, async (tx) => {
    const before = await lockTheme(tx, themeId)
    requireSame(upload.basedOn, before.updatedAt, 'this theme')
    await holdImages(tx, uploadsOf(upload))
    await updateDailyTheme(tx.sql, { ...row, updatedAt: laterThan(before.updatedAt, tx.now) })
    await auditChange(tx, 'edit', themeId, { from: before, to: row })
    return { image: before.image }
  })
  if (image !== null && image !== row.image) await archiveImages(ctx, [image])
}

/** Leaves a day without a theme. */
export async function removeDailyTheme(ctx: Ctx, themeId: string, basedOn?: Date): Promise<void> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const { image } = await change(ctx, async (tx) => {
    const before = await lockTheme(tx, themeId)
    requireSame(basedOn, before.updatedAt, 'this theme')
    await deleteDailyTheme(tx.sql, themeId)
    await auditChange(tx, 'delete', themeId, { from: before })
    return { image: before.image }
  })
  if (image !== null) await archiveImages(ctx, [image])
}

async function auditChange(
  tx: Tx,
  action: 'create' | 'edit' | 'delete',
  themeId: string,
  details: { from?: DailyThemeRow; to?: DailyThemeRow },
): Promise<void> {
  await audit(tx, { action, subject: { type: 'dailyTheme', id: themeId }, details })
}

async function lockTheme(tx: Tx, themeId: string): Promise<DailyThemeRow> {
  const row = await lockDailyTheme(tx.sql, themeId)
  if (!row) throw notAvailable('daily theme')
  return row
}

async function change<T>(ctx: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await ctx.transaction(work)
  } catch (error) {
    throw violatesUnique(error, 'daily_theme_day') ? conflict('day_taken', 'This day has a theme already.') : error
  }
}

const uploadsOf = ({ image }: DailyThemeUploadData) => (image ? [image] : [])

async function rowOf(ctx: Ctx, id: string, { title, info, image, cruiseDay }: DailyThemeUploadData): Promise<DailyThemeRow> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const stored = image && (await storeUpload(ctx, image, 'content'))
  return {
    id,
    title,
    info,
    image: stored?.name ?? null,
    imageSizes: stored ? sizesOf([stored.size]) : null,
    cruiseDay,
    updatedAt: new Date(ctx.nowMs),
  }
}
