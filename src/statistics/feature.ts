// How many rows there are, for the team.
import { feature } from '../core/http/feature.ts'
import { statisticsRoutes } from './routes.ts'

export const statisticsFeature = feature({
  name: 'statistics',
  routes: statisticsRoutes,
})
