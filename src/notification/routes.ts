// Every endpoint under /notification.
import { route, socketRoute } from '../core/http/route.ts'
import { Text, Type } from '../core/schema/schema.ts'
import { completeHashtag } from '../hits/hashtags.service.ts'
import { ClientStartData, UserNotificationData } from './schemas.ts'
import { SocketNotificationData } from '../notices/schemas.ts'
import { rebuildNotifications } from './rebuild.service.ts'
import { notificationData, openNotificationSocket } from './service.ts'
import { startData } from './start.service.ts'

export const notificationRoutes = [
  ...(['/notification/global', '/notification/user'] as const).map((path) =>
    route({
      method: 'GET',
      path,
      access: 'flex',
      reply: UserNotificationData,
      conditional: true,
      summary: 'The state of the server and what waits for the caller. Meant to be polled: the ETag stands for all but the time.',
      run: (ctx) => notificationData(ctx),
    }),
  ),

  route({
    method: 'GET',
    path: '/client/start',
    access: 'token',
    gate: 'preregistration',
    query: { since: Type.Optional(Text({ max: 300 })) },
    reply: ClientStartData,
    summary:
      'All that an app asks for when it starts: the answers of other endpoints, each with its tag. With the `tag` of an earlier ' +
      'answer as `since`, parts that are still the same are left out. A part that the caller may not ask for is not there either. ' +
      'Announcements do not count as read by this.',
    run: (ctx, { query }) => startData(ctx, query.since ?? ''),
  }),
  route({
    method: 'POST',
    path: '/admin/notifications/reload',
    access: 'serviceteam',
    summary: 'Reads the numbers of all connected users again from their rows; the log says what differed.',
    run: (ctx) => rebuildNotifications(ctx),
  }),
  route({
    method: 'GET',
    path: '/notification/hashtags/:search_string',
    access: 'none',
    params: { search_string: Text({ max: 200 }) },
    reply: Type.Array(Type.String()),
    summary: 'Up to ten hashtags that begin with the text, in order and without #.',
    cached: { tables: ['hashtag'] },
    run: (ctx, { params }) => completeHashtag(ctx, params.search_string),
  }),
]

export const notificationSockets = [
  socketRoute({
    path: '/notification/socket',
    sends: [SocketNotificationData],
    summary: 'Everything that concerns the user, as it happens.',
    open: (ctx) => openNotificationSocket(ctx),
  }),
]
