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

/** Stores a report; false when this person has reported the same thing before. */
export async function insertReport(sql: Sql, report: { id: string, type: string, reportedId: string, reportedUserId: string, authorId: string, message: string, now: Date }): Promise<boolean> {
  const result = await sql`
    insert into report (id, type, reported_id, reported_user_id, author_id, message, created_at, updated_at)
    values (${report.id}, ${report.type}, ${report.reportedId}, ${report.reportedUserId}, ${report.authorId}, ${report.message}, ${report.now}, ${report.now})
    on conflict on constraint report_once do nothing`
  return result.count > 0
}

/** Reports that are neither closed nor being handled. */
export async function countOpenReports(sql: Sql): Promise<number> {
  const [row] = await sql<[{ open: number }]>`select count(*)::int as open from report where not is_closed and handled_by is null`
  return row.open
}
