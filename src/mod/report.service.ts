// Reports on anything: filed by users, looked at by moderators.
import type { Ctx, Tx } from '../core/ctx.ts'
import { conflict } from '../core/errors.ts'
import { insertReport, selectReportsAgainst, type ReportRow } from './queries.ts'
import { reportsId, reportsKind } from './reports.channel.ts'
import type { ReportModerationData } from './schemas.ts'
import type { ReportType } from './types.ts'
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
  const filed = await insertReport(tx.sql, { id: tx.ctx.node.random.uuid(), type, reportedId, reportedUserId, authorId: tx.viewer.personId, message, now: tx.now })
  if (!filed) throw conflict('You have reported this already.')
  tx.emit(reportsKind, reportsId, { type: 'changed' })
}

/** Every report on what any of these accounts owns, newest first. */
export async function reportsAgainst(ctx: Ctx, accountIds: readonly string[]): Promise<ReportModerationData[]> {
  return await shown(ctx, await selectReportsAgainst(ctx.sql, accountIds))
}

async function shown({ node: { accounts } }: Ctx, rows: ReportRow[]): Promise<ReportModerationData[]> {
  await accounts.load(new Set(rows.flatMap(usersOfReport)))
  return rows.map((row) => reportData(accounts, row))
}
