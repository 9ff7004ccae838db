// People who delete their account, where the host allows it.
//
// With the primary account all accounts of the person go. What goes: name, profile and picture, passwords, sessions and
// sockets on all nodes, photos of the photo stream, parts of micro karaoke songs, the performer's page, private events,
// notes, lists, words, favorites, reactions, blocks and mutes, in both directions. Groups that have yet to take place are
// cancelled, and all chats are left. What stays, under the name of a deleted account: posts in forums, chats and the
// microblog, which others have answered; reports and the trails of moderators; feedback on events. The registration code
// stays used: nobody comes back with it, whatever they have been reported for. A backup that was made before holds what
// it held.
import { endSessionsOf } from '../accounts/ended-sessions.service.ts'
import { userTopic } from '../accounts/events.ts'
import { deletedName } from '../accounts/rows.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, forbidden, validationFailed, type AppError } from '../core/base/errors.ts'
import { tablesOf } from '../core/http/feature.ts'
import { isModerator } from '../core/base/viewer.ts'
import { photographersId, photographersKind } from '../events/photographers.channel.ts'
import { leaveAllChats } from '../fez/leaving.service.ts'
import { archiveImages } from '../image/service.ts'
import { lineupId, lineupKind } from '../lineup/channel.ts'
import { removeSnippetsOf, removeVideos } from '../microkaraoke/moderation.service.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { emitRelationsChanged, personsInBlocksWith } from '../users/relations.service.ts'
import {
  anonymizeAccount,
  countOwnGroups,
  deleteOwnRows,
  deletePictures,
  lockLeaving,
  selectAccounts,
  selectOwnDataFiles,
  type LeavingAccount,
} from './deletion.queries.ts'
import { removeExports } from './exports.service.ts'
import { requireCredentials } from './tickets.ts'
import type { AccountDeletionData, AccountDeletionStateData } from './schemas.ts'

/** Whether the caller may delete their account, and what would go with it. */
export async function deletionState(ctx: Ctx): Promise<AccountDeletionStateData> {
  const refusal = refusalOf(ctx)
  const accounts = await selectAccounts(ctx.sql, ctx.viewer.personId)
  return {
    allowed: refusal === undefined,
    ...(refusal ? { reason: refusal.message, code: refusal.code } : {}),
    accounts: accounts.map(({ username }) => username),
    groups: await countOwnGroups(
      ctx.sql,
      accounts.map(({ id }) => id),
      settingsOf(ctx.node).shipTimeAt(ctx.nowMs).floatingNow,
    ),
  }
}

/** Why the caller may not; the same whenever they ask. */
function refusalOf({ node, viewer }: Ctx): AppError | undefined {
  if (!settingsOf(node).values.allowAccountDeletion)
    return forbidden('deletion_not_allowed', 'The organisers do not let people delete their accounts. Ask them to do it.')
  if (viewer.id !== viewer.personId)
    return badRequest('primary_account_only', 'This is an additional account. Sign in with your first one: all of them go with it.')
  if (isModerator(viewer) || viewer.level === 'client')
    return badRequest('level_not_settable', 'Members of the team have to give up their level before they can delete their account.')
  return undefined
}

/** Deletes all accounts of the caller's person, who types the name of this one and gives its password. */
export async function deleteAccount(ctx: Ctx, { username, currentPassword }: AccountDeletionData): Promise<void> {
  const refusal = refusalOf(ctx)
  if (refusal) throw refusal
  if (username.toLowerCase() !== ctx.viewer.username.toLowerCase())
    throw validationFailed(new Map([['username', [{ text: 'is not the name of this account', rule: 'not_allowed' }]]]))
  await requireCredentials(ctx, currentPassword)
  const { images, videos, files } = await ctx.transaction(deletePerson)
  await archiveImages(ctx, images)
  await removeVideos(ctx, videos)
  await removeExports(ctx, files)
}

async function deletePerson(tx: Tx): Promise<{ images: string[]; videos: string[]; files: string[] }> {
  const { sql, now, viewer } = tx
  const accounts = await lockLeaving(sql, viewer.personId)
  if (accounts.length === 0) throw badRequest('already_done', 'This account is deleted already.')
  requireOrdinary(accounts)
  const ids = accounts.map(({ id }) => id)
  const blocked = await personsInBlocksWith(tx, viewer.personId)
  await leaveAllChats(tx, ids)
  const videos = await removeSnippetsOf(tx, ids)
  const images = await deletePictures(sql, ids, now)
  const files = await selectOwnDataFiles(sql, ids)
  // Their other browsers are to forget what they keep.
  await endSessionsOf(tx, ids)
  await deleteOwnRows(sql, tablesOf(tx.ctx.node), ids)
  await audit(tx, {
    action: 'deleteAccount',
    subject: { type: 'user', id: viewer.id },
    userId: viewer.id,
    details: { accounts: ids.length },
  })
  for (const { id } of accounts) {
    const account = await anonymizeAccount(sql, id, deletedName(id), now)
    tx.emitConfirmed(userTopic, id, { type: 'loggedOut' })
    tx.emitConfirmed(userTopic, id, { type: 'changed', account })
    tx.emitConfirmed(userTopic, id, { type: 'followedEventsChanged' })
  }
  await emitRelationsChanged(tx, [...blocked, viewer.personId])
  tx.emitConfirmed(photographersKind, photographersId, { type: 'changed' })
  tx.emitConfirmed(lineupKind, lineupId, { type: 'changed' })
  return { images, videos, files }
}

/** The caller may have been made a member of the team since. */
function requireOrdinary(accounts: readonly LeavingAccount[]): void {
  if (accounts.some((account) => account.special || isModerator(account)))
    throw badRequest('level_not_settable', 'Members of the team have to give up their level before they can delete their account.')
}
