// The visible part of a post, whichever feed it is in. Pure.
import type { Accounts } from '../accounts/accounts.ts'
import type { UserHeader } from '../accounts/schemas.ts'
import { isModerator, type Viewer } from '../core/base/viewer.ts'
import type { ImageSizeData } from '../image/schemas.ts'
import { shownSizes } from '../image/sizes.ts'
import { isHidden } from '../moderation/types.ts'
import { noMarks, noReactions, type FeedPost, type PostMarks } from './feed.ts'
import type { ReactionCountsData } from './schemas.ts'
import { reactions, type Reaction } from './types.ts'

/** The text shown in place of one that is under review. */
export const underReview = (what: string): string => `This ${what} is under moderator review.`

/** The part of a post that is the same for everybody, without its author; with a text of ours while it is under review. */
export function shownContent(post: FeedPost): { createdAt: Date; text: string; images?: string[]; imageSizes?: ImageSizeData[] } {
  const masked = isHidden(post.moderationStatus)
  return {
    createdAt: post.createdAt,
    text: masked ? underReview('post') : post.text,
    ...(post.images && !masked ? { images: post.images, ...shownSizes(post.images, post.imageSizes) } : {}),
  }
}

/** A post as it is for a moderator who reads what is under review. */
export const asReadBy = <Row extends FeedPost>(viewer: Viewer, post: Row): Row =>
  isModerator(viewer) ? { ...post, moderationStatus: 'normal' } : post

/** The viewer's marks on a post. */
export const shownMarks = ({
  isBookmarked,
  reaction,
}: Pick<PostMarks, 'isBookmarked' | 'reaction'>): { isBookmarked: boolean; userLike?: Reaction } => ({
  isBookmarked,
  ...(reaction ? { userLike: reaction } : {}),
})

/** How many have reacted in all; by reaction where there are any: an addition that apps may leave unread. */
function withLikes(marks: PostMarks) {
  if (marks.counts === noReactions) return { ...shownMarks(marks), likeCount: 0 }
  const counts = marks.counts.split(',').map(Number)
  return {
    ...shownMarks(marks),
    likeCount: counts.reduce((sum, count) => sum + count, 0),
    reactionCounts: Object.fromEntries(reactions.map((each, index) => [each, counts[index]])) as ReactionCountsData,
  }
}

/** A post with this content, as one viewer gets it. */
export type ShownPost<Content extends object> = Content & { author: UserHeader } & ReturnType<typeof withLikes>

/** A post as one viewer gets it. `content` is the same for everybody; its author is loaded. */
export function shownFor<Content extends object>(
  accounts: Accounts,
  content: Content,
  authorId: string,
  marks: PostMarks,
): ShownPost<Content> {
  return { ...content, author: accounts.get(authorId).header, ...withLikes(marks) }
}

/** Marks of most posts, as they end the JSON of a post. */
const unmarked = JSON.stringify(withLikes(noMarks)).slice(1)

/** The same as text, from the JSON of the content. */
export function shownForJson(accounts: Accounts, content: string, authorId: string, marks: PostMarks): string {
  const isUnmarked = marks.counts === noReactions && !marks.isBookmarked && marks.reaction === null
  const ending = isUnmarked ? unmarked : JSON.stringify(withLikes(marks)).slice(1)
  return `${content.slice(0, -1)},"author":${accounts.get(authorId).headerJson},${ending}`
}

/** Users who reacted to a post, by reaction. */
export interface Reactors {
  laughs: string[]
  likes: string[]
  loves: string[]
}

/** The same with the headers of users, by name: when each has reacted is not kept. */
export function shownReactors(
  accounts: Accounts,
  { laughs, likes, loves }: Reactors,
): { laughs: UserHeader[]; likes: UserHeader[]; loves: UserHeader[] } {
  const headers = (ids: readonly string[]) =>
    ids.map((id) => accounts.get(id).header).toSorted((one, other) => one.username.localeCompare(other.username))
  return { laughs: headers(laughs), likes: headers(likes), loves: headers(loves) }
}
