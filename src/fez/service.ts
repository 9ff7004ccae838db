// Changes of chats and their membership. One function per verb; each is one transaction, and the
// answer is made from the chat's channel once the change is in force on every node.
import { isDeleted, type AccountRow } from '../accounts/rows.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import { blocked, isModerator, requireNotTempQuarantined, type Viewer } from '../core/base/viewer.ts'
import { archiveImages } from '../image/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { fileReport } from '../moderation/report.service.ts'
import { isHidden, statusAfterChange } from '../moderation/types.ts'
import { settingsOf } from '../settings/channel.ts'
import { userTopic } from '../accounts/events.ts'
import { fezTopic } from './events.ts'
import { addedNotice, cancelledNotice } from './notices.ts'
import { readInboxes } from './inboxes.service.ts'
import {
  deleteMember,
  insertFezEdit,
  insertMember,
  lockFez,
  selectMemberships,
  selectPostImages,
  softDeleteFez,
  updateFezRow,
  type FezChanges,
} from './queries.ts'
import type { FezRow } from './rows.ts'
import { chatOf, fezLeft, fezView } from './reading.service.ts'
import {
  inboxesOf,
  isSecret,
  mayReadThread,
  requireChangeableMembers,
  requireJoinable,
  requireMayModify,
  requireOwner,
  requireTypeChange,
} from './rules.ts'
import type { FezContentData, FezData } from './schemas.ts'
import type { ReportData } from '../moderation/schemas.ts'
import { isLfg, isSeamail, reportTypeOf } from './types.ts'

/** Tables with rows of chats. */
const chatTables = ['fez', 'fez_member', 'fez_post', 'fez_inbox_reader']

/** Says that a transaction writes about this chat only; the channels of its members, who are shown it in lists, get an event. */
export function changesChat(tx: Tx<Viewer | undefined>, fezId: string): void {
  tx.changesPart(chatTables, fezId)
}

/** Locks a chat, deleted or not, for the only changes of this transaction. */
export async function lockChat(tx: Tx, fezId: string): Promise<FezRow | undefined> {
  changesChat(tx, fezId)
  return await lockFez(tx.sql, fezId)
}

/** A chat that is there for the viewer, locked for this transaction. */
async function lockVisibleFez(tx: Tx, fezId: string): Promise<FezRow> {
  const fez = await lockUnblockedFez(tx, fezId)
  if (isSecret(tx.viewer, fez, () => false) && !(await isMember(tx, fezId, tx.viewer.id))) throw notAvailable('chat')
  return fez
}

/**
 * A chat that exists and whose owner is in no block with the viewer, locked for this transaction. The caller checks
 * whether it is a private one of others.
 */
export async function lockUnblockedFez(tx: Tx, fezId: string, what: 'chat' | 'post' = 'chat'): Promise<FezRow> {
  const fez = await lockChat(tx, fezId)
  if (!fez || fez.deletedAt) throw notAvailable(what)
  const owner = await tx.ctx.node.accounts.find(fez.ownerId)
  if (!owner || (owner.id !== tx.viewer.id && blocked(tx.viewer, owner))) throw notAvailable(what)
  return fez
}

/** Request fields as they are stored: times floating. */
export function fieldsOf(ctx: Ctx, content: FezContentData) {
  const { trip } = settingsOf(ctx.node)
  const now = new Date(ctx.nowMs)
  const stored = (date: Date | undefined) => (date ? trip.clientToPort(date, now) : null)
  const { fezType, title, info, minCapacity, maxCapacity } = content
  const fields = {
    fezType,
    title,
    info,
    location: content.location || null,
    startTime: stored(content.startTime),
    endTime: stored(content.endTime),
    minCapacity,
    maxCapacity,
  }
  return isSeamail(fezType) ? { ...fields, location: null, startTime: null, endTime: null, minCapacity: 0, maxCapacity: 0 } : fields
}

/** Sends a notice to the sockets of an account, unless it is the caller's. */
export function notify(tx: Tx, accountId: string, notice: Uint8Array): void {
  if (accountId !== tx.viewer.id) tx.emit(userTopic, accountId, { type: 'noticed', noticeID: tx.ctx.node.random.uuid(), notice })
}

/** The name of a chat in notices, unless moderators hide it. */
export const nameParts = ({ fezType, title, moderationStatus }: FezRow) => ({
  fezType,
  title: isHidden(moderationStatus) ? undefined : title,
})

