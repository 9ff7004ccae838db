// Statements about users who travel between servers.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import { maxFailures, type JobName } from '../core/outbox/jobs.ts'
import type { UserAccessLevel, UserRoleType } from '../core/base/viewer.ts'
import type { DinnerTeam } from '../users/schemas.ts'
import { userSearchOf, usernameKey } from '../text/usernames.ts'
import type { KnownUsers, NewUser } from './plan.ts'

export interface TravellingUserRow {
  id: string
  username: string
  passwordHash: string
  recoveryKeyHash: string | null
  code: string
  usedForRecovery: boolean
  level: UserAccessLevel
  roles: UserRoleType[]
  favoriteUsers: string[]
  favoriteEvents: string[]
  photographerEvents: string[]
  displayName: string | null
  realName: string | null
  userImage: string | null
  about: string | null
  email: string | null
  homeLocation: string | null
  message: string | null
  preferredPronoun: string | null
  roomNumber: string | null
  dinnerTeam: DinnerTeam | null
  discordUsername: string | null
  parentUsername: string | null
}

/** All accounts of persons with a registration code that was not given to a user of a chat, primary ones first. */
export async function selectTravellingUsers(sql: Sql): Promise<TravellingUserRow[]> {
  return await sql<TravellingUserRow[]>`
    select account.id, account.username, account.password_hash, account.recovery_key_hash, code.code, code.used_for_recovery,
      account.level, account.roles::text[] as roles,
      array(
        select other.username from favorite join account other on other.id = favorite.favorite_id
        where favorite.account_id = account.id order by other.username_key collate "C") as favorite_users,
      array(
        select event.uid from event_follower follower join event on event.id = follower.event_id
        where follower.account_id = account.id and event.deleted_at is null order by event.uid collate "C") as favorite_events,
      array(
        select event.uid from event_photographer photographer join event on event.id = photographer.event_id
        where photographer.account_id = account.id and event.deleted_at is null order by event.uid collate "C") as photographer_events,
      account.display_name, account.real_name, account.user_image, account.about, account.email, account.home_location, account.message,
      account.preferred_pronoun, account.room_number, account.dinner_team, account.discord_username,
      case when account.id <> primary_account.id then primary_account.username end as parent_username
    from registration_code code
    join account primary_account on primary_account.id = code.person_id
    join account on account.person_id = primary_account.id
    where not code.for_chat_user and account.deleted_at is null
    order by account.id <> primary_account.id, account.username_key collate "C"`
}

/** Lets nobody else make or change accounts, or use codes, until the transaction ends. */
export async function lockAllAccounts(sql: Sql): Promise<void> {
  await sql`lock table account, registration_code in share row exclusive mode`
}

/** Names and codes among these that exist. */
export async function selectKnown(sql: Sql, usernames: ReadonlySet<string>, codes: ReadonlySet<string>): Promise<KnownUsers> {
  const accounts = await sql<{ id: string; personId: string; username: string; code: string | null; subAccounts: number }[]>`
    select account.id, account.person_id, account.username, code.code,
      (select count(*)::int from account sub where sub.person_id = account.id and sub.id <> account.id) as sub_accounts
    from account left join registration_code code on code.person_id = account.person_id
    where account.username_key = any(${[...usernames].map(usernameKey)})`
  const found = await sql<
    { code: string; isUsed: boolean }[]
  >`select code, person_id is not null as is_used from registration_code where code = any(${[...codes]})`
  return {
    accounts: new Map(accounts.map((account) => [usernameKey(account.username), account])),
    codes: new Map(found.map(({ code, isUsed }) => [code, isUsed])),
  }
}

const rowsAtOnce = 1000

