// Bans with a reason and an end, and a person's record: what moderators look at before they decide.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, forbidden, validationFailed, type AppError } from '../core/base/errors.ts'
import { atLeast } from '../core/base/viewer.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import { userTopic } from '../accounts/events.ts'
import { audit } from '../moderation/audit.service.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import { actionsAgainst } from '../moderation/log.service.ts'
import { countFiledReports } from '../moderation/report.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { deleteBan, selectBan, upsertBan } from './bans.queries.ts'
import { giveLevel, personOf } from './levels.service.ts'
import { lockAccountsOf, updateLevelsOf } from './levels.queries.ts'
import type { BanData, PersonRecordData } from './moderation.schemas.ts'
import { lockPersons } from './relations.queries.ts'
import { visibleUser } from './service.ts'

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'ban-ending': { personID: string; until: string }
  }
}

const longestBanMs = 400 * 24 * 60 * 60_000

/** Bans a person, for good or until a moment. The one who is banned reads the reason when they try to sign in. */
export async function banPerson(
  ctx: Ctx,
  accountId: string,
  { reason, until, basedOn }: { reason: string; until?: Date | undefined; basedOn?: Date | null | undefined },
): Promise<void> {
  if (until && (until.getTime() <= ctx.nowMs || until.getTime() > ctx.nowMs + longestBanMs))
    throw validationFailed(new Map([['until', [{ text: 'must be in the future, within 400 days', rule: 'not_in_future' }]]]))
  const { personId } = await visibleUser(ctx, accountId)
  if (personId === ctx.viewer.personId) throw badRequest('level_not_settable', 'You cannot ban yourself.')
  await ctx.transaction(async (tx) => {
    // `giveLevel` waits for the person's row, too: whoever comes second sees the first.
    await lockPersons(tx.sql, [personId])
    requireSame(basedOn, (await selectBan(tx.sql, personId))?.createdAt ?? null, 'the ban of this person')
    const { before } = await giveLevel(tx, { personId, accountId, level: 'banned' })
    await upsertBan(tx.sql, {
      personId,
      reason,
      until: until ?? null,
      levelBefore: before === 'banned' ? 'unverified' : before,
      bannedBy: tx.viewer.id,
      createdAt: tx.now,
    })
    if (until) tx.enqueue('ban-ending', { personID: personId, until: until.toISOString() }, until)
    await audit(tx, {
      action: 'ban',
      subject: { type: 'user', id: accountId },
      userId: personId,
      details: { from: before, until: until ?? null },
    })
  })
}

const hourMs = 60 * 60_000

/** Whether the caller may stop somebody for a while. */
const mayStop = ({ viewer, node }: Ctx): boolean => settingsOf(node).values.moderatorsMayStop || atLeast(viewer.level, 'tho')

/** Bans a person for some hours, by a moderator on duty: when the host lets moderators do that, and nobody has banned them already. */
export async function stopPerson(ctx: Ctx, accountId: string, { reason, hours }: { reason: string; hours: number }): Promise<void> {
  if (!mayStop(ctx)) throw badRequest('level_too_low', 'On this server only tho and above stop somebody.')
  const { primary } = await personOf(ctx, accountId)
  // It would end a longer ban.
  if (primary.level === 'banned') throw badRequest('already_done', 'This user is banned already.')
  await banPerson(ctx, accountId, { reason, until: new Date(ctx.nowMs + hours * hourMs), basedOn: null })
}

/** Ends a ban: the person has the level again that they had before. */
export async function endBan(ctx: Ctx, accountId: string): Promise<void> {
  const { personId } = await visibleUser(ctx, accountId)
  await ctx.transaction(async (tx) => {
    // First of all, as whoever bans does: a ban that is being written is seen, and neither waits for the other.
    await lockPersons(tx.sql, [personId])
    const level = (await deleteBan(tx.sql, personId))?.levelBefore ?? 'unverified'
    const before = (await lockAccountsOf(tx.sql, personId)).find(({ id }) => id === accountId)?.level
    if (before !== 'banned') throw badRequest('already_done', 'This user is not banned.')
    await giveLevel(tx, { personId, accountId, level })
    await audit(tx, { action: 'endBan', subject: { type: 'user', id: accountId }, userId: personId, details: { to: level } })
  })
}

/** Ends a ban whose time has come, unless somebody has changed it since. */
export async function endBanInTime(tx: Tx<undefined>, { personID, until }: JobPayloads['ban-ending']): Promise<void> {
  await lockPersons(tx.sql, [personID])
  const ban = await deleteBan(tx.sql, personID, new Date(until))
  if (!ban) return
  for (const account of await updateLevelsOf(tx.sql, personID, ban.levelBefore))
    tx.emitConfirmed(userTopic, account.id, { type: 'changed', account })
}

/** A person's ban, the moderators' actions on their content, and the number of reports they have filed. */
export async function getPersonRecord(ctx: Ctx, accountId: string): Promise<PersonRecordData> {
  const { primary, subAccounts } = await personOf(ctx, accountId)
  const ids = [primary, ...subAccounts].map(({ id }) => id)
  const [ban, actions, filedReports] = await Promise.all([
    banOf(ctx, primary.personId),
    actionsAgainst(ctx, ids),
    countFiledReports(ctx, ids),
  ])
  return { ...(ban && primary.level === 'banned' ? { ban } : {}), actions, filedReports, mayStop: mayStop(ctx) }
}

async function banOf(ctx: Ctx, personId: string): Promise<BanData | undefined> {
  const row = await selectBan(ctx.sql, personId)
  if (!row) return undefined
  const { accounts } = ctx.node
  await accounts.load(new Set([row.bannedBy]))
  return {
    reason: row.reason,
    ...(row.until ? { until: row.until } : {}),
    bannedBy: accounts.get(row.bannedBy).header,
    createdAt: row.createdAt,
  }
}

/** The refusal of somebody who is banned, with the reason and the end that the ban has. */
export async function refusalOfBanned({ sql }: Pick<Ctx<undefined>, 'sql'>, personId: string): Promise<AppError> {
  const ban = await selectBan(sql, personId)
  if (!ban) return forbidden('banned', 'This account is banned.')
  const end = ban.until ? ` until ${ban.until.toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''
  return forbidden('banned', `This account is banned${end}: ${ban.reason}`)
}
