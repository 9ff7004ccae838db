// The posts of a page as one short text: read much faster than rows, and a name of the page as it is now.
import type { PostMarks } from './feed.ts'
import type { Reaction } from './types.ts'

/** A line each; of it, divided by spaces, id, version, number of reactions, bookmark and own reaction. Null when there are none. */
export type PageRefs = string | null

/** A post as one viewer's page needs it: the rest is the same for everybody, and may be in memory. */
export interface PostRef extends PostMarks {
  id: number
  /** The id of the transaction that wrote the row last: another one after every change. */
  version: string
}

/** How many have reacted to the row of the alias `post`, given the table of marks. */
export const likeCountText = (marks: string): string =>
  `(select count(*)::int from ${marks} every where every.post_id = post.id and every.reaction is not null)`

/** SQL that makes `PageRefs` of the aliases `post` and `mark`, which are the viewer's marks. */
export const pageRefs = (marks: string, order: 'asc' | 'desc'): string => `
  string_agg(concat_ws(' ', post.id, post.xmin, ${likeCountText(marks)}, mark.is_bookmarked is true, coalesce(mark.reaction::text, '-')),
    E'\\n' order by post.id ${order})`

export function readRefs(refs: string): PostRef[] {
  return refs.split('\n').map((line) => {
    const [id, version, likeCount, isBookmarked, reaction] = line.split(' ') as [string, string, string, 't' | 'f', Reaction | '-']
    return {
      id: Number(id),
      version,
      likeCount: Number(likeCount),
      isBookmarked: isBookmarked === 't',
      reaction: reaction === '-' ? null : reaction,
    }
  })
}

/** A line of it, as `pageRefs` makes it. */
export const writeRef = ({ id, version, likeCount, isBookmarked, reaction }: PostRef): string =>
  `${id} ${version} ${likeCount} ${isBookmarked ? 't' : 'f'} ${reaction ?? '-'}`

/** All lines of a page. */
export const joinRefs = (lines: readonly string[]): PageRefs => (lines.length === 0 ? null : lines.join('\n'))
