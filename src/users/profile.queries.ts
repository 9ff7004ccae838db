// Statements about profiles: reading, changing and reporting them.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'
import type { ContentModerationStatus } from '../moderation/types.ts'
import { looksOf, usernameKey, userSearchOf } from '../text/usernames.ts'
import type { DinnerTeam, UserProfileUploadData } from './schemas.ts'

/** An account with its profile and what rules about profiles need. */
export interface ProfileRow extends AccountRow {
  special: boolean
  moderationStatus: ContentModerationStatus
  realName: string | null
  homeLocation: string | null
  roomNumber: string | null
  email: string | null
  message: string | null
  about: string | null
  dinnerTeam: DinnerTeam | null
  discordUsername: string | null
}

const profileColumns = (sql: Sql) => sql`
  ${accountColumns(sql)}, account.special, account.moderation_status, account.real_name, account.home_location, account.room_number,
    account.email, account.message,
  account.about, account.dinner_team, account.discord_username`

/** A profile, and how high its person is: an account of theirs may be above the one that is looked at. */
export interface ProfileOfPersonRow extends ProfileRow {
  personLevel: UserAccessLevel
}

const personLevel = (sql: Sql) =>
  sql`(select max(other.level) from account as other where other.person_id = account.person_id) as person_level`

/** When a profile was last changed. */
export async function selectProfileChange(sql: Sql, accountId: string): Promise<Date | undefined> {
  const [row] = await sql<{ profileUpdatedAt: Date }[]>`select profile_updated_at from account where id = ${accountId}`
  return row?.profileUpdatedAt
}

export async function selectProfile(sql: Sql, accountId: string): Promise<ProfileOfPersonRow | undefined> {
  const [row] = await sql<ProfileOfPersonRow[]>`select ${profileColumns(sql)}, ${personLevel(sql)} from account where id = ${accountId}`
  return row
}

/** A profile with the viewer's private note and marks. */
export async function selectProfileFor(
  sql: Sql,
  accountId: string,
  viewerId: string,
): Promise<(ProfileRow & { note: string | null; isFavorite: boolean }) | undefined> {
  const [row] = await sql<(ProfileRow & { note: string | null; isFavorite: boolean })[]>`
    select ${profileColumns(sql)},
      (select note from note where author_id = ${viewerId} and subject_id = account.id),
      exists (select from favorite where account_id = ${viewerId} and favorite_id = account.id) as is_favorite
    from account where id = ${accountId}`
  return row
}

/** Locks the account's row; undefined also when its person has deleted it: nothing of theirs may come back. */
export async function lockProfile(sql: Sql, accountId: string): Promise<ProfileOfPersonRow | undefined> {
  const [row] = await sql<
    ProfileOfPersonRow[]
  >`select ${profileColumns(sql)}, ${personLevel(sql)} from account where id = ${accountId} and deleted_at is null for update`
  return row
}

/** Keeps a profile as it is before a change. */
export async function insertProfileEdit(
  sql: Sql,
  edit: { id: string; before: ProfileRow; profile: UserProfileUploadData; editorId: string; now: Date },
): Promise<void> {
  const { id, before, profile, editorId, now } = edit
  await sql`
    insert into profile_edit (id, account_id, editor_id, username, profile, user_image, created_at)
    values (${id}, ${before.id}, ${editorId}, ${before.username}, ${sql.json(profile as never)}, ${before.userImage}, ${now})`
}

export interface ProfileEditRow {
  id: string
  editorId: string
  profile: UserProfileUploadData
  userImage: string | null
  createdAt: Date
}

/** Earlier versions of a profile, newest first. */
export async function selectProfileEdits(sql: Sql, accountId: string): Promise<ProfileEditRow[]> {
  return await sql<
    ProfileEditRow[]
  >`select id, editor_id, profile, user_image, created_at from profile_edit where account_id = ${accountId} order by created_at desc, id`
}

export async function updateProfileState(sql: Sql, accountId: string, status: ContentModerationStatus): Promise<void> {
  await sql`update account set moderation_status = ${status} where id = ${accountId}`
}

/** True when the account had another name at some time since then. */
export async function hadOtherNameSince(sql: Sql, accountId: string, username: string, since: Date): Promise<boolean> {
  const [row] =
    await sql`select from profile_edit where account_id = ${accountId} and created_at >= ${since} and username <> ${username} limit 1`
  return row !== undefined
}

/** True when another account has this name, whatever its case, or one that looks like it. */
export async function usernameTakenByOther(sql: Sql, accountId: string, username: string): Promise<boolean> {
  const { look, foldedLook } = looksOf(username)
  const [row] = await sql`
    select from account where (username_key = ${usernameKey(username)} or look = ${look} or folded_look = ${foldedLook})
      and id <> ${accountId}`
  return row !== undefined
}

/** Gives an account another name. */
export async function updateUsername(
  sql: Sql,
  before: ProfileRow,
  username: string,
  moderationStatus: ProfileRow['moderationStatus'],
  now: Date,
): Promise<AccountRow> {
  const { look, foldedLook } = looksOf(username)
  const [row] = await sql<[AccountRow]>`
    update account set username = ${username}, username_key = ${usernameKey(username)}, look = ${look}, folded_look = ${foldedLook},
      user_search = ${userSearchOf({ ...before, username })},
      moderation_status = ${moderationStatus}, profile_updated_at = ${now}, rev = rev + 1
    where id = ${before.id} returning ${accountColumns(sql)}`
  return row
}

/** All fields of a profile that its owner sets. */
export type ProfileFields = Pick<
  ProfileRow,
  | 'displayName'
  | 'realName'
  | 'preferredPronoun'
  | 'homeLocation'
  | 'roomNumber'
  | 'email'
  | 'message'
  | 'about'
  | 'dinnerTeam'
  | 'discordUsername'
  | 'moderationStatus'
>

/** Replaces the whole profile. */
export async function updateProfile(sql: Sql, before: ProfileRow, fields: ProfileFields, now: Date): Promise<AccountRow> {
  const [row] = await sql<[AccountRow]>`
    update account set display_name = ${fields.displayName}, real_name = ${fields.realName}, preferred_pronoun = ${fields.preferredPronoun},
      home_location = ${fields.homeLocation}, room_number = ${fields.roomNumber}, email = ${fields.email}, message = ${fields.message},
        about = ${fields.about},
      dinner_team = ${fields.dinnerTeam}, discord_username = ${fields.discordUsername}, moderation_status = ${fields.moderationStatus},
      user_search = ${userSearchOf({ username: before.username, displayName: fields.displayName, realName: fields.realName })},
      profile_updated_at = ${now}, rev = rev + 1
    where id = ${before.id} returning ${accountColumns(sql)}`
  return row
}

/** Gives an account another picture, or none. */
export async function updateUserImage(
  sql: Sql,
  before: ProfileRow,
  image: string | null,
  moderationStatus: ProfileRow['moderationStatus'],
  now: Date,
): Promise<AccountRow> {
  const [row] = await sql<[AccountRow]>`
    update account set user_image = ${image}, moderation_status = ${moderationStatus}, profile_updated_at = ${now}, rev = rev + 1
    where id = ${before.id} returning ${accountColumns(sql)}`
  return row
}

/** Hides a profile that was reported often, unless a moderator has judged it. The row is locked. */
export async function quarantineReported(sql: Sql, accountId: string): Promise<void> {
  await sql`update account set moderation_status = 'autoQuarantined' where id = ${accountId} and moderation_status = 'normal'`
}
