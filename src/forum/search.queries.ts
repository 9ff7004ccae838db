// The one statement behind all lists and searches of posts.
import type { Sql } from '../core/db.ts'
import { isModerator, type Viewer } from '../core/viewer.ts'
import { postColumns, rightsOf, type PostRow } from './rows.ts'
import type { Reaction } from './types.ts'

/** Absent means "any". */
export interface PostFilter {
  words?: string | undefined
  /** In the forms in which posts keep them. */
  hashtag?: string | undefined
  mention?: string | undefined
  isBookmarked?: boolean | undefined
  hasReaction?: boolean | undefined
  authorIds?: readonly string[] | undefined
  categoryId?: string | undefined
  forumId?: string | undefined
}

export type FoundPostRow = PostRow & { isBookmarked: boolean, reaction: Reaction | null, likeCount: number }

/** One page of the posts that the viewer can see, newest first, and with `counted` the number of all matches. */
export async function selectPostPage(sql: Sql, viewer: Viewer, filter: PostFilter, start: number, limit: number, counted: boolean): Promise<{ total: number, rows: FoundPostRow[] }> {
  const { level, roles } = rightsOf(viewer)
  const { words, hashtag, mention, isBookmarked, hasReaction, authorIds, categoryId, forumId } = filter
  const byText = words !== undefined || hashtag !== undefined || mention !== undefined
  const rows = await sql<(FoundPostRow & { total: number })[]>`
    with hidden as materialized (select hidden_authors(${viewer.id}) as authors),
    matched as (
      select post.id from forum_post post
      join forum on forum.id = post.forum_id
      join forum_category category on category.id = forum.category_id
      ${isBookmarked || hasReaction ? sql`join forum_post_mark mine on mine.account_id = ${viewer.id} and mine.post_id = post.id` : sql``}
      where post.deleted_at is null and forum.deleted_at is null and may_view(category.view_level, category.required_role, ${level}, ${roles})
        and post.author_id <> all ((select authors from hidden)::uuid[])
        ${isBookmarked ? sql`and mine.is_bookmarked` : sql``}
        ${hasReaction ? sql`and mine.reaction is not null` : sql``}
        ${authorIds === undefined ? sql`` : sql`and post.author_id = any (${authorIds}::uuid[])`}
        ${categoryId === undefined ? sql`` : sql`and forum.category_id = ${categoryId}`}
        ${forumId === undefined ? sql`` : sql`and post.forum_id = ${forumId}`}
        ${words === undefined ? sql`` : sql`and post.search @@ websearch_to_tsquery('english', ${words})`}
        ${hashtag === undefined ? sql`` : sql`and post.hashtags @> ${[hashtag]}::text[]`}
        ${mention === undefined ? sql`` : sql`and post.mentions @> ${[mention]}::text[]`}
        ${byText && !isModerator(viewer) ? sql`and post.moderation_status not in ('quarantined', 'autoQuarantined')` : sql``}),
    page as materialized (select id from matched order by id desc limit ${limit} offset ${start})
    select total.number as total, ${sql(postColumns)}, coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction,
      (select count(*)::int from forum_post_mark every where every.post_id = post.id and every.reaction is not null) as like_count
    from (select ${counted ? sql`(select count(*)::int from matched)` : sql`0`} as number) total
    left join (page join forum_post post on post.id = page.id) on true
    left join forum_post_mark mark on mark.account_id = ${viewer.id} and mark.post_id = post.id
    order by post.id desc`
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}
