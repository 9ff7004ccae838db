// Every endpoint under /events.
import { methodAndPath, Reply, route } from '../core/http/route.ts'
import { pageQuery } from '../core/http/paging.ts'
import { Int, Text, Type, Uuid } from '../core/schema/schema.ts'
import { getEventForum } from './forums.service.ts'
import { ForumData, forumQuery } from '../forum/schemas.ts'
import { plainEvents, shownEvents } from './cached.ts'
import { eventFile } from './calendar-file.service.ts'
import { createSubscription, getSubscription, removeSubscription } from './subscription.service.ts'
import {
  CalendarSubscriptionData,
  EventData,
  eventQuery,
  EventsOrSettingsUpdateData,
  NewCalendarSubscriptionData,
  PhotographerReportData,
} from './schemas.ts'
import { photographerReport, photographerReportFile } from './photographer-report.service.ts'
import { claimEvent, handBackEvent, requireRole, setNeedsPhotographer } from './photographers.service.ts'
import { followEvent, getEvent, listEvents, listFavorites, unfollowEvent } from './service.ts'
import { updateEventsOrSettings } from './update.service.ts'
import { pageOfSome } from '../forum/cached.ts'

const features = ['schedule'] as const
const eventID = { event_id: Uuid }
const idOrUid = { event_id: Text({ max: 500 }) }

