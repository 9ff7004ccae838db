// What the team does with single performers.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { archiveImages, holdImages, storeUpload } from '../image/service.ts'
import { audit } from '../moderation/audit.service.ts'
import { lockPerformers, selectPerformer, selectPerformerNamed, softDeletePerformers, upsertPerformers } from './queries.ts'
import type { PerformerRow } from './rows.ts'
import { rowOf } from './rules.ts'
import type { PerformerUploadData } from './schemas.ts'
import { announceChange, replacedPhoto } from './service.ts'

/** Creates a performer, or changes the one with this id, or else the one with this name. Their events stay. */
export async function upsertPerformer(ctx: Ctx, upload: PerformerUploadData): Promise<void> {
  if (upload.performerID !== undefined && !(await selectPerformer(ctx.sql, upload.performerID))) throw notAvailable('performer')
  const photo = (await storeUpload(ctx, upload.photo, 'avatar'))?.name ?? null
  const replaced = await ctx.transaction(async (tx) => {
    await lockPerformers(tx.sql)
    const before = await performerMeant(tx, upload)
    await holdImages(tx, [upload.photo])
    const row = rowOf(upload, photo, {
      id: before?.id ?? ctx.node.random.uuid(),
      accountId: before?.accountId ?? null,
      isOfficial: upload.isOfficialPerformer,
    })
    await upsertPerformers(tx.sql, [row], tx.now)
    await auditPerformer(tx, before ? 'edit' : 'create', row)
    announceChange(tx)
    return replacedPhoto(before, row)
  })
  await archiveImages(ctx, replaced)
}

async function performerMeant(tx: Tx, { performerID, name, isOfficialPerformer }: PerformerUploadData): Promise<PerformerRow | undefined> {
  if (performerID === undefined) return await selectPerformerNamed(tx.sql, name.trim(), isOfficialPerformer)
  const row = await selectPerformer(tx.sql, performerID)
  if (!row) throw notAvailable('performer')
  return row
}

/** Deletes a performer, and takes them off all events; false when there is none. */
export async function removePerformer(ctx: Ctx, performerId: string): Promise<boolean> {
  const { found, photo } = await ctx.transaction(async (tx) => {
    await lockPerformers(tx.sql)
    const row = await selectPerformer(tx.sql, performerId)
    if (!row) return { found: false, photo: null }
    await softDeletePerformers(tx.sql, [row.id], tx.now)
    await auditPerformer(tx, 'delete', row)
    announceChange(tx)
    return { found: true, photo: row.photo }
  })
  if (photo !== null) await archiveImages(ctx, [photo])
  return found
}

async function auditPerformer(tx: Tx, action: 'create' | 'edit' | 'delete', { id, accountId, isOfficial }: PerformerRow): Promise<void> {
  await audit(tx, {
    action,
    subject: { type: 'performer', id },
    ...(accountId === null ? {} : { userId: accountId }),
    details: { isOfficial },
  })
}
