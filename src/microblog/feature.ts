// Short posts for everybody.
import { searchColumns, table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { byNumber } from '../moderation/judged.ts'
import { deletePost } from '../post/edits.service.ts'
import { microblogErrors } from './errors.ts'
import { setTwarrtState } from './moderation.service.ts'
import { selectWrittenTwarrts } from './queries.ts'
import { microblogPosts } from './posts.service.ts'
import { microblogModerationRoutes } from './moderation.routes.ts'
import { microblogRetention } from './retention.queries.ts'
import { microblogRoutes } from './routes.ts'

export const microblogFeature = feature({
  name: 'microblog',
  errorCodes: microblogErrors,
  webPaths: ['/tweets', '/tweets/:id'],
  judged: [
    {
      type: 'twarrt',
      written: selectWrittenTwarrts,
      setState: byNumber(setTwarrtState),
      remove: byNumber((ctx, id) => deletePost(ctx, microblogPosts, id)),
    },
  ],
  routes: [...microblogModerationRoutes, ...microblogRoutes],
  oldRows: microblogRetention,
  tables: [
    table('microblog_post', {
      persons: { author_id: 'kept', real_author_id: 'kept' },
      ownData: { as: 'microblogPosts', of: 'author_id', without: searchColumns },
    }),
    table('microblog_post_edit', { persons: { editor_id: 'kept' }, ownData: { as: 'microblogPostsBefore', of: 'editor_id' } }),
    table('microblog_post_mark', { persons: { account_id: 'removed' }, ownData: { as: 'microblogMarks', of: 'account_id' } }),
  ],
})
