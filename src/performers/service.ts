// Performers: who they are, and the pages that users make of themselves for events of their own.
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { isModerator, requireCreator } from '../core/base/viewer.ts'
import { eventsWhere } from '../events/service.ts'
import { archiveImages, holdImages, requireUploads, storeUpload } from '../image/service.ts'
import { lineupId, lineupKind, lineupOf } from '../lineup/channel.ts'
import { settingsOf } from '../settings/channel.ts'
import {
  deleteLink,
  insertLinks,
  lockPerformers,
  selectClaim,
  selectCodeOf,
  selectPerformer,
  selectPerformerOf,
  selectPerformers,
  softDeletePerformers,
  upsertPerformers,
} from './queries.ts'
import { maxClaimedBefore, mayEditOwnPage, mayRemoveOwnPage, rowOf } from './rules.ts'
import type { PerformerRow } from './rows.ts'
import type { PerformerData, PerformerResponseData, PerformerUploadData } from './schemas.ts'
import { nobody, performerData, performerHeader } from './views.ts'

/** A page of official performers, or of users who organise something: all, or those who have some words. */
export async function listPerformers(
  ctx: OpenCtx,
  isOfficial: boolean,
  { search, ...query }: { start?: number; limit?: number; search?: string },
): Promise<PerformerResponseData> {
  const { start, limit } = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts, isOfficial ? 50 : 100)
  const { rows, total } = await selectPerformers(ctx.sql, { isOfficial, words: search?.trim() || undefined, start, limit })
  return { performers: rows.map(performerHeader), paginator: { total, start, limit } }
}

/** One performer with their events. */
export async function getPerformer(ctx: OpenCtx, performerId: string): Promise<PerformerData> {
  const row = await selectPerformer(ctx.sql, performerId)
  if (!row) throw notAvailable('performer')
  return await withEvents(ctx, row)
}

/** The page of the caller; an empty one when they have none. */
export async function ownPerformer(ctx: Ctx): Promise<PerformerData> {
  const row = await selectPerformerOf(ctx.sql, ctx.viewer.id)
  return row && !row.isDeleted ? await withEvents(ctx, row) : nobody
}

async function withEvents(ctx: OpenCtx, row: PerformerRow): Promise<PerformerData> {
  const { lineup } = await lineupOf(ctx.node)
  const eventIds = new Set(lineup.byPerformer.get(row.id))
  const events = await eventsWhere(ctx, ({ id }) => eventIds.has(id))
  const knowsUser = ctx.viewer && row.accountId !== null && (isModerator(ctx.viewer) || ctx.viewer.id === row.accountId)
  const user = knowsUser ? await ctx.node.accounts.find(row.accountId as string) : undefined
  return performerData(row, events, user?.header)
}

const isPreregistration = ({ node }: Ctx): boolean => settingsOf(node).values.enablePreregistration

/** Refuses callers who may not make a page of themselves. */
export async function requireOwnEditor(ctx: Ctx): Promise<void> {
  const { viewer } = ctx
  const code = await selectCodeOf(ctx.sql, viewer.personId)
  if (!code) throw badRequest('code_needed', 'Only users with a registration code can organise events.')
  if (code.forChatUser && !viewer.roles.has('performerselfeditor'))
    throw badRequest('code_of_chat_user', 'Users of the chat cannot organise events.')
  if (!mayEditOwnPage(viewer, isPreregistration(ctx))) throw pageClosed()
  requireCreator(viewer, ctx.nowMs)
}

const pageClosed = () =>
  forbidden('preregistration_over', 'Pages of performers can only be changed by their users during pre-registration.')

/** Checks the picture that comes with a performer. */
export async function requirePhoto(ctx: Ctx, { photo }: PerformerUploadData): Promise<void> {
  await requireUploads(ctx, [['photo', photo]])
}

/** Makes the caller a performer at an event, or changes their page. */
export async function claimEvent(ctx: Ctx, eventId: string, upload: PerformerUploadData): Promise<void> {
  await requireClaimable(ctx, eventId)
  const photo = (await storeUpload(ctx, upload.photo, 'avatar'))?.name ?? null
  const replaced = await ctx.transaction(async (tx) => {
    await lockPerformers(tx.sql)
    await requireClaimable(tx, eventId)
    await holdImages(tx, [upload.photo])
    // The photo took its time.
    requireCreator(tx.viewer, ctx.nowMs)
    const before = await selectPerformerOf(tx.sql, tx.viewer.id)
    const row = rowOf(upload, photo, {
      id: before?.id ?? ctx.node.random.uuid(),
      accountId: tx.viewer.id,
      isOfficial: before?.isOfficial ?? false,
    })
    await upsertPerformers(tx.sql, [row], tx.now)
    await insertLinks(tx.sql, [{ performerId: row.id, eventId }])
    announceChange(tx)
    return replacedPhoto(before, row)
  })
  await archiveImages(ctx, replaced)
}

async function requireClaimable({ sql, viewer }: Pick<Ctx, 'sql' | 'viewer'>, eventId: string): Promise<void> {
  const claim = await selectClaim(sql, eventId, viewer.id)
  if (!claim) throw notAvailable('event')
  if (claim.eventType !== 'shadow' && claim.eventType !== 'workshop')
    throw badRequest('event_official', 'Users can only organise shadow events and workshops.')
  if (claim.hasOfficial) throw badRequest('event_official', 'This event has an official performer already.')
  if (claim.claimed > maxClaimedBefore)
    throw badRequest('too_many_events', `You already organise ${claim.claimed} events. Give one back first.`)
}

/** The photo that a change has taken away, to be archived. */
export const replacedPhoto = (before: PerformerRow | undefined, { photo }: PerformerRow): string[] =>
  before && before.photo !== null && before.photo !== photo ? [before.photo] : []

/** Tells all nodes that performers, or their events, are others now. */
export function announceChange(tx: Pick<Tx, 'emitConfirmed'>): void {
  tx.emitConfirmed(lineupKind, lineupId, { type: 'changed' })
}

/** Takes the caller off an event. */
export async function unclaimEvent(ctx: Ctx, eventId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { id } = await lockOwnPage(tx)
    await deleteLink(tx.sql, id, eventId)
    announceChange(tx)
  })
}

/** Deletes the page of the caller, and takes them off all events. */
export async function removeOwnPerformer(ctx: Ctx): Promise<void> {
  const { photo } = await ctx.transaction(async (tx) => {
    const own = await lockOwnPage(tx)
    await softDeletePerformers(tx.sql, [own.id], tx.now)
    announceChange(tx)
    return { photo: own.photo }
  })
  if (photo !== null) await archiveImages(ctx, [photo])
}

async function lockOwnPage(tx: Tx): Promise<PerformerRow> {
  await lockPerformers(tx.sql)
  const own = await selectPerformerOf(tx.sql, tx.viewer.id)
  if (!own || own.isDeleted) throw notAvailable('performer')
  if (!mayRemoveOwnPage(tx.viewer, isPreregistration(tx.ctx))) throw pageClosed()
  return own
}
