// The one statement behind all lists of forums.
import { planned, type Sql } from '../core/db/db.ts'
import { isModerator, type Viewer } from '../core/base/viewer.ts'
import { forumColumns, type CategoryRow, type ForumRow } from './rows.ts'
import { rightsOf } from '../post/rights.ts'
import type { ForumSort } from './types.ts'

/** A forum in a list, as its viewer stands to it. */
export interface ForumListRow extends ForumRow {
  isFavorite: boolean
  isMuted: boolean
  /** Without authors that the viewer hides. */
  visiblePosts: number
  unreadPosts: number
  lastPosterId: string | null
  lastPostAt: Date | null
  /** Of the event that the forum belongs to, unless it is off the schedule. */
  eventId: string | null
  eventStart: Date | null
}

/** Absent means "any". */
export interface ForumFilter {
  /** Gives the category too, and shows blocked creators where it is an official one. */
  withinCategory?: string | undefined
  inCategories?: readonly string[] | undefined
  /** Forums of the viewer, or of any of these accounts. */
  own?: boolean | undefined
  creatorIds?: readonly string[] | undefined
  /** Forums that the viewer has read, favorited, muted, not muted, or not read to the end. */
  hasRead?: boolean | undefined
  isFavorite?: boolean | undefined
  isMuted?: boolean | undefined
  isUnread?: boolean | undefined
  /** Words in the title. */
  words?: string | undefined
  /** Some post has these words, is by the viewer, or both. */
  somePost?: { words?: string | undefined; own?: boolean | undefined } | undefined
  /** Of the latest post when that is what is sorted by, else of creation. */
  dates?: { before?: Date | undefined; after?: Date | undefined } | undefined
}

/** Posts with the searched words whose forums are found, the newest: a word that everybody uses would read all posts. */
const mostFound = 20_000

export interface ForumOrder {
  /** `event` is `update` outside of event categories; `recent` is when the viewer last had to do with the forum. */
  sort: ForumSort | 'recent'
  /** In place of the one that is natural for the sort. */
  direction?: 'ascending' | 'descending' | undefined
  /** Muted forums last, then pinned ones first. */
  grouped?: boolean
}

/** Hidden texts are not found by their words, except by moderators. */
const unmasked = (sql: Sql, viewer: Viewer, table: 'forum' | 'post') =>
  isModerator(viewer) ? sql`` : sql`and not is_hidden(${sql(`${table}.moderation_status`)})`

/** A CategoryRow as one value. */
const categoryJson = (sql: Sql) => sql`
  json_build_object('id', id, 'title', title, 'purpose', purpose, 'isEvent', is_event, 'viewLevel', view_level, 'createLevel',
    create_level, 'requiredRole', required_role, 'forumCount', forum_count)`

/** Joins the event that a forum belongs to. */
const eventOf = (sql: Sql, forumId: ReturnType<Sql>) => sql`left join event on event.forum_id = ${forumId} and event.deleted_at is null`

function sortingOf(sql: Sql, { sort, direction, grouped }: ForumOrder) {
  const natural = { ascending: sql`asc`, descending: sql`desc` }
  const up = natural[direction ?? 'ascending']
  const down = natural[direction ?? 'descending']
  const keys = {
    create: sql`page.created_at ${down}, page.id ${down}`,
    update: sql`page.last_post_time ${down}, page.id ${down}`,
    title: sql`page.title_key ${up}, page.id ${up}`,
    event: sql`page.event_start ${up} nulls last, page.event_key ${up}, page.last_post_time ${down}, page.id ${down}`,
    recent: sql`page.touched_at ${down}, page.id ${down}`,
  }
  return sql`${grouped ? sql`page.is_muted, page.is_pinned desc,` : sql``} ${keys[sort]}`
}

/**
 * One page of the forums that the viewer can see and the number of all matches. The category is there when one was
 * asked for and exists.
 */
