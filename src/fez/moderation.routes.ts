// Chats and their posts, for moderators.
import { route } from '../core/http/route.ts'
import { Int, OneOf, Type, Uuid } from '../core/schema/schema.ts'
import { basedOnVersion } from '../moderation/schemas.ts'
import { settableStateNames } from '../moderation/types.ts'
import { FezModerationData, FezPostModerationData } from './moderation.schemas.ts'
import { SlowModeData } from '../post/pace.service.ts'
import { PersonalEventModerationData } from './personal.schemas.ts'
import {
  getFezModeration,
  getPersonalEventModeration,
  getPostModeration,
  setFezSlowMode,
  setFezState,
  setPostState,
} from './moderation.service.ts'

const fez = { fez_id: Uuid }
const post = { post_id: Int }
const state = { mod_state: OneOf(settableStateNames) }

export const fezModerationRoutes = [
  route({
    method: 'GET',
    path: '/mod/fez/:fez_id',
    access: 'moderator',
    params: fez,
    reply: FezModerationData,
    summary: 'A chat with nothing hidden, deleted or not, its reports and earlier texts.',
    run: (ctx, { params }) => getFezModeration(ctx, params.fez_id),
  }),
  ...(['/mod/personalevent/:personal_event_id', '/mod/privateevent/:personal_event_id'] as const).map((path) =>
    route({
      method: 'GET',
      path,
      access: 'moderator',
      params: { personal_event_id: Uuid },
      reply: PersonalEventModerationData,
      summary: 'A private or personal event with nothing hidden, deleted or not, and its reports.',
      run: (ctx, { params }) => getPersonalEventModeration(ctx, params.personal_event_id),
    }),
  ),
  route({
    method: 'POST',
    path: '/mod/fez/:fez_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...fez, ...state },
    query: basedOnVersion,
    summary: 'Hides or locks a chat, or lets it be.',
    run: (ctx, { params, query }) => setFezState(ctx, params.fez_id, params.mod_state, query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/mod/fez/:fez_id/slowmode',
    access: 'moderator',
    params: fez,
    query: { basedOn: Type.Optional(Int) },
    body: SlowModeData,
    summary: 'Slow mode of a chat that people may join: each person posts once in so many seconds. Moderators are exempt.',
    run: (ctx, { params, query, body }) => setFezSlowMode(ctx, params.fez_id, body, query.basedOn),
  }),
  route({
    method: 'GET',
    path: '/mod/fezpost/:post_id',
    access: 'moderator',
    params: post,
    reply: FezPostModerationData,
    summary: 'A post of a chat with nothing hidden, deleted or not, and its reports.',
    run: (ctx, { params }) => getPostModeration(ctx, params.post_id),
  }),
  route({
    method: 'POST',
    path: '/mod/fezpost/:post_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...post, ...state },
    query: basedOnVersion,
    summary: 'Hides or locks a post of a chat, or lets it be.',
    run: (ctx, { params, query }) => setPostState(ctx, params.post_id, params.mod_state, query.basedOn),
  }),
]
