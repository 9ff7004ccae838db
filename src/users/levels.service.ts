// Access levels and temporary quarantine: a moderator's are for whole persons, the team's for single accounts.
import { endSessionsOf } from '../accounts/ended-sessions.service.ts'
import { headerOf } from '../accounts/headers.ts'
import { type AccountRow } from '../accounts/rows.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import { atLeast, isModerator, type UserAccessLevel, type Viewer } from '../core/base/viewer.ts'
import { openInboxes } from '../fez/inboxes.service.ts'
import { audit } from '../moderation/audit.service.ts'
import { addToActionLog } from '../moderation/log.service.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import type { ModeratorActionType } from '../moderation/types.ts'
import { inDialect } from '../text/dialect.ts'
import { userTopic } from '../accounts/events.ts'
import { deleteBan } from './bans.queries.ts'
import {
  deleteSessionsOfPerson,
  lockAccountsOf,
  lockLevel,
  selectPersonOf,
  selectTeam,
  updateLevel,
  updateLevelsOf,
  updateTempQuarantineOf,
  type LevelRow,
} from './levels.queries.ts'
import { lockPersons } from './relations.queries.ts'
import { visibleUser } from './service.ts'
import { selectBlockedPersons } from './relations.queries.ts'
import { emitRelationsChanged } from './relations.service.ts'

/** All accounts of the person that an account belongs to. */
export async function personOf(ctx: Ctx, accountId: string): Promise<{ primary: LevelRow; subAccounts: LevelRow[] }> {
  const [primary, ...subAccounts] = await selectPersonOf(ctx.sql, accountId)
  if (!primary) throw notAvailable('user')
  return { primary, subAccounts }
}

/** True when one of a person's accounts has a higher level than the caller: nobody of the team acts on somebody above them. */
export const isAbove = (viewer: Viewer, accounts: readonly Pick<LevelRow, 'level'>[]): boolean =>
  accounts.some(({ level }) => !atLeast(viewer.level, level))

/** @throws AppError 403 unless the caller may decide on what this account is signed in with. */
export async function requireAuthorityOver(ctx: Ctx, accountId: string, what: string): Promise<void> {
  const account = await visibleUser(ctx, accountId)
  if (atLeast(account.level, 'client') && ctx.viewer.level !== 'admin')
    throw forbidden('level_too_low', `Only an admin can ${what} of members of the team and clients.`)
  const { primary, subAccounts } = await personOf(ctx, accountId)
  if (isAbove(ctx.viewer, [primary, ...subAccounts]))
    throw forbidden('level_too_low', 'An account of this person has a higher level than yours.')
}

const personAbove = () => badRequest('level_too_low', 'An account of this person has a higher level than yours.')

/** Levels that moderators can set. */
const settable = {
  unverified: 'accessLevelUnverified',
  banned: 'accessLevelBanned',
  quarantined: 'accessLevelQuarantined',
  verified: 'accessLevelVerified',
} as const
type SettableLevel = keyof typeof settable

const isSettable = (level: UserAccessLevel): level is SettableLevel => Object.hasOwn(settable, level)

/**
 * Gives all accounts of a person a level, ends their tokens and browser sessions, and closes their sockets: on all
 * nodes when the promise resolves.
 */
export async function setAccessLevel(ctx: Ctx, accountId: string, level: UserAccessLevel, basedOn?: UserAccessLevel): Promise<void> {
  if (!isSettable(level)) throw badRequest('level_not_settable', `Moderators can set the levels ${Object.keys(settable).join(', ')}.`)
  if ((level === 'banned' || level === 'unverified') && !atLeast(ctx.viewer.level, 'tho'))
    throw badRequest('level_too_low', `Only tho and above can make users ${level}.`)
  const { personId } = await visibleUser(ctx, accountId)
  await ctx.transaction(async (tx) => {
    const { before, accounts } = await giveLevel(tx, { personId, accountId, level })
    requireSame(basedOn, before, levelOfUser)
    await deleteBan(tx.sql, personId)
    await audit(tx, {
      action: 'setAccessLevel',
      subject: { type: 'user', id: accountId },
      userId: personId,
      details: { from: before, to: level, accounts },
    })
  })
}

