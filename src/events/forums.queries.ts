// Statements about the forums of events. Posts by the server do not move a forum up: the time of its last post stays.
import type { Sql } from '../core/db/db.ts'
import { lowerCased } from '../text/words.ts'

/** Categories for the forums of events, by the beginnings of their titles. */
export async function selectEventCategories(sql: Sql): Promise<{ id: string; title: string }[]> {
  return await sql<
    { id: string; title: string }[]
  >`select id, title from forum_category where title ilike 'event%' or title ilike 'shadow%' order by title, id`
}

export interface NewForum {
  id: string
  categoryId: string
  title: string
}

export interface NewSystemPost {
  forumId: string
  text: string
}

const listedPosts = (sql: Sql, posts: readonly NewSystemPost[]) => sql`
  unnest(${posts.map(({ forumId }) => forumId)}::uuid[], ${posts.map(({ text }) => text)}::text[]) with ordinality
    as listed (forum_id, text, position)`

/** Writes forums with their posts, in the order given. */
export async function insertEventForums(
  sql: Sql,
  forums: readonly NewForum[],
  posts: readonly NewSystemPost[],
  authorId: string,
  now: Date,
): Promise<void> {
  await sql`
    with said as (
      insert into forum_post (forum_id, author_id, real_author_id, text, created_at)
      select forum_id, ${authorId}::uuid, ${authorId}::uuid, text, ${now}::timestamptz from ${listedPosts(sql, posts)} order by position
      returning forum_id, id)
    insert into forum (id, category_id, creator_id, title, title_key, search, post_count, last_post_id, last_post_time, created_at)
    select given.id, given.category_id, ${authorId}, given.title, given.title_key, to_tsvector('english', given.title), count(*),
      max(said.id), ${now}, ${now}
    from unnest(${forums.map(({ id }) => id)}::uuid[], ${forums.map(({ categoryId }) => categoryId)}::uuid[],
      ${forums.map(({ title }) => title)}::text[], ${forums.map(({ title }) => lowerCased(title))}::text[])
      as given (id, category_id, title, title_key)
    join said on said.forum_id = given.id
    group by given.id, given.category_id, given.title, given.title_key`
}

/** Locks forums, deleted ones too. */
export async function lockForums(sql: Sql, forumIds: readonly string[]): Promise<void> {
  await sql`select from forum where id = any (${forumIds}::uuid[]) order by id for no key update`
}

/** Brings deleted forums back, with the posts that were deleted with them. */
export async function restoreForums(sql: Sql, forumIds: readonly string[]): Promise<void> {
  await sql`
    with gone as (select id, deleted_at from forum where id = any (${forumIds}::uuid[]) and deleted_at is not null),
    posts as (
      update forum_post set deleted_at = null from gone where forum_post.forum_id = gone.id and forum_post.deleted_at = gone.deleted_at
      returning forum_post.forum_id)
    update forum set deleted_at = null, post_count = (select count(*) from posts where posts.forum_id = forum.id)
      -- Which are not among these: a statement does not see what it changes.
      + (select count(*) from forum_post where forum_post.forum_id = forum.id and forum_post.deleted_at is null)
    from gone where forum.id = gone.id`
}

/**
 * Deletes those of the locked forums in which only the server has written: all of its posts have the time of an update. They
 * come back as `restoreForums` brings them.
 */
export async function softDeleteUnwrittenForums(sql: Sql, forumIds: readonly string[], now: Date): Promise<void> {
  await sql`
    with unwritten as (
      select id from forum where id = any (${forumIds}::uuid[]) and deleted_at is null
        and not exists (
          select from forum_post post where post.forum_id = forum.id and post.deleted_at is null
            and not exists (select from schedule_log entry where entry.created_at = post.created_at))),
    posts as (
      update forum_post set deleted_at = ${now} from unwritten where forum_post.forum_id = unwritten.id and forum_post.deleted_at is null)
    update forum set deleted_at = ${now}, post_count = 0 from unwritten where forum.id = unwritten.id`
}

/** Writes titles, and the texts of first posts. */
export async function updateEventForums(
  sql: Sql,
  forums: readonly { forumId: string; title: string; description: string }[],
): Promise<void> {
  await sql`
    with given as (
      select * from unnest(${forums.map(({ forumId }) => forumId)}::uuid[], ${forums.map(({ title }) => title)}::text[],
        ${forums.map(({ title }) => lowerCased(title))}::text[],
        ${forums.map(({ description }) => description)}::text[]) as given (forum_id, title, title_key, description)),
    named as (
      update forum set title = given.title, title_key = given.title_key, search = to_tsvector('english', given.title)
      from given where forum.id = given.forum_id)
    update forum_post set text = given.description from given
    where forum_post.id = (select min(first.id) from forum_post first where first.forum_id = given.forum_id)`
}

/** Adds posts to forums that are there and locked. */
export async function insertSystemPosts(sql: Sql, posts: readonly NewSystemPost[], authorId: string, now: Date): Promise<void> {
  await sql`
    with said as (
      insert into forum_post (forum_id, author_id, real_author_id, text, created_at)
      select listed.forum_id, ${authorId}::uuid, ${authorId}::uuid, listed.text, ${now}::timestamptz from ${listedPosts(sql, posts)}
      join forum on forum.id = listed.forum_id and forum.deleted_at is null
      order by listed.position returning forum_id, id),
    counted as (select forum_id, count(*) as posts, max(id) as last_id from said group by forum_id)
    update forum set post_count = post_count + counted.posts, last_post_id = counted.last_id from counted where forum.id = counted.forum_id`
}

/** Locks all categories: the number of their forums stays until the transaction ends. */
export async function lockCategories(sql: Sql): Promise<void> {
  await sql`select from forum_category order by id for no key update`
}

/** Counts the forums of locked categories again. */
export async function recountForums(sql: Sql): Promise<void> {
  await sql`
    update forum_category set forum_count = counted.forums
    from (
      select category.id, count(forum.id)::int as forums from forum_category category
      left join forum on forum.category_id = category.id and forum.deleted_at is null group by category.id) counted
    where forum_category.id = counted.id and forum_count <> counted.forums`
}
