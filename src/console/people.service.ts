// The list of people, and what only the team sees of one of them.
import { endSessionsOf } from '../accounts/ended-sessions.service.ts'
import { removeFactor } from '../auth/second-factor.service.ts'
import { userTopic } from '../accounts/events.ts'
import { startOfValid } from '../auth/sessions.service.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { AppError, forbidden, notAvailable } from '../core/base/errors.ts'
import { csvOf } from '../core/http/csv.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { atLeast, type UserAccessLevel, type UserRoleType } from '../core/base/viewer.ts'
import { audit, auditLook } from '../moderation/audit.service.ts'
import { inDialect } from '../text/dialect.ts'
import { requireAuthorityOver, setAccessLevel } from '../users/levels.service.ts'
import { addRole, removeRole } from '../users/roles.service.ts'
import { endToken, selectDevices, selectOnePerson, selectPeople, type PersonRow } from './people.queries.ts'
import type { AdminUserData, AdminUserDetailData, AdminUserListData, BulkAction, UsersBulkData, UsersBulkResultData } from './schemas.ts'

export interface PeopleQuery {
  search?: string | undefined
  level?: UserAccessLevel | undefined
  role?: UserRoleType | undefined
  seen?: 'today' | 'notToday' | 'never' | undefined
  code?: 'used' | 'none' | undefined
  reported?: boolean | undefined
  sort?: 'name' | 'seen' | 'created' | undefined
  start?: number
  limit?: number
}

const longestPage = 200
const mostLines = 50_000
const dayMs = 24 * 60 * 60_000
const longAgo = new Date('2000-01-01T00:00:00Z')

/** A page of all accounts of people. Whether somebody has used a code is for the service team. */
export async function listPeople(ctx: Ctx, query: PeopleQuery): Promise<AdminUserListData> {
  const { start, limit } = pageOf(query, longestPage)
  const { total, rows } = await findPeople(ctx, query, { start, limit })
  await ctx.node.accounts.load(new Set(rows.map(({ id }) => id)))
  return { users: rows.map((row) => shown(ctx, row)), paginator: { total, start, limit } }
}

/** Everybody whom the query finds, as a table for other programs. */
export async function peopleAsCsv(ctx: Ctx, query: PeopleQuery): Promise<Reply> {
  const { rows } = await findPeople(ctx, query, { start: 0, limit: mostLines })
  await auditLook(ctx, { action: 'exportPeople', subject: { type: 'user', id: 'all' }, details: { accounts: rows.length } })
  const lines = rows.map((row) => [
    row.username,
    row.displayName ?? '',
    row.roomNumber ?? '',
    inDialect(ctx.node.config, row.level),
    row.roles.join(' '),
    row.id === row.personId ? 'main' : 'sub-account',
    row.hasCode ? 'yes' : 'no',
    row.createdAt.toISOString(),
    row.seenAt?.toISOString() ?? '',
    String(row.openReports),
  ])
  const head = ['username', 'name', 'room', 'level', 'roles', 'account', 'code', 'since', 'last seen', 'open reports']
  return new Reply(200, csvOf([head, ...lines], { byteOrderMark: true }), {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="people.csv"',
  })
}

async function findPeople(
  ctx: Ctx,
  query: PeopleQuery,
  page: { start: number; limit: number },
): Promise<{ total: number; rows: PersonRow[] }> {
  const { search = '', level, role, seen, code, reported = false, sort = 'name' } = query
  if (code && !atLeast(ctx.viewer.level, 'serviceteam')) throw forbidden('level_too_low', 'Only the service team sees who has used a code.')
  const dayAgo = new Date(ctx.nowMs - dayMs)
  const filter = {
    search: search.trim().toLowerCase(),
    level,
    role,
    seenSince: seen === 'today' ? dayAgo : undefined,
    unseenSince: seen === 'notToday' ? dayAgo : seen === 'never' ? longAgo : undefined,
    hasCode: code && code === 'used',
    reported,
    order: sort,
    ...page,
  }
  return await ctx.readLong((sql) => selectPeople(sql, filter))
}

