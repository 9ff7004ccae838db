// Statements of the list of people.
import type { UserAccessLevel, UserRoleType } from '../core/base/viewer.ts'
import type { Sql } from '../core/db/db.ts'

export interface PersonRow {
  id: string
  personId: string
  username: string
  displayName: string | null
  roomNumber: string | null
  level: UserAccessLevel
  roles: UserRoleType[]
  createdAt: Date
  seenAt: Date | null
  tempQuarantineUntil: Date | null
  hasCode: boolean
  openReports: number
}

export interface PeopleFilter {
  /** Lower case; part of any of the names, or a whole room number. */
  search: string
  level: UserAccessLevel | undefined
  role: UserRoleType | undefined
  /** Seen since then. */
  seenSince: Date | undefined
  /** Not seen since then, or never. */
  unseenSince: Date | undefined
  hasCode: boolean | undefined
  reported: boolean
  order: 'name' | 'seen' | 'created'
  start: number
  limit: number
}

/** A page of the accounts of people, and how many fit the filter. Built-in accounts and clients are none. */
export async function selectPeople(sql: Sql, filter: PeopleFilter): Promise<{ total: number; rows: PersonRow[] }> {
  const { search, level, role, seenSince, unseenSince, hasCode, reported, order, start, limit } = filter
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const from = sql`
    from account left join account_seen as seen on seen.account_id = account.id
    where not special and level <> 'client' and deleted_at is null
      and ${search === '' ? sql`true` : sql`(lower(user_search) like ${pattern} or lower(room_number) = ${search})`}
      and ${level ? sql`level = ${level}` : sql`true`}
      and ${role ? sql`${role} = any(roles)` : sql`true`}
      and ${seenSince ? sql`seen.seen_at >= ${seenSince}` : sql`true`}
      and ${unseenSince ? sql`(seen.seen_at is null or seen.seen_at < ${unseenSince})` : sql`true`}
      and ${
        hasCode === undefined
          ? sql`true`
          : sql`exists (select from registration_code as code
        where code.person_id = account.person_id) = ${hasCode}`
      }
      and ${reported ? sql`exists (select from report where reported_user_id = account.id and not is_closed)` : sql`true`}`
  const by = {
    name: sql`username_key`,
    seen: sql`seen.seen_at desc nulls last, username_key`,
    created: sql`created_at desc, username_key`,
  }[order]
  const [[count], rows] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total ${from}`,
    // What a page is ordered by comes first: of many accounts not all that is known of them is sorted.
    sql<PersonRow[]>`
      with page as materialized (select account.id, seen.seen_at ${from} order by ${by} limit ${limit} offset ${start})
      select id, person_id, username, display_name, room_number, level, roles, account.created_at, seen.seen_at, temp_quarantine_until,
        exists (select from registration_code as code where code.person_id = account.person_id) as has_code,
        (select count(*)::int from report where reported_user_id = account.id and not is_closed) as open_reports
      from page as seen join account using (id) order by ${by}`,
  ])
  return { total: count.total, rows }
}

/** One account of a person. */
export async function selectOnePerson(sql: Sql, id: string): Promise<PersonRow | undefined> {
  const [row] = await sql<PersonRow[]>`
    select id, person_id, username, display_name, room_number, level, roles, account.created_at, seen.seen_at, temp_quarantine_until,
      exists (select from registration_code as code where code.person_id = account.person_id) as has_code,
      (select count(*)::int from report where reported_user_id = account.id and not is_closed) as open_reports
    from account left join account_seen as seen on seen.account_id = account.id where id = ${id}`
  return row
}

export interface DeviceRow {
  id: string
  device: string
  createdAt: Date
  lastSeenAt: Date
}

/** The browsers in which an account is signed in, whether an app is, and whether that takes a second factor. */
export async function selectDevices(
  sql: Sql,
  accountId: string,
  { now, since }: { now: Date; since: Date },
): Promise<{ browsers: DeviceRow[]; app: boolean; hasSecondFactor: boolean }> {
  const [browsers, [account]] = await Promise.all([
    sql<DeviceRow[]>`
      select id, device, created_at, last_seen_at from browser_session where account_id = ${accountId} and expires_at > ${now}
        and (scope is not null or created_at > ${since})
      order by last_seen_at desc, id`,
    sql<{ app: boolean; hasSecondFactor: boolean }[]>`
      select token_digest is not null as app,
        exists (select from second_factor where account_id = account.id and confirmed_at is not null) as has_second_factor
      from account where id = ${accountId}`,
  ])
  return { browsers, app: account?.app ?? false, hasSecondFactor: account?.hasSecondFactor ?? false }
}

/** Ends the token of an account. */
export async function endToken(sql: Sql, accountId: string): Promise<void> {
  await sql`update account set token_nonce = null, token_digest = null, rev = rev + 1 where id = ${accountId}`
}

/** Notes that these accounts are here, unless one was deleted in the same minute. */
export async function upsertSeen(sql: Sql, accountIds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into account_seen (account_id, seen_at)
    select account.id, ${now} from account join unnest(${accountIds}::uuid[]) as seen (id) on seen.id = account.id
    where account.deleted_at is null
    on conflict (account_id) do update set seen_at = excluded.seen_at`
}

/** How many accounts of people there are at a level, and how many of them were seen since a moment. */
export interface LevelCountRow {
  level: UserAccessLevel
  accounts: number
  people: number
  seen: number
}

export async function countByLevel(sql: Sql, since: Date): Promise<LevelCountRow[]> {
  return await sql<LevelCountRow[]>`
    select level, count(*)::int as accounts, count(*) filter (where account.id = account.person_id)::int as people,
      count(*) filter (where seen.seen_at >= ${since})::int as seen
    from account left join account_seen as seen on seen.account_id = account.id
    where not special and level <> 'client' and deleted_at is null
    group by level order by level`
}
