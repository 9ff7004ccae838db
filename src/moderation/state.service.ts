// The records of a moderator's change of state, the same for every feature.
import type { Tx } from '../core/work/ctx.ts'
import { requireUnchanged } from './acts.service.ts'
import { audit } from './audit.service.ts'
import { addToActionLog } from './log.service.ts'
import { reportsId, reportsKind } from './reports.channel.ts'
import { settableStates, type ContentModerationStatus, type ReportType, type SettableState } from './types.ts'

export interface StateChange {
  contentType: ReportType
  contentId: string
  /** Owner of the content. */
  ownerId: string
  before: ContentModerationStatus
  state: SettableState
  /** What the caller has seen of it; undefined where that is not compared. */
  basedOn: string | undefined
}

/**
 * Logs that the caller has set a state, also when it was the same before; the content is locked. Other moderators see it at once.
 * @throws AppError 409 when another moderator has acted since the caller has seen it
 */
export async function recordState(tx: Tx, { contentType, contentId, ownerId, before, state, basedOn }: StateChange): Promise<void> {
  await requireUnchanged(tx, { type: contentType, id: contentId }, basedOn, { newReports: true })
  const { status, action } = settableStates[state]
  await addToActionLog(tx, { action, contentType, contentId, ownerId })
  await audit(tx, {
    action: 'setState',
    subject: { type: contentType, id: contentId },
    userId: ownerId,
    details: { from: before, to: status },
  })
  tx.emit(reportsKind, reportsId, { type: 'changed' })
}
