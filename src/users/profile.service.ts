// Names and profiles: seen and reported by others, changed by their owners or by moderators. Every
// change leaves a log entry of what was there before.
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { violatesUnique } from '../core/db/errors.ts'
import { badRequest, conflict, forbidden, notAvailable } from '../core/base/errors.ts'
import { atLeast, blocked, isModerator, type Viewer } from '../core/base/viewer.ts'
import type { ImageUploadData } from '../image/schemas.ts'
import { archiveImages, holdImages, storeUpload } from '../image/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { fileCountedReport } from '../moderation/report.service.ts'
import { isOpen, statusAfterChange } from '../moderation/types.ts'
import { settingsOf } from '../settings/channel.ts'
import { userTopic } from '../accounts/events.ts'
import {
  hadOtherNameSince,
  insertProfileEdit,
  lockProfile,
  quarantineReported,
  selectProfile,
  selectProfileFor,
  updateProfile,
  updateUserImage,
  updateUsername,
  usernameTakenByOther,
  type ProfileFields,
  type ProfileOfPersonRow,
  type ProfileRow,
} from './profile.queries.ts'
import type { ProfileEditData, ProfilePublicData, UserProfileUploadData } from './schemas.ts'
import { hasBlocked } from './relations.queries.ts'
import { isWithheld, profilePublicData, profileUploadData } from './views.ts'

/** A profile; those of banned users are only for moderators. */
export async function getProfile(ctx: Ctx, accountId: string): Promise<ProfilePublicData> {
  const row = await selectProfileFor(ctx.sql, accountId, ctx.viewer.id)
  if (!row || blocked(ctx.viewer, row) || (row.level === 'banned' && !isModerator(ctx.viewer))) throw notAvailable('profile')
  return profilePublicData(ctx.viewer, row)
}

/** The caller's own profile. */
export async function ownProfile(ctx: Ctx): Promise<ProfileEditData> {
  return await profileEditData(ctx, ctx.viewer.id)
}

async function profileEditData(ctx: Ctx, accountId: string): Promise<ProfileEditData> {
  const row = await selectProfile(ctx.sql, accountId)
  if (!row) throw notAvailable('user')
  const publicData = profilePublicData(ctx.viewer, row)
  if (isWithheld(ctx.viewer, row)) return publicData
  const { displayName, preferredPronoun } = row
  return { ...publicData, ...(displayName ? { displayName } : {}), ...(preferredPronoun ? { preferredPronoun } : {}) }
}

/** True when the viewer may change the profile, the picture and the name of an account: moderators not of a person above them. */
function mayEditProfile(viewer: Viewer, { id, personLevel, moderationStatus }: ProfileOfPersonRow, nowMs: number): boolean {
  if (nowMs <= viewer.tempQuarantineUntilMs) return false
  if (isModerator(viewer)) return viewer.id === id || atLeast(viewer.level, personLevel)
  return viewer.id === id && (viewer.level === 'unverified' || atLeast(viewer.level, 'verified')) && isOpen(moderationStatus)
}

function requireMayEdit(ctx: Ctx, row: ProfileOfPersonRow | undefined): ProfileRow {
  if (!row || (row.id !== ctx.viewer.id && blocked(ctx.viewer, row))) throw notAvailable('user')
  if (!mayEditProfile(ctx.viewer, row, ctx.nowMs)) throw forbidden('not_owner', 'You cannot change this profile.')
  return row
}

/** Refuses before anything is done with a picture or a profile that was sent. */
export async function requireEditable(ctx: Ctx, accountId: string): Promise<void> {
  requireMayEdit(ctx, await selectProfile(ctx.sql, accountId))
}

/** As `requireEditable`, for names. */
export async function requireRenamable(ctx: Ctx, accountId: string): Promise<void> {
  requireOrdinary(requireMayEdit(ctx, await selectProfile(ctx.sql, accountId)))
}

function requireOrdinary({ special, level }: ProfileRow): void {
  if (special || level === 'client') throw badRequest('account_fixed', 'The name of this account cannot be changed.')
}

/** Replaces all fields of a profile. */
export async function changeProfile(ctx: Ctx, accountId: string, upload: UserProfileUploadData): Promise<ProfileEditData> {
  await ctx.transaction(async (tx) => {
    const before = await lockForChange(tx, accountId)
    const account = await updateProfile(
      tx.sql,
      before,
      fieldsOf(upload, statusAfterChange(before.moderationStatus, before.id === tx.viewer.id)),
      tx.now,
    )
    tx.emitConfirmed(userTopic, accountId, { type: 'changed', account })
  })
  return await profileEditData(ctx, accountId)
}

/** Locks an account that the caller may change, and logs what it is like before. */
async function lockForChange(tx: Tx, accountId: string): Promise<ProfileRow> {
  const before = requireMayEdit(tx.ctx, await lockProfile(tx.sql, accountId))
  await logBefore(tx, before)
  await logModeratorAction(tx, { action: 'edit', contentType: 'userProfile', contentId: accountId, ownerId: accountId })
  return before
}

