// The wire forms of moderation: reports, the action log, and what all moderated content has.
import { UserHeader } from '../accounts/schemas.ts'
import { Paginator } from '../core/http/paging.ts'
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { moderationStatuses, moderatorActionTypes, moderatorActs, placeKinds, reportStates, reportTypes } from './types.ts'

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

/** What a moderator has done about one thing. */
export type ModeratorActData = Static<typeof ModeratorActData>
export const ModeratorActData = Dto('ModeratorActData', {
  moderator: UserHeader,
  action: OneOf(moderatorActs),
  /** Of `setState`: what it was set to. */
  state: Type.Optional(OneOf(moderationStatuses)),
  at: DateTime,
})

/** What the caller has seen of a thing, as `version` names it: the action is refused when another moderator has acted since. */
export const basedOnVersion = { basedOn: Type.Optional(Text({ max: 40 })) }

/** Where reported content stands. */
export type ReportPlaceData = Static<typeof ReportPlaceData>
export const ReportPlaceData = Dto('ReportPlaceData', { kind: OneOf(placeKinds), title: Type.String() })

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
  /** Its first words, as they are now; absent when there are none. */
  excerpt: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  place: Type.Optional(ReportPlaceData),
  /** Absent for what has no state, and for what is no more. */
  moderationStatus: Type.Optional(OneOf(moderationStatuses)),
  isDeleted: Type.Boolean(),
  /** The last thing that a moderator did about it. */
  lastAct: Type.Optional(ModeratorActData),
  /** What actions on it are `basedOn`. */
  version: Type.String(),
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
export const moderatedFields = {
  moderationStatus: OneOf(moderationStatuses),
  reports: Type.Array(ReportModerationData),
  /** What moderators have done about it, newest first. */
  acts: Type.Array(ModeratorActData),
  /** What actions on it are `basedOn`. */
  version: Type.String(),
}

/** A letter that moderators write again and again. `{name}` in it stands for the name of whom it is to. */
export type SeamailTemplateContentData = Static<typeof SeamailTemplateContentData>
export const SeamailTemplateContentData = Dto('SeamailTemplateContentData', {
  /** Of the private chat. */
  title: Text({ min: 2, max: 100 }),
  /** Its first post. */
  content: Text({ min: 1, max: 2000 }),
  /** Of a change: `changedAt` as the caller has seen it. The change is refused when somebody else was faster. */
  basedOn: Type.Optional(DateTime),
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
