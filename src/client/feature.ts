// What apps ask for at their start, health, and the texts of the host.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { clientErrors } from './errors.ts'
import { metricsPage } from './metrics-page.service.ts'
import { publicPage } from './public-files.service.ts'
import { clientRoutes } from './routes.ts'

export const clientFeature = feature({
  name: 'client',
  errorCodes: clientErrors,
  routes: clientRoutes,
  pages: [metricsPage, publicPage],
  tables: [
    table('public_text', {
      persons: { author_id: 'kept' },
      staysAfterWipe: { what: 'the texts of the host, without their authors', reset: { author_id: null } },
    }),
  ],
})
