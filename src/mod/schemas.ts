// The wire forms of /mod.
import { UserHeader } from '../core/accounts.ts'
import { Paginator } from '../core/http/paging.ts'
import { DateTime, Dto, Int, OneOf, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/viewer.ts'
import { FezData, FezPostData } from '../fez/schemas.ts'
import { fezTypes } from '../fez/types.ts'
import { PostDetailData } from '../forum/schemas.ts'
import { MicroblogPostData } from '../microblog/schemas.ts'
import { UserProfileUploadData } from '../users/schemas.ts'
import { moderationStatuses, moderatorActionTypes, reportTypes } from './types.ts'

/** A report as moderators see it. */
export type ReportModerationData = Static<typeof ReportModerationData>
export const ReportModerationData = Dto('ReportModerationData', {
  id: Uuid,
  type: OneOf(reportTypes),
  /** Id of the reported content, as text. */
  reportedID: Type.String(),
  /** Owner of the content. */
  reportedUser: UserHeader,
  submitterMessage: Type.Optional(Type.String()),
  /** Primary account of the reporter. */
  author: UserHeader,
  /** The moderator who took it. */
  handledBy: Type.Optional(UserHeader),
  isClosed: Type.Boolean(),
  creationTime: DateTime,
  updateTime: DateTime,
})

/** A person as moderators see it. */
export type UserModerationData = Static<typeof UserModerationData>
export const UserModerationData = Dto('UserModerationData', {
  /** The primary account. */
  header: UserHeader,
  subAccounts: Type.Array(UserHeader),
  /** Of the primary account. */
  accessLevel: OneOf(accessLevels),
  /** Only while it lasts. */
  tempQuarantineEndTime: Type.Optional(DateTime),
  /** On content and profile of any of the accounts, newest first. */
  reports: Type.Array(ReportModerationData),
})

/** What a moderator did with what somebody else owns. */
export type ModeratorActionLogData = Static<typeof ModeratorActionLogData>
export const ModeratorActionLogData = Dto('ModeratorActionLogData', {
  id: Uuid,
  actionType: OneOf(moderatorActionTypes),
  contentType: OneOf(reportTypes),
  contentID: Type.String(),
  timestamp: DateTime,
  moderator: UserHeader,
  /** Owner of the content. */
  targetUser: UserHeader,
})

export type ModeratorActionLogResponseData = Static<typeof ModeratorActionLogResponseData>
export const ModeratorActionLogResponseData = Dto('ModeratorActionLogResponseData', {
  actions: Type.Array(ModeratorActionLogData),
  paginator: Paginator,
})

/** What all content has for moderators. */
const judged = { moderationStatus: OneOf(moderationStatuses), reports: Type.Array(ReportModerationData) }

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
  ...judged,
})

/** A post of a chat with nothing hidden. */
export type FezPostModerationData = Static<typeof FezPostModerationData>
export const FezPostModerationData = Dto('FezPostModerationData', {
  fezPost: FezPostData,
  fezID: Uuid,
  fezType: OneOf(fezTypes),
  isDeleted: Type.Boolean(),
  ...judged,
})

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
  edits: Type.Array(ForumEditLogData),
  ...judged,
})

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

/** A post of a forum with nothing hidden. */
export type ForumPostModerationData = Static<typeof ForumPostModerationData>
export const ForumPostModerationData = Dto('ForumPostModerationData', {
  forumPost: PostDetailData,
  isDeleted: Type.Boolean(),
  edits: Type.Array(PostEditLogData),
  ...judged,
})

/** A post of the microblog with nothing hidden. */
export type TwarrtModerationData = Static<typeof TwarrtModerationData>
export const TwarrtModerationData = Dto('TwarrtModerationData', {
  twarrt: MicroblogPostData,
  isDeleted: Type.Boolean(),
  edits: Type.Array(PostEditLogData),
  ...judged,
})

/** A profile as it was before a change; `author` made the change. */
export type ProfileEditLogData = Static<typeof ProfileEditLogData>
export const ProfileEditLogData = Dto('ProfileEditLogData', {
  editID: Uuid,
  createdAt: DateTime,
  author: UserHeader,
  profileData: Type.Optional(UserProfileUploadData),
  profileImage: Type.Optional(Type.String()),
})

/** A profile with nothing hidden. */
export type ProfileModerationData = Static<typeof ProfileModerationData>
export const ProfileModerationData = Dto('ProfileModerationData', {
  profile: UserProfileUploadData,
  edits: Type.Array(ProfileEditLogData),
  ...judged,
})
