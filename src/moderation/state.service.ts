// The records of a moderator's change of state, the same for every feature.
import type { Tx } from '../core/ctx.ts'
import { audit } from './audit.service.ts'
import { addToActionLog } from './log.service.ts'
import { settableStates, type ContentModerationStatus, type ReportType, type SettableState } from './types.ts'

export interface StateChange {
  contentType: ReportType
  contentId: string
  /** Owner of the content. */
  ownerId: string
  before: ContentModerationStatus
  state: SettableState
}

/** Logs that the caller has set a state, also when it was the same before. */
export async function recordState(tx: Tx, { contentType, contentId, ownerId, before, state }: StateChange): Promise<void> {
  const { status, action } = settableStates[state]
  await addToActionLog(tx, { action, contentType, contentId, ownerId })
  await audit(tx, {
    action: 'setState',
    subject: { type: contentType, id: contentId },
    userId: ownerId,
    details: { from: before, to: status },
  })
}
