// The wire forms of forums and their posts for moderators.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { moderatedFields } from '../moderation/schemas.ts'
import { PostEditLogData } from '../post/moderation.schemas.ts'
import { PostDetailData } from './schemas.ts'

/** A forum as it was before a change; `author` made the change. */
export type ForumEditLogData = Static<typeof ForumEditLogData>
export const ForumEditLogData = Dto('ForumEditLogData', {
  forumID: Uuid,
  editID: Uuid,
  createdAt: DateTime,
  author: UserHeader,
  title: Type.String(),
  /** Where it was before it was moved; absent for other changes. */
  categoryID: Type.Optional(Uuid),
})

/** A forum with its real title, without posts. */
export type ForumModerationData = Static<typeof ForumModerationData>
export const ForumModerationData = Dto('ForumModerationData', {
  forumID: Uuid,
  categoryID: Uuid,
  creator: UserHeader,
  title: Type.String(),
  createdAt: DateTime,
  isDeleted: Type.Boolean(),
  /** Slow mode: between two posts of a person; 0 without it. */
  slowModeSeconds: Type.Optional(Int),
  edits: Type.Array(ForumEditLogData),
  ...moderatedFields,
})

/** A post of a forum with nothing hidden. */
export type ForumPostModerationData = Static<typeof ForumPostModerationData>
export const ForumPostModerationData = Dto('ForumPostModerationData', {
  forumPost: PostDetailData,
  isDeleted: Type.Boolean(),
  edits: Type.Array(PostEditLogData),
  ...moderatedFields,
})
