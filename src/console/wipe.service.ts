// The end of an event: a wipe is ordered with the name of the event and a password, and proves itself afterwards.
import { backupsIn, backupFolder } from '../operate/backup-files.ts'
import { lastWipe, orderWipeIn } from '../backup/ordered-wipe.service.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, conflict, unavailable } from '../core/base/errors.ts'
import { audit } from '../moderation/audit.service.ts'
import type { WipeOrderData, WipeStateData } from './event.schemas.ts'
import { tripData } from './event.service.ts'
import { selectAnyUnended } from './operations.queries.ts'
import { requireCredentials } from './tickets.ts'

/**
 * Orders a wipe. All servers and workers end, one of them removes everything before it starts again, and everybody is
 * signed out, the caller too.
 */
export async function orderWipe(ctx: Ctx, { eventName, currentPassword, keepCodes = false }: WipeOrderData): Promise<void> {
  const { node } = ctx
  await requireCredentials(ctx, currentPassword)
  const name = tripData(node).eventName
  if (name === '') throw badRequest('event_name_missing', 'Give the event a name first.')
  if (eventName !== name) throw badRequest('event_name_wrong', 'This is not the name of the event.')
  if (!node.bus.up) throw unavailable('server_unreachable', 'Not every server can be reached. Try again when Redis answers.')
  await ctx.transaction(async (tx) => {
    if (await selectAnyUnended(tx.sql))
      throw conflict('work_under_way', 'A backup or a file for users is being made. Wait until it has ended.')
    if ((await lastWipe(tx.sql))?.state === 'ordered') throw conflict('already_done', 'A wipe has been ordered already.')
    await audit(tx, { action: 'orderWipe', subject: { type: 'server', id: 'all' }, details: { keepCodes } })
    await orderWipeIn(tx, { keepCodes })
  })
}

/** The last wipe, with what it left. */
export async function wipeState(ctx: Ctx): Promise<WipeStateData> {
  const order = await lastWipe(ctx.sql)
  const backups = (await backupsIn(backupFolder(ctx.node.config))).length
  if (!order) return { state: 'none', backups }
  const { state, orderedAt, endedAt, reason, proof } = order
  return {
    state,
    backups,
    orderedAt: new Date(orderedAt),
    ...(endedAt ? { endedAt: new Date(endedAt) } : {}),
    ...(reason ? { reason } : {}),
    ...(proof ? { proof } : {}),
  }
}
