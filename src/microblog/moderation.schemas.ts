// The wire form of a post of the microblog for moderators.
import { Dto, Type, type Static } from '../core/schema/schema.ts'
import { moderatedFields } from '../moderation/schemas.ts'
import { PostEditLogData } from '../post/moderation.schemas.ts'
import { MicroblogPostData } from './schemas.ts'

/** A post of the microblog with nothing hidden. */
export type TwarrtModerationData = Static<typeof TwarrtModerationData>
export const TwarrtModerationData = Dto('TwarrtModerationData', {
  twarrt: MicroblogPostData,
  isDeleted: Type.Boolean(),
  edits: Type.Array(PostEditLogData),
  ...moderatedFields,
})
