// The wire forms of persons and profiles for moderators.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, OneOf, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/viewer.ts'
import { moderatedFields, ReportModerationData } from '../moderation/schemas.ts'
import { UserProfileUploadData } from './schemas.ts'

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
  ...moderatedFields,
})
