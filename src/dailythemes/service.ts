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
import {
  deleteDailyTheme,
  deleteDailyThemes,
  insertDailyTheme,
  lockDailyTheme,
  lockThemesOfDays,
  selectDailyThemes,
  updateDailyTheme,
  upsertThemeWords,
  type DailyThemeRow,
} from './queries.ts'
import type { DailyThemeData, DailyThemeTableData, DailyThemeUploadData } from './schemas.ts'

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

/** Writes the words of several days together, or none of them. Resolves with all themes. */
export async function writeThemeTable(ctx: Ctx, { themes }: DailyThemeTableData): Promise<Reply<DailyThemeData[]>> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const { images } = await change(ctx, async (tx) => {
    const before = await lockThemesOfDays(
      tx.sql,
      themes.map(({ cruiseDay }) => cruiseDay),
    )
    const known = new Map(before.map((row) => [row.cruiseDay, row]))
    for (const { cruiseDay, basedOn } of themes)
      requireSame(wordOf(basedOn), wordOf(known.get(cruiseDay)?.updatedAt), `the theme of day ${cruiseDay}`)
    const written = themes.flatMap(({ cruiseDay, title, info = '' }) => {
      if (title === undefined) return []
      const row = known.get(cruiseDay)
      const updatedAt = row ? laterThan(row.updatedAt, tx.now) : tx.now
      return [{ id: row?.id ?? ctx.node.random.uuid(), title, info, image: null, imageSizes: null, cruiseDay, updatedAt }]
    })
    const gone = themes.flatMap(({ cruiseDay, title }) => (title === undefined ? (known.get(cruiseDay) ?? []) : []))
    await upsertThemeWords(tx.sql, written)
    await deleteDailyThemes(
      tx.sql,
      gone.map(({ id }) => id),
    )
    const words = (rows: readonly DailyThemeRow[]) => rows.map(({ cruiseDay, title, info }) => ({ cruiseDay, title, info }))
    await audit(tx, {
      action: 'edit',
      subject: { type: 'dailyTheme', id: 'table' },
      details: { from: words(before), to: words(written) },
    })
    return { images: gone.flatMap(({ image }) => image ?? []) }
  })
  if (images.length > 0) await archiveImages(ctx, images)
  return await listDailyThemes(ctx)
}

/** That a day had no theme is something that a caller has seen, too. */
const wordOf = (updatedAt: Date | undefined): string => updatedAt?.toISOString() ?? 'none'

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
