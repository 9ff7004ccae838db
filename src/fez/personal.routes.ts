// Every endpoint under /personalevents.
import { methodAndPath, route } from '../core/http/route.ts'
import { Type, Uuid } from '../core/schema/schema.ts'
import { ReportData } from '../moderation/schemas.ts'
import { PersonalEventContentData, PersonalEventData, personalEventQuery } from './personal.schemas.ts'
import {
  cancelPersonalEvent,
  createPersonalEvent,
  getPersonalEvent,
  listPersonalEvents,
  removeParticipant,
  reportPersonalEvent,
  updatePersonalEvent,
} from './personal.service.ts'

const features = ['personalevents'] as const
const event = { fezID: Uuid }

export const personalEventRoutes = [
  route({
    method: 'GET',
    path: '/personalevents',
    access: 'token',
    features,
    query: personalEventQuery,
    reply: Type.Array(PersonalEventData),
    summary: 'The private and personal events that the caller owns or was invited to, by start; of `owned` and `joined` one at most.',
    cached: {
      tables: [],
      parts: { fez: 'viewer', fez_member: 'viewer', fez_post: 'viewer', fez_inbox_reader: 'viewer' },
      everySecond: /hidepast|%/i,
    },
    run: (ctx, { query }) => listPersonalEvents(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/personalevents/create',
    access: 'verified',
    features,
    body: PersonalEventContentData,
    reply: PersonalEventData,
    status: 201,
    idempotent: true,
    summary: 'Creates a private event and invites its participants.',
    run: (ctx, { body }) => createPersonalEvent(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/personalevents/:fezID',
    access: 'token',
    features,
    params: event,
    reply: PersonalEventData,
    summary: 'One event of the caller.',
    run: (ctx, { params }) => getPersonalEvent(ctx, params.fezID),
  }),
  ...['/personalevents/:fezID', '/personalevents/:fezID/update'].map((path) =>
    route({
      method: 'POST',
      path,
      access: 'token',
      features,
      params: event,
      body: PersonalEventContentData,
      reply: PersonalEventData,
      summary: 'Replaces texts and times of an event, and un-cancels it. Participants stay as they are.',
      run: (ctx, { params, body }) => updatePersonalEvent(ctx, params.fezID, body),
    }),
  ),
  ...(['POST /personalevents/:fezID/delete', 'DELETE /personalevents/:fezID'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: event,
      status: 204,
      summary: 'The owner cancels an event; a personal one is deleted.',
      run: (ctx, { params }) => cancelPersonalEvent(ctx, params.fezID),
    }),
  ),
  ...(['POST /personalevents/:fezID/user/:userID/remove', 'DELETE /personalevents/:fezID/user/:userID'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: { ...event, userID: Uuid },
      status: 204,
      summary: 'The caller leaves an event, or the owner or a moderator removes a participant.',
      run: (ctx, { params }) => removeParticipant(ctx, params.fezID, params.userID),
    }),
  ),
  route({
    method: 'POST',
    path: '/personalevents/:fezID/report',
    access: 'token',
    features,
    params: event,
    body: ReportData,
    status: 201,
    summary: 'Reports an event to the moderators.',
    run: (ctx, { params, body }) => reportPersonalEvent(ctx, params.fezID, body),
  }),
]
