// The wire form of earlier texts of a post, for moderators.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** A post as it was before a change; `author` made the change. */
export type PostEditLogData = Static<typeof PostEditLogData>
export const PostEditLogData = Dto('PostEditLogData', {
  postID: Int,
  editID: Uuid,
  createdAt: DateTime,
  author: UserHeader,
  text: Type.String(),
  images: Type.Optional(Type.Array(Type.String())),
})
