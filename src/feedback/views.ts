// Feedback as it is sent. Pure.
import type { UserHeader } from '../accounts/schemas.ts'
import type { EventData } from '../events/schemas.ts'
import type { Trip } from '../settings/trip.ts'
import type { FeedbackRow, JudgedFeedbackRow } from './rows.ts'
import type { EventFeedbackReport, EventFeedbackReportAdminFields } from './schemas.ts'

/** Feedback as its author gets it. */
export function feedbackData(trip: Trip, row: FeedbackRow, author: UserHeader, event: EventData | undefined): EventFeedbackReport {
  const { id, updatedAt, eventTitle, eventLocation, eventTime, hostName, attendance, recap, issues } = row
  return {
    id,
    reportingUser: author,
    reportModDate: updatedAt,
    ...(event ? { event } : {}),
    eventTitle,
    eventLocation,
    eventTime: trip.portToDisplay(eventTime),
    hostName,
    attendance,
    recapString: recap,
    issuesString: issues,
  }
}

/** A form with what is known before its author has written anything. */
export function feedbackForm(author: UserHeader, event: EventData, hostName: string): EventFeedbackReport {
  const { title, location, startTime } = event
  return {
    reportingUser: author,
    event,
    eventTitle: title,
    eventLocation: location,
    eventTime: startTime,
    hostName,
    attendance: '',
    recapString: '',
    issuesString: '',
  }
}

/** The part for the team. */
export function adminFields({ isActionable, followers, forumId, posts }: JudgedFeedbackRow): EventFeedbackReportAdminFields {
  return { actionable: isActionable, followCount: followers, ...(forumId === null ? {} : { forumID: forumId }), forumPostCount: posts }
}