async function logBefore(tx: Tx, before: ProfileRow): Promise<void> {
  await insertProfileEdit(tx.sql, {
    id: tx.ctx.node.random.uuid(),
    before,
    profile: profileUploadData(before),
    editorId: tx.viewer.id,
    now: tx.now,
  })
}

function fieldsOf(upload: UserProfileUploadData, moderationStatus: ProfileRow['moderationStatus']): ProfileFields {
  return {
    displayName: upload.displayName || null,
    realName: upload.realName || null,
    preferredPronoun: upload.preferredPronoun || null,
    homeLocation: upload.homeLocation || null,
    roomNumber: upload.roomNumber || null,
    email: upload.email || null,
    message: upload.message || null,
    about: upload.about || null,
    dinnerTeam: upload.dinnerTeam || null,
    discordUsername: upload.discordUsername || null,
    moderationStatus,
  }
}

/** Gives the caller another picture. */
export async function changeUserImage(ctx: Ctx, upload: ImageUploadData): Promise<UserHeader> {
  await requireEditable(ctx, ctx.viewer.id)
  const image = await storeUpload(ctx, upload, 'avatar')
  if (!image) throw new Error('an upload without an image was taken')
  return await setUserImage(ctx, ctx.viewer.id, image.name, upload)
}

/** Takes an account's picture away; there need not be one. */
export async function removeUserImage(ctx: Ctx, accountId: string): Promise<void> {
  await setUserImage(ctx, accountId, null)
}

async function setUserImage(ctx: Ctx, accountId: string, image: string | null, upload?: ImageUploadData): Promise<UserHeader> {
  const { replaced, account } = await ctx.transaction(async (tx) => {
    const before = requireMayEdit(ctx, await lockProfile(tx.sql, accountId))
    if (before.userImage === image) return { replaced: null, account: before }
    if (upload) await holdImages(tx, [upload])
    if (before.userImage !== null) {
      await logBefore(tx, before)
      await logModeratorAction(tx, { action: 'delete', contentType: 'userProfile', contentId: accountId, ownerId: accountId })
    }
    const account = await updateUserImage(
      tx.sql,
      before,
      image,
      statusAfterChange(before.moderationStatus, before.id === tx.viewer.id),
      tx.now,
    )
    tx.emitConfirmed(userTopic, accountId, { type: 'changed', account })
    return { replaced: before.userImage, account }
  })
  if (replaced !== null) await archiveImages(ctx, [replaced])
  return headerOf(account)
}

const hoursBetweenRenames = 20
const nameTaken = () => conflict('username_taken', 'This username is taken. Choose another one.')

/** Gives an account another name; users can do so with their own once in a while. */
export async function changeUsername(ctx: Ctx, accountId: string, username: string): Promise<void> {
  try {
    await ctx.transaction((tx) => rename(tx, accountId, username))
  } catch (error) {
    // Somebody else took the name in between.
    const taken = ['account_username_key_key', 'account_look', 'account_folded_look'].some((index) => violatesUnique(error, index))
    throw taken ? nameTaken() : error
  }
}

async function rename(tx: Tx, accountId: string, username: string): Promise<void> {
  const before = await lockForChange(tx, accountId)
  requireOrdinary(before)
  if (await usernameTakenByOther(tx.sql, accountId, username)) throw nameTaken()
  const since = new Date(tx.now.getTime() - hoursBetweenRenames * 60 * 60_000)
  if (tx.viewer.id === accountId && (await hadOtherNameSince(tx.sql, accountId, before.username, since))) {
    throw forbidden('renamed_recently', `A username can be changed once in ${hoursBetweenRenames} hours.`)
  }
  const account = await updateUsername(
    tx.sql,
    before,
    username,
    statusAfterChange(before.moderationStatus, before.id === tx.viewer.id),
    tx.now,
  )
  tx.emitConfirmed(userTopic, accountId, { type: 'changed', account })
}

/** Reports a user's profile to the moderators; many reports hide it. Those whom the caller has blocked can be reported too. */
export async function reportUser(ctx: Ctx, accountId: string, message: string): Promise<void> {
  const account = await ctx.node.accounts.find(accountId)
  if (!account || (blocked(ctx.viewer, account) && !(await hasBlocked(ctx.sql, ctx.viewer.personId, account.personId))))
    throw notAvailable('user')
  await ctx.transaction(async (tx) => {
    // One after another, or two reports could both miss the threshold.
    await lockProfile(tx.sql, accountId)
    const report = { type: 'userProfile', reportedId: accountId, reportedUserId: accountId, message } as const
    if (await fileCountedReport(tx, report, settingsOf(ctx.node).values.userAutoQuarantineThreshold))
      await quarantineReported(tx.sql, accountId)
  })
}
