// Making sure that the numbers users see are those of their rows.
import type { Ctx } from '../core/work/ctx.ts'
import { audit } from '../moderation/audit.service.ts'
import { rebuildId, rebuildKind } from './rebuild.channel.ts'

/** Has every node read the numbers of its users again, and log those that differed. */
export async function rebuildNotifications(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    await audit(tx, { action: 'rebuildNotifications', subject: { type: 'notifications', id: rebuildId } })
    tx.emitConfirmed(rebuildKind, rebuildId, { type: 'rebuild' })
  })
}