interface LevelOfPerson {
  personId: string
  /** The account that the caller named. */
  accountId: string
  level: UserAccessLevel
}

/** Within a transaction: gives all accounts of a person a level and signs them out everywhere. */
export async function giveLevel(
  tx: Tx,
  { personId, accountId, level }: LevelOfPerson,
): Promise<{ before: UserAccessLevel; accounts: number }> {
  const accounts = await lockPerson(tx, personId)
  const before = accounts.find(({ id }) => id === accountId)?.level ?? 'unverified'
  if (before === 'banned' && !atLeast(tx.viewer.level, 'tho'))
    throw badRequest('level_too_low', 'Only tho and above can change banned users.')
  if (accounts.some(isSpecial)) throw badRequest('account_fixed', 'The level of a built-in or client account cannot be changed.')
  const member = level === 'verified' ? undefined : accounts.find(isModerator)
  if (member)
    throw badRequest(
      'level_not_settable',
      `${member.username} has the level ${inDialect(tx.ctx.node.config, member.level)} ` +
        `and must be demoted first. The user has ${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}.`,
    )
  // Whoever is verified already would be signed out all the same.
  if (isAbove(tx.viewer, accounts)) throw personAbove()
  // After a ban their browsers are to forget what they keep.
  if (level === 'banned')
    await endSessionsOf(
      tx,
      accounts.map(({ id }) => id),
    )
  else await deleteSessionsOfPerson(tx.sql, personId)
  for (const account of await updateLevelsOf(tx.sql, personId, level)) {
    tx.emitConfirmed(userTopic, account.id, { type: 'loggedOut' })
    tx.emitConfirmed(userTopic, account.id, { type: 'changed', account })
  }
  if (isSettable(level))
    await addToActionLog(tx, { action: settable[level], contentType: 'userProfile', contentId: personId, ownerId: personId })
  return { before, accounts: accounts.length }
}

const levelOfUser = 'the level of this user'

const hourMs = 60 * 60_000

/** Keeps all accounts of a person from creating content for some hours; 0 ends it. */
export async function setTempQuarantine(ctx: Ctx, accountId: string, hours: number, basedOn?: string): Promise<void> {
  const { personId } = await visibleUser(ctx, accountId)
  await ctx.transaction(async (tx) => {
    const accounts = await lockPerson(tx, personId)
    const target = accounts.find(({ id }) => id === accountId)
    if (!target || isModerator(target) || target.level === 'client')
      throw badRequest('level_not_settable', 'Moderators and client accounts cannot be quarantined.')
    if (isAbove(tx.viewer, accounts)) throw personAbove()
    const current = target.tempQuarantineUntil
    requireSame(basedOn, current && current.getTime() > ctx.nowMs ? current.toISOString() : 'none', 'the pause of this user')
    const until = hours === 0 ? null : new Date(tx.now.getTime() + hours * hourMs)
    for (const account of await updateTempQuarantineOf(tx.sql, personId, until))
      tx.emitConfirmed(userTopic, account.id, { type: 'changed', account })
    const action: ModeratorActionType | undefined = until
      ? 'tempQuarantine'
      : target.tempQuarantineUntil
        ? 'tempQuarantineCleared'
        : undefined
    if (action) await addToActionLog(tx, { action, contentType: 'userProfile', contentId: personId, ownerId: personId })
    await audit(tx, {
      action: 'tempQuarantine',
      subject: { type: 'user', id: accountId },
      userId: personId,
      details: { from: target.tempQuarantineUntil, to: until },
    })
  })
}

