// How events went.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { feedbackRoutes } from './routes.ts'

export const feedbackFeature = feature({
  name: 'feedback',
  webPaths: ['/eventfeedback'],
  routes: openToUnverified(feedbackRoutes),
  tables: [table('event_feedback', { persons: { author_id: 'kept' } })],
})
