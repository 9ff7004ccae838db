// Forums.
import { searchColumns, table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { byNumber, byUuid } from '../moderation/judged.ts'
import { deletePost } from '../post/edits.service.ts'
import { forumErrors } from './errors.ts'
import { selectWrittenForums, selectWrittenPosts } from './moderation.queries.ts'
import { setForumPostState, setForumState } from './moderation.service.ts'
import { forumPosts } from './posts.service.ts'
import { deleteForum } from './threads.service.ts'
import { forumModerationRoutes } from './moderation.routes.ts'
import { forumPostRoutes } from './posts.routes.ts'
import { forumRetention } from './retention.queries.ts'
import { forumRoutes } from './routes.ts'

export const forumFeature = feature({
  name: 'forum',
  errorCodes: forumErrors,
  webPaths: ['/forums', '/forums/:category', '/forum/:id', '/forum/containingpost/:id'],
  judged: [
    { type: 'forum', written: selectWrittenForums, setState: byUuid(setForumState), remove: byUuid(deleteForum) },
    {
      type: 'forumPost',
      written: selectWrittenPosts,
      setState: byNumber(setForumPostState),
      remove: byNumber((ctx, id) => deletePost(ctx, forumPosts, id)),
    },
  ],
  routes: [...forumModerationRoutes, ...forumPostRoutes, ...forumRoutes],
  oldRows: forumRetention,
  tables: [
    table('forum_category', { staysAfterWipe: { what: 'the categories of forums', reset: { forum_count: 0 } } }),
    table('forum', { persons: { creator_id: 'kept' }, ownData: { as: 'forums', of: 'creator_id', without: searchColumns } }),
    table('forum_edit', { persons: { editor_id: 'kept' } }),
    table('forum_post', {
      persons: { author_id: 'kept', real_author_id: 'kept' },
      ownData: { as: 'forumPosts', of: 'author_id', without: searchColumns },
    }),
    table('forum_post_edit', { persons: { editor_id: 'kept' }, ownData: { as: 'forumPostsBefore', of: 'editor_id' } }),
    table('forum_post_mark', { persons: { account_id: 'removed' }, ownData: { as: 'forumMarks', of: 'account_id' } }),
    table('forum_reader', { own: true, persons: { account_id: 'removed' }, ownData: { as: 'forumsRead', of: 'account_id' } }),
  ],
})
