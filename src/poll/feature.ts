// Polls in chats, forums and the microblog.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { pollErrors } from './errors.ts'
import { showChanges } from './live.service.ts'
import { pollRoutes } from './routes.ts'
import { removeLostPolls } from './service.ts'

export const pollFeature = feature({
  name: 'poll',
  errorCodes: pollErrors,
  webPaths: ['/poll/:id'],
  routes: pollRoutes,
  // They are in no response that stays in memory: a vote must not cost anybody else theirs.
  tables: [
    table('poll', {
      persons: { author_id: 'kept' },
      ownData: { as: 'polls', of: 'author_id' },
      inAnswers: 'none',
    }),
    table('poll_vote', {
      persons: { person_id: 'removed', account_id: 'removed' },
      goesWith: ['poll'],
      ownData: { as: 'pollVotes', of: 'account_id', without: ['person_id'] },
      inAnswers: 'none',
    }),
  ],
  sweeps: [{ name: 'lost-polls', everyMs: 60 * 60_000, run: removeLostPolls }],
  load: showChanges,
})
