// Statements of the queue: reports grouped by what they are about, and what that is.
import type { Sql } from '../core/db/db.ts'
import type { Thing } from './acts.queries.ts'
import type { ContentModerationStatus, PlaceKind, QueueOrder, ReportState, ReportType } from './types.ts'

export interface ReportGroupRow extends Thing {
  state: ReportState
  firstAt: Date
  lastAt: Date
}

export interface QueueFilter {
  states: readonly ReportState[]
  type: ReportType | undefined
  /** Somebody who has one of its reports that are not closed. */
  holderId: string | undefined
  order: QueueOrder
}

/** Reports on one thing, as one row. */
const reportGroups = (sql: Sql) => sql`
  select type, reported_id as id, min(created_at) as first_at, max(created_at) as last_at, count(*) as reports,
    max(updated_at) as changed_at, array_agg(handled_by) filter (where not is_closed) as holders,
    case when bool_and(is_closed) then 'closed' when bool_or(not is_closed and handled_by is null) then 'open' else 'taken' end as state
  from report group by type, reported_id`

/** A page of what was reported and fits the filter, and how many do. */
export async function selectReportGroups(
  sql: Sql,
  { states, type, holderId, order }: QueueFilter,
  start: number,
  limit: number,
): Promise<{ total: number; rows: ReportGroupRow[] }> {
  const fitting = sql`(${reportGroups(sql)}) as reported where state = any(${states as string[]})
    and ${type ? sql`type = ${type}` : sql`true`} and ${holderId ? sql`${holderId} = any(holders)` : sql`true`}`
  const by = {
    // Closed ones by who was closed last.
    waiting: sql`array_position(array['open', 'taken', 'closed'], state), case when state <> 'closed' then first_at end, changed_at desc`,
    newest: sql`last_at desc`,
    reports: sql`reports desc, first_at`,
  }[order]
  const [[count], rows] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total from ${fitting}`,
    sql<ReportGroupRow[]>`
      select type, id, state, first_at, last_at from ${fitting} order by ${by}, id limit ${limit} offset ${start}`,
  ])
  return { total: count.total, rows }
}

/** How many things were reported, by state. */
export async function countReportGroups(sql: Sql): Promise<Record<ReportState, number>> {
  const rows = await sql<{ state: ReportState; number: number }[]>`
    select state, count(*)::int as number from (${reportGroups(sql)}) as reported group by state`
  return { open: 0, taken: 0, closed: 0, ...Object.fromEntries(rows.map(({ state, number }) => [state, number])) }
}

/** What a reported thing is, and where it stands. */
export interface ThingRow extends Thing {
  excerpt: string
  image: string | null
  placeKind: PlaceKind | null
  place: string | null
  /** Null for what has no state. */
  status: ContentModerationStatus | null
  isDeleted: boolean
}

const excerptLength = 240

/** Kinds of chats that the queue calls groups. */
const chatPlace = (sql: Sql) =>
  sql`case when fez_type in ('open', 'closed', 'privateEvent', 'personalEvent') then fez_type::text else 'lfg' end`

/** The things that are still known, in any order. */
export async function selectThings(sql: Sql, things: readonly Thing[]): Promise<ThingRow[]> {
  const ids = (...types: ReportType[]) => things.filter(({ type }) => types.includes(type)).map(({ id }) => id)
  const numbers = (type: ReportType) => ids(type).map(Number)
  const chats = (type: 'fez' | 'privateEvent') => sql`
    select ${type}::text, id::text, left(concat_ws(E'\n', nullif(title, ''), nullif(info, '')), ${excerptLength}), null, ${chatPlace(sql)}, title,
      moderation_status::text, deleted_at is not null
    from fez where id = any(${ids(type)}::uuid[])`
  return await sql<ThingRow[]>`
    select 'forum' as type, id::text as id, title as excerpt, null as image, null as place_kind, null as place,
      moderation_status::text as status, deleted_at is not null as is_deleted
    from forum where id = any(${ids('forum')}::uuid[])
    union all
    select 'forumPost', post.id::text, left(post.text, ${excerptLength}), post.images[1], 'forum', forum.title,
      post.moderation_status::text, post.deleted_at is not null
    from forum_post as post join forum on forum.id = post.forum_id where post.id = any(${numbers('forumPost')}::int[])
    union all
    select 'twarrt', id::text, left(text, ${excerptLength}), images[1], null, null, moderation_status::text, deleted_at is not null
    from microblog_post where id = any(${numbers('twarrt')}::int[])
    union all
    select 'userProfile', id::text, left(concat_ws(E'\n', nullif(display_name, ''), nullif(message, ''), nullif(about, '')), ${excerptLength}),
      null, null, null, moderation_status::text, deleted_at is not null
    from account where id = any(${ids('userProfile')}::uuid[])
    union all ${chats('fez')}
    union all ${chats('privateEvent')}
    union all
    select 'fezPost', post.id::text, left(post.text, ${excerptLength}), post.image, ${chatPlace(sql)}, fez.title,
      post.moderation_status::text, post.deleted_at is not null
    from fez_post as post join fez on fez.id = post.fez_id where post.id = any(${numbers('fezPost')}::int[])
    union all
    select 'streamPhoto', photo.id::text, '', photo.image, case when photo.event_id is null then 'location' else 'event' end,
      coalesce(event.title, photo.location), photo.moderation_status::text, photo.deleted_at is not null
    from stream_photo as photo left join event on event.id = photo.event_id where photo.id = any(${numbers('streamPhoto')}::int[])
    union all
    select 'quartermasterItem', id::text, left(concat_ws(E'\n', name, description), ${excerptLength}), image,
      case when location is null then null else 'location' end, location, moderation_status::text, deleted_at is not null
    from quartermaster_item where id = any(${ids('quartermasterItem')}::uuid[])
    union all
    select 'mkSong', id::text, concat_ws(' – ', name, artist), null, null, null, null, false
    from mk_song where id = any(${numbers('mkSong')}::int[])
    union all
    select 'mkSongSnippet', snippet.id::text, '', null, 'song', song.name, null, snippet.deleted_at is not null
    from mk_snippet as snippet join mk_song as song on song.id = snippet.song_id where snippet.id = any(${ids('mkSongSnippet')}::uuid[])`
}
