// Rows of the microblog.
import type { FeedPost } from '../post/feed.ts'

export interface PostRow extends FeedPost {
  /** The post that began the group of answers; null as long as nobody has answered. */
  replyGroup: number | null
}
