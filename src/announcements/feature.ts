// Announcements to everybody.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { announcementsId, announcementsKind } from './channel.ts'
import { announcementRoutes } from './routes.ts'

export const announcementsFeature = feature({
  name: 'announcements',
  routes: announcementRoutes,
  load: ({ channels }) => channels.of(announcementsKind).get(announcementsId),
  tables: [table('announcement', { persons: { author_id: 'kept' } })],
})
