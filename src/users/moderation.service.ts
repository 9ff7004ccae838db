// Profiles for moderators. The state of a profile says nothing about the account.
import { headerOf } from '../accounts/headers.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { caseOf } from '../moderation/acts.service.ts'
import { reportsAgainst } from '../moderation/report.service.ts'
import type { ProfileModerationData, UserModerationData } from './moderation.schemas.ts'
import { inDialect } from '../text/dialect.ts'
import { personOf } from './levels.service.ts'
import { recordState } from '../moderation/state.service.ts'
import { settableStates, type SettableState } from '../moderation/types.ts'
import { lockProfile, selectProfile, selectProfileEdits, updateProfileState } from './profile.queries.ts'
import { profileUploadData } from './views.ts'

/** A profile with nothing hidden, and what it was like before each change. */
export async function getProfileModeration(ctx: Ctx, accountId: string): Promise<ProfileModerationData> {
  const row = await selectProfile(ctx.sql, accountId)
  if (!row) throw notAvailable('user')
  const { accounts } = ctx.node
  const edits = await selectProfileEdits(ctx.sql, accountId)
  await accounts.load(new Set(edits.map(({ editorId }) => editorId)))
  return {
    profile: profileUploadData(row),
    edits: edits.map(({ id, editorId, createdAt, profile, userImage }) => ({
      editID: id,
      createdAt,
      author: accounts.get(editorId).header,
      profileData: profile,
      ...(userImage ? { profileImage: userImage } : {}),
    })),
    ...(await caseOf(ctx, ['userProfile'], accountId, row.moderationStatus)),
  }
}

/** Sets the state of a profile. */
export async function setProfileState(ctx: Ctx, accountId: string, state: SettableState, basedOn?: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await lockProfile(tx.sql, accountId)
    if (!before) throw notAvailable('user')
    await updateProfileState(tx.sql, accountId, settableStates[state].status)
    await recordState(tx, {
      contentType: 'userProfile',
      contentId: accountId,
      ownerId: accountId,
      before: before.moderationStatus,
      state,
      basedOn,
    })
  })
}

/** The person that an account belongs to, with everything it was reported for. */
export async function getUserModeration(ctx: Ctx, accountId: string): Promise<UserModerationData> {
  const { primary, subAccounts } = await personOf(ctx, accountId)
  const until = primary.tempQuarantineUntil
  return {
    header: headerOf(primary),
    subAccounts: subAccounts.map(headerOf),
    accessLevel: inDialect(ctx.node.config, primary.level),
    ...(until && until.getTime() > ctx.nowMs ? { tempQuarantineEndTime: until } : {}),
    reports: await reportsAgainst(
      ctx,
      [primary, ...subAccounts].map(({ id }) => id),
    ),
  }
}
