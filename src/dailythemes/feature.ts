// Themes of days.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { dailyThemeRoutes } from './routes.ts'

export const dailythemesFeature = feature({
  name: 'dailythemes',
  routes: dailyThemeRoutes,
  tables: [table('daily_theme', { staysAfterWipe: { what: 'the themes of the days, without pictures', reset: { image: null } } })],
})
