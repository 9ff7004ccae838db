// The audit trail, for the operator: who did what to whom.
import type { Ctx } from '../core/work/ctx.ts'
import { pageOf } from '../core/http/paging.ts'
import { csvOf } from '../core/http/csv.ts'
import { Reply } from '../core/http/route.ts'
import { auditActions } from '../moderation/audit.service.ts'
import { selectAudit, type AuditRow } from './audit.queries.ts'
import { accountIdOf } from '../users/service.ts'
import type { AuditListData } from './schemas.ts'

export interface AuditQuery {
  /** An id or a name. */
  actor?: string | undefined
  /** An id or a name. */
  user?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  requestID?: string | undefined
  start?: number
  limit?: number
}

const longestPage = 200
const mostLines = 20_000

/** A page of the trail, newest first. */
export async function listAudit(ctx: Ctx, query: AuditQuery): Promise<AuditListData> {
  const { start, limit } = pageOf(query, longestPage)
  const { total, rows } = await found(ctx, query, start, limit)
  const { accounts } = ctx.node
  return {
    entries: rows.map((row) => ({
      auditID: row.id,
      actor: accounts.get(row.actorId).header,
      action: row.action,
      subjectType: row.subjectType,
      subjectID: row.subjectId,
      ...(row.userId ? { user: accounts.get(row.userId).header } : {}),
      details: JSON.stringify(row.details),
      requestID: row.requestId,
      createdAt: row.createdAt,
    })),
    actions: [...auditActions],
    paginator: { total, start, limit },
  }
}

/** The newest entries as a table for other programs. */
export async function auditAsCsv(ctx: Ctx, query: AuditQuery): Promise<Reply> {
  const { rows } = await found(ctx, query, 0, mostLines)
  const { accounts } = ctx.node
  const lines = rows.map((row) => [
    row.createdAt.toISOString(),
    accounts.get(row.actorId).header.username,
    row.action,
    row.subjectType,
    row.subjectId,
    row.userId ? accounts.get(row.userId).header.username : '',
    JSON.stringify(row.details),
    row.requestId,
  ])
  const head = ['time', 'by', 'action', 'kind', 'id', 'whom', 'details', 'request']
  return new Reply(200, csvOf([head, ...lines]), {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="audit.csv"',
  })
}

async function found(ctx: Ctx, query: AuditQuery, start: number, limit: number): Promise<{ total: number; rows: AuditRow[] }> {
  const { actor, user, action, subject, from, to, requestID } = query
  const filter = {
    actorId: actor ? await accountIdOf(ctx, actor) : undefined,
    userId: user ? await accountIdOf(ctx, user) : undefined,
    action,
    subjectType: subject,
    from,
    to,
    requestId: requestID,
    start,
    limit,
  }
  const answer = await ctx.readLong((sql) => selectAudit(sql, filter))
  await ctx.node.accounts.load(new Set(answer.rows.flatMap(({ actorId, userId }) => (userId ? [actorId, userId] : [actorId]))))
  return answer
}
