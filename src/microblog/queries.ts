// Statements about posts of the microblog that those of forums do not have.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import { plainArray, type Sql } from '../core/db/db.ts'
import { insertedJob } from '../core/outbox/jobs.ts'
import type { PostMarks } from '../post/feed.ts'
import type { Sizes } from '../image/sizes.ts'
import { countsInText, pageRefs, writeRef, type PageRefs, type PostRef } from '../post/refs.ts'
import type { WrittenFilter, WrittenRow } from '../moderation/judged.ts'

export interface NewPost {
  authorId: string
  realAuthorId: string
  text: string
  images: readonly string[]
  imageSizes: Sizes
  replyGroup: number | null
  hashtags: readonly string[]
  mentions: readonly string[]
  createdAt: Date
  /** The request whose job looks for alertwords in it; undefined when it has no words. */
  scan?: string | undefined
}

// Held until the commit: whoever has read up to an id misses no lower one.
const writersLock = advisoryLock('microblog writers')

/** Lists go as one text each: an array of arrays would have to be a rectangle. None of their words has such a character. */
const lines = (words: readonly string[]) => words.join('\n')

/** Writes posts, in the order given, with one job for all; returns their ids. */
export async function insertPosts(sql: Sql, posts: readonly NewPost[]): Promise<number[]> {
  const scan = posts.find((post) => post.scan)?.scan
  const rows = await sql<{ id: number }[]>`
    with turn as materialized (select pg_advisory_xact_lock(${writersLock})),
    -- Sorted, so that no post gets its id before the lock is there.
    numbered as materialized (
      select ordered.*, nextval('microblog_post_id_seq')::int as id from (
        select given.* from turn cross join unnest(
          ${plainArray(posts.map(({ authorId }) => authorId))}::uuid[],
          ${plainArray(posts.map(({ realAuthorId }) => realAuthorId))}::uuid[], ${posts.map(({ text }) => text)}::text[],
          ${posts.map(({ images }) => lines(images))}::text[], ${posts.map(({ imageSizes }) => imageSizes?.join('\n') ?? null)}::text[],
            ${posts.map(({ replyGroup }) => replyGroup)}::int[],
            ${posts.map(({ hashtags }) => lines(hashtags))}::text[],
          ${posts.map(({ mentions }) => lines(mentions))}::text[],
          ${plainArray(posts.map(({ createdAt }) => createdAt.getTime()))}::float8[],
          ${plainArray(posts.map((post) => post.scan !== undefined))}::bool[]
        ) with ordinality as given (author_id, real_author_id, text, images, image_sizes, reply_group, hashtags, mentions, created_ms, has_words,
          nr)
        order by given.nr) ordered),
    written as (
      insert into microblog_post (id, author_id, real_author_id, text, images, image_sizes, reply_group, hashtags, mentions,
        created_at) overriding system value
      select id, author_id, real_author_id, text, string_to_array(images, E'\n'), string_to_array(image_sizes, E'\n')::int[], reply_group, string_to_array(hashtags, E'\n'),
        string_to_array(mentions, E'\n'), to_timestamp(created_ms / 1000) from numbered)
    ${
      scan
        ? sql`, noted as (${insertedJob(
            sql,
            'alertword-scan',
            scan,
            sql`jsonb_build_object('feed', 'microblog', 'postIds',
      jsonb_agg(id order by id)) from numbered where has_words having count(*) > 0`,
          )})`
        : sql``
    }
    select id from numbered order by nr`
  return rows.map(({ id }) => id)
}

/** True when nobody has ever written anything. */
export async function hasNoPosts(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ none: boolean }]>`select not exists (select from microblog_post) as none`
  return row.none
}

/** Each of these posts, which are locked, becomes the first of a group of answers. */
export async function beginReplyGroups(sql: Sql, postIds: readonly number[]): Promise<void> {
  await sql`update microblog_post set reply_group = id where id = any (${postIds})`
}

export async function softDeletePost(sql: Sql, postId: number, now: Date): Promise<void> {
  await sql`update microblog_post set deleted_at = ${now} where id = ${postId}`
}

