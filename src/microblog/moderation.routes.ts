// Posts of the microblog, for moderators.
import { route } from '../core/http/route.ts'
import { Int, OneOf } from '../core/schema/schema.ts'
import { settableStateNames } from '../moderation/types.ts'
import { TwarrtModerationData } from './moderation.schemas.ts'
import { getTwarrtModeration, setTwarrtState } from './moderation.service.ts'

const post = { post_id: Int }
const state = { mod_state: OneOf(settableStateNames) }

export const microblogModerationRoutes = [
  // The second is what apps call it.
  ...(['/mod/microblog/:post_id', '/mod/twarrt/:post_id'] as const).flatMap((path) => [
    route({
      method: 'GET',
      path,
      access: 'moderator',
      params: post,
      reply: TwarrtModerationData,
      summary: 'A post of the microblog with nothing hidden, deleted or not, its reports and what it was before.',
      kept: { tables: ['microblog_post', 'microblog_post_edit', 'report'] },
      run: (ctx, { params }) => getTwarrtModeration(ctx, params.post_id),
    }),
    route({
      method: 'POST',
      path: `${path}/setstate/:mod_state`,
      access: 'moderator',
      params: { ...post, ...state },
      summary: 'Hides or locks a post of the microblog, or lets it be.',
      run: (ctx, { params }) => setTwarrtState(ctx, params.post_id, params.mod_state),
    }),
  ]),
]
