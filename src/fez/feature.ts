// Group chats: LFG groups, seamail, private and personal events.
import { searchColumns, table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { job } from '../core/work/job-runner.ts'
import { byNumber, byUuid } from '../moderation/judged.ts'
import { fezErrors } from './errors.ts'
import { setFezState, setPostState } from './moderation.service.ts'
import { deletePost } from './posts.service.ts'
import { selectWrittenChatPosts, selectWrittenGroups } from './queries.ts'
import { deleteFez } from './service.ts'
import { fezModerationRoutes } from './moderation.routes.ts'
import { personalEventRoutes } from './personal.routes.ts'
import { fezRoutes, fezSockets } from './routes.ts'
import { fezRetention } from './retention.service.ts'
import { announceStart, noteStartingFezzes } from './starting.service.ts'

export const fezFeature = feature({
  name: 'fez',
  errorCodes: fezErrors,
  webPaths: [
    '/seamail',
    '/seamail/new',
    '/seamail/:id',
    '/fez',
    '/fez/new',
    '/lfg/:id',
    '/lfg/:id/edit',
    '/privateevent/new',
    '/privateevent/:id',
    '/privateevent/:id/edit',
  ],
  judged: [
    { type: 'fez', written: selectWrittenGroups, setState: byUuid(setFezState), remove: byUuid(deleteFez) },
    { type: 'fezPost', written: selectWrittenChatPosts, setState: byNumber(setPostState), remove: byNumber(deletePost) },
  ],
  routes: [...fezModerationRoutes, ...fezRoutes, ...personalEventRoutes],
  sockets: fezSockets,
  jobs: [job('fez-starting', announceStart)],
  sweeps: [{ name: 'fez-starting', everyMs: 3000, run: noteStartingFezzes }],
  oldRows: fezRetention,
  tables: [
    table('fez', { persons: { owner_id: 'kept' }, ownData: { as: 'chats', of: 'owner_id', without: searchColumns } }),
    table('fez_edit', { persons: { editor_id: 'kept' } }),
    table('fez_inbox_reader', { persons: { account_id: 'removed', inbox_id: 'kept' } }),
    table('fez_member', { persons: { account_id: 'kept' }, ownData: { as: 'chatMemberships', of: 'account_id' } }),
    table('fez_post', {
      persons: { author_id: 'kept', real_author_id: 'kept' },
      ownData: { as: 'chatMessages', of: 'author_id', without: searchColumns },
    }),
  ],
})
