// Reports on anything: filed by users, looked at by moderators.
import type { Ctx, Tx } from '../core/ctx.ts'
import { conflict, notAvailable } from '../core/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { audit } from './audit.service.ts'
import {
  countReportGroups,
  countReportsBy,
  insertReport,
  lockUnclosedReports,
  selectIsReportedOften,
  selectReport,
  selectReportGroups,
  selectReports,
  selectReportsAgainst,
  selectReportsOn,
  selectReportsOnAll,
  setActionGroup,
  updateReportsClosed,
  updateReportsHandled,
  type ReportRow,
} from './queries.ts'
import { reportsId, reportsKind } from './reports.channel.ts'
import type { ReportGroupData, ReportModerationData, ReportQueueData } from './schemas.ts'
import type { ReportState, ReportType } from './types.ts'
import { reportData, usersOfReport } from './views.ts'

export interface Report {
  type: ReportType
  /** Id of the reported content. */
  reportedId: string
  /** Owner of the content. */
  reportedUserId: string
  message: string
}

/** Files a report in the name of the caller's person. @throws AppError 409 when that person has reported the same before. */
export async function fileReport(tx: Tx, { type, reportedId, reportedUserId, message }: Report): Promise<void> {
  const filed = await insertReport(tx.sql, {
    id: tx.ctx.node.random.uuid(),
    type,
    reportedId,
    reportedUserId,
    authorId: tx.viewer.personId,
    message,
    now: tx.now,
  })
  if (!filed) throw conflict('already_reported', 'You have reported this already.')
  tx.emit(reportsKind, reportsId, { type: 'changed' })
}

/**
 * As `fileReport`, about something that is locked. True when it is to be hidden by that until a moderator has looked, unless one has
 * judged it: each time the number of verified persons who have reported it reaches a multiple of `threshold`. Somebody without a code
 * can be anybody many times over. What the team and the operator's programs make is hidden by moderators alone.
 */
export async function fileCountedReport(tx: Tx, report: Report, threshold: number): Promise<boolean> {
  await fileReport(tx, report)
  const { type, reportedId, reportedUserId: ownerId } = report
  return await selectIsReportedOften(tx.sql, { type, reportedId, ownerId, reporterId: tx.viewer.personId, threshold })
}

/** Every report, newest first. */
export async function listReports(ctx: Ctx): Promise<ReportModerationData[]> {
  return await shown(ctx, await selectReports(ctx.sql))
}

const longestQueuePage = 200

/** What was reported, grouped by content: first what waits longest for somebody to take it. */
export async function listReportQueue(
  ctx: Ctx,
  { state, ...page }: { state?: ReportState | undefined; start?: number; limit?: number },
): Promise<ReportQueueData> {
  const { start, limit } = pageOf(page, longestQueuePage)
  const states: readonly ReportState[] = state ? [state] : ['open', 'taken']
  const [rows, counts] = await Promise.all([selectReportGroups(ctx.sql, states, start, limit), countReportGroups(ctx.sql)])
  const reports = await shown(ctx, rows.length > 0 ? await selectReportsOnAll(ctx.sql, rows) : [])
  const groups = rows.map(({ type, reportedId, firstAt, lastAt, ...row }): ReportGroupData => {
    const own = reports.filter((report) => report.type === type && report.reportedID === reportedId)
    const handledBy = own.find((report) => report.handledBy)?.handledBy
    return {
      type,
      reportedID: reportedId,
      reportedUser: (own[0] as ReportModerationData).reportedUser,
      state: row.state,
      ...(handledBy ? { handledBy } : {}),
      firstReport: firstAt,
      lastReport: lastAt,
      reports: own,
    }
  })
  return {
    groups,
    openCount: counts.open,
    takenCount: counts.taken,
    closedCount: counts.closed,
    paginator: { total: states.reduce((sum, each) => sum + counts[each], 0), start, limit },
  }
}

/** Every report on one piece of content, newest first. */
export async function reportsOn(ctx: Ctx, type: ReportType, reportedId: string): Promise<ReportModerationData[]> {
  return await shown(ctx, await selectReportsOn(ctx.sql, type, reportedId))
}

/** Every report on what any of these accounts owns, newest first. */
export async function reportsAgainst(ctx: Ctx, accountIds: readonly string[]): Promise<ReportModerationData[]> {
  return await shown(ctx, await selectReportsAgainst(ctx.sql, accountIds))
}

/** How many reports these accounts have filed. */
export const countFiledReports = (ctx: Ctx, accountIds: readonly string[]): Promise<number> => countReportsBy(ctx.sql, accountIds)

async function shown({ node: { accounts } }: Ctx, rows: ReportRow[]): Promise<ReportModerationData[]> {
  await accounts.load(new Set(rows.flatMap(usersOfReport)))
  return rows.map((row) => reportData(accounts, row))
}

/** The caller takes all reports on the same content that are not closed, whoever had them; their next actions belong to these. */
export async function handleReports(ctx: Ctx, reportId: string): Promise<void> {
  await changeReports(ctx, reportId, 'handleReports', async (tx, reportIds) => {
    const actionGroup = ctx.node.random.uuid()
    await updateReportsHandled(tx.sql, reportIds, ctx.viewer.id, actionGroup, tx.now)
    await setActionGroup(tx.sql, ctx.viewer.id, actionGroup)
  })
}

/** Closes all reports on the same content. */
export async function closeReports(ctx: Ctx, reportId: string): Promise<void> {
  await changeReports(ctx, reportId, 'closeReports', async (tx, reportIds) => {
    await updateReportsClosed(tx.sql, reportIds, tx.now)
    await setActionGroup(tx.sql, ctx.viewer.id, null)
  })
}

async function changeReports(
  ctx: Ctx,
  reportId: string,
  action: 'handleReports' | 'closeReports',
  change: (tx: Tx, reportIds: string[]) => Promise<void>,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const report = await selectReport(tx.sql, reportId)
    if (!report) throw notAvailable('report')
    const { type, reportedId, reportedUserId } = report
    const reportIds = await lockUnclosedReports(tx.sql, type, reportedId)
    await change(tx, reportIds)
    await audit(tx, { action, subject: { type, id: reportedId }, userId: reportedUserId, details: { reports: reportIds } })
    tx.emitConfirmed(reportsKind, reportsId, { type: 'changed' })
  })
}
