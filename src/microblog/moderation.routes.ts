// Posts of the microblog, for moderators.
import { route } from '../core/http/route.ts'
import { Int, OneOf, Type } from '../core/schema/schema.ts'
import { basedOnVersion } from '../moderation/schemas.ts'
import { settableStateNames } from '../moderation/types.ts'
import { SlowModeData } from '../post/pace.service.ts'
import { TwarrtModerationData } from './moderation.schemas.ts'
import { getTwarrtModeration, setSlowMode, setTwarrtState } from './moderation.service.ts'

const post = { post_id: Int }
const state = { mod_state: OneOf(settableStateNames) }

export const microblogModerationRoutes = [
  route({
    method: 'POST',
    path: '/mod/microblog/slowmode',
    access: 'moderator',
    query: { basedOn: Type.Optional(Int) },
    body: SlowModeData,
    summary: 'Slow mode of the microblog: each person posts once in so many seconds, answers included. Moderators are exempt.',
    run: (ctx, { query, body }) => setSlowMode(ctx, body, query.basedOn),
  }),
  // The second is what apps call it.
  ...(['/mod/microblog/:post_id', '/mod/twarrt/:post_id'] as const).flatMap((path) => [
    route({
      method: 'GET',
      path,
      access: 'moderator',
      params: post,
      reply: TwarrtModerationData,
      summary: 'A post of the microblog with nothing hidden, deleted or not, its reports and what it was before.',
      cached: { tables: ['microblog_post', 'microblog_post_edit', 'report', 'audit'] },
      run: (ctx, { params }) => getTwarrtModeration(ctx, params.post_id),
    }),
    route({
      method: 'POST',
      path: `${path}/setstate/:mod_state`,
      access: 'moderator',
      params: { ...post, ...state },
      query: basedOnVersion,
      summary: 'Hides or locks a post of the microblog, or lets it be.',
      run: (ctx, { params, query }) => setTwarrtState(ctx, params.post_id, params.mod_state, query.basedOn),
    }),
  ]),
]
