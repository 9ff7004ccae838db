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
