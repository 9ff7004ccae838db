// Statements about moderation: reports, the moderator action log, the audit trail.
import type { Sql } from '../core/db.ts'
import type { ModeratorActionType, ReportType } from './types.ts'

export interface ModeratorActionEntry {
  id: string
  action: ModeratorActionType
  contentType: ReportType
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

export interface AuditEntry {
  actorId: string
  action: string
  subjectType: string
  subjectId: string
  userId: string | null
  details: object
  requestId: string
  now: Date
}

export async function insertAuditEntry(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit (actor_id, action, subject_type, subject_id, user_id, details, request_id, created_at)
    values (${entry.actorId}, ${entry.action}, ${entry.subjectType}, ${entry.subjectId}, ${entry.userId}, ${sql.json(entry.details as never)}, ${entry.requestId}, ${entry.now})`
}

/** Stores a report; false when this person has reported the same thing before. */
export async function insertReport(sql: Sql, report: { id: string, type: string, reportedId: string, reportedUserId: string, authorId: string, message: string, now: Date }): Promise<boolean> {
  const result = await sql`
    insert into report (id, type, reported_id, reported_user_id, author_id, message, created_at, updated_at)
    values (${report.id}, ${report.type}, ${report.reportedId}, ${report.reportedUserId}, ${report.authorId}, ${report.message}, ${report.now}, ${report.now})
    on conflict on constraint report_once do nothing`
  return result.count > 0
}

export interface ReportRow {
  id: string
  type: ReportType
  reportedId: string
  reportedUserId: string
  authorId: string
  message: string
  handledBy: string | null
  isClosed: boolean
  createdAt: Date
  updatedAt: Date
}

const reportColumns = (sql: Sql) => sql`id, type, reported_id, reported_user_id, author_id, message, handled_by, is_closed, created_at, updated_at`

/** Reports on what any of these accounts owns, newest first. */
export async function selectReportsAgainst(sql: Sql, accountIds: readonly string[]): Promise<ReportRow[]> {
  return await sql<ReportRow[]>`select ${reportColumns(sql)} from report where reported_user_id = any(${accountIds}) order by created_at desc, id`
}

/** Reports that are neither closed nor being handled. */
export async function countOpenReports(sql: Sql): Promise<number> {
  const [row] = await sql<[{ open: number }]>`select count(*)::int as open from report where not is_closed and handled_by is null`
  return row.open
}
