// Statements about posts that both feeds have in common: seeing one or a page of them, what accounts
// say about them, changing them.
import { planned, type Sql } from '../core/db/db.ts'
import { isModerator, type Viewer } from '../core/base/viewer.ts'
import type { Sizes } from '../image/sizes.ts'
import { rightsOf } from './rights.ts'
import type { ContentModerationStatus, ReportType } from '../moderation/types.ts'
import { feedColumns, type FeedPost, type LockedPost, type PostMarks } from './feed.ts'
import { countsInText, countsText } from './refs.ts'
import type { Reactors } from './shown.ts'
import type { Reaction } from './types.ts'
import type { FeedName } from '../hits/hits.ts'

const tables = {
  forum: { post: 'forum_post', mark: 'forum_post_mark', edit: 'forum_post_edit' },
  microblog: { post: 'microblog_post', mark: 'microblog_post_mark', edit: 'microblog_post_edit' },
} as const satisfies Record<FeedName, object>

const columns = (sql: Sql, feed: FeedName) => sql(feedColumns[feed])

const selectVersionsOf = (feed: FeedName) => `
  select ${feedColumns[feed].join(', ')}, post.xmin::text as version from ${tables[feed].post} post
  where post.id = any ($1::int[]) and post.deleted_at is null`

/** Ready texts: every page that nobody has read lately is made with one of them. */
const selectVersions = { forum: selectVersionsOf('forum'), microblog: selectVersionsOf('microblog') }

/** Posts with the places that decide who sees them. */
const places = (sql: Sql, feed: FeedName) =>
  feed === 'microblog'
    ? sql`microblog_post post`
    : sql`forum_post post join forum on forum.id = post.forum_id join forum_category category on category.id = forum.category_id`

/** True for posts in a place that the viewer sees, deleted or not. */
function isSeen(sql: Sql, feed: FeedName, viewer: Viewer) {
  if (feed === 'microblog') return sql`true`
  const { level, roles } = rightsOf(viewer)
  return sql`may_view(category.view_level, category.required_role, ${level}, ${roles})`
}

const isThere = (sql: Sql, feed: FeedName, viewer: Viewer) =>
  sql`post.deleted_at is null ${feed === 'forum' ? sql`and forum.deleted_at is null` : sql``} and ${isSeen(sql, feed, viewer)}`

const counts = (sql: Sql, feed: FeedName) => sql.unsafe(countsInText(tables[feed].mark))

/** Those of the posts that are there for the viewer, whoever is muted, in any order. */
export async function selectVisiblePosts<Row extends FeedPost>(
  sql: Sql,
  feed: FeedName,
  postIds: readonly number[],
  viewer: Viewer,
): Promise<Row[]> {
  return (await sql<Row[]>`
    select ${columns(sql, feed)} from ${places(sql, feed)}
    where post.id = any (${postIds}::int[]) and ${isThere(sql, feed, viewer)} and post.author_id <> all (blocked_accounts(${viewer.id}))`) as Row[]
}

/** Locks those of the posts that are not deleted, in a fixed order; without `wait`, only those that no other transaction holds. */
export async function lockPosts<Row extends FeedPost>(
  sql: Sql,
  feed: FeedName,
  postIds: readonly number[],
  wait: boolean,
): Promise<LockedPost<Row>[]> {
  return (await sql<LockedPost<Row>[]>`
    select ${columns(sql, feed)}, real_author_id from ${sql(tables[feed].post)} post where id = any (${postIds}) and deleted_at is null
    order by id for no key update ${wait ? sql`` : sql`skip locked`}`) as LockedPost<Row>[]
}

/** A post with everybody who has reacted to it. */
export type PostDetailRow<Row extends FeedPost> = Row & Reactors & Pick<PostMarks, 'isBookmarked' | 'reaction'>

