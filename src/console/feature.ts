// What only the host sees: people, figures, checks, long work, the end of it all.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { job } from '../core/work/job-runner.ts'
import { consoleErrors } from './errors.ts'
import { eventLifeRoutes } from './event.routes.ts'
import { orderNightlyBackup } from './nightly.service.ts'
import { workOnOperations } from './operations.service.ts'
import { readAgainInTime } from './read-again.service.ts'
import { consoleRoutes } from './routes.ts'

export const consoleFeature = feature({
  name: 'console',
  errorCodes: consoleErrors,
  webPaths: [
    '/admin',
    '/admin/menu',
    '/admin/checks',
    '/admin/incidents',
    '/admin/users',
    '/admin/users/:id',
    '/admin/announcements',
    '/admin/themes',
    '/admin/schedule',
    '/admin/codes',
    '/admin/games',
    '/kiosk',
    '/admin/settings',
    '/admin/microkaraoke',
    '/admin/performers',
    '/admin/templates',
    '/admin/texts',
    '/admin/texts/:name',
    '/admin/jobs',
    '/admin/errors',
    '/admin/audit',
    '/admin/backups',
    '/admin/webhooks',
    '/admin/retention',
    '/admin/event',
    '/admin/end',
    '/admin/report',
    '/admin/moving',
    '/admin/feedback',
    '/admin/hunts',
    '/admin/hunts/:id',
    '/admin/categories',
    '/admin/timezones',
  ],
  routes: [...openToUnverified(consoleRoutes), ...eventLifeRoutes],
  jobs: [job('read-again', readAgainInTime)],
  sweeps: [
    { name: 'nightly-backup', everyMs: 5000, run: orderNightlyBackup },
    { name: 'operations', everyMs: 1000, run: workOnOperations },
  ],
  tables: [
    table('account_seen', { persons: { account_id: 'removed' }, goesWith: ['account'], ownData: { as: 'lastSeen', of: 'account_id' } }),
    table('fault'),
    table('figure'),
    table('operation', { persons: { asked_by: 'kept', person_id: 'kept' } }),
  ],
})
