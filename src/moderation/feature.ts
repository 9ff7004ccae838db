// Reports, the action log, the audit trail.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { moderationErrors } from './errors.ts'
import { moderationRetention } from './retention.queries.ts'
import { moderationRoutes } from './routes.ts'

export const moderationFeature = feature({
  name: 'moderation',
  errorCodes: moderationErrors,
  webPaths: ['/moderator', '/reports', '/moderate/:kind/:id', '/moderator/written/:id'],
  routes: moderationRoutes,
  oldRows: moderationRetention,
  tables: [
    table('report', {
      persons: { author_id: 'kept', handled_by: 'kept', reported_user_id: 'kept' },
      ownData: { as: 'reportsFiled', of: 'author_id', without: ['handled_by', 'action_group'] },
    }),
    // Copies of what others have written, too: nobody's own data.
    table('report_excerpt', { goesWith: ['report'], inAnswers: 'none' }),
    table('moderator_action', { persons: { moderator_id: 'kept', target_user_id: 'kept' } }),
    table('moderator_work', { persons: { moderator_id: 'kept' } }),
    table('audit', { persons: { actor_id: 'kept', user_id: 'kept' } }),
    table('seamail_template', { persons: { author_id: 'kept' } }),
  ],
})
