// The wire forms of feedback on events.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { EventData } from '../events/schemas.ts'

const line = Text({ max: 1000 })
const longText = Text({ max: 20_000 })

/** What somebody says about an event. */
export type EventFeedbackData = Static<typeof EventFeedbackData>
export const EventFeedbackData = Dto(
  'EventFeedbackData',
  {
    /** Must be there. */
    eventUID: Type.Optional(Text({ max: 1000 })),
    eventTitle: line,
    eventLocation: line,
    eventTime: DateTime,
    hostName: line,
    /** How many came, in words. */
    attendance: line,
    recapString: longText,
    issuesString: longText,
  },
  ({ eventUID }, fail) => {
    if (!eventUID) fail({ text: 'eventUID must be set', rule: 'empty' }, 'eventUID')
  },
)

/** The part that only the team sees. */
export type EventFeedbackReportAdminFields = Static<typeof EventFeedbackReportAdminFields>
export const EventFeedbackReportAdminFields = Dto('EventFeedbackReportAdminFields', {
  /** Somebody of the team has marked it. */
  actionable: Type.Boolean(),
  /** Users who follow the event. */
  followCount: Int,
  /** Forum of the event. */
  forumID: Type.Optional(Uuid),
  /** In that forum, without those of the admin. */
  forumPostCount: Int,
})

export type EventFeedbackReport = Static<typeof EventFeedbackReport>
export const EventFeedbackReport = Dto('EventFeedbackReport', {
  /** Absent in a form that is still to be filled in. */
  id: Type.Optional(Uuid),
  reportingUser: UserHeader,
  /** Last change. */
  reportModDate: Type.Optional(DateTime),
  /** Absent when it was taken off the schedule. */
  event: Type.Optional(EventData),
  eventTitle: Type.String(),
  eventLocation: Type.String(),
  eventTime: DateTime,
  hostName: Type.String(),
  attendance: Type.String(),
  recapString: Type.String(),
  issuesString: Type.String(),
  adminFields: Type.Optional(EventFeedbackReportAdminFields),
})

const events = Type.Array(EventData)

/** Events to choose from, the last that began first. */
export type EventFeedbackSelectionData = Static<typeof EventFeedbackSelectionData>
export const EventFeedbackSelectionData = Dto('EventFeedbackSelectionData', {
  /** With feedback of the caller. */
  existingFeedback: events,
  /** At which the caller appears as a performer. */
  performerAttached: events,
  /** In the room that was asked for. */
  matchingRoom: events,
  /** All. */
  events,
})

export type EventFeedbackStats = Static<typeof EventFeedbackStats>
export const EventFeedbackStats = Dto('EventFeedbackStats', {
  /** Shadow events and workshops. */
  totalShadowEvents: Int,
  /** Those that are over. */
  completedShadowEvents: Int,
  totalFeedbackReports: Int,
  uniqueEventsWithFeedback: Int,
})
