// Settings, switches of features, ship time.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { settingsId, settingsKind } from './channel.ts'
import { settingsRoutes } from './routes.ts'

export const settingsFeature = feature({
  name: 'settings',
  routes: settingsRoutes,
  load: ({ channels }) => channels.of(settingsKind).get(settingsId),
  tables: [
    table('setting', { inAnswers: 'every', staysAfterWipe: { what: 'the settings' } }),
    table('time_zone_change', { staysAfterWipe: { what: 'the changes of time zones' } }),
  ],
})
