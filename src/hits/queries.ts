// Statements about hits: which accounts a post concerns.
import type { Fragment, Sql } from '../core/db/db.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'
import type { FeedName } from './hits.ts'
import { kindsOf, type HitCount, type HitKind } from './hits.ts'

/** The numbers of these accounts; those without hits are left out. */
export async function selectHitCounts(sql: Sql, accountIds: readonly string[]): Promise<(HitCount & { accountId: string })[]> {
  return await sql<(HitCount & { accountId: string })[]>`
    select account_id, kind, word, count(*)::int as total, (count(*) filter (where is_new))::int as fresh
    from hit where account_id = any(${accountIds}::uuid[]) group by account_id, kind, word`
}

/** A post as far as its readers matter. */
export interface HitPost {
  id: number
  /** As shown. */
  authorId: string
  realAuthorId: string
}

/** Of each post in `given`, whose columns go with it: the lowest level, and the role, that a reader needs. In the microblog only the level. */
const audience = (sql: Sql, feed: FeedName, level: UserAccessLevel) =>
  feed === 'forum'
    ? sql`
    select given.*, view_level, required_role from given join forum_post post on post.id = given.id
      join forum on forum.id = post.forum_id join forum_category category on category.id = forum.category_id`
    : sql`select given.*, ${level}::access_level as view_level, null::user_role as required_role from given`

/** True for an `account` in the audience when neither it nor the author hides the other; `blocked` are those between whom and the author is a block. */
const isReader = (sql: Sql, author: { id: string | Fragment; blocked: Fragment }) => sql`
  may_view(audience.view_level, audience.required_role, account.level, account.roles)
  and account.id <> all (${author.blocked})
  and not exists (select from mute where mute.account_id = account.id and mute.muted_id = ${author.id})`

export interface Mentions {
  /** Keys of names in the text. */
  names: readonly string[]
  /** Names among them that the text did not have before. */
  added: readonly string[]
}

/** Writes the rows of mentions that are new in a post, whose row is written already, and removes those that are not in it any more. */
export async function replaceMentions(
  sql: Sql,
  feed: FeedName,
  { id, authorId, realAuthorId }: HitPost,
  { names, added }: Mentions,
): Promise<{ accountId: string; kind: HitKind; isAdded: boolean }[]> {
  const kind = kindsOf[feed].mention
  const author = { id: authorId, blocked: sql`(select blocked_accounts(${authorId}))::uuid[]` }
  const groups =
    feed === 'forum'
      ? sql`
      union all select id, 'moderatorForumMention', 'moderator' from account where level >= 'moderator'
        and 'moderator' = any(${names}::text[])
      union all select id, 'serviceTeamForumMention', 'serviceteam' from account where level >= 'serviceteam'
        and 'serviceteam' = any(${names}::text[])`
      : sql``
  return await sql<{ accountId: string; kind: HitKind; isAdded: boolean }[]>`
    with given as (select ${id}::int as id),
    mentioned as materialized (
      select id as account_id, ${kind}::hit_kind as kind, username_key as name from account
        where username_key = any(${names}::text[]) ${groups}),
    audience as materialized (${audience(sql, feed, 'banned')}),
    gone as (
      delete from hit where item_id = ${id} and kind = any(${kindsOf[feed].all}::hit_kind[]) and kind <> ${kindsOf[feed].alertword}
        and not exists (select from mentioned where mentioned.account_id = hit.account_id and mentioned.kind = hit.kind)
      returning account_id, kind),
    written as (
      insert into hit (account_id, kind, item_id)
      select account.id, mentioned.kind, ${id}::int from mentioned join account on account.id = mentioned.account_id cross join audience
      where name = any(${added}::text[]) and account.id <> all (${[authorId, realAuthorId]}::uuid[]) and ${isReader(sql, author)}
      on conflict do nothing returning account_id, kind)
    select account_id, kind, true as is_added from written union all select account_id, kind, false from gone`
}

/** Adds an item to what these accounts have been hit by; returns those who had not been yet. */
export async function insertHits(sql: Sql, kind: HitKind, itemId: number, accountIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ accountId: string }[]>`
    insert into hit (account_id, kind, item_id) select distinct account_id, ${kind}::hit_kind, ${itemId}::int
      from unnest(${accountIds}::uuid[]) account_id
    on conflict do nothing returning account_id`
  return rows.map(({ accountId }) => accountId)
}

/** Removes all rows of an item; returns whose they were. */
export async function deleteHits(sql: Sql, kinds: readonly HitKind[], itemId: number): Promise<string[]> {
  const rows = await sql<
    { accountId: string }[]
  >`delete from hit where item_id = ${itemId} and kind = any(${kinds}::hit_kind[]) returning account_id`
  return [...new Set(rows.map(({ accountId }) => accountId))]
}

/** Removes all rows of a forum's posts; returns whose they were. */
export async function deleteHitsOfForum(sql: Sql, forumId: string): Promise<string[]> {
  const rows = await sql<{ accountId: string }[]>`
    delete from hit using forum_post post where post.forum_id = ${forumId} and hit.item_id = post.id
      and kind = any(${kindsOf.forum.all}::hit_kind[]) returning account_id`
  return [...new Set(rows.map(({ accountId }) => accountId))]
}

