// The common part of posts of forums and of the microblog, and how the two feeds differ.
import type { Accounts } from '../accounts/accounts.ts'
import type { Tx } from '../core/work/ctx.ts'
import type { Sizes } from '../image/sizes.ts'
import type { ContentModerationStatus, ReportType } from '../moderation/types.ts'
import { reactions, type Reaction } from './types.ts'
import type { FeedName } from '../hits/hits.ts'

/** The columns of both feeds. */
export interface FeedPost {
  id: number
  authorId: string
  text: string
  /** Null for posts of the system that never had a list. */
  images: string[] | null
  imageSizes: Sizes
  moderationStatus: ContentModerationStatus
  createdAt: Date
}

const ofBoth = ['id', 'author_id', 'text', 'images', 'image_sizes', 'moderation_status', 'created_at']

/** Columns of a post, from the alias `post`. */
export const feedColumns = {
  forum: [...ofBoth, 'forum_id', 'is_pinned'].map((name) => `post.${name}`),
  microblog: [...ofBoth, 'reply_group'].map((name) => `post.${name}`),
} as const satisfies Record<FeedName, string[]>

/** With the account that wrote it, which may have been in the name of another. */
export type LockedPost<Row extends FeedPost> = Row & { realAuthorId: string }

/** How many have reacted to a post, by reaction: numbers in the order of `reactions`, with commas, as pages and memory keep them. */
export type ReactionCounts = string
export const noReactions: ReactionCounts = reactions.map(() => 0).join()

/** The marks of a viewer, and of everybody together, on a post. */
export interface PostMarks {
  isBookmarked: boolean
  reaction: Reaction | null
  counts: ReactionCounts
}

/** Of a post that is new. */
export const noMarks: PostMarks = { isBookmarked: false, reaction: null, counts: noReactions }

/** One of the feeds: its services pass themselves to those of this folder. */
export interface Feed<Row extends FeedPost, Data> {
  readonly name: FeedName
  readonly contentType: ReportType & ('forumPost' | 'twarrt')
  /** Moderators read a post of it that is under review where they look at it alone or have changed it; in lists they do not. */
  readonly moderatorsReadHidden: boolean
  /** Locks a post that is there for the viewer, whoever is muted. */
  lock(tx: Tx, postId: number): Promise<LockedPost<Row>>
  /** Locks a post that the viewer may change or delete now. */
  lockChangeable(tx: Tx, postId: number): Promise<LockedPost<Row>>
  /** Deletes a locked post softly. */
  remove(tx: Tx, post: Row): Promise<void>
  data(accounts: Accounts, post: Row, marks: PostMarks): Data
}
