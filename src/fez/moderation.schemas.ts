// The wire forms of chats for moderators.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, OneOf, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { moderatedFields } from '../moderation/schemas.ts'
import { FezData, FezPostData } from './schemas.ts'
import { fezTypes } from './types.ts'

/** A chat as it was before a change; `author` made the change. */
export type FezEditLogData = Static<typeof FezEditLogData>
export const FezEditLogData = Dto('FezEditLogData', {
  fezID: Uuid,
  editID: Uuid,
  createdAt: DateTime,
  author: UserHeader,
  title: Type.String(),
  info: Type.String(),
  location: Type.String(),
})

/** A chat with nothing hidden, without members. */
export type FezModerationData = Static<typeof FezModerationData>
export const FezModerationData = Dto('FezModerationData', {
  fez: FezData,
  isDeleted: Type.Boolean(),
  edits: Type.Array(FezEditLogData),
  ...moderatedFields,
})

/** A post of a chat with nothing hidden. */
export type FezPostModerationData = Static<typeof FezPostModerationData>
export const FezPostModerationData = Dto('FezPostModerationData', {
  fezPost: FezPostData,
  fezID: Uuid,
  fezType: OneOf(fezTypes),
  fezTitle: Type.String(),
  isDeleted: Type.Boolean(),
  ...moderatedFields,
})
