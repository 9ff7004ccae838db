// Statements about how accounts stand to forums: what they have read, favorites and mutes.
import type { Sql } from '../core/db/db.ts'

/** Moves a read position forward, never back; returns false when it is there already. */
export async function raiseReadPosition(sql: Sql, accountId: string, forumId: string, postId: number, now: Date): Promise<boolean> {
  const result = await sql`
    insert into forum_reader (account_id, forum_id, read_post_id, created_at, updated_at)
      values (${accountId}, ${forumId}, ${postId}, ${now}, ${now})
    on conflict (account_id, forum_id) do update set read_post_id = excluded.read_post_id, updated_at = excluded.updated_at
      where forum_reader.read_post_id < excluded.read_post_id`
  return result.count > 0
}

/** The newest post of a forum that the viewer can see, 0 when there is none. */
export async function selectNewestVisible(sql: Sql, accountId: string, forumId: string): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    with hidden as materialized (select hidden_authors(${accountId}) as authors)
    select coalesce((
      select post.id from forum_post post where post.forum_id = ${forumId} and post.deleted_at is null
        and post.author_id <> all (hidden.authors)
      order by post.id desc limit 1), 0) as id from hidden`
  return row.id
}

/** How an account stands to a forum; locked until the transaction ends. */
export async function lockReader(
  sql: Sql,
  accountId: string,
  forumId: string,
  now: Date,
): Promise<{ isFavorite: boolean; isMuted: boolean }> {
  await sql`
    insert into forum_reader (account_id, forum_id, created_at, updated_at) values (${accountId}, ${forumId}, ${now}, ${now})
      on conflict do nothing`
  const [row] = await sql<[{ isFavorite: boolean; isMuted: boolean }]>`
    select is_favorite, is_muted from forum_reader where account_id = ${accountId} and forum_id = ${forumId} for update`
  return row
}

export type ReaderFlag = 'isFavorite' | 'isMuted'

/** Returns false when it was like that already. */
export async function updateReaderFlag(
  sql: Sql,
  accountId: string,
  forumId: string,
  flag: ReaderFlag,
  value: boolean,
  now: Date,
): Promise<boolean> {
  const column = sql(flag === 'isFavorite' ? 'is_favorite' : 'is_muted')
  const result = await sql`
    update forum_reader set ${column} = ${value}, updated_at = ${now}
    where account_id = ${accountId} and forum_id = ${forumId} and ${column} <> ${value}`
  return result.count > 0
}
