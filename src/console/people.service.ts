// The list of people, and what only the team sees of one of them.
import { endSessionsOf } from '../accounts/ended-sessions.service.ts'
import { userTopic } from '../accounts/events.ts'
import { startOfValid } from '../auth/sessions.service.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { atLeast, type UserAccessLevel, type UserRoleType } from '../core/base/viewer.ts'
import { audit } from '../moderation/audit.service.ts'
import { inDialect } from '../text/dialect.ts'
import { isAbove, personOf } from '../users/levels.service.ts'
import { visibleUser } from '../users/service.ts'
import { endToken, selectDevices, selectOnePerson, selectPeople, type PersonRow } from './people.queries.ts'
import type { AdminUserData, AdminUserDetailData, AdminUserListData } from './schemas.ts'

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
const dayMs = 24 * 60 * 60_000
const longAgo = new Date('2000-01-01T00:00:00Z')

/** A page of all accounts of people. Whether somebody has used a code is for the service team. */
export async function listPeople(ctx: Ctx, query: PeopleQuery): Promise<AdminUserListData> {
  const { search = '', level, role, seen, code, reported = false, sort = 'name' } = query
  if (code && !atLeast(ctx.viewer.level, 'serviceteam')) throw forbidden('level_too_low', 'Only the service team sees who has used a code.')
  const { start, limit } = pageOf(query, longestPage)
  const dayAgo = new Date(ctx.nowMs - dayMs)
  const { total, rows } = await selectPeople(ctx.sql, {
    search: search.toLowerCase(),
    level,
    role,
    seenSince: seen === 'today' ? dayAgo : undefined,
    unseenSince: seen === 'notToday' ? dayAgo : seen === 'never' ? longAgo : undefined,
    hasCode: code && code === 'used',
    reported,
    order: sort,
    start,
    limit,
  })
  await ctx.node.accounts.load(new Set(rows.map(({ id }) => id)))
  return { users: rows.map((row) => shown(ctx, row)), paginator: { total, start, limit } }
}

/** One account with its devices. */
export async function getPerson(ctx: Ctx, accountId: string): Promise<AdminUserDetailData> {
  const row = await selectOnePerson(ctx.sql, accountId)
  if (!row) throw notAvailable('user')
  await ctx.node.accounts.load(new Set([row.id]))
  const { browsers, app } = await selectDevices(ctx.sql, accountId, {
    now: new Date(ctx.nowMs),
    since: startOfValid(ctx.node),
  })
  return {
    ...shown(ctx, row),
    app,
    browsers: browsers.map(({ id, device, createdAt, lastSeenAt }) => ({ sessionID: id, device, createdAt, lastSeen: lastSeenAt })),
  }
}

/** Signs an account out on all its devices: on every node when the promise resolves. */
export async function signOutPerson(ctx: Ctx, accountId: string): Promise<void> {
  const account = await visibleUser(ctx, accountId)
  if (atLeast(account.level, 'client') && ctx.viewer.level !== 'admin')
    throw forbidden('level_too_low', 'Only an admin can sign members of the team and clients out.')
  const { primary, subAccounts } = await personOf(ctx, accountId)
  if (isAbove(ctx.viewer, [primary, ...subAccounts]))
    throw forbidden('level_too_low', 'An account of this person has a higher level than yours.')
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