/** Appends the caller to the members; they wait when the chat is full. */
export async function joinFez(ctx: Ctx, fezId: string): Promise<FezData> {
  const { seq } = await ctx.transaction(async (tx) => {
    const fez = await lockVisibleFez(tx, fezId)
    requireJoinable(fez)
    if (await isMember(tx, fezId, ctx.viewer.id)) throw badRequest('already_member', 'You are a member of this chat already.')
    return { seq: await addMember(tx, fezId, await accountRow(ctx, ctx.viewer.id), false) }
  })
  return await fezView(ctx, fezId, { seq })
}

/** Takes the caller out, whoever blocks whom meanwhile. Somebody who is not a member changes nothing. */
export async function unjoinFez(ctx: Ctx, fezId: string): Promise<FezData> {
  const { seq } = await ctx.transaction(async (tx) => {
    const member = await isMember(tx, fezId, ctx.viewer.id)
    const fez = member ? await lockChat(tx, fezId) : await lockVisibleFez(tx, fezId)
    if (!fez || fez.deletedAt) throw notAvailable('chat')
    if (fez.fezType === 'closed') throw badRequest('members_fixed', 'Nobody can leave a private chat.')
    if (!member && isModerator(ctx.viewer)) throw badRequest('not_member', 'You are not a member of this chat.')
    return { seq: member && (await isMember(tx, fezId, ctx.viewer.id)) ? await removeMember(tx, fez, ctx.viewer.id) : fez.seq }
  })
  return await fezLeft(ctx, fezId, seq)
}

/** The owner adds somebody. */
export async function addUser(ctx: Ctx, fezId: string, accountId: string): Promise<FezData> {
  const { seq } = await ctx.transaction(async (tx) => {
    const fez = await lockVisibleFez(tx, fezId)
    requireOwner(ctx.viewer, fez)
    requireChangeableMembers(fez, 'add')
    const account = await ctx.node.accounts.find(accountId)
    if (!account || isDeleted(account)) throw notAvailable('user')
    if (await isMember(tx, fezId, accountId)) throw badRequest('already_member', 'This user is a member of the chat already.')
    if (blocked(ctx.viewer, account)) throw notAvailable('user')
    const seq = await addMember(tx, fezId, account, true)
    await readInboxes(tx, fezId, (id) => id === accountId, fez.lastPostId)
    notify(tx, accountId, addedNotice(fezId, nameParts(fez), ctx.viewer.username))
    return { seq }
  })
  return await fezView(ctx, fezId, { seq })
}

/** The owner, or a moderator, removes somebody. */
export async function removeUser(ctx: Ctx, fezId: string, accountId: string): Promise<FezData> {
  const { seq } = await ctx.transaction(async (tx) => {
    const fez = await lockVisibleFez(tx, fezId)
    requireChangeableMembers(fez, 'remove')
    requireMayModify(ctx.viewer, fez, ctx.nowMs)
    if (accountId === fez.ownerId) throw forbidden('owner_cannot_leave', 'The owner cannot leave their own chat.')
    if (!(await isMember(tx, fezId, accountId))) throw badRequest('not_member', 'This user is not a member of the chat.')
    await logModeratorAction(tx, { action: 'edit', contentType: reportTypeOf(fez.fezType), contentId: fezId, ownerId: fez.ownerId })
    return { seq: await removeMember(tx, fez, accountId) }
  })
  return await fezView(ctx, fezId, { seq })
}

async function isMember(tx: Tx, fezId: string, accountId: string): Promise<boolean> {
  return (await selectMemberships(tx.sql, fezId, [accountId])).length > 0
}

async function accountRow(ctx: Ctx, accountId: string): Promise<AccountRow> {
  const account = await ctx.node.accounts.find(accountId)
  if (!account) throw notAvailable('user')
  return account
}

async function addMember(tx: Tx, fezId: string, account: AccountRow, added: boolean): Promise<number> {
  const seq = await insertMember(tx.sql, fezId, account.id, added, tx.now)
  tx.emitConfirmed(fezTopic, fezId, { type: 'joined', seq, account, position: seq, updatedAt: tx.now })
  tx.emitConfirmed(userTopic, account.id, { type: 'chatsChanged', fezID: fezId })
  return seq
}

async function removeMember(tx: Tx, fez: FezRow, accountId: string): Promise<number> {
  const seq = await deleteMember(tx.sql, fez.id, accountId, tx.now)
  await insertFezEdit(tx.sql, { id: tx.ctx.node.random.uuid(), fez, editorId: tx.viewer.id, now: tx.now })
  tx.emitConfirmed(fezTopic, fez.id, { type: 'left', seq, accountID: accountId, updatedAt: tx.now })
  tx.emitConfirmed(userTopic, accountId, { type: 'chatsChanged', fezID: fez.id })
  return seq
}

