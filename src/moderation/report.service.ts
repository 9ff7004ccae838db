// Reports on anything: filed by users, looked at by moderators.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { conflict, notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { selectActs, selectVersions, type Thing, type VersionRow } from './acts.queries.ts'
import { actData, requireUnchanged, versionOf } from './acts.service.ts'
import { audit } from './audit.service.ts'
import {
  countReportsBy,
  insertReport,
  lockUnclosedReports,
  selectIsReportedOften,
  selectReport,
  selectReports,
  selectReportsAgainst,
  selectReportsOnAll,
  setActionGroup,
  updateReportsClosed,
  updateReportsHandled,
  type ReportRow,
} from './queries.ts'
import { countReportGroups, selectReportGroups, selectThings, type ReportGroupRow } from './queue.queries.ts'
import { reportsId, reportsKind } from './reports.channel.ts'
import type { ReportGroupData, ReportModerationData, ReportQueueData } from './schemas.ts'
import type { QueueOrder, ReportState, ReportType } from './types.ts'
import { reportData, usersOfReport } from './views.ts'

export interface Report {
  type: ReportType
  /** Id of the reported content. */
  reportedId: string
  /** Owner of the content. */
  reportedUserId: string
  message: string
}

/** Files a report in the name of the caller's person; returns its id. @throws AppError 409 when that person has reported the same before. */
export async function fileReport(tx: Tx, { type, reportedId, reportedUserId, message }: Report): Promise<string> {
  const id = tx.ctx.node.random.uuid()
  const filed = await insertReport(tx.sql, {
    id,
    type,
    reportedId,
    reportedUserId,
    authorId: tx.viewer.personId,
    message,
    now: tx.now,
  })
  if (!filed) throw conflict('already_reported', 'You have reported this already.')
  tx.emit(reportsKind, reportsId, { type: 'changed' })
  tx.enqueue('webhook-event', { kind: 'report.created', at: tx.now, data: { reportType: type, reportedID: reportedId } })
  return id
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
  { state, type, mine = false, sort = 'waiting', ...page }: QueueQuery,
): Promise<ReportQueueData> {
  const { start, limit } = pageOf(page, longestQueuePage)
  const states: readonly ReportState[] = state ? [state] : ['open', 'taken']
  const filter = { states, type, holderId: mine ? ctx.viewer.id : undefined, order: sort }
  const [{ total, rows }, counts] = await Promise.all([selectReportGroups(ctx.sql, filter, start, limit), countReportGroups(ctx.sql)])
  return {
    groups: rows.length > 0 ? await groupsOf(ctx, rows) : [],
    openCount: counts.open,
    takenCount: counts.taken,
    closedCount: counts.closed,
    paginator: { total, start, limit },
  }
}

interface QueueQuery {
  state?: ReportState | undefined
  type?: ReportType | undefined
  /** Only what the caller has taken. */
  mine?: boolean | undefined
  sort?: QueueOrder | undefined
  start?: number
  limit?: number
}

async function groupsOf(ctx: Ctx, rows: readonly ReportGroupRow[]): Promise<ReportGroupData[]> {
  const { accounts } = ctx.node
  const [reports, things, acts, versions] = await Promise.all([
    selectReportsOnAll(ctx.sql, rows),
    selectThings(ctx.sql, rows),
    selectActs(ctx.sql, rows, 1),
    selectVersions(ctx.sql, rows, ctx.viewer.id),
  ])
  await accounts.load(new Set([...reports.flatMap(usersOfReport), ...acts.map(({ actorId }) => actorId)]))
  const key = (type: ReportType, id: string) => `${type} ${id}`
  const [thingOf, actOf, version] = [byThing(things), byThing(acts), byThing(versions)]
  return rows.map(({ type, id, state, firstAt, lastAt }): ReportGroupData => {
    const own = reports.filter((report) => report.type === type && report.reportedId === id).map((row) => reportData(accounts, row))
    const handledBy = own.find((report) => report.handledBy)?.handledBy
    const thing = thingOf.get(key(type, id))
    const lastAct = actOf.get(key(type, id))
    return {
      type,
      reportedID: id,
      reportedUser: (own[0] as ReportModerationData).reportedUser,
      state,
      ...(handledBy ? { handledBy } : {}),
      firstReport: firstAt,
      lastReport: lastAt,
      reports: own,
      ...(thing?.excerpt ? { excerpt: thing.excerpt } : {}),
      ...(thing?.image ? { image: thing.image } : {}),
      ...(thing?.placeKind && thing.place ? { place: { kind: thing.placeKind, title: thing.place } } : {}),
      ...(thing?.status ? { moderationStatus: thing.status } : {}),
      isDeleted: thing?.isDeleted ?? true,
      ...(lastAct ? { lastAct: actData(ctx, lastAct) } : {}),
      version: versionOf(version.get(key(type, id)) as VersionRow),
    }
  })
}

const byThing = <T extends Thing>(rows: readonly T[]): Map<string, T> => new Map(rows.map((row) => [`${row.type} ${row.id}`, row]))

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

/**
 * The caller takes all reports on the same content that are not closed, whoever had them; their next actions belong to these.
 * `basedOn` is what the caller has seen of it.
 */
export async function handleReports(ctx: Ctx, reportId: string, basedOn?: string): Promise<void> {
  await changeReports(ctx, { reportId, basedOn, action: 'handleReports', newReports: true }, async (tx, reportIds) => {
    const actionGroup = ctx.node.random.uuid()
    await updateReportsHandled(tx.sql, reportIds, ctx.viewer.id, actionGroup, tx.now)
    await setActionGroup(tx.sql, ctx.viewer.id, actionGroup)
  })
}

/** Closes all reports on the same content. With `basedOn`, only those that the caller has seen. */
export async function closeReports(ctx: Ctx, reportId: string, basedOn?: string): Promise<void> {
  await changeReports(ctx, { reportId, basedOn, action: 'closeReports', newReports: false }, async (tx, reportIds) => {
    await updateReportsClosed(tx.sql, reportIds, tx.now)
    await setActionGroup(tx.sql, ctx.viewer.id, null)
  })
}

interface ReportsChange {
  reportId: string
  basedOn: string | undefined
  action: 'handleReports' | 'closeReports'
  /** Done also when there are reports that the caller has not seen. */
  newReports: boolean
}

async function changeReports(
  ctx: Ctx,
  { reportId, basedOn, action, newReports }: ReportsChange,
  change: (tx: Tx, reportIds: string[]) => Promise<void>,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const report = await selectReport(tx.sql, reportId)
    if (!report) throw notAvailable('report')
    const { type, reportedId, reportedUserId } = report
    const reportIds = await lockUnclosedReports(tx.sql, type, reportedId)
    await requireUnchanged(tx, { type, id: reportedId }, basedOn, { newReports })
    await change(tx, reportIds)
    await audit(tx, { action, subject: { type, id: reportedId }, userId: reportedUserId, details: { reports: reportIds } })
    tx.emitConfirmed(reportsKind, reportsId, { type: 'changed' })
  })
}
