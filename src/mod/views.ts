// From rows to what moderators get. Pure: the accounts named are in memory already.
import type { Accounts } from '../core/accounts.ts'
import type { ReportRow } from './queries.ts'
import type { ReportModerationData } from './schemas.ts'

/** Accounts that a report names. */
export const usersOfReport = ({ reportedUserId, authorId, handledBy }: ReportRow): string[] => [reportedUserId, authorId, ...handledBy ? [handledBy] : []]

/** One report. */
export function reportData(accounts: Accounts, row: ReportRow): ReportModerationData {
  return {
    id: row.id,
    type: row.type,
    reportedID: row.reportedId,
    reportedUser: accounts.get(row.reportedUserId).header,
    submitterMessage: row.message,
    author: accounts.get(row.authorId).header,
    ...row.handledBy ? { handledBy: accounts.get(row.handledBy).header } : {},
    isClosed: row.isClosed,
    creationTime: row.createdAt,
    updateTime: row.updatedAt,
  }
}
