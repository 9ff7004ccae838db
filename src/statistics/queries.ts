// How many rows there are of what, deleted ones too.
import type { Fragment, Sql } from '../core/db/db.ts'

/**
 * Numbers in the order that clients know; new ones only at the end. Few statements, each of which reads a table once: a large
 * place has millions of rows, and others need connections, too.
 */
export async function countRows(sql: Sql): Promise<number[]> {
  return (await Promise.all([countOfPeople(sql), countOfChats(sql), countOfRest(sql)])).flat()
}

const rows = (sql: Sql, from: Fragment) => sql`(select count(*) from ${from})`

function countOfPeople(sql: Sql): Promise<number[]> {
  return numbers(sql, sql``, [
    rows(sql, sql`account`),
    rows(sql, sql`profile_edit`),
    rows(sql, sql`note`),
    rows(sql, sql`alertword`),
    rows(sql, sql`muteword`),
    rows(sql, sql`stream_photo`),
  ])
}

function countOfChats(sql: Sql): Promise<number[]> {
  const of = (from: Fragment, ...types: string[]) =>
    sql`(select coalesce(sum(count), 0) from ${from} where fez_type = any (${types}::fez_type[]))`
  const [chats, members, posts] = [sql`chats`, sql`members`, sql`posts`]
  const lfgs = ['activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore']
  const threads = ['closed', 'open']
  return numbers(
    sql,
    sql`with chats as (select fez_type, count(*) from fez group by fez_type),
      members as (select fez_type, count(*) from fez_member join fez on fez.id = fez_member.fez_id where left_at is null group by fez_type),
      posts as (select fez_type, count(*) from fez_post join fez on fez.id = fez_post.fez_id group by fez_type)`,
    [
      of(chats, ...lfgs),
      of(members, ...lfgs),
      of(posts, ...lfgs),
      of(chats, ...threads),
      of(posts, ...threads),
      of(chats, 'privateEvent'),
      of(chats, 'personalEvent'),
    ],
  )
}

function countOfRest(sql: Sql): Promise<number[]> {
  return numbers(
    sql,
    sql`with marks as (select count(reaction) as reactions, count(*) filter (where is_bookmarked) as bookmarks from forum_post_mark)`,
    [
      rows(sql, sql`forum`),
      rows(sql, sql`forum_post`),
      rows(sql, sql`forum_post_edit`),
      sql`(select reactions from marks)`,
      rows(sql, sql`karaoke_performance`),
      rows(sql, sql`mk_snippet`),
      rows(sql, sql`favorite`),
      rows(sql, sql`event_follower`),
      rows(sql, sql`forum_reader where is_favorite`),
      sql`(select bookmarks from marks)`,
      rows(sql, sql`boardgame_favorite`),
      rows(sql, sql`karaoke_favorite`),
      rows(sql, sql`report`),
      rows(sql, sql`moderator_action`),
      rows(sql, sql`quartermaster_item`),
      rows(sql, sql`quartermaster_edit`),
    ],
  )
}

/** Several numbers in one statement, which begins with `parts` that they name. */
async function numbers(sql: Sql, parts: Fragment, each: readonly Fragment[]): Promise<number[]> {
  const list = each.reduce((all, one) => sql`${all}, ${one}`)
  const [row] = await sql<[{ counts: number[] }]>`${parts} select array[${list}]::int[] as counts`
  return row.counts
}