/** A post whose author the viewer does not hide; undefined when it is hidden from them. */
export async function selectPostDetail<Row extends FeedPost>(
  sql: Sql,
  feed: FeedName,
  postId: number,
  viewer: Viewer,
): Promise<PostDetailRow<Row> | undefined> {
  const marks = sql(tables[feed].mark)
  const who = (reaction: Reaction) =>
    sql`array(select account_id from ${marks} every where every.post_id = post.id and every.reaction = ${reaction} order by account_id)`
  const [row] = await sql<PostDetailRow<Row>[]>`
    select ${columns(sql, feed)}, coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction, ${who('laugh')} as laughs,
      ${who('like')} as likes, ${who('love')} as loves
    from ${places(sql, feed)}
    left join ${marks} mark on mark.account_id = ${viewer.id} and mark.post_id = post.id
    where post.id = ${postId} and ${isThere(sql, feed, viewer)} and post.author_id <> all (hidden_authors(${viewer.id}))`
  return row as PostDetailRow<Row> | undefined
}

/** Which posts of a feed. Absent means "any". */
export interface PostFilter {
  words?: string | undefined
  /** All of these, in the forms in which posts keep them. */
  hashtags?: readonly string[]
  mentions?: readonly string[]
  isBookmarked?: boolean | undefined
  reaction?: Reaction | 'any' | undefined
  authorIds?: readonly string[] | undefined
  /** Authors in this list of users. */
  barrelId?: string | undefined
  /** Also by those whom the viewer has muted. */
  withMuted?: boolean
  createdAfter?: Date | undefined
  createdBefore?: Date | undefined
  /** Of the forums. */
  categoryId?: string | undefined
  forumId?: string | undefined
  /** Of the microblog: ids strictly after, and up to. */
  afterId?: number | undefined
  upToId?: number | undefined
  /** Of the microblog: a post with all replies, or no replies at all. */
  replyGroup?: number | undefined
  hideReplies?: boolean
}

/** Which part of what was found: `start` and `limit` count from the newest, or from the oldest. */
export interface PostRange {
  start: number
  limit: number
  from: 'newest' | 'oldest'
  /** Whether the number of matches is wanted. */
  counted: boolean
}

// Nobody pages through more at once: of a text that half of all posts have, no more than this is counted beyond a page.
const countedAhead = 1000

/**
 * The part of the posts that the viewer can see, in the order in which they are counted, and how many there are: of
 * searches, as far as anybody pages.
 */
