// The wire forms of persons and profiles for moderators.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, Nullable, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { accessLevels } from '../core/base/viewer.ts'
import { moderatedFields, ModeratorActionLogData, ReportModerationData } from '../moderation/schemas.ts'
import { moderationStatuses, reportTypes } from '../moderation/types.ts'
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

/** To ban a person: the reason is shown to them. Without an end the ban is for good. */
export type BanUploadData = Static<typeof BanUploadData>
export const BanUploadData = Dto('BanUploadData', {
  reason: Text({ min: 1, max: 500 }),
  until: Type.Optional(DateTime),
  /** `createdAt` of the ban that the caller has seen, null for none. When it is another one by now, the answer is 409. */
  basedOn: Type.Optional(Nullable(DateTime)),
})

/** To ban a person for some hours. */
export type StopUploadData = Static<typeof StopUploadData>
export const StopUploadData = Dto('StopUploadData', {
  reason: Text({ min: 1, max: 500 }),
  hours: Type.Integer({ minimum: 1, maximum: 24 }),
})

/** A ban that is in force. */
export type BanData = Static<typeof BanData>
export const BanData = Dto('BanData', {
  reason: Type.String(),
  /** Absent: for good. */
  until: Type.Optional(DateTime),
  bannedBy: UserHeader,
  createdAt: DateTime,
})

/** A person's ban, the moderators' actions on their content, and the number of reports they have filed. */
export type PersonRecordData = Static<typeof PersonRecordData>
export const PersonRecordData = Dto('PersonRecordData', {
  ban: Type.Optional(BanData),
  /** The newest actions of moderators on their accounts and content. */
  actions: Type.Array(ModeratorActionLogData),
  /** How many reports the person has filed. */
  filedReports: Int,
  /** Whether the caller may stop somebody for up to a day. */
  mayStop: Type.Boolean(),
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

/** Something that a person has written. */
export type WrittenData = Static<typeof WrittenData>
export const WrittenData = Dto('WrittenData', {
  type: OneOf(reportTypes),
  id: Type.String(),
  author: UserHeader,
  /** At most the first 300 characters. */
  text: Type.String(),
  images: Type.Array(Type.String()),
  /** What it stands in: the title of a forum or chat, where a photo was taken, who sings. */
  place: Type.Optional(Type.String()),
  moderationStatus: OneOf(moderationStatuses),
  createdAt: DateTime,
})

export type WrittenListData = Static<typeof WrittenListData>
export const WrittenListData = Dto('WrittenListData', {
  items: Type.Array(WrittenData),
  /** For `before` of the next page; absent on the last. */
  next: Type.Optional(Type.String()),
})

/** One thing, of whatever kind. */
export type ContentData = Static<typeof ContentData>
export const ContentData = Dto('ContentData', { type: OneOf(reportTypes), id: Text({ min: 1, max: 40 }) })

/** Things to be hidden or deleted together. */
export type ContentListData = Static<typeof ContentListData>
export const ContentListData = Dto('ContentListData', {
  items: Type.Array(ContentData, { maxItems: 50 }),
})

export type ContentRefusalData = Static<typeof ContentRefusalData>
export const ContentRefusalData = Dto('ContentRefusalData', { ...ContentData.properties, code: Type.String(), reason: Type.String() })

/** What was done, and what was not and why. */
export type ContentOutcomeData = Static<typeof ContentOutcomeData>
export const ContentOutcomeData = Dto('ContentOutcomeData', {
  done: Type.Array(ContentData),
  refused: Type.Array(ContentRefusalData),
})
