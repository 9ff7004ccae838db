// The audit trail: who did what to whom with a right that others do not have, and in which request.
// For the operator alone, and complete, unlike the moderator action log that the team reads; what is
// written there is written here as well. So are looks at what is private.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { insertAuditEntry } from './queries.ts'
import { moderatorActionTypes, type ReportType } from './types.ts'

/** All that is ever audited. */
export const auditActions = [
  ...moderatorActionTypes,
  'setAccessLevel',
  'ban',
  'uploadBoardgames',
  'uploadKaraoke',
  'makeBackup',
  'verifyBackup',
  'downloadBackup',
  'exportEverybody',
  'downloadEverybody',
  'readAgain',
  'orderWipe',
  'wipe',
  'uploadCodes',
  'makeCodes',
  'deleteCodes',
  'signOut',
  'retryJob',
  'dropJob',
  'pauseJobs',
  'resumeJobs',
  'endBan',
  'promote',
  'demote',
  'addRole',
  'removeRole',
  'setState',
  'handleReports',
  'closeReports',
  'create',
  'updateSettings',
  'setWebhook',
  'tryWebhook',
  'removeOld',
  'deleteAccount',
  'saveTemplate',
  'deleteTemplate',
  'planAnnouncement',
  'setSlowMode',
  'changeCategory',
  'orderCategories',
  'deleteCategory',
  'changeText',
  'resetText',
  'reloadTimeZoneChanges',
  'reloadBoardgames',
  'reloadKaraoke',
  'uploadSchedule',
  'updateSchedule',
  'undoSchedule',
  'reloadSchedule',
  'exportUsers',
  'exportPeople',
  'uploadUsers',
  'importUsers',
  'unlockCode',
  'findUsername',
  'allocateCode',
  'rebuildNotifications',
  'markFeedback',
  'unmarkFeedback',
  'uploadPerformers',
  'linkPerformers',
  'importPerformers',
  'readPrivate',
  'readCode',
  'signIn',
  'recover',
  'setSecondFactor',
  'replaceRecoveryCodes',
  'removeSecondFactor',
  'connectIdentity',
  'addPasskey',
  'removePasskey',
  'removeIdentity',
] as const
export type AuditAction = (typeof auditActions)[number]

export interface Audited {
  action: AuditAction
  /** The kind of thing it was done to, and its id. */
  subject: {
    type:
      | ReportType
      | 'user'
      | 'category'
      | 'announcement'
      | 'dailyTheme'
      | 'hunt'
      | 'huntPuzzle'
      | 'settings'
      | 'publicText'
      | 'seamailTemplate'
      | 'timeZoneChanges'
      | 'boardgames'
      | 'karaoke'
      | 'schedule'
      | 'userFile'
      | 'registrationCode'
      | 'notifications'
      | 'job'
      | 'backup'
      | 'everybody'
      | 'server'
      | 'eventFeedback'
      | 'performer'
      | 'performers'
      | 'webhook'
      | 'retention'
    id: string
  }
  /** The user it concerns: the user acted on, or the owner of the content. */
  userId?: string
  /** Values before and after. Never texts of users: those are in the logs of edits. */
  details?: object
}

/** The same by a process that no request has asked. */
export async function auditByProcess(
  sql: Sql,
  by: { actorId: string; requestId: string; now: Date },
  { action, subject, userId, details = {} }: Audited,
): Promise<void> {
  await insertAuditEntry(sql, { ...by, action, subjectType: subject.type, subjectId: subject.id, userId: userId ?? null, details })
}

/** Writes an entry that commits with the act it records. */
export async function audit(tx: Tx, audited: Audited): Promise<void> {
  await auditBy(tx, tx.viewer.id, audited)
}

/** Writes an entry about a look at something private, before anything of it is shown. */
export async function auditLook(ctx: Ctx, audited: Audited): Promise<void> {
  // A HEAD shows nothing.
  if (ctx.head?.method !== 'head') await ctx.transaction((tx) => audit(tx, audited))
}

/** As `audit`, of somebody whom this very act makes known, such as a sign-in. */
export async function auditBy(
  tx: Tx<Viewer | undefined>,
  actorId: string,
  { action, subject, userId, details = {} }: Audited,
): Promise<void> {
  await insertAuditEntry(tx.sql, {
    actorId,
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    userId: userId ?? null,
    details,
    requestId: tx.ctx.requestId,
    now: tx.now,
  })
}
