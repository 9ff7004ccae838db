// Filing reports on anything: for moderators to look at.
import type { Tx } from '../core/ctx.ts'
import { conflict } from '../core/errors.ts'
import type { ReportType } from './log.service.ts'
import { insertReport } from './queries.ts'
import { reportsId, reportsKind } from './reports.channel.ts'

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