/** Locks a person: first the primary account, without which no sub-account can be added. */
async function lockPerson(tx: Tx, personId: string): Promise<LevelRow[]> {
  await lockPersons(tx.sql, [personId])
  return await lockAccountsOf(tx.sql, personId)
}

const isSpecial = ({ special, level }: LevelRow): boolean => special || level === 'client'

export type TeamLevel = 'moderator' | 'serviceteam' | 'tho' | 'admin'

const promotions: Readonly<Record<TeamLevel, { from: readonly UserAccessLevel[]; action?: ModeratorActionType }>> = {
  moderator: { from: ['verified'], action: 'accessLevelModerator' },
  serviceteam: { from: ['verified', 'moderator'], action: 'accessLevelServiceTeam' },
  tho: { from: ['verified', 'moderator', 'serviceteam'], action: 'accessLevelTHO' },
  // The words of the action log are a closed list, in which apps know none for this: the audit trail has it.
  admin: { from: ['verified', 'moderator', 'serviceteam', 'tho'] },
}

/** Makes one account a member of the team, or a higher one. Its token stays valid. `basedOn` is the level that the caller has seen. */
export async function promote(ctx: Ctx, accountId: string, level: TeamLevel, basedOn?: UserAccessLevel): Promise<void> {
  await changeLevel(ctx, accountId, { level, action: promotions[level].action, audited: 'promote' }, (target) => {
    requireSame(basedOn, target.level, levelOfUser)
    if (!promotions[level].from.includes(target.level))
      throw badRequest(
        'level_not_settable',
        inDialect(ctx.node.config, `Only users with the level ${promotions[level].from.join(' or ')} can become ${level}.`),
      )
    if (target.tempQuarantineUntil && target.tempQuarantineUntil.getTime() >= ctx.nowMs)
      throw badRequest('quarantined', 'This user is temporarily quarantined.')
  })
}

/** Makes a member of the team a verified user again. */
export async function demote(ctx: Ctx, accountId: string, basedOn?: UserAccessLevel): Promise<void> {
  await changeLevel(ctx, accountId, { level: 'verified', action: 'accessLevelVerified', audited: 'demote' }, (target) => {
    requireSame(basedOn, target.level, levelOfUser)
    if (!isModerator(target)) throw badRequest('level_not_settable', 'This user is not a member of the team.')
    if (atLeast(target.level, 'tho') && ctx.viewer.level !== 'admin')
      throw forbidden('level_too_low', 'Only an admin can demote this user.')
  })
}

interface LevelChange {
  level: UserAccessLevel
  action: ModeratorActionType | undefined
  audited: 'promote' | 'demote'
}

async function changeLevel(
  ctx: Ctx,
  accountId: string,
  { level, action, audited }: LevelChange,
  check: (target: LevelRow) => void,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const target = await lockLevel(tx.sql, accountId)
    if (!target) throw notAvailable('user')
    if (isSpecial(target)) throw badRequest('account_fixed', 'The level of a built-in or client account cannot be changed.')
    check(target)
    const account: AccountRow = await updateLevel(tx.sql, accountId, level)
    await openInboxes(tx, accountId, target.level, level)
    tx.emitConfirmed(userTopic, accountId, { type: 'changed', account })
    // Blocks do not hold for moderators.
    if (isModerator(target) !== isModerator(account)) await emitRelationsChanged(tx, await selectBlockedPersons(tx.sql, account.personId))
    if (action) await addToActionLog(tx, { action, contentType: 'userProfile', contentId: accountId, ownerId: accountId })
    await audit(tx, {
      action: audited,
      subject: { type: 'user', id: accountId },
      userId: accountId,
      details: { from: target.level, to: level },
    })
  })
}

/** Accounts at exactly this level. */
export async function listTeam(ctx: Ctx, level: Exclude<TeamLevel, 'admin'>): Promise<UserHeader[]> {
  return (await selectTeam(ctx.sql, level)).map(headerOf)
}
