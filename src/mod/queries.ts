// Statements about moderation.
import type { Sql } from '../core/db.ts'

export interface ModeratorActionEntry {
  id: string
  action: string
  contentType: string
  contentId: string
  moderatorId: string
  targetUserId: string
  now: Date
}

export async function insertModeratorAction(sql: Sql, entry: ModeratorActionEntry): Promise<void> {
  await sql`
    insert into moderator_action (id, action_type, content_type, content_id, moderator_id, target_user_id, created_at)
    values (${entry.id}, ${entry.action}, ${entry.contentType}, ${entry.contentId}, ${entry.moderatorId}, ${entry.targetUserId}, ${entry.now})`
}
