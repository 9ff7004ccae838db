// What a post shows of itself, whichever feed it is in. Pure.
import type { Accounts } from '../accounts/accounts.ts'
import type { UserHeader } from '../accounts/schemas.ts'
import { isHidden } from '../moderation/types.ts'
import type { FeedPost, PostMarks } from './feed.ts'
import type { Reaction } from './types.ts'

/** What is shown in place of a text that moderators have to look at. */
export const underReview = (what: string): string => `This ${what} is under moderator review.`

interface ShownPost {
  createdAt: Date
  author: UserHeader
  text: string
  images?: string[]
  isBookmarked: boolean
  userLike?: Reaction
}

/** A post without the count of its reactions; with a text of ours while it is under review. */
export function shownPost(
  accounts: Accounts,
  post: FeedPost,
  { isBookmarked, reaction }: Pick<PostMarks, 'isBookmarked' | 'reaction'>,
): ShownPost {
  const masked = isHidden(post.moderationStatus)
  return {
    createdAt: post.createdAt,
    author: accounts.get(post.authorId).header,
    text: masked ? underReview('post') : post.text,
    ...(post.images && !masked ? { images: post.images } : {}),
    isBookmarked,
    ...(reaction ? { userLike: reaction } : {}),
  }
}

/** Who has reacted to a post, by reaction. */
export interface Reactors {
  laughs: string[]
  likes: string[]
  loves: string[]
}

/** The same with the headers of users. */
export function shownReactors(
  accounts: Accounts,
  { laughs, likes, loves }: Reactors,
): { laughs: UserHeader[]; likes: UserHeader[]; loves: UserHeader[] } {
  const headers = (ids: readonly string[]) => ids.map((id) => accounts.get(id).header)
  return { laughs: headers(laughs), likes: headers(likes), loves: headers(loves) }
}
