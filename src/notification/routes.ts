// Every endpoint under /notification.
import { listDailyThemes } from '../admin/dailythemes.service.ts'
import { DailyThemeData } from '../admin/schemas.ts'
import { methodAndPath, route, socketRoute } from '../core/http/route.ts'
import { Int, Text, Type } from '../core/schema/schema.ts'
import { createAnnouncement, deleteAnnouncement, editAnnouncement, getAnnouncement, listAnnouncements } from './announcements.service.ts'
import { completeHashtag } from './hashtags.service.ts'
import { AnnouncementCreateData, AnnouncementData, SocketNotificationData, UserNotificationData } from './schemas.ts'
import { notificationData, openNotificationSocket } from './service.ts'

const announcement = { announcementID: Int }

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
    path: '/notification/dailythemes',
    access: 'flex',
    reply: Type.Array(DailyThemeData),
    conditional: true,
    summary: 'The themes of all days, in order.',
    run: (ctx) => listDailyThemes(ctx),
  }),

  route({
    method: 'GET',
    path: '/notification/hashtags/:search_string',
    access: 'none',
    params: { search_string: Text({ max: 200 }) },
    reply: Type.Array(Type.String()),
    summary: 'Up to ten hashtags that begin with the text, in order and without #.',
    run: (ctx, { params }) => completeHashtag(ctx, params.search_string),
  }),

  route({
    method: 'GET',
    path: '/notification/announcements',
    access: 'flex',
    query: { inactives: Type.Optional(Type.Boolean()) },
    reply: Type.Array(AnnouncementData),
    summary:
      'Announcements that are shown now, newest first; the caller has read them then. With inactives, the service team gets expired and deleted ones too.',
    run: (ctx, { query }) => listAnnouncements(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/notification/announcement/:announcementID',
    access: 'serviceteam',
    params: announcement,
    reply: AnnouncementData,
    summary: 'One announcement, also when it is expired or deleted.',
    run: (ctx, { params }) => getAnnouncement(ctx, params.announcementID),
  }),
  route({
    method: 'POST',
    path: '/notification/announcement/create',
    access: 'serviceteam',
    body: AnnouncementCreateData,
    status: 201,
    idempotent: true,
    summary: 'Announces something to everybody.',
    run: (ctx, { body }) => createAnnouncement(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/notification/announcement/:announcementID/edit',
    access: 'serviceteam',
    params: announcement,
    body: AnnouncementCreateData,
    reply: AnnouncementData,
    summary: 'Corrects an announcement without telling anybody. A deleted one is shown again.',
    run: (ctx, { params, body }) => editAnnouncement(ctx, params.announcementID, body),
  }),
  ...(['POST /notification/announcement/:announcementID/delete', 'DELETE /notification/announcement/:announcementID'] as const).map(
    (twin) =>
      route({
        ...methodAndPath(twin),
        access: 'serviceteam',
        params: announcement,
        status: 204,
        summary: 'Takes an announcement back.',
        run: (ctx, { params }) => deleteAnnouncement(ctx, params.announcementID),
      }),
  ),
]

export const notificationSockets = [
  socketRoute({
    path: '/notification/socket',
    sends: [SocketNotificationData],
    summary: 'Everything that concerns the user, as it happens.',
    open: (ctx) => openNotificationSocket(ctx),
  }),
]
