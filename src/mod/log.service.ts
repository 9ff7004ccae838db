// The moderator action log: one row whenever a moderator's power is used on what somebody else owns,
// in the same transaction as the action.
import type { Tx } from '../core/ctx.ts'
import { insertModeratorAction } from './queries.ts'

export type ModeratorActionType = 'post' | 'edit' | 'delete' | 'move' | 'quarantine' | 'markReviewed' | 'lock' | 'unlock' | 'pin' | 'unpin'
  | 'accessLevelUnverified' | 'accessLevelBanned' | 'accessLevelQuarantined' | 'accessLevelVerified' | 'accessLevelModerator' | 'accessLevelServiceTeam' | 'accessLevelTHO'
  | 'tempQuarantine' | 'tempQuarantineCleared'

export type ReportType = 'forum' | 'forumPost' | 'twarrt' | 'userProfile' | 'fez' | 'fezPost' | 'mkSong' | 'mkSongSnippet' | 'streamPhoto' | 'personalEvent'

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
