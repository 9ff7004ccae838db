// Other people: profiles, relations, levels, roles, bans.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { gated } from '../core/http/route.ts'
import { job } from '../core/work/job-runner.ts'
import { oldVersions } from '../core/work/old-rows.ts'
import { hitsId } from '../hits/events.ts'
import { endBanInTime } from './bans.service.ts'
import { usersErrors } from './errors.ts'
import { hitsKind } from './hits.channel.ts'
import { userModerationRoutes } from './moderation.routes.ts'
import { usersRoutes } from './routes.ts'
import { teamRoutes } from './team.routes.ts'

export const usersFeature = feature({
  name: 'users',
  errorCodes: usersErrors,
  webPaths: ['/directory', '/profile/:name'],
  routes: [...userModerationRoutes, ...gated('open', usersRoutes), ...teamRoutes],
  jobs: [job('ban-ending', endBanInTime)],
  load: ({ channels }) => channels.of(hitsKind).get(hitsId),
  oldRows: [oldVersions('profile_edit', [['userProfile'], 'account_id'])],
  tables: [
    table('ban', { persons: { person_id: 'kept', banned_by: 'kept' } }),
    table('block', {
      persons: { person_id: 'removed', blocked_id: 'removed' },
      inAnswers: 'every',
      own: true,
      ownData: { as: 'blocks', of: 'person_id' },
    }),
    table('mute', {
      persons: { account_id: 'removed', muted_id: 'removed' },
      inAnswers: 'every',
      own: true,
      ownData: { as: 'mutes', of: 'account_id' },
    }),
    table('favorite', { persons: { account_id: 'removed', favorite_id: 'removed' }, ownData: { as: 'favoritePeople', of: 'account_id' } }),
    table('note', { persons: { author_id: 'removed', subject_id: 'removed' }, ownData: { as: 'notesOnOthers', of: 'author_id' } }),
    table('profile_edit', {
      persons: { account_id: 'removed', editor_id: 'kept' },
      ownData: { as: 'earlierProfiles', of: 'account_id', without: ['editor_id'] },
    }),
  ],
})