export const eventsRoutes = [
  route({
    method: 'GET',
    path: '/events',
    access: 'flex',
    gate: 'preregistration',
    features,
    query: eventQuery,
    reply: Type.Array(EventData),
    conditional: true,
    summary:
      'The events that pass all filters, by start. Of cruiseday (1 is embarkation day), day, date and time the first counts; a ' +
      'day ends at 3 in the morning.',
    run: (ctx, { query }) => listEvents(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/events/favorites',
    access: 'token',
    gate: 'preregistration',
    features,
    reply: Type.Array(EventData),
    summary: 'The events that the caller follows, by start.',
    run: (ctx) => listFavorites(ctx),
  }),
  route({
    method: 'GET',
    path: '/events/photographerreport',
    access: 'serviceteam',
    orRole: 'shutternautmanager',
    features,
    query: { cruiseday: Type.Optional(Int), ...pageQuery },
    reply: PhotographerReportData,
    summary: 'The events that need a photographer or have one, by start; of a day (1 is embarkation day), or of all. At first 50.',
    cached: { tables: [], channels: shownEvents },
    run: (ctx, { query }) => photographerReport(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/events/photographerreport/download',
    access: 'serviceteam',
    orRole: 'shutternautmanager',
    features,
    query: { cruiseday: Type.Optional(Int) },
    summary: 'The same as a file for spreadsheets, whole.',
    cached: { tables: [], channels: shownEvents },
    run: (ctx, { query }) => photographerReportFile(ctx, query.cruiseday),
  }),
  // Whoever may do this may use what is switched off, too.
  route({
    method: 'POST',
    path: '/events/update',
    access: 'admin',
    body: EventsOrSettingsUpdateData,
    reply: Type.Array(EventData),
    summary:
      'Adds and changes the events of a calendar at once and removes none; returns them. Without a calendar, changes server settings.',
    run: (ctx, { body }) => updateEventsOrSettings(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/events/:event_id',
    access: 'flex',
    gate: 'preregistration',
    features,
    params: idOrUid,
    reply: EventData,
    summary: 'One event, by its id or its uid.',
    run: (ctx, { params }) => getEvent(ctx, params.event_id),
  }),
  route({
    method: 'GET',
    path: '/events/:event_id/calendarevent.ics',
    access: 'flex',
    gate: 'preregistration',
    features,
    params: idOrUid,
    summary: 'One event as an iCalendar file.',
    cached: { tables: [], channels: plainEvents },
    run: (ctx, { params }) => eventFile(ctx.node, params.event_id),
  }),
  route({
    method: 'GET',
    path: '/user/calendar',
    access: 'token',
    openToUnverified: false,
    features,
    reply: CalendarSubscriptionData,
    summary: 'Whether the caller has an address under which calendar programs read what they have planned.',
    run: (ctx) => getSubscription(ctx),
  }),
  route({
    method: 'POST',
    path: '/user/calendar',
    access: 'token',
    openToUnverified: false,
    features,
    reply: NewCalendarSubscriptionData,
    status: 201,
    summary: 'Makes such an address. Whoever has it can read the plan, without a password; the one before ends.',
    run: (ctx) => createSubscription(ctx),
  }),
  route({
    method: 'DELETE',
    path: '/user/calendar',
    access: 'token',
    status: 204,
    summary: 'Ends that address.',
    run: (ctx) => removeSubscription(ctx),
  }),
  route({
    method: 'GET',
    path: '/forum/forevent/:event_id',
    access: 'token',
    openToUnverified: false,
    features: ['forums'],
    params: idOrUid,
    query: forumQuery,
    reply: ForumData,
    summary: 'The forum of an event with a page of its posts, as GET /forum/:forum_id.',
    cached: { ...pageOfSome, channels: plainEvents },
    run: (ctx, { params, query }) => getEventForum(ctx, params.event_id, query),
  }),
  route({
    method: 'GET',
    path: '/events/:event_id/forum',
    access: 'token',
    openToUnverified: false,
    features: ['schedule', 'forums'],
    params: idOrUid,
    query: forumQuery,
    reply: ForumData,
    summary: 'The forum of an event with a page of its posts, as GET /forum/:forum_id.',
    cached: { ...pageOfSome, channels: plainEvents },
    run: (ctx, { params, query }) => getEventForum(ctx, params.event_id, query),
  }),

  route({
    method: 'POST',
    path: '/events/:event_id/favorite',
    access: 'token',
    gate: 'preregistration',
    features,
    params: eventID,
    status: 201,
    alreadySo: true,
    summary: 'Follows an event; 200 when the caller did.',
    run: async (ctx, { params }) => new Reply((await followEvent(ctx, params.event_id)) ? 201 : 200),
  }),
  ...(['POST /events/:event_id/favorite/remove', 'DELETE /events/:event_id/favorite'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      gate: 'preregistration',
      features,
      params: eventID,
      status: 204,
      alreadySo: true,
      summary: 'Follows an event no longer; 200 when the caller did not.',
      run: async (ctx, { params }) => new Reply((await unfollowEvent(ctx, params.event_id)) ? 204 : 200),
    }),
  ),

  ...(
    [
      ['POST /events/:event_id/needsphotographer', true],
      ['POST /events/:event_id/needsphotographer/remove', false],
      ['DELETE /events/:event_id/needsphotographer', false],
    ] as const
  ).map(([twin, isNeeded]) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      gate: 'preregistration',
      features,
      params: eventID,
      summary: isNeeded
        ? 'Notes that an event needs a photographer. For the role shutternautmanager.'
        : 'Notes that an event needs no photographer any more. For the role shutternautmanager.',
      guard: (ctx) => requireRole(ctx, 'shutternautmanager'),
      run: (ctx, { params }) => setNeedsPhotographer(ctx, params.event_id, isNeeded),
    }),
  ),
  route({
    method: 'POST',
    path: '/events/:event_id/photographer',
    access: 'token',
    gate: 'preregistration',
    features,
    params: eventID,
    status: 201,
    alreadySo: true,
    summary: 'Makes the caller a photographer of an event; 200 when they were. For the role shutternaut.',
    guard: (ctx) => requireRole(ctx, 'shutternaut'),
    run: async (ctx, { params }) => new Reply((await claimEvent(ctx, params.event_id)) ? 201 : 200),
  }),
  ...(['POST /events/:event_id/photographer/remove', 'DELETE /events/:event_id/photographer'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      gate: 'preregistration',
      features,
      params: eventID,
      status: 204,
      alreadySo: true,
      summary: 'Hands an event back to other photographers; 200 when the caller was none.',
      run: async (ctx, { params }) => new Reply((await handBackEvent(ctx, params.event_id)) ? 204 : 200),
    }),
  ),
]
