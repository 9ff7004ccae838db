// Statements that read the audit trail.
import type { Sql } from '../core/db/db.ts'

export interface AuditRow {
  id: number
  actorId: string
  action: string
  subjectType: string
  subjectId: string
  userId: string | null
  details: Record<string, unknown>
  requestId: string
  createdAt: Date
}

export interface AuditFilter {
  actorId: string | undefined
  userId: string | undefined
  action: string | undefined
  subjectType: string | undefined
  from: Date | undefined
  to: Date | undefined
  requestId: string | undefined
  start: number
  limit: number
}

/** A page of the trail, newest first, and how many entries fit the filter. */
export async function selectAudit(sql: Sql, filter: AuditFilter): Promise<{ total: number; rows: AuditRow[] }> {
  const { actorId, userId, action, subjectType, from, to, requestId, start, limit } = filter
  const where = sql`
    where ${actorId ? sql`actor_id = ${actorId}` : sql`true`} and ${userId ? sql`user_id = ${userId}` : sql`true`}
      and ${action ? sql`action = ${action}` : sql`true`} and ${subjectType ? sql`subject_type = ${subjectType}` : sql`true`}
      and ${from ? sql`created_at >= ${from}` : sql`true`} and ${to ? sql`created_at < ${to}` : sql`true`}
      and ${requestId ? sql`request_id = ${requestId}` : sql`true`}`
  const [[count], rows] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total from audit ${where}`,
    sql<AuditRow[]>`
      select id::float8 as id, actor_id, action, subject_type, subject_id, user_id, details, request_id, created_at
      from audit ${where} order by created_at desc, id desc limit ${limit} offset ${start}`,
  ])
  return { total: count.total, rows }
}