/** Replaces what the chat says of itself, and un-cancels it. */
export async function updateFez(ctx: Ctx, fezId: string, content: FezContentData): Promise<FezData> {
  const { seq } = await ctx.transaction(async (tx) => {
    const fez = await lockVisibleFez(tx, fezId)
    requireMayModify(ctx.viewer, fez, ctx.nowMs)
    requireTypeChange(fez.fezType, content.fezType)
    if (fez.fezType === 'personalEvent' && content.initialUsers.length > 0)
      throw forbidden('members_fixed', 'A personal event has no other users.')
    const fields = fieldsOf(ctx, content)
    const more = content.info !== fez.info || content.location || content.startTime || content.endTime
    if (isSeamail(fez.fezType) && more) throw badRequest('title_only', 'Only the title of a private chat can be changed.')
    const unlisted = content.visibility === undefined ? fez.unlisted : content.visibility === 'unlisted'
    if (unlisted !== fez.unlisted && ctx.viewer.id !== fez.ownerId)
      throw forbidden('not_owner', 'Only the owner can change who may see this event.')
    const moderationStatus = statusAfterChange(fez.moderationStatus, fez.ownerId === ctx.viewer.id)
    if (fields.title !== fez.title || fields.info !== fez.info || fields.location !== fez.location) {
      await insertFezEdit(tx.sql, { id: ctx.node.random.uuid(), fez, editorId: ctx.viewer.id, now: tx.now })
    }
    await logModeratorAction(tx, { action: 'edit', contentType: reportTypeOf(fez.fezType), contentId: fezId, ownerId: fez.ownerId })
    return { seq: await change(tx, fez, { ...fields, unlisted, cancelled: false, moderationStatus }) }
  })
  return await fezView(ctx, fezId, { seq })
}

/** The owner calls it off. It stays readable and can be brought back by an update. */
export async function cancelFez(ctx: Ctx, fezId: string): Promise<FezData> {
  const { seq } = await ctx.transaction(async (tx) => {
    const fez = await lockVisibleFez(tx, fezId)
    requireOwner(ctx.viewer, fez)
    const seq = await change(tx, fez, { ...fez, cancelled: true })
    if (!fez.cancelled) {
      const notice = cancelledNotice(fezId, nameParts(fez), ctx.viewer.username)
      tx.emit(fezTopic, fezId, { type: 'cancelled', seq: 0, noticeID: ctx.node.random.uuid(), byID: ctx.viewer.id, notice })
    }
    return { seq }
  })
  return await fezView(ctx, fezId, { seq })
}

async function change(tx: Tx, fez: FezRow, changes: FezChanges): Promise<number> {
  const seq = await updateFezRow(tx.sql, fez.id, changes, tx.now)
  tx.emitConfirmed(fezTopic, fez.id, { type: 'changed', seq })
  return seq
}

/** Moderators delete any chat, owners only a personal event. */
export async function deleteFez(ctx: Ctx, fezId: string): Promise<void> {
  const { images } = await ctx.transaction(async (tx) => {
    const fez = await lockVisibleFez(tx, fezId)
    requireNotTempQuarantined(ctx.viewer, ctx.nowMs)
    const own = fez.fezType === 'personalEvent' && fez.ownerId === ctx.viewer.id
    const places = await selectMemberships(tx.sql, fezId, [ctx.viewer.id, ...inboxesOf(ctx.viewer.level)])
    // Moderators cannot delete a chat that they cannot read, and get the same answer.
    if (isModerator(ctx.viewer) && !mayReadThread(ctx.viewer, fez, new Set(places.map(({ accountId }) => accountId))))
      throw notAvailable('chat')
    if (!own && !isModerator(ctx.viewer)) throw forbidden('moderators_only', 'Only moderators can delete this chat.')
    const { seq } = await softDeleteFez(tx.sql, fezId, tx.now)
    await logModeratorAction(
      tx,
      { action: 'delete', contentType: reportTypeOf(fez.fezType), contentId: fezId, ownerId: fez.ownerId },
      { beyondOwner: !own },
    )
    tx.emitConfirmed(fezTopic, fezId, { type: 'deleted', seq })
    return { images: await selectPostImages(tx.sql, fezId) }
  })
  await archiveImages(ctx, images)
}

/** Files a report on the chat, in the name of the person. */
export async function reportFez(ctx: Ctx, fezId: string, report: ReportData): Promise<void> {
  const { row } = await chatOf(ctx, fezId)
  if (!isLfg(row.fezType) && row.fezType !== 'privateEvent') throw forbidden('not_reportable', 'Private chats cannot be reported.')
  await ctx.transaction((tx) =>
    fileReport(tx, { type: reportTypeOf(row.fezType), reportedId: fezId, reportedUserId: row.ownerId, message: report.message }),
  )
}
