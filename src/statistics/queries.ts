// How many rows there are of what, deleted ones too.
import type { Sql } from '../core/db/db.ts'

/** In the order that clients know. New ones only at the end. */
const tables = (sql: Sql) => {
  const chats = (types: readonly string[]) => sql`fez where fez_type = any (${types}::fez_type[])`
  const postsOf = (types: readonly string[]) =>
    sql`fez_post join fez on fez.id = fez_post.fez_id where fez_type = any (${types}::fez_type[])`
  const lfgs = ['activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore']
  const threads = ['closed', 'open']
  return [
    sql`account`,
    sql`profile_edit`,
    sql`note`,
    sql`alertword`,
    sql`muteword`,
    sql`stream_photo`,
    chats(lfgs),
    sql`fez_member join fez on fez.id = fez_member.fez_id where left_at is null and fez_type = any (${lfgs}::fez_type[])`,
    postsOf(lfgs),
    chats(threads),
    postsOf(threads),
    chats(['privateEvent']),
    chats(['personalEvent']),
    sql`forum`,
    sql`forum_post`,
    sql`forum_post_edit`,
    sql`forum_post_mark where reaction is not null`,
    sql`karaoke_performance`,
    sql`mk_snippet`,
    sql`favorite`,
    sql`event_follower`,
    sql`forum_reader where is_favorite`,
    sql`forum_post_mark where is_bookmarked`,
    sql`boardgame_favorite`,
    sql`karaoke_favorite`,
    sql`report`,
    sql`moderator_action`,
    sql`quartermaster_item`,
    sql`quartermaster_edit`,
  ]
}

export async function countRows(sql: Sql): Promise<number[]> {
  const counts = await Promise.all(tables(sql).map((from) => sql<[{ count: number }]>`select count(*)::int from ${from}`))
  return counts.map(([{ count }]) => count)
}
