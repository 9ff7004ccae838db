// What moderators have done about one thing: shown with it, and compared before the next of them acts.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { AppError, validationFailed } from '../core/base/errors.ts'
import { selectActs, selectVersions, type ActRow, type Thing, type VersionRow } from './acts.queries.ts'
import { selectReportsOn } from './queries.ts'
import type { ModeratorActData, ReportModerationData } from './schemas.ts'
import type { ContentModerationStatus, ReportType } from './types.ts'
import { reportData, usersOfReport } from './views.ts'

const shownActs = 20

/** What moderators decide about, with all that they need to know of what others did. */
export interface Case {
  moderationStatus: ContentModerationStatus
  reports: ReportModerationData[]
  acts: ModeratorActData[]
  version: string
}

/** State, reports and acts on one thing. `types`: the words under which it is reported, the first is its own. */
export async function caseOf(
  ctx: Ctx,
  [type, ...more]: readonly [ReportType, ...ReportType[]],
  id: string,
  moderationStatus: ContentModerationStatus,
): Promise<Case> {
  const { accounts } = ctx.node
  const [reports, acts, [version]] = await Promise.all([
    Promise.all([type, ...more].map((each) => selectReportsOn(ctx.sql, each, id))),
    selectActs(ctx.sql, [{ type, id }], shownActs),
    selectVersions(ctx.sql, [{ type, id }], ctx.viewer.id),
  ])
  const rows = reports.flat().toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  await accounts.load(new Set([...rows.flatMap(usersOfReport), ...acts.map(({ actorId }) => actorId)]))
  return {
    moderationStatus,
    reports: rows.map((row) => reportData(accounts, row)),
    acts: acts.map((row) => actData(ctx, row)),
    version: versionOf(version as VersionRow),
  }
}

/** An act as moderators see it; its actor is loaded. */
export function actData({ node }: Ctx, { actorId, action, state, createdAt }: ActRow): ModeratorActData {
  return { moderator: node.accounts.get(actorId).header, action, ...(state ? { state } : {}), at: createdAt }
}

/** Names what a moderator has seen of a thing: the acts of others, and the reports. Their own acts are no news to them. */
export const versionOf = ({ reports, others }: VersionRow): string => `${reports}.${others}`

/** What an action does not mind. */
interface Unminded {
  /** Further reports change nothing about it. */
  newReports: boolean
}

/**
 * Refuses an action on something about which another moderator has acted since the caller has seen it.
 * Without `basedOn` nothing is compared: the apps of today do not know it. @throws AppError 409
 */
export async function requireUnchanged(tx: Tx, thing: Thing, basedOn: string | undefined, { newReports }: Unminded): Promise<void> {
  if (basedOn === undefined) return
  const [, reports, others] = /^(\d{1,9})\.(\d{1,9})$/.exec(basedOn) ?? []
  if (reports === undefined || others === undefined)
    throw validationFailed(new Map([['basedOn', ['basedOn must be a version as the server gives it']]]))
  const [now] = await selectVersions(tx.sql, [thing], tx.viewer.id)
  if (now?.others !== Number(others)) throw await changedBy(tx, thing)
  if (!newReports && now.reports !== Number(reports))
    throw new AppError(409, 'changed_meanwhile', 'There is a new report on this. Look at it first.')
}

async function changedBy(tx: Tx, thing: Thing): Promise<AppError> {
  const acts = await selectActs(tx.sql, [thing], shownActs)
  const last = acts.find(({ actorId }) => actorId !== tx.viewer.id)
  if (!last) return new AppError(409, 'changed_meanwhile', 'Somebody else has acted on this in the meantime. Look at it again.')
  const { accounts } = tx.ctx.node
  await accounts.load([last.actorId])
  const { username } = accounts.get(last.actorId)
  const did = { setState: `set the state to ${last.state}`, closeReports: 'closed the reports', handleReports: 'took the reports' }[
    last.action as string
  ]
  return new AppError(409, 'changed_meanwhile', `${username} has ${did ?? 'acted on this'} in the meantime. Look at it again.`)
}
