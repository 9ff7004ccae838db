// Pages of chats: filtered, sorted, with what the viewer has not read in them.
import type { Sql } from '../core/db/db.ts'
import { fezColumns, type FezPostRow, type FezRow, type ModerationStatus } from './rows.ts'
import type { FezType } from './types.ts'

/** Memberships of an account as `viewerId` sees them: in a shared inbox every reader has a position of their own. */
const placesOf = (sql: Sql, accountId: string, viewerId: string) =>
  accountId === viewerId
    ? sql`fez_member`
    : sql`(
  select member.fez_id, member.account_id, member.left_at, coalesce(seen.is_muted, false) as is_muted,
    coalesce(seen.is_favorite, false) as is_favorite, coalesce(seen.read_post_id, 0) as read_post_id,
    member.added and seen.read_post_id is null as added
  from fez_member member left join fez_inbox_reader seen on seen.fez_id = member.fez_id and seen.inbox_id = member.account_id
    and seen.account_id = ${viewerId})`

/** A list's filters, with dates already turned into floating times. Absent means "any". */
export interface FezFilter {
  /** The member whose chats are listed; undefined for lists of everybody's chats. */
  memberId?: string | undefined
  ownerId?: string | undefined
  notOwnerId?: string | undefined
  /** Chats that the member has left or was removed from, deleted ones too. */
  former?: boolean | undefined
  /** Only chats with a start. */
  hasStart?: boolean | undefined
  /** Chats of owners in a block with this account are left out. */
  visibleTo?: string | undefined
  /** Only groups that people may join by themselves, whatever `types` says. */
  isLfg?: boolean | undefined
  types?: readonly FezType[] | undefined
  withoutTypes?: readonly FezType[] | undefined
  notCancelled?: boolean | undefined
  startsAfter?: Date | undefined
  day?: { from: Date; to: Date; byEnd: boolean } | undefined
  /** `hiddenToo`: also by words that moderators have hidden. */
  search?: { words: string; inPosts: boolean; hiddenToo: boolean } | undefined
  onlyNew?: boolean | undefined
  /** Only favorites. */
  favorite?: boolean | undefined
  fezId?: string | undefined
}

/** A chat in a list, with one account's place in it when it has one. */
export interface FezListRow extends FezRow {
  memberIds: string[]
  visiblePosts: number
  membership: { isMuted: boolean; isFavorite: boolean; unreadPosts: number } | null
}

/** A chat as all lists show it, with its latest posts, newest first. */
export interface ChatHead extends FezRow {
  memberIds: string[]
  recent: readonly { id: number; authorId: string }[]
  last: LastPostRow | undefined
}

/** A post that stands last in a chat, as lists show it: the beginning of its text. */
export interface LastPostRow extends Pick<FezPostRow, 'id' | 'authorId' | 'text' | 'moderationStatus' | 'createdAt'> {
  hasImage: boolean
}

/** Of a LastPostRow. */
const lastPostColumns = (sql: Sql) =>
  sql`post.id, post.author_id, left(post.text, 140) as text, post.moderation_status, post.created_at, post.image is not null as has_image`

/** Of these posts. */
export async function selectLastPosts(sql: Sql, ids: readonly number[]): Promise<LastPostRow[]> {
  return await sql<LastPostRow[]>`
    select ${lastPostColumns(sql)} from fez_post post where post.id = any (${ids}::int[]) and post.deleted_at is null`
}

/** A post that has the words of a search: of its text what stands around them, and its place among the posts that are shown. */
export interface FoundPostRow extends LastPostRow {
  fezId: string
  place: number
}

/** Of each of these chats the newest post that has the words and that the viewer may see. */
export async function selectFoundPosts(
  sql: Sql,
  { words, hiddenToo }: NonNullable<FezFilter['search']>,
  viewerId: string,
  fezIds: readonly string[],
): Promise<FoundPostRow[]> {
  return await sql<FoundPostRow[]>`
    with wanted as materialized (
      select websearch_to_tsquery('english', ${words}) as words, hidden_authors(${viewerId}) as hidden_ids),
    found as materialized (
      select post.* from wanted cross join unnest(${fezIds}::uuid[]) as chat (id) cross join lateral (
        select * from fez_post post where post.fez_id = chat.id and post.deleted_at is null and post.search @@ wanted.words
          ${hiddenToo ? sql`` : sql`and not is_hidden(post.moderation_status)`} and post.author_id <> all (wanted.hidden_ids)
        order by post.id desc limit 1) as post)
    select found.fez_id, found.id, found.author_id, found.moderation_status, found.created_at, found.image is not null as has_image,
      left(case when starts_with(found.text, part.text) then '' else '… ' end || part.text, 200) as text,
      (select count(*)::int from fez_post earlier where earlier.fez_id = found.fez_id and earlier.id < found.id
        and earlier.deleted_at is null and earlier.author_id <> all (wanted.hidden_ids)) as place
    from found cross join wanted
    cross join lateral ts_headline('english', found.text, wanted.words, 'StartSel="", StopSel="", MinWords=6, MaxWords=14') as part (text)`
}

