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

/** Messages that a member of a chat has picked for the moderators: as they were then. */
export type ReportExcerptData = Static<typeof ReportExcerptData>
export const ReportExcerptData = Dto('ReportExcerptData', {
  reportID: Uuid,
  title: Type.String(),
  members: Type.Array(UserHeader),
  posts: Type.Array(FezPostData),
})

/** A post of a chat with nothing hidden. */
export type FezPostModerationData = Static<typeof FezPostModerationData>
export const FezPostModerationData = Dto('FezPostModerationData', {
  fezPost: FezPostData,
  fezID: Uuid,
  fezType: OneOf(fezTypes),
  fezTitle: Type.String(),
  isDeleted: Type.Boolean(),
  /** What members have handed over with their reports, newest first. Absent when nobody has. */
  excerpts: Type.Optional(Type.Array(ReportExcerptData)),
  ...moderatedFields,
})
