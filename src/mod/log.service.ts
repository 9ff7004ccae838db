// The moderator action log: one row whenever a moderator's power is used on what somebody else owns,
// in the same transaction as the action.
import type { Tx } from '../core/ctx.ts'
import { insertModeratorAction } from './queries.ts'
import type { ModeratorActionType, ReportType } from './types.ts'

export interface ModeratorAction {
  action: ModeratorActionType
  contentType: ReportType
  contentId: string
  /** Owner of the content. */
  ownerId: string
}

/** Writes an entry unless the caller acts on his own. */
export async function logModeratorAction(tx: Tx, { action, contentType, contentId, ownerId }: ModeratorAction): Promise<void> {
  if (tx.viewer.id === ownerId) return
  await insertModeratorAction(tx.sql, { id: tx.ctx.node.random.uuid(), action, contentType, contentId, moderatorId: tx.viewer.id, targetUserId: ownerId, now: tx.now })
}
