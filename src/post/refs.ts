// The posts of a page as one short text: read much faster than rows, and a name of the page as it is now.
import type { PostMarks } from './feed.ts'
import { reactions, type Reaction } from './types.ts'

/** A line each; of it, divided by spaces, id, version, numbers of reactions, bookmark and own reaction. Null when there are none. */
export type PageRefs = string | null

/** A post as one viewer's page needs it: the rest is the same for everybody, and may be in memory. */
export interface PostRef extends PostMarks {
  id: number
  /** The id of the transaction that wrote the row last: another one after every change. */
  version: string
}

const countsOf = reactions.map((each) => `count(*) filter (where reaction = '${each}')`).join(', ')

/** SQL of `ReactionCounts`, over rows of a table of marks. */
export const countsText = `concat_ws(',', ${countsOf})`

/** How many have reacted, and how, to the row of the alias `post`, given the table of marks. */
export const countsInText = (marks: string): string =>
  `(select ${countsText} from ${marks} every where every.post_id = post.id and every.reaction is not null)`

/** SQL that makes `PageRefs` of the aliases `post` and `mark`, which are the viewer's marks. */
export const pageRefs = (marks: string, order: 'asc' | 'desc'): string => `
  string_agg(concat_ws(' ', post.id, post.xmin, ${countsInText(marks)}, mark.is_bookmarked is true, coalesce(mark.reaction::text, '-')),
    E'\\n' order by post.id ${order})`

export function readRefs(refs: string): PostRef[] {
  return refs.split('\n').map((line) => {
    const [id, version, counts, isBookmarked, reaction] = line.split(' ') as [string, string, string, 't' | 'f', Reaction | '-']
    return {
      id: Number(id),
      version,
      counts,
      isBookmarked: isBookmarked === 't',
      reaction: reaction === '-' ? null : reaction,
    }
  })
}

/** A line of it, as `pageRefs` makes it. */
export const writeRef = ({ id, version, counts, isBookmarked, reaction }: PostRef): string =>
  `${id} ${version} ${counts} ${isBookmarked ? 't' : 'f'} ${reaction ?? '-'}`

/** All lines of a page. */
export const joinRefs = (lines: readonly string[]): PageRefs => (lines.length === 0 ? null : lines.join('\n'))
