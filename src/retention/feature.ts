// What grows old, and goes where the host wants that.
import { feature } from '../core/http/feature.ts'
import { retentionRoutes } from './routes.ts'
import { removeOld } from './service.ts'

export const retentionFeature = feature({
  name: 'retention',
  routes: retentionRoutes,
  sweeps: [{ name: 'retention', everyMs: 10 * 60_000, run: removeOld }],
})