export async function selectPostPage<Row extends FeedPost>(
  sql: Sql,
  feed: FeedName,
  viewer: Viewer,
  filter: PostFilter,
  { start, limit, from, counted }: PostRange,
): Promise<{ total: number; rows: (Row & PostMarks)[] }> {
  const {
    words,
    hashtags = [],
    mentions = [],
    isBookmarked,
    reaction,
    authorIds,
    barrelId,
    categoryId,
    forumId,
    replyGroup,
    hideReplies,
  } = filter
  const { createdAfter, createdBefore, afterId, upToId } = filter
  const byTag = hashtags.length + mentions.length > 0
  const byText = words !== undefined || byTag
  const byPlace = !byText && !isBookmarked && reaction === undefined && authorIds === undefined && feed === 'forum'
  const marks = sql(tables[feed].mark)
  const order = from === 'newest' ? sql`desc` : sql`asc`
  const inPlace = sql`
    ${categoryId === undefined ? sql`` : sql`and forum.category_id = ${categoryId}`}
    ${forumId === undefined ? sql`` : sql`and forum.id = ${forumId}`}`
  // A forum whose creator is in a block with the viewer cannot be opened: a post of it would lead nowhere.
  const isOpen =
    feed === 'forum' ? sql`and shows_creator(category.create_level, forum.creator_id, (select creators from hidden)::uuid[])` : sql``
  // Few posts have a certain tag or name: they come from its index and are sorted. Postgres left to itself walks all
  // posts in order until it has enough.
  const counting = byTag ? sql`post.id + 0` : sql`post.id`
  const matched = sql`
    select post.id from ${places(sql, feed)}
    ${isBookmarked || reaction ? sql`join ${marks} mine on mine.account_id = ${viewer.id} and mine.post_id = post.id` : sql``}
    where ${isThere(sql, feed, viewer)} ${isOpen}
      and post.author_id <> all ((select authors from hidden)::uuid[]) ${inPlace}
      ${isBookmarked ? sql`and mine.is_bookmarked` : sql``}
      ${reaction === undefined ? sql`` : reaction === 'any' ? sql`and mine.reaction is not null` : sql`and mine.reaction = ${reaction}`}
      ${authorIds === undefined ? sql`` : sql`and post.author_id = any (${authorIds}::uuid[])`}
      ${barrelId === undefined ? sql`` : sql`and post.author_id in (select user_id from barrel_user where barrel_id = ${barrelId})`}
      ${replyGroup === undefined ? sql`` : sql`and (post.reply_group = ${replyGroup} or post.id = ${replyGroup})`}
      ${hideReplies ? sql`and (post.reply_group is null or post.reply_group = post.id)` : sql``}
      ${afterId === undefined ? sql`` : sql`and post.id > ${afterId}`}
      ${upToId === undefined ? sql`` : sql`and post.id <= ${upToId}`}
      ${createdAfter === undefined ? sql`` : sql`and post.created_at > ${createdAfter}`}
      ${createdBefore === undefined ? sql`` : sql`and post.created_at < ${createdBefore}`}
      ${words === undefined ? sql`` : sql`and post.search @@ websearch_to_tsquery('english', ${words})`}
      ${hashtags.length === 0 ? sql`` : sql`and post.hashtags @> ${hashtags}::text[]`}
      ${mentions.length === 0 ? sql`` : sql`and post.mentions @> ${mentions}::text[]`}
      ${byText && !isModerator(viewer) ? sql`and not is_hidden(post.moderation_status)` : sql``}
    order by ${counting} ${order}`
  // All posts of some forums are counted already: only those of hidden authors are not.
  const total = !counted
    ? sql`0`
    : !byPlace
      ? sql`(select count(*)::int from found)`
      : sql`(
    select coalesce(sum(forum.post_count), 0)::int from forum join forum_category category on category.id = forum.category_id
      where forum.deleted_at is null and ${isSeen(sql, feed, viewer)} ${isOpen} ${inPlace})
    - (select count(*)::int from ${places(sql, feed)} where post.author_id = any ((select authors from hidden)::uuid[])
      and ${isThere(sql, feed, viewer)} ${isOpen} ${inPlace})`
  const isCounted = counted && !byPlace
  const statement = sql<(Row & PostMarks & { total: number })[]>`
    with hidden as materialized (select ${filter.withMuted ? sql`blocked_accounts(${viewer.id})` : sql`hidden_authors(${viewer.id})`}
      as authors, blocked_accounts(${viewer.id}) as creators),
    found as materialized (${matched} limit ${isCounted ? start + limit + countedAhead : limit} offset ${isCounted ? 0 : start}),
    page as (select id from found order by id ${order} limit ${limit} offset ${isCounted ? start : 0})
    select total.number as total, ${columns(sql, feed)}, coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction,
      ${counts(sql, feed)} as counts
    from (select ${total} as number) total
    left join (page join ${sql(tables[feed].post)} post on post.id = page.id) on true
    left join ${marks} mark on mark.account_id = ${viewer.id} and mark.post_id = post.id
    order by post.id ${order}`
  // Common and rare words, long and short forums are best gone through in different ways.
  const rows = await (words === undefined && forumId === undefined ? statement : planned(statement))
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}

/** The posts among these that are not deleted, with the version of each row, in any order. */
export async function selectPostVersions<Row extends FeedPost>(
  sql: Sql,
  feed: FeedName,
  ids: readonly number[],
): Promise<(Row & { version: string })[]> {
  return (await sql.unsafe(selectVersions[feed], [ids] as never[], { prepare: true })) as unknown as (Row & { version: string })[]
}

/** The marks of a viewer, and of everybody together, on a post. */
export async function selectMarks(sql: Sql, feed: FeedName, postId: number, viewerId: string): Promise<PostMarks> {
  const [row] = await sql<[PostMarks]>`
    select coalesce(bool_or(is_bookmarked) filter (where account_id = ${viewerId}), false) as is_bookmarked,
      max(reaction) filter (where account_id = ${viewerId}) as reaction, ${sql.unsafe(countsText)} as counts
    from ${sql(tables[feed].mark)} where post_id = ${postId} and (reaction is not null or account_id = ${viewerId})`
  return row
}

