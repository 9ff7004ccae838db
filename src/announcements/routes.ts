// Announcements: read by everybody, made by the team.
import { methodAndPath, route } from '../core/http/route.ts'
import { DateTime, Int, Type, Uuid } from '../core/schema/schema.ts'
import { listPlannedAnnouncements, planAnnouncement, unplanAnnouncement } from './planned.service.ts'
import { AnnouncementCreateData, AnnouncementData, AnnouncementPlanData, PlannedAnnouncementData } from './schemas.ts'
import { createAnnouncement, deleteAnnouncement, editAnnouncement, getAnnouncement, listAnnouncements } from './service.ts'

const announcement = { announcementID: Int }

export const announcementRoutes = [
  route({
    method: 'GET',
    path: '/admin/announcements/planned',
    access: 'serviceteam',
    reply: Type.Array(PlannedAnnouncementData),
    summary: 'Planned announcements, the next first.',
    run: (ctx) => listPlannedAnnouncements(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/announcements/planned',
    access: 'serviceteam',
    body: AnnouncementPlanData,
    reply: PlannedAnnouncementData,
    status: 201,
    idempotent: true,
    summary: 'Plans an announcement: it is published at `showAt`.',
    run: (ctx, { body }) => planAnnouncement(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/admin/announcements/planned/:planned_id',
    access: 'serviceteam',
    params: { planned_id: Uuid },
    status: 204,
    summary: 'Deletes a planned announcement.',
    run: (ctx, { params }) => unplanAnnouncement(ctx, params.planned_id),
  }),
  route({
    method: 'GET',
    path: '/notification/announcements',
    access: 'flex',
    gate: 'preregistration',
    query: { inactives: Type.Optional(Type.Boolean()) },
    reply: Type.Array(AnnouncementData),
    summary:
      'Announcements that are shown now, newest first; the caller has read them then. With inactives, the service team gets ' +
      'expired and deleted ones too.',
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
        query: { basedOn: Type.Optional(DateTime) },
        status: 204,
        summary: 'Takes an announcement back.',
        run: (ctx, { params, query }) => deleteAnnouncement(ctx, params.announcementID, query.basedOn),
      }),
  ),
]
