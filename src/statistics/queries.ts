// How many rows there are of what, deleted ones too.
import type { Fragment, Sql } from '../core/db/db.ts'

/** In the order that clients know. New ones only at the end. */
const counts = (sql: Sql): Fragment[] => {
  const rows = (from: Fragment) => sql`(select count(*) from ${from})`
  const ofTypes = (from: Fragment, types: readonly string[]) =>
    sql`(select coalesce(sum(count), 0) from ${from} where fez_type = any (${types}::fez_type[]))`
  const lfgs = ['activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore']
  const threads = ['closed', 'open']
  return [
    rows(sql`account`),
    rows(sql`profile_edit`),
    rows(sql`note`),
    rows(sql`alertword`),
    rows(sql`muteword`),
    rows(sql`stream_photo`),
    ofTypes(sql`chats`, lfgs),
    ofTypes(sql`members`, lfgs),
    ofTypes(sql`chat_posts`, lfgs),
    ofTypes(sql`chats`, threads),
    ofTypes(sql`chat_posts`, threads),
    ofTypes(sql`chats`, ['privateEvent']),
    ofTypes(sql`chats`, ['personalEvent']),
    rows(sql`forum`),
    rows(sql`forum_post`),
    rows(sql`forum_post_edit`),
    sql`(select reactions from marks)`,
    rows(sql`karaoke_performance`),
    rows(sql`mk_snippet`),
    rows(sql`favorite`),
    rows(sql`event_follower`),
    rows(sql`forum_reader where is_favorite`),
    sql`(select bookmarks from marks)`,
    rows(sql`boardgame_favorite`),
    rows(sql`karaoke_favorite`),
    rows(sql`report`),
    rows(sql`moderator_action`),
    rows(sql`quartermaster_item`),
    rows(sql`quartermaster_edit`),
  ]
}

/** One statement, which reads each table once: a large place has millions of rows, and others need connections, too. */
export async function countRows(sql: Sql): Promise<number[]> {
  const all = counts(sql).reduce((list, count) => sql`${list}, ${count}`)
  const [row] = await sql<[{ counts: number[] }]>`
    with chats as (select fez_type, count(*) from fez group by fez_type),
      members as (select fez_type, count(*) from fez_member join fez on fez.id = fez_member.fez_id where left_at is null group by fez_type),
      chat_posts as (select fez_type, count(*) from fez_post join fez on fez.id = fez_post.fez_id group by fez_type),
      marks as (select count(reaction) as reactions, count(*) filter (where is_bookmarked) as bookmarks from forum_post_mark)
    select array[${all}]::int[] as counts`
  return row.counts
}