/** Sets or, with null, takes back an account's reaction to a post. */
export async function upsertReaction(
  sql: Sql,
  feed: FeedName,
  accountId: string,
  postId: number,
  reaction: Reaction | null,
): Promise<void> {
  const marks = sql(tables[feed].mark)
  if (reaction === null) await sql`update ${marks} set reaction = null where account_id = ${accountId} and post_id = ${postId}`
  else {
    await sql`
      insert into ${marks} (account_id, post_id, reaction) values (${accountId}, ${postId}, ${reaction})
      on conflict (account_id, post_id) do update set reaction = excluded.reaction`
  }
}

/** Returns false when it was bookmarked. */
export async function insertBookmark(sql: Sql, feed: FeedName, accountId: string, postId: number): Promise<boolean> {
  const result = await sql`
    insert into ${sql(tables[feed].mark)} as mark (account_id, post_id, is_bookmarked) values (${accountId}, ${postId}, true)
    on conflict (account_id, post_id) do update set is_bookmarked = true where not mark.is_bookmarked`
  return result.count > 0
}

export async function deleteBookmark(sql: Sql, feed: FeedName, accountId: string, postId: number): Promise<void> {
  await sql`update ${sql(tables[feed].mark)} set is_bookmarked = false where account_id = ${accountId} and post_id = ${postId}`
}

export type QuarantinedType = ReportType & ('forum' | 'forumPost' | 'twarrt')

/** Hides what was reported often, unless a moderator has judged it. The row is locked. */
export async function quarantineReported(sql: Sql, type: QuarantinedType, id: string): Promise<void> {
  const table = { forum: 'forum', forumPost: tables.forum.post, twarrt: tables.microblog.post }[type]
  await sql`update ${sql(table)} set moderation_status = 'autoQuarantined' where id = ${id} and moderation_status = 'normal'`
}

/** The parts of a post that its author can change. */
export interface PostChanges {
  text: string
  images: readonly string[] | null
  imageSizes: Sizes
  hashtags: readonly string[]
  mentions: readonly string[]
  moderationStatus: ContentModerationStatus
}

export async function updatePost(
  sql: Sql,
  feed: FeedName,
  postId: number,
  { text, images, imageSizes, hashtags, mentions, moderationStatus }: PostChanges,
): Promise<void> {
  await sql`
    update ${sql(tables[feed].post)} set text = ${text}, images = ${images}::text[], image_sizes = ${imageSizes}::int[], hashtags = ${hashtags}::text[],
      mentions = ${mentions}::text[], moderation_status = ${moderationStatus}
    where id = ${postId}`
}

/** Keeps what a post is before a change. */
export async function insertPostEdit(
  sql: Sql,
  feed: FeedName,
  edit: { id: string; before: FeedPost; editorId: string; now: Date },
): Promise<void> {
  await sql`
    insert into ${sql(tables[feed].edit)} (id, post_id, editor_id, text, images, created_at)
    values (${edit.id}, ${edit.before.id}, ${edit.editorId}, ${edit.before.text}, ${edit.before.images}::text[], ${edit.now})`
}

export interface PostEditRow {
  id: string
  editorId: string
  text: string
  images: string[] | null
  createdAt: Date
}

/** Earlier versions of a post, oldest first. */
export async function selectPostEdits(sql: Sql, feed: FeedName, postId: number): Promise<PostEditRow[]> {
  return await sql<
    PostEditRow[]
  >`select id, editor_id, text, images, created_at from ${sql(tables[feed].edit)} where post_id = ${postId} order by created_at, id`
}

/** A post in a place that the viewer sees, deleted or not. */
export async function selectAnyPost<Row extends FeedPost>(
  sql: Sql,
  feed: FeedName,
  postId: number,
  viewer: Viewer,
): Promise<(Row & { deletedAt: Date | null }) | undefined> {
  const [row] = await sql<(Row & { deletedAt: Date | null })[]>`
    select ${columns(sql, feed)}, post.deleted_at from ${places(sql, feed)} where post.id = ${postId} and ${isSeen(sql, feed, viewer)}`
  return row as (Row & { deletedAt: Date | null }) | undefined
}

/** Sets the state of a post, which is locked. */
export async function updatePostState(sql: Sql, feed: FeedName, postId: number, status: ContentModerationStatus): Promise<void> {
  await sql`update ${sql(tables[feed].post)} set moderation_status = ${status} where id = ${postId}`
}
