// What is wrong with the machine, kept and told to the team.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { incidentsErrors } from './errors.ts'
import { showChanges } from './live.service.ts'
import { incidentsRoutes } from './routes.ts'

export const incidentsFeature = feature({
  name: 'incidents',
  errorCodes: incidentsErrors,
  routes: openToUnverified(incidentsRoutes),
  load: showChanges,
  tables: [
    table('incident'),
    table('process', { inAnswers: 'none' }),
    table('incident_webhook', { inAnswers: 'none', staysAfterWipe: { what: 'where incidents are told' } }),
    table('incident_message', { inAnswers: 'none', goesWith: ['incident'] }),
    table('device_clock', { persons: { account_id: 'removed' }, inAnswers: 'none', goesWith: ['account'] }),
  ],
})
