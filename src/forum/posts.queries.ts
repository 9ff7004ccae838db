// Statements about single posts, and about forums as far as they begin with one.
import { plainArray, type Sql } from '../core/db/db.ts'
import { insertedJob } from '../core/outbox/jobs.ts'
import type { Viewer } from '../core/base/viewer.ts'
import type { Sizes } from '../image/sizes.ts'
import type { PostMarks } from '../post/feed.ts'
import { countsInText } from '../post/refs.ts'
import { lowerCased } from '../text/words.ts'
import { postColumns, type ForumRow, type PostRow } from './rows.ts'
import { rightsOf } from '../post/rights.ts'
import type { ModerationStatus } from './types.ts'

export interface NewPost {
  forumId: string
  authorId: string
  realAuthorId: string
  text: string
  images: readonly string[]
  imageSizes: Sizes
  hashtags: readonly string[]
  mentions: readonly string[]
  createdAt: Date
}

/** Writes a forum with its first post and counts it in its category, which is locked. Returns the post's id. */
export async function insertForum(sql: Sql, forum: ForumRow, firstPost: NewPost): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    with written as (
      insert into forum_post (forum_id, author_id, real_author_id, text, images, image_sizes, hashtags, mentions, created_at)
      values (${firstPost.forumId}, ${firstPost.authorId}, ${firstPost.realAuthorId}, ${firstPost.text}, ${firstPost.images}::text[],
        ${firstPost.imageSizes}::int[], ${firstPost.hashtags}::text[], ${firstPost.mentions}::text[], ${firstPost.createdAt})
      returning id),
    counted as (update forum_category set forum_count = forum_count + 1 where id = ${forum.categoryId})
    insert into forum (id, category_id, creator_id, title, title_key, search, post_count, last_post_id, last_post_time, created_at)
    select ${forum.id}, ${forum.categoryId}, ${forum.creatorId}, ${forum.title}, ${lowerCased(forum.title)},
      to_tsvector('english', ${forum.title}::text), 1, written.id, ${forum.createdAt}, ${forum.createdAt} from written
    returning last_post_id as id`
  return row.id
}

/** A post, and what its forum has to be like. */
export interface RequestedPost extends NewPost {
  viewer: Viewer
  /** It is written when the forum is in one of these. */
  states: readonly ModerationStatus[]
  /** The request whose job looks for alertwords in it; undefined when it has no words. */
  scan: string | undefined
  /** Slow mode lets it through. */
  paced: boolean
}

/** A forum as it was when somebody wrote in it, or wanted to. */
export interface PostingRow {
  /** Another transaction holds the forum; when it was waited for: there is no such forum. */
  isBusy: boolean
  visible: boolean
  moderationStatus: ModerationStatus
  /** The forum is in slow mode, and nobody has looked when the viewer last posted. */
  tooSlow: boolean
  /** Of the forum; null when there is none. */
  categoryId: string | null
  /** Null when nothing was written. */
  postId: number | null
}

/** Lists go as one text each: an array of arrays would have to be a rectangle. None of their words has such a character. */
const lines = (words: Iterable<string>) => [...words].join('\n')

/**
 * Locks forums, and writes each post, in the order given, if its forum is there for the viewer, the forum's
 * creator is in no block with them and its state is one of those wanted. With one job for all, and counted.
 * Without `wait`, forums that another transaction holds are left alone.
 */
export async function insertPosts(sql: Sql, posts: readonly RequestedPost[], wait: boolean): Promise<PostingRow[]> {
  const rights = posts.map(({ viewer }) => rightsOf(viewer))
  const scan = posts.find((post) => post.scan)?.scan
  return await sql<PostingRow[]>`
    with given as materialized (
      select forum_id, viewer_id, viewer_level::access_level, string_to_array(viewer_roles, E'\n')::user_role[] as viewer_roles,
        string_to_array(states, E'\n')::moderation_status[] as states, author_id, real_author_id, text, string_to_array(images, E'\n')
          as images, string_to_array(image_sizes, E'\n')::int[] as image_sizes,
        string_to_array(hashtags, E'\n') as hashtags, string_to_array(mentions, E'\n') as mentions,
        to_timestamp(created_ms / 1000) as created_at, has_words, paced, nr
      from unnest(
        ${plainArray(posts.map(({ forumId }) => forumId))}::uuid[], ${plainArray(posts.map(({ viewer }) => viewer.id))}::uuid[],
        ${plainArray(rights.map(({ level }) => level))}::text[],
        ${rights.map(({ roles }) => lines(roles))}::text[], ${posts.map(({ states }) => lines(states))}::text[],
        ${plainArray(posts.map(({ authorId }) => authorId))}::uuid[], ${plainArray(posts.map(({ realAuthorId }) => realAuthorId))}::uuid[],
        ${posts.map(({ text }) => text)}::text[],
          ${posts.map(({ images }) => lines(images))}::text[], ${posts.map(({ imageSizes }) => imageSizes?.join('\n') ?? null)}::text[],
        ${posts.map(({ hashtags }) => lines(hashtags))}::text[], ${posts.map(({ mentions }) => lines(mentions))}::text[],
        ${plainArray(posts.map(({ createdAt }) => createdAt.getTime()))}::float8[],
        ${plainArray(posts.map((post) => post.scan !== undefined))}::bool[], ${plainArray(posts.map(({ paced }) => paced))}::bool[]
      ) with ordinality as given (forum_id, viewer_id, viewer_level, viewer_roles, states, author_id, real_author_id, text, images,
        image_sizes, hashtags, mentions, created_ms, has_words, paced, nr)),
    place as materialized (
      select id, category_id, creator_id, moderation_status, slow_seconds from forum where id in (select forum_id from given) and deleted_at is null
      order by id for no key update ${wait ? sql`` : sql`skip locked`}),
    -- Once the lock is there: meanwhile the forum may have been moved, and somebody may have blocked somebody.
    standing as materialized (
      select given.nr, place.category_id, place.moderation_status, place.slow_seconds > 0 and not given.paced as too_slow, may_view(category.view_level, category.required_role, given.viewer_level,
        given.viewer_roles)
          and shows_creator(category.create_level, place.creator_id, blocked_accounts_now(given.viewer_id)) as visible
      from given join place on place.id = given.forum_id join forum_category category on category.id = place.category_id),
    -- Sorted, so that all forums are locked before the first post gets its id.
    numbered as materialized (
      select ordered.*, nextval('forum_post_id_seq')::int as id from (
        select given.* from given join standing on standing.nr = given.nr
        where visible and moderation_status = any (states) and not too_slow order by given.nr) ordered),
    written as (
      insert into forum_post (id, forum_id, author_id, real_author_id, text, images, image_sizes, hashtags, mentions, created_at)
        overriding system value
      select id, forum_id, author_id, real_author_id, text, images, image_sizes, hashtags, mentions, created_at from numbered),
    counted as (
      update forum set post_count = post_count + more.posts, last_post_id = more.last_id, last_post_time = more.last_at
      from (select forum_id, count(*)::int as posts, max(id) as last_id, max(created_at) as last_at from numbered group by forum_id) more
      where forum.id = more.forum_id)
    ${
      scan
        ? sql`, noted as (${insertedJob(
            sql,
            'alertword-scan',
            scan,
            sql`jsonb_build_object('feed', 'forum', 'postIds',
      jsonb_agg(id order by id)) from numbered where has_words having count(*) > 0`,
          )})`
        : sql``
    }
    select standing.nr is null as is_busy, visible, category_id, moderation_status, too_slow, numbered.id as post_id
    from given left join standing on standing.nr = given.nr left join numbered on numbered.nr = given.nr order by given.nr`
}

/** Seconds of slow mode, by forum. */
export async function selectSlowModes(sql: Sql, forumIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; slowSeconds: number }[]>`select id, slow_seconds from forum where id = any (${forumIds}::uuid[])`
  return new Map(rows.map(({ id, slowSeconds }) => [id, slowSeconds]))
}

/** The forum of a post that is not deleted. */
export async function selectForumOfPost(sql: Sql, postId: number): Promise<string | undefined> {
  const [row] = await sql<{ forumId: string }[]>`select forum_id from forum_post where id = ${postId} and deleted_at is null`
  return row?.forumId
}

/** Pins a post in its forum, or ends that. */
export async function updatePostPin(sql: Sql, postId: number, isPinned: boolean, status: ModerationStatus): Promise<void> {
  await sql`update forum_post set is_pinned = ${isPinned}, moderation_status = ${status} where id = ${postId}`
}

/** Pinned posts of a forum that the viewer can see, in order; undefined when the forum is hidden from them. */
export async function selectPinnedPosts(sql: Sql, forumId: string, viewer: Viewer): Promise<(PostRow & PostMarks)[] | undefined> {
  const { level, roles } = rightsOf(viewer)
  const rows = await sql<(PostRow & PostMarks)[]>`
    select ${sql(postColumns)}, coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction,
      ${sql.unsafe(countsInText('forum_post_mark'))} as counts
    from (select hidden_authors(${viewer.id}) as authors) hidden
    cross join forum
    join forum_category category on category.id = forum.category_id
    left join forum_post post on post.forum_id = forum.id and post.is_pinned and post.deleted_at is null
      and post.author_id <> all (hidden.authors)
    left join forum_post_mark mark on mark.account_id = ${viewer.id} and mark.post_id = post.id
    where forum.id = ${forumId} and forum.deleted_at is null and may_view(category.view_level, category.required_role, ${level}, ${roles})
      and shows_creator(category.create_level, forum.creator_id, blocked_accounts(${viewer.id}))
    order by post.id`
  return rows.length === 0 ? undefined : rows.filter(({ id }) => id !== null)
}

/** Deletes softly, in a forum that is locked. */
export async function softDeletePost(sql: Sql, { id, forumId }: PostRow, now: Date): Promise<void> {
  await sql`
    with gone as (update forum_post set deleted_at = ${now} where id = ${id})
    update forum set post_count = post_count - 1 where id = ${forumId}`
}
