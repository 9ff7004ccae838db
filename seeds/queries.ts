// Statements of the seeds. Each adds what is not there and leaves the rest as it is.
import { advisoryLock } from '../src/core/db/advisory-lock.ts'
import type { Sql } from '../src/core/db/db.ts'
import type { UserAccessLevel, UserRoleType } from '../src/core/base/viewer.ts'
import { builtIn } from '../src/accounts/rows.ts'
import { userSearchOf } from '../src/text/usernames.ts'
import type { ZoneChange } from '../src/settings/trip.ts'

/** One seeding at a time, until the transaction ends. */
export async function lockSeeds(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock('seeds')})`
}

/** Names in use, among these. */
export async function selectTakenNames(sql: Sql, usernameKeys: readonly string[]): Promise<{ usernameKey: string; special: boolean }[]> {
  return await sql<
    { usernameKey: string; special: boolean }[]
  >`select username_key, special from account where username_key = any(${usernameKeys})`
}

/** Gives the account of the team this name; false when it has it, or is not there yet. */
export async function updateTeamName(sql: Sql, username: string): Promise<boolean> {
  const result = await sql`
    update account set username = ${username}, user_search = ${userSearchOf({ username })}, profile_updated_at = now(), rev = rev + 1
    where id = ${builtIn.ServiceTeam} and username <> ${username}`
  return result.count > 0
}

/** Gives the database an id of its own. */
export async function insertInstallationId(sql: Sql): Promise<void> {
  await sql`insert into setting (name, value) values ('installationID', to_jsonb(gen_random_uuid())) on conflict do nothing`
}

/** Returns how many codes are new. A list that was loaded before is not loaded again: hosts delete codes, and wipes end them. */
export async function insertCodes(sql: Sql, codes: readonly string[], digest: string): Promise<number> {
  const noted = await sql`
    insert into setting (name, value) values ('loadedCodes', to_jsonb(${digest}::text))
    on conflict (name) do update set value = excluded.value where setting.value <> excluded.value`
  if (noted.count === 0) return 0
  const result = await sql`insert into registration_code (code) select distinct unnest(${codes}::text[]) on conflict do nothing`
  return result.count
}

/** Codes for users of an outside chat, unless there are some. */
export async function insertChatCodes(sql: Sql, codes: readonly string[]): Promise<void> {
  await sql`
    insert into registration_code (code, for_chat_user) select distinct unnest(${codes}::text[]), true
    where not exists (select from registration_code where for_chat_user) on conflict do nothing`
}

/** Writes zone changes into an empty table; false when it is not empty. */
export async function insertZoneChanges(sql: Sql, changes: readonly ZoneChange[]): Promise<boolean> {
  const result = await sql`
    insert into time_zone_change (active_date, abbreviation, zone_id)
    select * from unnest(${changes.map(({ activeDate }) => activeDate.toISOString())}::timestamptz[], ${changes.map(({ abbreviation }) => abbreviation)}::text[], ${changes.map(({ zoneId }) => zoneId)}::text[])
    where not exists (select from time_zone_change)`
  return result.count > 0
}

/** True once there was a schedule. */
export async function selectEventUids(sql: Sql): Promise<string[]> {
  return (await sql<{ uid: string }[]>`select uid from event`).map(({ uid }) => uid)
}

/** Which kinds of content there is any of. */
export async function selectWhatIsThere(sql: Sql): Promise<{ events: boolean; codes: boolean; games: boolean; songs: boolean }> {
  const [row] = await sql<[{ events: boolean; codes: boolean; games: boolean; songs: boolean }]>`
    select exists (select from event) as events, exists (select from registration_code) as codes,
      exists (select from boardgame) as games, exists (select from karaoke_song) as songs`
  return row
}

export interface NewCategory {
  id: string
  title: string
  purpose: string
  viewLevel: UserAccessLevel
  createLevel: UserAccessLevel
  isEvent: boolean
  requiredRole: UserRoleType | null
}

/** Writes categories of forums whose ids and titles are not taken. */
export async function insertCategories(sql: Sql, categories: readonly NewCategory[]): Promise<void> {
  for (const { id, title, purpose, viewLevel, createLevel, isEvent, requiredRole } of categories) {
    await sql`
      insert into forum_category (id, title, purpose, view_level, create_level, is_event, required_role)
      values (${id}, ${title}, ${purpose}, ${viewLevel}, ${createLevel}, ${isEvent}, ${requiredRole}) on conflict do nothing`
  }
}

export interface DemoChat {
  id: string
  type: 'closed' | 'activity' | 'dining' | 'gaming'
  title: string
  info: string
  location: string | null
  /** Floating. */
  startTime: Date | null
  endTime: Date | null
  maxCapacity: number
  /** Owner first, then in the order of joining. */
  memberIds: readonly string[]
  posts: readonly { authorId: string; text: string; minutesAgo: number }[]
}

/** Writes a chat with its members and posts unless it is there. */
export async function insertDemoChat(sql: Sql, chat: DemoChat, now: Date): Promise<void> {
  const { id, type, title, info, location, startTime, endTime, maxCapacity, memberIds, posts } = chat
  const ownerId = memberIds[0] as string
  const created = await sql`
    insert into fez (id, owner_id, fez_type, title, info, location, start_time, end_time, min_capacity, max_capacity, member_count, post_count, seq, created_at, updated_at)
    values (${id}, ${ownerId}, ${type}, ${title}, ${info}, ${location}, ${startTime}, ${endTime}, ${maxCapacity === 0 ? 0 : 2}, ${maxCapacity},
      ${memberIds.length}, ${posts.length}, ${memberIds.length + posts.length}, ${now}, ${now})
    on conflict do nothing`
  if (created.count === 0) return
  await sql`
    insert into fez_member (fez_id, account_id, position, joined_at)
    select ${id}, member.account_id, member.position, ${now} from unnest(${memberIds}::uuid[]) with ordinality as member (account_id, position)`
  for (const { authorId, text, minutesAgo } of posts) {
    const createdAt = new Date(now.getTime() - minutesAgo * 60_000)
    await sql`
      with post as (
        insert into fez_post (fez_id, author_id, real_author_id, text, created_at) values (${id}, ${authorId}, ${authorId}, ${text}, ${createdAt}) returning id),
      seen as (update fez_member set read_post_id = post.id from post where fez_id = ${id} and account_id = ${authorId})
      update fez set last_post_id = post.id from post where fez.id = ${id}`
  }
}

/** Gives two users the roles of photographers: events that need one, and one that is taken. */
export async function insertDemoPhotographers(
  sql: Sql,
  demo: { managerId: string; photographerId: string; wanted: readonly string[]; claimed: string },
  now: Date,
): Promise<void> {
  const give = (accountId: string, role: UserRoleType) =>
    sql`update account set roles = array_append(roles, ${role}::user_role), rev = rev + 1 where id = ${accountId} and ${role}::user_role <> all (roles)`
  await give(demo.managerId, 'shutternautmanager')
  await give(demo.photographerId, 'shutternaut')
  await sql`insert into event_photo_wish (event_id) select id from event where uid = any (${demo.wanted}::text[]) on conflict do nothing`
  await sql`
    insert into event_photographer (account_id, event_id, created_at) select ${demo.photographerId}, id, ${now} from event where uid = ${demo.claimed}
    on conflict do nothing`
}

/** The shadow event that begins first. */
export async function selectFirstShadowEvent(
  sql: Sql,
): Promise<{ id: string; title: string; location: string; startTime: Date } | undefined> {
  const [row] = await sql<{ id: string; title: string; location: string; startTime: Date }[]>`
    select id, title, location, start_time from event where event_type = 'shadow' and deleted_at is null order by start_time, id limit 1`
  return row
}