/** Writes new accounts: first the primary ones, which the others refer to. */
export async function insertUsers(sql: Sql, users: readonly NewUser[], now: Date): Promise<void> {
  const rows = users.map(({ id, personId, passwordHash, recoveryKeyHash, data }) => ({
    id,
    person_id: personId,
    username: data.username,
    username_key: usernameKey(data.username),
    level: data.accessLevel,
    roles: `{${data.roles.join(',')}}`,
    password_hash: passwordHash,
    recovery_key_hash: recoveryKeyHash,
    display_name: data.displayName || null,
    real_name: data.realName || null,
    preferred_pronoun: data.preferredPronoun || null,
    home_location: data.homeLocation || null,
    room_number: data.roomNumber || null,
    email: data.email || null,
    message: data.message || null,
    about: data.about || null,
    dinner_team: data.dinnerTeam ?? null,
    discord_username: data.discordUsername || null,
    user_search: userSearchOf({ username: data.username, displayName: data.displayName || null, realName: data.realName || null }),
    profile_updated_at: now,
    created_at: now,
  }))
  for (let start = 0; start < rows.length; start += rowsAtOnce) await sql`insert into account ${sql(rows.slice(start, start + rowsAtOnce))}`
}

/** Binds codes to new persons. */
export async function bindCodes(sql: Sql, bound: readonly { code: string; personId: string; usedForRecovery: boolean }[]): Promise<void> {
  await sql`
    update registration_code set person_id = bound.person_id, used_for_recovery = bound.used_for_recovery
    from unnest(${bound.map(({ code }) => code)}::text[], ${bound.map(({ personId }) => personId)}::uuid[],
      ${bound.map(({ usedForRecovery }) => String(usedForRecovery))}::text[]::boolean[])
      as bound (code, person_id, used_for_recovery)
    where registration_code.code = bound.code`
}

export async function insertFavorites(sql: Sql, favorites: readonly { accountId: string; favoriteId: string }[], now: Date): Promise<void> {
  await sql`
    insert into favorite (account_id, favorite_id, created_at)
    select account_id, favorite_id, ${now} from unnest(${favorites.map(({ accountId }) => accountId)}::uuid[],
      ${favorites.map(({ favoriteId }) => favoriteId)}::uuid[]) as given (account_id, favorite_id)
    on conflict do nothing`
}

/** Lets accounts follow those of the events that there are here. */
export async function insertFollowers(sql: Sql, followed: readonly { accountId: string; uid: string }[], now: Date): Promise<void> {
  await sql`
    insert into event_follower (account_id, event_id, created_at)
    select given.account_id, event.id, ${now} from unnest(${followed.map(({ accountId }) => accountId)}::uuid[],
      ${followed.map(({ uid }) => uid)}::text[]) as given (account_id, uid)
    join event on event.uid = given.uid and event.deleted_at is null
    on conflict do nothing`
}

/** Makes accounts photographers of those of the events that there are here. */
export async function insertPhotographers(sql: Sql, claims: readonly { accountId: string; uid: string }[], now: Date): Promise<void> {
  await sql`
    insert into event_photographer (account_id, event_id, created_at)
    select given.account_id, event.id, ${now} from unnest(${claims.map(({ accountId }) => accountId)}::uuid[],
      ${claims.map(({ uid }) => uid)}::text[]) as given (account_id, uid)
    join event on event.uid = given.uid and event.deleted_at is null
    on conflict do nothing`
}

/** Events by their uids, and whether they need a photographer. */
export async function selectPhotoWishes(sql: Sql): Promise<Map<string, boolean>> {
  const rows = await sql<{ uid: string; isNeeded: boolean }[]>`
    select uid, exists (select from event_photo_wish where event_id = event.id) as is_needed from event where deleted_at is null
      order by uid collate "C"`
  return new Map(rows.map(({ uid, isNeeded }) => [uid, isNeeded]))
}

/** Notes that events need a photographer. */
export async function insertPhotoWishes(sql: Sql, uids: readonly string[]): Promise<void> {
  await sql`insert into event_photo_wish (event_id) select id from event where uid = any (${uids}::text[]) on conflict do nothing`
}

/** Gives an account its picture unless it has one by now. */
export async function updateMissingImage(sql: Sql, accountId: string, image: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    update account set user_image = ${image}, rev = rev + 1 where id = ${accountId} and user_image is null and deleted_at is null
    returning ${accountColumns(sql)}`
  return row
}

/** Jobs of a kind that are to be done yet, and those that were given up. */
export async function countJobs(sql: Sql, job: JobName): Promise<{ waiting: number; failed: number }> {
  const [row] = await sql<[{ waiting: number; failed: number }]>`
    select count(*) filter (where failures < ${maxFailures})::int as waiting, count(*) filter (where failures >= ${maxFailures})::int
      as failed from outbox where job = ${job}`
  return row
}