export async function selectForumPage(
  sql: Sql,
  viewer: Viewer,
  filter: ForumFilter,
  order: ForumOrder,
  start: number,
  limit: number,
): Promise<{ total: number; category: CategoryRow | undefined; rows: ForumListRow[] }> {
  const { withinCategory, dates, own, creatorIds, inCategories, isMuted, somePost } = filter
  const { level, roles } = rightsOf(viewer)
  const sorting = sortingOf(sql, order)
  const dated =
    dates &&
    {
      create: sql`forum.created_at`,
      update: sql`forum.last_post_time`,
      title: sql`forum.created_at`,
      event: sql`(case when category.is_event then forum.created_at else forum.last_post_time end)`,
      recent: sql`reader.updated_at`,
    }[order.sort]
  const statement = sql<(ForumListRow & { total: number; category: CategoryRow | null })[]>`
    with hidden as materialized (select hidden_authors(${viewer.id}) as authors, blocked_accounts(${viewer.id}) as creators),
    matched as materialized (
      select forum.id, forum.created_at, forum.last_post_time, forum.title_key, forum.is_pinned,
        ${
          order.sort === 'event'
            ? sql`event.start_time as event_start, case when category.is_event
          then coalesce(lower(event.title), forum.title_key) end collate "C" as event_key,`
            : sql``
        }
        coalesce(reader.is_muted, false) as is_muted, coalesce(reader.is_favorite, false) as is_favorite, coalesce(reader.read_post_id, 0)
          as read_post_id, reader.updated_at as touched_at
      from forum
      cross join hidden
      join forum_category category on category.id = forum.category_id
      left join forum_reader reader on reader.account_id = ${viewer.id} and reader.forum_id = forum.id
      ${order.sort === 'event' ? eventOf(sql, sql`forum.id`) : sql``}
      where forum.deleted_at is null and may_view(category.view_level, category.required_role, ${level}, ${roles})
        ${
          withinCategory === undefined
            ? own
              ? sql`and forum.creator_id = ${viewer.id}`
              : sql`and forum.creator_id <> all (hidden.creators)`
            : sql`and forum.category_id = ${withinCategory} and shows_creator(category.create_level, forum.creator_id, hidden.creators)`
        }
        ${inCategories === undefined ? sql`` : sql`and forum.category_id = any (${inCategories}::uuid[])`}
        ${creatorIds === undefined ? sql`` : sql`and forum.creator_id = any (${creatorIds}::uuid[])`}
        ${filter.hasRead ? sql`and reader.account_id is not null` : sql``}
        ${filter.isFavorite ? sql`and reader.is_favorite` : sql``}
        ${isMuted === undefined ? sql`` : isMuted ? sql`and reader.is_muted` : sql`and reader.is_muted is not true`}
        ${
          filter.isUnread
            ? // In most forums nobody is hidden and nothing was deleted: there is something new when the last post is.
              sql`and forum.last_post_id > coalesce(reader.read_post_id, 0) and (
          forum.id not in (
            select post.forum_id from forum_post post where post.author_id = any ((select authors from hidden)::uuid[]) and post.deleted_at is null
            union all select post.forum_id from forum_post post where post.deleted_at is not null)
          or exists (
            select from forum_post post
            where post.forum_id = forum.id and post.id > coalesce(reader.read_post_id, 0) and post.deleted_at is null
              and post.author_id <> all (hidden.authors)))`
            : sql``
        }
        ${
          filter.words === undefined
            ? sql``
            : sql`and forum.search @@ websearch_to_tsquery('english',
          ${filter.words}) ${unmasked(sql, viewer, 'forum')}`
        }
        ${
          somePost === undefined
            ? sql``
            : sql`and forum.id in (
          select post.forum_id from forum_post post
          where post.deleted_at is null and post.author_id <> all ((select authors from hidden)::uuid[])
            ${somePost.own ? sql`and post.author_id = ${viewer.id}` : sql``}
            ${
              somePost.words === undefined
                ? sql``
                : sql`and post.search @@ websearch_to_tsquery('english',
              ${somePost.words}) ${unmasked(sql, viewer, 'post')}
              order by post.id desc limit ${mostFound}`
            })`
        }
        ${dates?.before && dated ? sql`and ${dated} < ${dates.before}` : sql``}
        ${dates?.after && dated ? sql`and ${dated} > ${dates.after}` : sql``}
    ),
    page as (select * from matched as page order by ${sorting} limit ${limit} offset ${start})
    select total.number as total, ${
      withinCategory === undefined
        ? sql`null`
        : sql`(select ${categoryJson(sql)} from forum_category
      where id = ${withinCategory})`
    } as category,
      ${sql(forumColumns)}, page.is_muted, page.is_favorite, counted.visible as visible_posts,
      case when page.read_post_id = 0 then counted.visible when forum.last_post_id <= page.read_post_id then 0
        else (select count(*)::int from forum_post post
          where post.forum_id = page.id and post.id > page.read_post_id and post.deleted_at is null
            and post.author_id <> all (hidden.authors)) end as unread_posts,
      newest.author_id as last_poster_id, newest.created_at as last_post_at, event.id as event_id, event.start_time as event_start
    from (select count(*)::int as number from matched) as total
    cross join hidden
    left join page on true
    left join forum on forum.id = page.id
    ${eventOf(sql, sql`page.id`)}
    left join lateral (
      -- Author by author: Postgres would rather walk through a forum, however long it is.
      select forum.post_count - coalesce((
        select sum((select count(*) from forum_post post where post.forum_id = page.id and post.author_id = hidden_author
          and post.deleted_at is null))
        from unnest(hidden.authors) hidden_author), 0)::int as visible) counted on true
    left join lateral (
      select author_id, created_at from forum_post post
      where post.forum_id = page.id and post.deleted_at is null and post.author_id <> all (hidden.authors)
        order by post.id desc limit 1) newest on true
    order by ${sorting}`
  const rows = await (filter.words === undefined && somePost?.words === undefined ? statement : planned(statement))
  const [first] = rows
  return { total: first?.total ?? 0, category: first?.category ?? undefined, rows: rows.filter(({ id }) => id !== null) }
}
