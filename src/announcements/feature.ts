// Announcements to everybody.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { job } from '../core/work/job-runner.ts'
import { oldRows } from '../core/work/old-rows.ts'
import { announcementsId, announcementsKind } from './channel.ts'
import { announcementsErrors } from './errors.ts'
import { announcePlanned } from './planned.service.ts'
import { announcementRoutes } from './routes.ts'

export const announcementsFeature = feature({
  name: 'announcements',
  errorCodes: announcementsErrors,
  routes: announcementRoutes,
  load: ({ channels }) => channels.of(announcementsKind).get(announcementsId),
  jobs: [job('announcement-due', announcePlanned)],
  oldRows: [oldRows({ kind: 'deleted', table: 'announcement', key: 'int' })],
  tables: [
    table('announcement', { persons: { author_id: 'kept' } }),
    table('planned_announcement', { persons: { author_id: 'kept', planned_by: 'kept' } }),
  ],
})
