// The wire forms of moderation: reports, the action log, and what all moderated content has.
import { UserHeader } from '../accounts/schemas.ts'
import { Paginator } from '../core/http/paging.ts'
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { moderationStatuses, moderatorActionTypes, reportStates, reportTypes } from './types.ts'

/** A report on anything. */
export type ReportData = Static<typeof ReportData>
export const ReportData = Dto('ReportData', { message: Text() })

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

/** An action of a moderator on content of somebody else. */
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

/** All reports on one piece of content. */
export type ReportGroupData = Static<typeof ReportGroupData>
export const ReportGroupData = Dto('ReportGroupData', {
  type: OneOf(reportTypes),
  /** Id of the reported content, as text. */
  reportedID: Type.String(),
  /** Owner of the content. */
  reportedUser: UserHeader,
  state: OneOf(reportStates),
  /** The moderator who took it last. */
  handledBy: Type.Optional(UserHeader),
  firstReport: DateTime,
  lastReport: DateTime,
  /** Newest first. */
  reports: Type.Array(ReportModerationData),
})

/** A page of the queue, and how many pieces of content are in each state. */
export type ReportQueueData = Static<typeof ReportQueueData>
export const ReportQueueData = Dto('ReportQueueData', {
  groups: Type.Array(ReportGroupData),
  openCount: Int,
  takenCount: Int,
  closedCount: Int,
  paginator: Paginator,
})

export type ModeratorActionLogResponseData = Static<typeof ModeratorActionLogResponseData>
export const ModeratorActionLogResponseData = Dto('ModeratorActionLogResponseData', {
  actions: Type.Array(ModeratorActionLogData),
  paginator: Paginator,
})

/** Fields of everything that moderators decide about. */
export const moderatedFields = { moderationStatus: OneOf(moderationStatuses), reports: Type.Array(ReportModerationData) }

/** A letter that moderators write again and again. `{name}` in it stands for the name of whom it is to. */
export type SeamailTemplateContentData = Static<typeof SeamailTemplateContentData>
export const SeamailTemplateContentData = Dto('SeamailTemplateContentData', {
  /** Of the private chat. */
  title: Text({ min: 2, max: 100 }),
  /** Its first post. */
  content: Text({ min: 1, max: 2000 }),
})

/** One of them, and whoever wrote it last. */
export type SeamailTemplateData = Static<typeof SeamailTemplateData>
export const SeamailTemplateData = Dto('SeamailTemplateData', {
  templateID: Uuid,
  title: Type.String(),
  content: Type.String(),
  changedBy: UserHeader,
  changedAt: DateTime,
})
