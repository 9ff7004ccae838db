// Rows of forums, and their columns.
import type { UserAccessLevel, UserRoleType } from '../core/base/viewer.ts'
import { feedColumns, type FeedPost } from '../post/feed.ts'
import type { ModerationStatus } from './types.ts'

export interface CategoryRow {
  id: string
  title: string
  purpose: string
  isEvent: boolean
  viewLevel: UserAccessLevel
  createLevel: UserAccessLevel
  requiredRole: UserRoleType | null
  forumCount: number
}

/** Of a CategoryRow. */
export const categoryColumns = ['id', 'title', 'purpose', 'is_event', 'view_level', 'create_level', 'required_role', 'forum_count'].map(
  (name) => `category.${name}`,
)

export interface ForumRow {
  id: string
  categoryId: string
  creatorId: string
  title: string
  moderationStatus: ModerationStatus
  isPinned: boolean
  createdAt: Date
  /** Between two posts of a person; 0 without slow mode. */
  slowSeconds: number
}

/** Of a ForumRow. */
export const forumColumns = [
  'id',
  'category_id',
  'creator_id',
  'title',
  'moderation_status',
  'is_pinned',
  'created_at',
  'slow_seconds',
].map((name) => `forum.${name}`)

export interface PostRow extends FeedPost {
  forumId: string
  isPinned: boolean
}

/** Of a PostRow. */
export const postColumns = feedColumns.forum
