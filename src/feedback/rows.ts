// Rows of feedback.

/** As its author gives it. */
export interface FeedbackContent {
  eventTitle: string
  eventLocation: string
  /** Floating. */
  eventTime: Date
  hostName: string
  attendance: string
  recap: string
  issues: string
}

export interface FeedbackRow extends FeedbackContent {
  id: string
  authorId: string
  eventId: string
  updatedAt: Date
}

/** With what the team sees of the event. */
export interface JudgedFeedbackRow extends FeedbackRow {
  isActionable: boolean
  forumId: string | null
  followers: number
  /** In the forum of the event, without those of the admin. */
  posts: number
}
