// The moderator action log: one row whenever a moderator's power is used on what somebody else owns,
// in the same transaction as the action.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { pageOf } from '../core/http/paging.ts'
import { inDialect } from '../text/dialect.ts'
import { audit } from './audit.service.ts'
import { insertModeratorAction, selectActionsAgainst, selectModeratorActions, type ModeratorActionRow } from './queries.ts'
import type { ModeratorActionLogData, ModeratorActionLogResponseData } from './schemas.ts'
import type { ModeratorActionType, ReportType } from './types.ts'
import { actionData } from './views.ts'

export interface ModeratorAction {
  action: ModeratorActionType
  contentType: ReportType
  contentId: string
  /** Owner of the content. */
  ownerId: string
}

/** What the audit trail holds in addition. */
interface Reach {
  /** The owner could not do this: the audit trail has it even when moderators do it to their own. */
  beyondOwner?: boolean
  details?: object
}

/** Writes an entry, here and in the audit trail, unless the caller acts on their own content. */
export async function logModeratorAction(tx: Tx, entry: ModeratorAction, { beyondOwner = false, details }: Reach = {}): Promise<void> {
  const { action, contentType, contentId, ownerId } = entry
  await addToActionLog(tx, entry)
  if (tx.viewer.id !== ownerId || beyondOwner)
    await audit(tx, { action, subject: { type: contentType, id: contentId }, userId: ownerId, ...(details ? { details } : {}) })
}

/** Writes an entry unless the caller acts on their own content: for actions that the audit trail names differently. */
export async function addToActionLog(tx: Tx, { action, contentType, contentId, ownerId }: ModeratorAction): Promise<void> {
  if (tx.viewer.id === ownerId) return
  await insertModeratorAction(tx.sql, {
    id: tx.ctx.node.random.uuid(),
    action,
    contentType,
    contentId,
    moderatorId: tx.viewer.id,
    targetUserId: ownerId,
    now: tx.now,
  })
}

const newest = 50

/** The newest actions of moderators on what any of these accounts owns. */
export async function actionsAgainst(ctx: Ctx, accountIds: readonly string[]): Promise<ModeratorActionLogData[]> {
  return await shown(ctx, await selectActionsAgainst(ctx.sql, accountIds, newest))
}

const longestPage = 200

/** A page of the log, newest first. */
export async function listModeratorActions(ctx: Ctx, query: { start?: number; limit?: number }): Promise<ModeratorActionLogResponseData> {
  const { start, limit } = pageOf(query, longestPage)
  const { total, rows } = await selectModeratorActions(ctx.sql, start, limit)
  return { actions: await shown(ctx, rows), paginator: { total, start, limit } }
}

async function shown({ node: { accounts, config } }: Ctx, rows: readonly ModeratorActionRow[]): Promise<ModeratorActionLogData[]> {
  await accounts.load(new Set(rows.flatMap(({ moderatorId, targetUserId }) => [moderatorId, targetUserId])))
  return rows.map((row) => {
    const action = actionData(accounts, row)
    return { ...action, actionType: inDialect(config, action.actionType) }
  })
}