const newestPosts = `
  with hidden as materialized (select hidden_authors($1) as authors),
  page as materialized (
    select id from microblog_post where deleted_at is null and author_id <> all ((select authors from hidden)::uuid[])
      order by id desc limit $2 offset $3)
  select ${pageRefs('microblog_post_mark', 'desc')} as posts
  from page join microblog_post post on post.id = page.id
  left join microblog_post_mark mark on mark.account_id = $1 and mark.post_id = post.id`

/** A part of the posts whose authors the viewer does not hide, newest first. */
export async function selectNewestPosts(sql: Sql, viewerId: string, start: number, limit: number): Promise<PageRefs> {
  const [{ posts }] = await sql.unsafe<[{ posts: PageRefs }]>(newestPosts, [viewerId, limit, start], { prepare: true })
  return posts
}

/** As many as there are on the first two pages, and some for hidden authors. */
const newestCount = 120
const ownMarksCount = 500

export interface NewestPost extends Pick<PostRef, 'id' | 'version' | 'counts'> {
  authorId: string
  /** For a viewer who has not marked it, see `PageRefs`. */
  unmarked: string
}

/** The newest posts, newest first. */
export interface NewestPosts {
  posts: readonly NewestPost[]
  authorIds: ReadonlySet<string>
  /** There are no older ones. */
  isAll: boolean
}

/** The latest posts that an account has marked. */
export interface OwnMarks {
  marks: ReadonlyMap<number, Pick<PostMarks, 'isBookmarked' | 'reaction'>>
  /** There may be marks of older posts. */
  sinceId: number
}

const newest = `
  select post.id, post.xmin::text as version, post.author_id, ${countsInText('microblog_post_mark')} as counts
  from microblog_post post where post.deleted_at is null order by post.id desc limit ${newestCount}`

/** The newest posts, whoever has written them. */
export async function selectNewest(sql: Sql): Promise<NewestPosts> {
  const rows = await sql.unsafe<Omit<NewestPost, 'unmarked'>[]>(newest, [], { prepare: true })
  const posts = rows.map((row) => ({ ...row, unmarked: writeRef({ ...row, isBookmarked: false, reaction: null }) }))
  return { posts, authorIds: new Set(posts.map(({ authorId }) => authorId)), isAll: posts.length < newestCount }
}

const ownMarks = `
  select viewer.id as viewer_id, mark.post_id, mark.is_bookmarked, mark.reaction
  from unnest($1::uuid[]) as viewer (id) cross join lateral (
    select post_id, is_bookmarked, reaction from microblog_post_mark
    where account_id = viewer.id and (is_bookmarked or reaction is not null) order by post_id desc limit ${ownMarksCount}) mark`

/** The marks of these accounts. */
export async function selectOwnMarks(sql: Sql, accountIds: readonly string[]): Promise<Map<string, OwnMarks>> {
  const rows = await sql.unsafe<({ viewerId: string; postId: number } & Pick<PostMarks, 'isBookmarked' | 'reaction'>)[]>(
    ownMarks,
    [accountIds] as never[],
    { prepare: true },
  )
  return new Map(
    accountIds.map((id) => {
      const own = rows.filter(({ viewerId }) => viewerId === id)
      const marks = new Map(own.map(({ postId, isBookmarked, reaction }) => [postId, { isBookmarked, reaction }]))
      return [id, { marks, sinceId: own.length < ownMarksCount ? 0 : Math.min(...marks.keys()) }]
    }),
  )
}

/** Posts by accounts, newest first. */
export async function selectWrittenTwarrts(sql: Sql, { accountIds, before, pattern, limit }: WrittenFilter): Promise<WrittenRow[]> {
  return await sql<WrittenRow[]>`
    select post.id::text as id, post.author_id, left(post.text, 300) as text, post.images, null as place, post.moderation_status,
      post.created_at
    from microblog_post post
    where post.author_id = any (${accountIds}::uuid[])
      and post.deleted_at is null and post.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(post.text) like ${pattern}`}
    order by post.created_at desc, post.id::text collate "C" desc limit ${limit}`
}
