// Devices ask to be told of notices while the app is closed.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import { settingsOf } from '../settings/channel.ts'
import { pushDevicesTopic } from './events.ts'
import { isPushService } from './hosts.ts'
import { deletePushDevice, upsertPushDevice } from './queries.ts'
import type { PushDeviceData, PushOfferData } from './schemas.ts'

/** Of one account; the oldest goes for a further one. */
const mostDevices = 5

/** Whether the host offers it. */
export function pushOffer({ node }: Ctx): PushOfferData {
  const { push } = node.config
  return { ...(push ? { publicKey: push.publicKey } : {}), hasTexts: settingsOf(node).values.pushTexts }
}

/** Tells a device from now on, or of other notices. @throws AppError 400 where the host does not offer it, or the push service is none. */
export async function addPushDevice(
  ctx: Ctx,
  { endpoint, p256dh, auth, types, quietFrom, quietTo, timeZone }: PushDeviceData,
): Promise<void> {
  const { push } = ctx.node.config
  if (!push) throw badRequest('push_off', 'This server tells nobody while the app is closed.')
  // The server sends requests there: to nothing but push services.
  if (!isPushService(endpoint, push.hosts)) throw badRequest('push_host', 'The endpoint is not one of a known push service.')
  const row = {
    id: ctx.node.random.uuid(),
    accountId: ctx.viewer.id,
    sessionKey: ctx.sessionKey,
    endpoint,
    p256dh,
    auth,
    types,
    quietFrom: quietFrom ?? null,
    quietTo: quietTo ?? null,
    timeZone: timeZone ?? null,
  }
  await ctx.transaction(async (tx) => {
    const before = await upsertPushDevice(tx.sql, row, mostDevices, tx.now)
    for (const accountId of new Set([ctx.viewer.id, before ?? ctx.viewer.id])) tx.emit(pushDevicesTopic, accountId, { type: 'changed' })
  })
}

/** Tells a device no more. */
export async function removePushDevice(ctx: Ctx, endpoint: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (await deletePushDevice(tx.sql, ctx.viewer.id, endpoint)) tx.emit(pushDevicesTopic, ctx.viewer.id, { type: 'changed' })
  })
}
