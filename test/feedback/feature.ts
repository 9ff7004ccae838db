// How events went, for tests that try everything.
import type { TestFeature } from '../support/features.ts'
import { givenFeedback } from '../support/feedback.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /feedback/eventlist token eventFeedback
GET /feedback/id/:event_id token eventFeedback
GET /feedback/uid/:event_uid token eventFeedback
POST /feedback verified eventFeedback creates
GET /admin/feedback/roomlist serviceteam eventFeedback
GET /admin/feedback/reports serviceteam eventFeedback
GET /admin/feedback/stats serviceteam eventFeedback
GET /admin/feedback/report/:feedback_id serviceteam eventFeedback
POST /admin/feedback/report/:feedback_id/mark serviceteam eventFeedback
POST /admin/feedback/report/:feedback_id/unmark serviceteam eventFeedback
DELETE /admin/feedback/report/:feedback_id/mark serviceteam eventFeedback
`,
  objects: `
GET /feedback/id/:event_id event_id stranger: missing=400 other=ok deleted=missing
GET /feedback/uid/:event_uid event_uid stranger: missing=400 other=ok deleted=missing
GET /admin/feedback/report/:feedback_id feedback_id serviceteam: missing=400 other=ok
POST /admin/feedback/report/:feedback_id/mark feedback_id serviceteam: missing=400 other=ok
POST /admin/feedback/report/:feedback_id/unmark feedback_id serviceteam: missing=400 other=ok
DELETE /admin/feedback/report/:feedback_id/mark feedback_id serviceteam: missing=400 other=ok
`,
  bodies: {
    EventFeedbackData: () => ({
      // Of the schedule that comes with the program.
      eventUID: '1a5cbe8fedf6bc7b047d596dbad13457',
      eventTitle: 'Morning stretches',
      eventLocation: "Crow's Nest",
      eventTime: '2025-03-03T14:00:00Z',
      hostName: 'Somebody',
      attendance: 'Ten',
      recapString: 'We stretched.',
      issuesString: '',
    }),
  },
  things: {
    kinds: {
      feedback: { params: ['feedback_id'] },
    },
    make: async (nodes, { owner }) => ({ feedback: { other: await givenFeedback(nodes, owner), missing: missingUuid } }),
  },
}
