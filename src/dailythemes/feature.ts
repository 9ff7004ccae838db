// Themes of days.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { dailythemesErrors } from './errors.ts'
import { dailyThemeRoutes } from './routes.ts'

export const dailythemesFeature = feature({
  name: 'dailythemes',
  errorCodes: dailythemesErrors,
  routes: dailyThemeRoutes,
  tables: [table('daily_theme', { staysAfterWipe: { what: 'the themes of the days, without pictures', reset: { image: null } } })],
})