/** Removes an account's rows of an alertword; false when there are none. */
export async function deleteHitsOfWord(sql: Sql, accountId: string, word: string): Promise<boolean> {
  const result =
    await sql`delete from hit where account_id = ${accountId} and kind in ('forumAlertword', 'microblogAlertword') and word = ${word}`
  return result.count > 0
}

/** An account has looked at everything of one kind; false when it had before. */
export async function updateViewed(sql: Sql, accountId: string, kind: HitKind, word: string): Promise<boolean> {
  const result = await sql`update hit set is_new = false where account_id = ${accountId} and kind = ${kind} and word = ${word} and is_new`
  return result.count > 0
}

export interface LockedText extends HitPost {
  text: string
}

/** The posts among these that are not deleted, locked until the end of the transaction. */
export async function lockPostTexts(sql: Sql, feed: FeedName, postIds: readonly number[]): Promise<LockedText[]> {
  return await sql<LockedText[]>`
    select id, author_id, real_author_id, text from ${sql(feed === 'forum' ? 'forum_post' : 'microblog_post')}
    where id = any (${postIds}) and deleted_at is null order by id for share`
}

/** The alertwords of all accounts in some groups, with a space between two; a word's group is its first code point modulo `groups`. */
export async function selectWatchedWords(sql: Sql, groups: number, wanted: readonly string[]): Promise<{ group: string; words: string }[]> {
  return await sql<{ group: string; words: string }[]>`
    select (ascii(word) % ${groups})::text as group, string_agg(distinct word, ' ') as words from alertword
    where ascii(word) % ${groups} = any(${wanted}::int[]) group by 1`
}

export interface AlertwordChange {
  postId: number
  accountId: string
  word: string
  isAdded: boolean
  isNew: boolean
}

/**
 * Makes the alertword rows of posts, which are locked, those that they should have for these words. A word that its
 * account is just giving up is waited for. Own words are there and count as looked at.
 */
export async function replaceAlertwordHits(
  sql: Sql,
  feed: FeedName,
  posts: readonly (HitPost & { words: readonly string[] })[],
): Promise<AlertwordChange[]> {
  const kind = kindsOf[feed].alertword
  const said = posts.flatMap(({ id, words }) => words.map((word) => ({ id, word })))
  const author = { id: sql`audience.author_id`, blocked: sql`audience.blocked` }
  return await sql<AlertwordChange[]>`
    with given as materialized (
      select id, author_id, real_author_id, blocked_accounts(author_id) as blocked from unnest(
        ${posts.map(({ id }) => id)}::int[], ${posts.map(({ authorId }) => authorId)}::uuid[],
        ${posts.map(({ realAuthorId }) => realAuthorId)}::uuid[]) as given (id, author_id, real_author_id)),
    audience as materialized (${audience(sql, feed, 'quarantined')}),
    watching as materialized (
      select alertword.account_id, alertword.word, audience.id as item_id, alertword.account_id in (audience.author_id, audience.real_author_id) as is_own
      from unnest(${said.map(({ id }) => id)}::int[], ${said.map(({ word }) => word)}::text[]) as said (id, word)
        join alertword on alertword.word = said.word join account on account.id = alertword.account_id join audience on audience.id = said.id
      where ${isReader(sql, author)}
      for key share of alertword),
    gone as (
      delete from hit where item_id in (select id from given) and kind = ${kind}
        and not exists (select from watching where watching.account_id = hit.account_id and watching.word = hit.word and watching.item_id = hit.item_id)
      returning item_id, account_id, word),
    written as (
      insert into hit (account_id, kind, word, item_id, is_new)
      select account_id, ${kind}::hit_kind, word, item_id, not is_own from watching
      on conflict do nothing returning item_id, account_id, word, is_new)
    select item_id as post_id, account_id, word, true as is_added, is_new from written
      union all select item_id, account_id, word, false, false from gone`
}

/** Which of these rows are still there. */
export async function selectStanding<H extends { itemId: number; accountId: string; kind: HitKind; word: string }>(
  sql: Sql,
  hits: readonly H[],
): Promise<H[]> {
  const rows = await sql<{ index: number }[]>`
    select told.index::int - 1 as index
    from unnest(${hits.map(({ accountId }) => accountId)}::uuid[], ${hits.map(({ kind }) => kind)}::text[],
      ${hits.map(({ word }) => word)}::text[], ${hits.map(({ itemId }) => itemId)}::int[])
      with ordinality told (account_id, kind, word, item_id, index)
    join hit on hit.account_id = told.account_id and hit.kind = told.kind::hit_kind and hit.word = told.word and hit.item_id = told.item_id
    order by told.index`
  return rows.map(({ index }) => hits[index] as H)
}

/** Adds hashtags, sorted, to those ever used. */
export async function insertHashtags(sql: Sql, tags: readonly string[]): Promise<void> {
  await sql`insert into hashtag (tag) select unnest(${tags}::text[]) on conflict do nothing`
}

/** The first hashtags that begin with this. */
export async function selectHashtags(sql: Sql, beginning: string, limit: number): Promise<string[]> {
  // Collated by code points, everything with this beginning stands together.
  const rows = await sql<
    { tag: string }[]
  >`select tag from hashtag where tag >= ${beginning} and starts_with(tag, ${beginning}) order by tag limit ${limit}`
  return rows.map(({ tag }) => tag)
}
