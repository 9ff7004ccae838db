// Finding posts of a feed.
import type { Sql } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Feed, FeedPost } from './feed.ts'
import { selectPostPage, type PostFilter, type PostRange } from './queries.ts'
import { hasMuteword } from './rules.ts'

export type { PostFilter }

/**
 * A part of the posts that match, in the order in which they are counted. Those with the caller's mutewords are left
 * out after counting.
 */
export async function findPosts<Row extends FeedPost, Data>(
  ctx: Ctx,
  feed: Feed<Row, Data>,
  filter: PostFilter,
  range: PostRange,
): Promise<{ total: number; posts: Data[] }> {
  const select = (sql: Sql) => selectPostPage<Row>(sql, feed.name, ctx.viewer, filter, range)
  // Words may stand anywhere.
  const { total, rows } = await (filter.words === undefined ? select(ctx.sql) : ctx.readLong(select))
  const { accounts } = ctx.node
  await accounts.load(new Set(rows.map(({ authorId }) => authorId)))
  return { total, posts: rows.filter(({ text }) => !hasMuteword(ctx.viewer, text)).map((row) => feed.data(accounts, row, row)) }
}
