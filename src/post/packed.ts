// SQL that packs posts into one text, which is read much faster than rows. Put together once: it is the same for all.
import postgres from 'postgres'
import { feedColumns } from './feed.ts'
import type { FeedName } from './types.ts'

/** How many have reacted to the row of the alias `post`, given the table of marks. */
export const likeCountText = (marks: string): string => `(select count(*)::int from ${marks} every where every.post_id = post.id and every.reaction is not null)`

/** Columns of a PackedRow, from the alias `post`. */
export function packedColumns(feed: FeedName): string {
  const valueOf = (column: string) => (column === 'post.created_at' ? `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column)
  const all = feedColumns[feed].filter((column) => column !== 'post.forum_id')
  return [...all.map((column) => `${valueOf(column)} as "${postgres.toCamel(column.slice('post.'.length))}"`), 'post.xmin::text as version'].join(', ')
}

/** The marks of PackedPosts; of rows with the aliases `post` and `mark`, which is how the viewer stands to it. */
export const packedMarks = (marks: string, order: 'asc' | 'desc'): string =>
  `string_agg(concat_ws(' ', post.id, post.xmin, ${likeCountText(marks)}, mark.is_bookmarked is true, mark.reaction), ',' order by post.id ${order})`

/** A statement for the rows of PackedPosts; `from` has the aliases `post` and `mark`. */
export const packedRows = (feed: FeedName, marks: string, from: string): string => `
  select json_agg(row)::text from (
    select ${packedColumns(feed)}, ${likeCountText(marks)} as "likeCount", mark.is_bookmarked is true as "isBookmarked", mark.reaction
    from ${from} order by post.id) row`
