// SQL that packs the posts of a page into one text: read much faster than rows, and what all viewers get
// the same of a post leaves Postgres as the JSON that they get. Put together once: it is the same for all.
import type { FeedName } from '../hits/hits.ts'

/** How many have reacted to the row of the alias `post`, given the table of marks. */
export const likeCountText = (marks: string): string =>
  `(select count(*)::int from ${marks} every where every.post_id = post.id and every.reaction is not null)`

const ofBoth = `',"createdAt":"' || to_char(post.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","text":' || to_json(post.text) || coalesce(',"images":' || to_json(post.images), '')`

const contents = {
  forum: `'{"postID":' || post.id || ${ofBoth} || ',"isPinned":' || post.is_pinned`,
  microblog: `'{"twarrtID":' || post.id || ${ofBoth} || coalesce(',"replyGroupID":' || post.reply_group, '')`,
} as const satisfies Record<FeedName, string>

/** A `PackedContent`, from the alias `post`. */
const packedContent = (feed: FeedName): string =>
  `post.moderation_status in ('quarantined', 'autoQuarantined'), post.author_id, ${contents[feed]}`

/** The lines of `PackedContent`s, from the alias `post`. */
export const packedContents = (feed: FeedName): string => `string_agg(concat_ws(' ', post.id, post.xmin, ${packedContent(feed)}), E'\\n')`

/** `PackedPosts`, from the aliases `post` and `mark`, which is how the viewer stands to it. `withContent` is a condition. */
export const packedPosts = (feed: FeedName, marks: string, order: 'asc' | 'desc', withContent: string): string => `
  string_agg(concat_ws(' ', post.id, post.xmin, ${likeCountText(marks)}, mark.is_bookmarked is true, coalesce(mark.reaction::text, '-'),
    case when ${withContent} then concat_ws(' ', ${packedContent(feed)}) end), E'\\n' order by post.id ${order})`
