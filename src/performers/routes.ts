// Every endpoint under /performer.
import { methodAndPath, Reply, route } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import { shownEvents } from '../events/cached.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { removePerformer } from './admin.service.ts'
import { PerformerData, performerQuery, PerformerResponseData, PerformerUploadData } from './schemas.ts'
import {
  claimEvent,
  getPerformer,
  listPerformers,
  ownPerformer,
  removeOwnPerformer,
  requireOwnEditor,
  requirePhoto,
  unclaimEvent,
} from './service.ts'

const features = ['performers'] as const
const gate = 'preregistration'

export const performerRoutes = [
  route({
    method: 'GET',
    path: '/performer/official',
    access: 'flex',
    gate,
    features,
    query: performerQuery,
    reply: PerformerResponseData,
    summary: 'Official performers by the last word of their names, at first 50; with `search`, those who have these words.',
    cached: { tables: ['performer', 'performer_event', 'performer_change', 'event', 'event_photo_wish', 'event_photographer'] },
    run: (ctx, { query }) => listPerformers(ctx, true, query),
  }),
  route({
    method: 'GET',
    path: '/performer/shadow',
    access: 'flex',
    gate,
    features,
    query: performerQuery,
    reply: PerformerResponseData,
    summary:
      'Users who organise shadow events and workshops, by the last word of their names, at first 100; with `search`, those who have these words.',
    cached: { tables: ['performer', 'performer_event', 'performer_change', 'event', 'event_photo_wish', 'event_photographer'] },
    run: (ctx, { query }) => listPerformers(ctx, false, query),
  }),
  route({
    method: 'GET',
    path: '/performer/self',
    access: 'token',
    gate,
    features,
    reply: PerformerData,
    summary: 'The page of the caller; one with an empty name when they have none.',
    cached: { tables: ['performer', 'performer_event', 'performer_change', 'event', 'event_photo_wish', 'event_photographer'] },
    run: (ctx) => ownPerformer(ctx),
  }),
  route({
    method: 'GET',
    path: '/performer/:performer_id',
    access: 'flex',
    gate,
    features,
    params: { performer_id: Uuid },
    reply: PerformerData,
    summary: 'A performer with their events. Moderators, and the user whose page it is, see which user that is.',
    cached: { tables: ['performer', 'performer_event'], channels: shownEvents },
    run: (ctx, { params }) => getPerformer(ctx, params.performer_id),
  }),
  route({
    method: 'POST',
    path: '/performer/forevent/:event_id',
    access: 'token',
    gate,
    features,
    params: { event_id: Uuid },
    body: PerformerUploadData,
    summary:
      'Makes the caller a performer at a shadow event or workshop, and changes their page. During pre-registration, or with the ' +
      'role performerselfeditor.',
    bodyLimit: imageBodyLimit,
    check: (ctx, { body }) => requirePhoto(ctx, body),
    guard: (ctx) => requireOwnEditor(ctx),
    run: (ctx, { params, body }) => claimEvent(ctx, params.event_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/performer/forevent/:event_id',
    access: 'token',
    gate,
    features,
    params: { event_id: Uuid },
    summary: 'Takes the caller off an event that they appear at.',
    run: (ctx, { params }) => unclaimEvent(ctx, params.event_id),
  }),
  ...(['POST /performer/self/delete', 'DELETE /performer/self'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      gate,
      features,
      summary: 'Deletes the page of the caller and takes them off all events. Moderators may do so at any time.',
      run: (ctx) => removeOwnPerformer(ctx),
    }),
  ),
  route({
    method: 'DELETE',
    path: '/performer/:performer_id',
    access: 'moderator',
    features,
    params: { performer_id: Uuid },
    maybeNone: true,
    summary: 'Deletes a performer and takes them off all events; 204 when there is none.',
    run: async (ctx, { params }) => new Reply((await removePerformer(ctx, params.performer_id)) ? 200 : 204),
  }),
]
