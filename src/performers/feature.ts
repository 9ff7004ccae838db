// Performers, and the pages that users make of themselves.
import { searchColumns, table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { job } from '../core/work/job-runner.ts'
import { adminPerformerRoutes } from './admin.routes.ts'
import { performersErrors } from './errors.ts'
import { fetchPerformerPhoto, giveFetchedPhoto } from './profiles.service.ts'
import { performerRoutes } from './routes.ts'

export const performersFeature = feature({
  name: 'performers',
  errorCodes: performersErrors,
  webPaths: ['/performers', '/performers/own', '/performer/:id'],
  routes: [...adminPerformerRoutes, ...openToUnverified(performerRoutes)],
  jobs: [job('performer-photo', giveFetchedPhoto, { prepare: fetchPerformerPhoto })],
  tables: [
    table('performer', {
      persons: { account_id: 'removed' },
      ownData: { as: 'performerPage', of: 'account_id', without: ['sort_key', ...searchColumns] },
    }),
    table('performer_event'),
    table('performer_change'),
    table('performer_upload', { persons: { uploader_id: 'kept' } }),
  ],
})