const recentPosts = 50

/** Chats by their ids, deleted ones too. */
export async function selectHeads(sql: Sql, ids: readonly string[]): Promise<ChatHead[]> {
  const rows = await sql<(FezRow & { memberIds: string[]; recentIds: number[]; recentAuthorIds: string[] } & LatestRow)[]>`
    select ${sql(fezColumns)}, latest.text as latest_text, latest.moderation_status as latest_status, latest.created_at as latest_at,
      latest.has_image as latest_has_image,
      array(select account_id from fez_member where fez_id = fez.id and left_at is null order by position) as member_ids,
      array(select post.id from fez_post post where post.fez_id = fez.id and post.deleted_at is null
        order by post.id desc limit ${recentPosts}) as recent_ids,
      array(select post.author_id from fez_post post where post.fez_id = fez.id and post.deleted_at is null
        order by post.id desc limit ${recentPosts}) as recent_author_ids
    from fez left join lateral (select ${lastPostColumns(sql)} from fez_post post where post.fez_id = fez.id and post.deleted_at is null
      order by post.id desc limit 1) as latest on true
    where fez.id = any (${ids}::uuid[])`
  // Chats have few authors and members in common: each id is there once.
  const texts = new Map<string, string>()
  const shared = (id: string) => texts.get(id) ?? (texts.set(id, id), id)
  return rows.map(({ memberIds, recentIds, recentAuthorIds, latestText, latestStatus, latestAt, latestHasImage, ...row }) => {
    const recent = recentIds.map((id, index) => ({ id, authorId: shared(recentAuthorIds[index] as string) }))
    const last = { text: latestText, moderationStatus: latestStatus, createdAt: latestAt, hasImage: latestHasImage }
    return { ...row, memberIds: memberIds.map(shared), recent, last: recent[0] && { ...recent[0], ...last } }
  })
}

/** Of the last post; where there is none, each is null. */
interface LatestRow {
  latestText: string
  latestStatus: ModerationStatus
  latestAt: Date
  latestHasImage: boolean
}

export type FezOrder = 'startTime' | 'activity' | 'creation'

/**
 * One page of chats and the number of all matches, as one statement. `viewerId` is whose hidden
 * authors count.
 */
