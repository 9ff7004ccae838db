// Who appears at which event, from a spreadsheet of the team: uploaded, compared, applied; each as often as one likes.
import type { ReceivedBytes } from '../core/schema/received-bytes.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import type { Sql } from '../core/db/db.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { planLinks, type LinksPlan } from './links.ts'
import {
  deleteOfficialLinks,
  insertLinks,
  lockPerformers,
  selectMatchableEvents,
  selectOfficialPerformers,
  selectUpload,
  upsertUpload,
} from './queries.ts'
import type { EventPerformerValidationData } from './schemas.ts'
import { announceChange } from './service.ts'
import { readSheet, SheetFault, type Sheet } from './sheet.ts'

/** Keeps a spreadsheet in place of the one before. One that cannot be read is refused, and the one before stays. */
export async function uploadLinks(ctx: Ctx, file: ReceivedBytes): Promise<void> {
  const sheet = await readSheet(file).catch((error: unknown) => {
    throw error instanceof SheetFault ? badRequest('file_invalid', error.message) : error
  })
  await ctx.transaction(async (tx) => {
    await upsertUpload(tx.sql, { kind: 'links', content: sheet, uploaderId: tx.viewer.id, now: tx.now })
    await audit(tx, { action: 'uploadPerformers', subject: { type: 'performers', id: 'links' }, details: { rows: sheet.lines.length } })
  })
}

/** Says what the spreadsheet would do. */
export async function verifyLinks(ctx: Ctx): Promise<EventPerformerValidationData> {
  return (await planOf(ctx, ctx.sql)).report
}

/** Lets official performers appear at the events of the spreadsheet, and at no others. */
export async function applyLinks(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockPerformers(tx.sql)
    const { links } = await planOf(ctx, tx.sql)
    await deleteOfficialLinks(tx.sql)
    await insertLinks(tx.sql, links)
    await audit(tx, { action: 'linkPerformers', subject: { type: 'performers', id: 'links' }, details: { links: links.length } })
    announceChange(tx)
  })
}

async function planOf({ node }: Ctx, sql: Sql): Promise<LinksPlan> {
  const sheet = (await selectUpload(sql, 'links')) as Sheet | undefined
  if (!sheet) throw badRequest('nothing_uploaded', 'No spreadsheet was uploaded. Upload one first.')
  const [performers, events] = await Promise.all([selectOfficialPerformers(sql), selectMatchableEvents(sql)])
  return planLinks(sheet, { performers, events, trip: settingsOf(node).trip })
}
