// The wire forms of /mod.
import { UserHeader } from '../core/accounts.ts'
import { DateTime, Dto, OneOf, Type, Uuid, type Static } from '../core/schema.ts'
import { accessLevels } from '../core/viewer.ts'
import { reportTypes } from './types.ts'

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
