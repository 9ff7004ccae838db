// The moderator action log: one row whenever a moderator's power is used on what somebody else owns,
// in the same transaction as the action.
import type { Tx } from '../core/ctx.ts'

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
  await tx.sql`
    insert into moderator_action (id, action_type, content_type, content_id, moderator_id, target_user_id, created_at)
    values (${tx.ctx.node.random.uuid()}, ${action}, ${contentType}, ${contentId}, ${tx.viewer.id}, ${ownerId}, ${tx.now})`
}
