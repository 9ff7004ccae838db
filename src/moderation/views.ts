// From rows to what moderators get. Pure: the accounts named are in memory already.
import type { Accounts } from '../accounts/accounts.ts'
import type { ModeratorActionRow, ReportRow } from './queries.ts'
import type { ModeratorActionLogData, ReportModerationData } from './schemas.ts'

/** Accounts that a report names. */
export const usersOfReport = ({ reportedUserId, authorId, handledBy }: ReportRow): string[] => [
  reportedUserId,
  authorId,
  ...(handledBy ? [handledBy] : []),
]

/** One report. */
export function reportData(accounts: Accounts, row: ReportRow): ReportModerationData {
  return {
    id: row.id,
    type: row.type,
    reportedID: row.reportedId,
    reportedUser: accounts.get(row.reportedUserId).header,
    submitterMessage: row.message,
    author: accounts.get(row.authorId).header,
    ...(row.handledBy ? { handledBy: accounts.get(row.handledBy).header } : {}),
    isClosed: row.isClosed,
    creationTime: row.createdAt,
    updateTime: row.updatedAt,
  }
}

/** One entry of the action log. */
export function actionData(accounts: Accounts, row: ModeratorActionRow): ModeratorActionLogData {
  return {
    id: row.id,
    actionType: row.actionType,
    contentType: row.contentType,
    contentID: row.contentId,
    timestamp: row.createdAt,
    moderator: accounts.get(row.moderatorId).header,
    targetUser: accounts.get(row.targetUserId).header,
  }
}
