// The log of who sang what. Karaoke managers write it; nothing in it is changed.
import type { Ctx, OpenCtx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { pageOf, type Paginator } from '../core/http/paging.ts'
import { sortKey } from '../text/sort-key.ts'
import { requireCreator, type Viewer } from '../core/base/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { insertPerformance, selectPerformancePage } from './performances.queries.ts'
import type { KaraokePerformedSongsData, KaraokePerformedSongsResult, PerformancesQuery } from './schemas.ts'
import { performanceData } from './views.ts'

/** Performances, newest first; with `search`, those whose song has these words or whose performers have this text. */
export async function listPerformances(ctx: OpenCtx, query: PerformancesQuery): Promise<KaraokePerformedSongsResult> {
  const { songs, paginator } = await page(ctx, query)
  return { songs, paginator }
}

/** The same as a list, for apps from before there were pages: ten unless more are asked for. */
export async function listLatest(ctx: OpenCtx, query: PerformancesQuery): Promise<KaraokePerformedSongsData[]> {
  return (await page(ctx, query, 10)).songs
}

async function page(
  ctx: OpenCtx,
  query: PerformancesQuery,
  defaultLimit?: number,
): Promise<{ songs: KaraokePerformedSongsData[]; paginator: Paginator }> {
  const { start, limit } = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts, defaultLimit)
  const search = query.search === undefined ? undefined : { words: query.search, performersKey: sortKey(query.search.trim()) }
  const { total, rows } = await selectPerformancePage(ctx.sql, ctx.viewer?.id, search, start, limit)
  return { songs: rows.map(performanceData), paginator: { total, start, limit } }
}

/** Whether the account may write the log. */
export const isKaraokeManager = (viewer: Viewer): boolean => viewer.roles.has('karaokemanager')

/** Writes down who has just sung a song. */
export async function logPerformance(ctx: Ctx, songId: string, performers: string): Promise<void> {
  if (!isKaraokeManager(ctx.viewer)) throw forbidden('role_missing', 'Only karaoke managers can log performances.')
  requireCreator(ctx.viewer, ctx.nowMs)
  const logged = await ctx.transaction((tx) =>
    insertPerformance(tx.sql, { songId, managerId: tx.viewer.id, performers, performersKey: sortKey(performers), now: tx.now }),
  )
  if (!logged) throw notAvailable('song')
}
