// Statements about accounts: what a user channel loads, looking users up and searching them.
import { accountColumns, builtIn, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { UserRoleType } from '../core/base/viewer.ts'
import { looksOf, usernameKey } from '../text/usernames.ts'

/** All that a user channel holds of its account. */
export interface UserChannelRow extends AccountRow {
  roles: UserRoleType[]
  /** The account is of the team, and has no second factor, which the host's settings want. */
  lacksFactor: boolean
  tempQuarantineUntil: Date | null
  /** In base64: a small buffer keeps a large one alive. */
  tokenDigest: string | null
  /** Sessions of browsers; null when there are none. */
  browsers: BrowserRow[] | null
  /** Highest announcement that the account has read. */
  readAnnouncementId: number
  blockedPersons: string[]
  mutes: string[]
  mutewords: string[]
  /** Chats that the account is a member of. */
  fezIds: string[]
  /** Events of the schedule that it follows, deleted ones too. */
  followedEventIds: string[]
  /** Those that it photographs. */
  photographedEventIds: string[]
}

/** A browser that is signed in, or a program with a token of its own. */
export interface BrowserRow {
  id: string
  /** Digest of its cookie, in base64. */
  key: string
  lastSeenMs: number
  expiresMs: number
  createdMs: number
  /** What a program may do; null for a browser. */
  scope: 'all' | 'read' | null
}

/** What the channels of these accounts hold, by their ids. */
export async function selectUserChannelRows(sql: Sql, accountIds: readonly string[]): Promise<Map<string, UserChannelRow>> {
  const rows = await sql<UserChannelRow[]>`
    select ${accountColumns(sql)}, roles::text[], temp_quarantine_until,
      level >= 'moderator' and exists (select from setting where name = 'settings.teamSecondFactor' and value = 'true'::jsonb)
        and not exists (select from second_factor where account_id = account.id and confirmed_at is not null) as lacks_factor,
      encode(token_digest, 'base64') as token_digest,
      read_announcement_id, blocked_persons(person_id) as blocked_persons,
      (select json_agg(json_build_object('id', id, 'key', encode(cookie_digest, 'base64'), 'lastSeenMs',
        (extract(epoch from last_seen_at) * 1000)::bigint, 'expiresMs', (extract(epoch from expires_at) * 1000)::bigint,
        'createdMs', (extract(epoch from created_at) * 1000)::bigint, 'scope', scope))
        from browser_session where account_id = account.id) as browsers,
      array(select muted_id from mute where account_id = account.id) as mutes,
      array(select word from muteword where account_id = account.id order by word) as mutewords,
      array(select fez_id from fez_member where account_id = account.id and left_at is null) as fez_ids,
      array(select event_id from event_follower where account_id = account.id) as followed_event_ids,
      array(select event_id from event_photographer where account_id = account.id) as photographed_event_ids
    from account where id = any(${accountIds}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** The accounts that tokens belong to, by the digests of these in base64; banned accounts have none. */
export async function selectAccountsByToken(sql: Sql, digests: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; digest: string }[]>`
    select id, encode(token_digest, 'base64') as digest from account
    where token_digest = any(array(select decode(given, 'base64') from unnest(${digests}::text[]) as given)) and level <> 'banned'`
  return new Map(rows.map(({ id, digest }) => [digest, id]))
}

/** The accounts that browser sessions belong to, by the digests of their cookies in base64; banned accounts have none. */
export async function selectAccountsBySession(sql: Sql, digests: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; digest: string }[]>`
    select account.id, encode(cookie_digest, 'base64') as digest from browser_session join account on account.id = account_id
    where cookie_digest = any(array(select decode(given, 'base64') from unnest(${digests}::text[]) as given)) and level <> 'banned'`
  return new Map(rows.map(({ id, digest }) => [digest, id]))
}

/** The account with exactly this name, whatever its case. */
export async function selectAccountByName(sql: Sql, username: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`select ${accountColumns(sql)} from account where username_key = ${usernameKey(username)}`
  return row
}

/** Makes a text match itself only, within LIKE. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Leaves out the accounts of these persons, moderators excepted. */
const notHidden = (sql: Sql, hiddenPersons: readonly string[]) =>
  hiddenPersons.length === 0 ? sql`` : sql`and (account.person_id <> all (${hiddenPersons}::uuid[]) or account.level >= 'moderator')`

const orTeam = (sql: Sql, wanted = false) => (wanted ? sql`or id = ${builtIn.ServiceTeam}` : sql``)

/** Three letters or digits in a row are what the indexes on parts of names know. */
const isIndexed = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/**
 * Matches come from the index on parts of names when it covers the text. Otherwise the text is short and so common
 * that a walk in order of names soon finds enough; Postgres by itself always walks.
 */
const scanOf = (sql: Sql, text: string) => (isIndexed(text) ? sql`materialized` : sql`not materialized`)

export interface NameSearch {
  hiddenPersons: readonly string[]
  /** True when the text is in a name of the team other than the name of its account. */
  teamToo?: boolean
  /** Leaves out the built-in accounts and those of programs. */
  onlyPeople?: boolean
  /** Also names that moderators have hidden. */
  hiddenToo?: boolean
  /** Only users who have favorited this account. */
  favoriteOf?: string | undefined
  limit: number
  /** Whose favorites come first. */
  favoritesFirst?: string | undefined
}

/** The names that searches look at: of a profile that is under review only the username. */
const searchedNames = (sql: Sql, hiddenToo: boolean) =>
  hiddenToo ? sql`user_search` : sql`case when is_hidden(moderation_status) then '@' || username else user_search end`

/** Users with this text in one of their names, in order of username, or those first that an account has favorited. */
export async function selectByAnyName(
  sql: Sql,
  text: string,
  { hiddenPersons, teamToo, onlyPeople = false, hiddenToo = false, favoriteOf, favoritesFirst, limit }: NameSearch,
): Promise<(AccountRow & { userSearch: string })[]> {
  const pattern = `%${literal(text)}%`
  return await sql<(AccountRow & { userSearch: string })[]>`
    with account as ${scanOf(sql, text)} (
      select ${accountColumns(sql)}, ${searchedNames(sql, hiddenToo)} as user_search, username_key from account
      where ((lower(user_search) like lower(${pattern})
          ${hiddenToo ? sql`` : sql`and (not is_hidden(moderation_status) or lower('@' || username) like lower(${pattern}))`})
          ${orTeam(sql, teamToo)}) ${notHidden(sql, hiddenPersons)}
        ${onlyPeople ? sql`and level <> 'client' and id <> all (${Object.values(builtIn)}::uuid[])` : sql``}
        ${favoriteOf === undefined ? sql`` : sql`and id in (select account_id from favorite where favorite_id = ${favoriteOf})`})
    ${
      favoritesFirst === undefined
        ? sql`select ${accountColumns(sql)}, user_search from account order by username_key limit ${limit}`
        : sql`, mine as (
      select * from account where id in (select favorite_id from favorite where account_id = ${favoritesFirst})
      order by username_key limit ${limit}),
    others as (select * from account where id not in (select id from mine) order by username_key limit ${limit})
    select ${accountColumns(sql)}, user_search from (select 1 as part, * from mine union all select 2, * from others) account
    order by part, username_key limit ${limit}`
    }`
}

/** Names that one answer may have: more than anybody reads, and all that a community of today has. */
const mostNames = 10_000

/** The usernames with this text in them, in order. */
export async function selectUsernames(sql: Sql, text: string, hiddenPersons: readonly string[], teamToo = false): Promise<string[]> {
  // The matches first: sorting them costs less than reading all accounts in order.
  const rows = await sql<{ username: string }[]>`
    with matched as materialized (
      select username, username_key from account
        where (username_key like ${`%${literal(usernameKey(text))}%`} ${orTeam(sql, teamToo)}) and deleted_at is null ${notHidden(sql, hiddenPersons)})
    select username from matched order by username_key limit ${mostNames}`
  return rows.map(({ username }) => username)
}

/** Users whose profile has changed since then, in order of username. */
export async function selectUpdatedSince(sql: Sql, since: Date, hiddenPersons: readonly string[]): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    select ${accountColumns(sql)} from account where profile_updated_at >= ${since} ${notHidden(sql, hiddenPersons)} order by username_key`
}

/** The names of all users that searches look at, in order of username. */
export async function selectUserSearches(
  sql: Sql,
  { hiddenPersons, hiddenToo }: { hiddenPersons: readonly string[]; hiddenToo: boolean },
): Promise<{ id: string; userSearch: string }[]> {
  return await sql<{ id: string; userSearch: string }[]>`
    select id, ${searchedNames(sql, hiddenToo)} as user_search from account where deleted_at is null ${notHidden(sql, hiddenPersons)}
    order by username_key`
}

/**
 * Notes how the names look that came in another way. Of two that look alike, the first keeps its look to itself: built
 * in, then the higher level.
 */
export async function completeLooks(sql: Sql): Promise<void> {
  const rows = await sql<{ id: string; username: string }[]>`
    select id, username from account where look is null order by special desc, level desc, created_at, id`
  const seen = new Set<string>()
  const given = rows
    .map(({ id, username }) => ({ id, ...looksOf(username) }))
    .filter(({ look, foldedLook }) => {
      const isFirst = !seen.has(`look ${look}`) && !seen.has(`folded ${foldedLook}`)
      seen.add(`look ${look}`).add(`folded ${foldedLook}`)
      return isFirst
    })
  if (given.length === 0) return
  await sql`
    update account set look = given.look, folded_look = given.folded_look
    from unnest(${given.map(({ id }) => id)}::uuid[], ${given.map(({ look }) => look)}::text[],
      ${given.map(({ foldedLook }) => foldedLook)}::text[])
      as given (id, look, folded_look)
    where account.id = given.id
      and not exists (select from account other where other.look = given.look or other.folded_look = given.folded_look)`
}
