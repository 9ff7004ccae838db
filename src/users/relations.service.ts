// Relations between users: blocks, which are mutual and between persons, and mutes.
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { isUuid } from '../core/schema/decode.ts'
import { blocked, isModerator } from '../core/base/viewer.ts'
import { changesOwn, userTopic } from '../accounts/events.ts'
import {
  deleteBlock,
  deleteMute,
  insertBlock,
  insertMute,
  isOnBlockList,
  lockPersons,
  selectAccountIds,
  selectBlockedPersons,
  selectBlocks,
  selectMutes,
} from './relations.queries.ts'
import { accountNamed, visibleUser } from './service.ts'

/** The users that the caller's person has blocked, as named. */
export async function listBlocks(ctx: Ctx): Promise<UserHeader[]> {
  // Of most users their channel knows that there is none.
  if (ctx.viewer.blockedPersons.size === 0) return []
  return (await selectBlocks(ctx.sql, ctx.viewer.personId)).map(headerOf)
}

/**
 * Hides two persons from each other; the other one by their id or name. Returns false when the user was on the list already.
 * Somebody who blocks the caller can be blocked like everybody else: the answer must not tell the two apart.
 */
export async function blockUser(ctx: Ctx, idOrName: string): Promise<boolean> {
  const { viewer } = ctx
  const other = isUuid(idOrName) ? await ctx.node.accounts.find(idOrName.toLowerCase()) : await accountNamed(ctx.node, idOrName)
  if (!other) throw notAvailable('user')
  const accountId = other.id
  if (await isOnBlockList(ctx.sql, viewer.personId, accountId)) return false
  if (other.personId === viewer.personId) throw badRequest('self', 'You cannot block yourself or an account of your own.')
  if (isModerator(other)) throw badRequest('moderator_not_blockable', 'Moderators cannot be blocked.')
  return await ctx.transaction(async (tx) => {
    await lockPersons(tx.sql, [viewer.personId, other.personId])
    const added = await insertBlock(tx.sql, viewer.personId, accountId, tx.now)
    if (added) await emitRelationsChanged(tx, [viewer.personId, other.personId])
    return added
  })
}

/** Takes one user off the list. The two persons stay hidden while another entry of either links them. */
export async function unblockUser(ctx: Ctx, accountId: string): Promise<void> {
  const { viewer } = ctx
  if (!(await isOnBlockList(ctx.sql, viewer.personId, accountId))) return void (await visibleUser(ctx, accountId))
  const other = await ctx.node.accounts.find(accountId)
  if (!other) throw new Error('a blocked account that does not exist')
  await ctx.transaction(async (tx) => {
    await lockPersons(tx.sql, [viewer.personId, other.personId])
    if (await deleteBlock(tx.sql, viewer.personId, accountId)) await emitRelationsChanged(tx, [viewer.personId, other.personId])
  })
}

/** The relations of these persons have changed: in force on all nodes when the transaction's promise resolves. */
export async function emitRelationsChanged(tx: Tx, personIds: readonly string[]): Promise<void> {
  for (const id of await selectAccountIds(tx.sql, personIds)) relationsChangedOf(tx, id)
}

/** What others are shown stays in memory: an answer hides nobody but those whom its caller's channel names. */
function relationsChangedOf(tx: Tx, accountId: string): void {
  changesOwn(tx, accountId, 'block', 'mute')
  tx.emitConfirmed(userTopic, accountId, { type: 'relationsChanged' })
}

/** Persons that a person blocks or is blocked by. */
export const personsInBlocksWith = (tx: Tx, personId: string): Promise<string[]> => selectBlockedPersons(tx.sql, personId)

/** The users whose public content this account does not see. */
export async function listMutes(ctx: Ctx): Promise<UserHeader[]> {
  if (ctx.viewer.mutes.size === 0) return []
  return (await selectMutes(ctx.sql, ctx.viewer.id)).filter((muted) => !blocked(ctx.viewer, muted)).map(headerOf)
}

/** Hides the public content of one account from this one. */
export async function muteUser(ctx: Ctx, accountId: string): Promise<void> {
  await visibleUser(ctx, accountId)
  await ctx.transaction(async (tx) => {
    if (await insertMute(tx.sql, ctx.viewer.id, accountId, tx.now)) relationsChangedOf(tx, ctx.viewer.id)
  })
}

/** Shows the public content of an account again. */
export async function unmuteUser(ctx: Ctx, accountId: string): Promise<void> {
  const { ended } = await ctx.transaction(async (tx) => {
    const deleted = await deleteMute(tx.sql, ctx.viewer.id, accountId)
    if (deleted) relationsChangedOf(tx, ctx.viewer.id)
    return { ended: deleted }
  })
  // A mute outlasts a block of the same user, and can be ended meanwhile.
  if (!ended) await visibleUser(ctx, accountId)
}