/**
 * Does the same to several accounts, each by itself and as if it were asked for alone: one that is refused keeps none of the others.
 * `verify` is for the unverified, `unverify` for the verified alone.
 */
export async function changeInBulk(ctx: Ctx, { userIDs, action, role }: UsersBulkData): Promise<UsersBulkResultData> {
  const actions: Record<BulkAction, (id: string) => Promise<void>> = {
    verify: (id) => setAccessLevel(ctx, id, 'verified', 'unverified'),
    unverify: (id) => setAccessLevel(ctx, id, 'unverified', 'verified'),
    addRole: (id) => addRole(ctx, role as UserRoleType, id),
    removeRole: (id) => removeRole(ctx, role as UserRoleType, id),
    signOut: (id) => signOutPerson(ctx, id),
  }
  const answer: UsersBulkResultData = { done: [], refused: [] }
  // One after another: each takes locks of its person.
  for (const userID of new Set(userIDs))
    try {
      await actions[action](userID)
      answer.done.push(userID)
    } catch (error) {
      // Also where the server is busy: the caller has to know what was done before.
      if (!(error instanceof AppError)) throw error
      answer.refused.push({ userID, reason: error.message, code: error.code })
    }
  return answer
}

/** One account with its devices. */
export async function getPerson(ctx: Ctx, accountId: string): Promise<AdminUserDetailData> {
  const row = await selectOnePerson(ctx.sql, accountId)
  if (!row) throw notAvailable('user')
  await ctx.node.accounts.load(new Set([row.id]))
  const { browsers, app, hasSecondFactor } = await selectDevices(ctx.sql, accountId, {
    now: new Date(ctx.nowMs),
    since: startOfValid(ctx.node),
  })
  return {
    ...shown(ctx, row),
    app,
    hasSecondFactor,
    browsers: browsers.map(({ id, device, createdAt, lastSeenAt }) => ({ sessionID: id, device, createdAt, lastSeen: lastSeenAt })),
  }
}

/** For somebody who has neither their phone nor a recovery code: removes the account's second factor. */
export async function removeFactorOfPerson(ctx: Ctx, accountId: string): Promise<void> {
  await requireAuthorityOver(ctx, accountId, 'remove the second factor')
  await ctx.transaction((tx) => removeFactor(tx, accountId))
}

/** Signs an account out on all its devices: on every node when the promise resolves. */
export async function signOutPerson(ctx: Ctx, accountId: string): Promise<void> {
  await requireAuthorityOver(ctx, accountId, 'end the sessions')
  await ctx.transaction(async (tx) => {
    await endSessionsOf(tx, [accountId])
    await endToken(tx.sql, accountId)
    tx.emitConfirmed(userTopic, accountId, { type: 'loggedOut' })
    tx.emitConfirmed(userTopic, accountId, { type: 'sessionsChanged' })
    await audit(tx, { action: 'signOut', subject: { type: 'user', id: accountId }, userId: accountId })
  })
}

function shown({ node: { accounts, config }, viewer }: Ctx, row: PersonRow): AdminUserData {
  return {
    header: accounts.get(row.id).header,
    ...(row.roomNumber ? { roomNumber: row.roomNumber } : {}),
    accessLevel: inDialect(config, row.level),
    roles: row.roles,
    createdAt: row.createdAt,
    ...(row.seenAt ? { lastSeen: row.seenAt } : {}),
    isSubAccount: row.id !== row.personId,
    ...(row.tempQuarantineUntil ? { tempQuarantineEndTime: row.tempQuarantineUntil } : {}),
    ...(atLeast(viewer.level, 'serviceteam') ? { hasCode: row.hasCode } : {}),
    openReports: row.openReports,
  }
}