export async function selectFezPage(
  sql: Sql,
  filter: FezFilter,
  viewerId: string,
  order: FezOrder,
  start: number,
  limit: number,
): Promise<{ total: number; rows: FezListRow[] }> {
  const { memberId, ownerId, notOwnerId, former, visibleTo, types, withoutTypes, startsAfter, day, search, onlyNew, favorite, fezId } =
    filter
  const words = search && sql`websearch_to_tsquery('english', ${search.words})`
  const shown = (status: ReturnType<Sql>) => (search?.hiddenToo ? sql`` : sql`and not is_hidden(${status})`)
  const inTitle = words && sql`(fez.search @@ ${words} ${shown(sql`fez.moderation_status`)})`
  // Deleted chats have no members left, but the condition also lets partial indexes be used.
  const sorting = {
    startTime: sql`start_time asc nulls last, title asc, id`,
    activity: sql`is_muted asc nulls first, updated_at desc, id`,
    creation: sql`created_at desc, id`,
  }[order]
  // No more than that: many matches are counted, and few are shown.
  const sorted = { startTime: ['fez.start_time', 'fez.title'], activity: ['fez.updated_at'], creation: ['fez.created_at'] }[order]
  const unreadExists = sql`(fez.last_post_id > mine.read_post_id and exists (
    select from fez_post post where post.fez_id = fez.id and post.id > mine.read_post_id and post.deleted_at is null
      and post.author_id <> all (hidden.ids)))`
  const then = former ? sql`, title_then, info_then, location_then, start_then, end_then` : sql``
  const rows = await sql<
    (FezListRow & Partial<ThenRow> & { total: number; isMuted: boolean | null; isFavorite: boolean; unreadPosts: number })[]
  >`
    with hidden as materialized (select hidden_authors(${viewerId}) as ids),
    matched as materialized (
      select fez.id, ${sql(sorted)}, mine.is_muted, mine.is_favorite, mine.read_post_id
        ${
          former
            ? sql`, past.title as title_then, past.info as info_then, past.location as location_then,
              past.start_time as start_then, past.end_time as end_then`
            : sql``
        }
      from fez
      cross join hidden
      ${memberId === undefined ? sql`left join` : sql`join`} ${placesOf(sql, memberId ?? viewerId, viewerId)} mine
        on mine.fez_id = fez.id and mine.account_id = ${memberId ?? viewerId} and mine.left_at is ${former ? sql`not null` : sql`null`}
      ${
        former
          ? sql`left join lateral (select title, info, location, start_time, end_time from fez_edit edit
            where fez.fez_type = 'privateEvent' and not fez.unlisted and edit.fez_id = fez.id and edit.created_at >= mine.left_at
            order by edit.created_at, edit.id limit 1) as past on true`
          : sql``
      }
      where ${former ? sql`true` : sql`fez.deleted_at is null`}
        ${notOwnerId === undefined ? sql`` : sql`and fez.owner_id <> ${notOwnerId}`}
        ${filter.hasStart ? sql`and fez.start_time is not null` : sql``}
        ${ownerId === undefined ? sql`` : sql`and fez.owner_id = ${ownerId} and mine.account_id is not null`}
        ${visibleTo === undefined ? sql`` : sql`and fez.owner_id <> all ((select blocked_accounts(${visibleTo}))::uuid[])`}
        ${
          // As the index says it: of an array Postgres does not know in advance what is in it.
          filter.isLfg ? sql`and fez.fez_type not in ('closed', 'open', 'personalEvent', 'privateEvent')` : sql``
        }
        ${types === undefined ? sql`` : sql`and fez.fez_type = any (${types}::fez_type[])`}
        ${withoutTypes === undefined ? sql`` : sql`and fez.fez_type <> all (${withoutTypes}::fez_type[])`}
        ${filter.notCancelled ? sql`and not fez.cancelled` : sql``}
        ${startsAfter === undefined ? sql`` : sql`and fez.start_time > ${startsAfter}`}
        ${
          day === undefined
            ? sql``
            : day.byEnd
              ? sql`and coalesce(fez.end_time, fez.start_time) >= ${day.from} and fez.start_time < ${day.to}`
              : sql`and fez.start_time >= ${day.from} and fez.start_time < ${day.to}`
        }
        ${favorite ? sql`and mine.is_favorite` : sql``}
        ${fezId === undefined ? sql`` : sql`and fez.id = ${fezId}`}
        ${
          search === undefined || !words || !inTitle
            ? sql``
            : search.inPosts
              ? sql`and (${inTitle} or exists (
              select from fez_post post where post.fez_id = fez.id and post.deleted_at is null and post.search @@ ${words}
                ${shown(sql`post.moderation_status`)} and post.author_id <> all (hidden.ids)))`
              : sql`and ${inTitle}`
        }
        ${onlyNew === undefined ? sql`` : onlyNew ? sql`and (mine.added or ${unreadExists})` : sql`and not (mine.added or ${unreadExists})`}
    ),
    page as (
      select id as page_id, is_muted, is_favorite, read_post_id ${then}
      from matched order by ${sorting} limit ${limit} offset ${start})
    select total.number as total, ${sql(fezColumns)}, page.is_muted, page.is_favorite, page.read_post_id ${then},
      array(select account_id from fez_member where fez_id = fez.id and left_at is null order by position) as member_ids,
      fez.post_count - (select count(*)::int from fez_post post
        where post.fez_id = fez.id and post.deleted_at is null and cardinality(hidden.ids) > 0 and post.author_id = any (hidden.ids))
          as visible_posts,
      case when page.read_post_id is null or fez.last_post_id <= page.read_post_id then 0
        else (select count(*)::int from fez_post post
          where post.fez_id = fez.id and post.id > page.read_post_id and post.deleted_at is null
            and post.author_id <> all (hidden.ids)) end as unread_posts
    from (select count(*)::int as number from matched) as total
    cross join hidden
    left join page on true
    left join fez on fez.id = page.page_id
    order by ${sorting}`
  const total = rows[0]?.total ?? 0
  return {
    total,
    rows: rows
      .filter(({ id }) => id !== null)
      .map((row) => ({
        ...row,
        ...asThen(row),
        membership: row.isMuted === null ? null : { isMuted: row.isMuted, isFavorite: row.isFavorite, unreadPosts: row.unreadPosts },
      })),
  }
}

/** A private event as it was when a former member left it. */
interface ThenRow {
  titleThen: string | null
  infoThen: string
  locationThen: string
  startThen: Date | null
  endThen: Date | null
}

/** Whoever is in a private event no longer does not learn what became of it. */
function asThen({ titleThen, infoThen = '', locationThen = '', startThen = null, endThen = null }: Partial<ThenRow>): Partial<FezRow> {
  if (titleThen === undefined || titleThen === null) return {}
  return { title: titleThen, info: infoThen, location: locationThen, startTime: startThen, endTime: endThen }
}

/** Chats with a start and an end that an account is a member of and that were not called off, seamails apart. */
export async function selectPlanned(sql: Sql, accountId: string): Promise<FezRow[]> {
  return await sql<FezRow[]>`
    select ${sql(fezColumns)} from fez join fez_member on fez_member.fez_id = fez.id and fez_member.account_id = ${accountId}
      and fez_member.left_at is null
    where fez.deleted_at is null and not fez.cancelled and fez.start_time is not null and fez.end_time is not null
      and fez.fez_type not in ('closed', 'open')
    order by fez.start_time, fez.id`
}

/** The members of a chat, in order. */
export async function selectMemberIds(sql: Sql, fezId: string): Promise<string[]> {
  const rows = await sql<
    { accountId: string }[]
  >`select account_id from fez_member where fez_id = ${fezId} and left_at is null order by position`
  return rows.map(({ accountId }) => accountId)
}
