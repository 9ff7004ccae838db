// Closed lists of the forums.
import type { ContentModerationStatus } from '../moderation/types.ts'

export type ModerationStatus = ContentModerationStatus

/** Sort orders of lists of forums. */
export const forumSorts = ['create', 'update', 'title', 'event'] as const
export type ForumSort = (typeof forumSorts)[number]
