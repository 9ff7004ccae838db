// Notices for devices whose app is closed, by the push services of browsers.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { job } from '../core/work/job-runner.ts'
import { webpushErrors } from './errors.ts'
import { pushRoutes } from './routes.ts'
import { forgetGone, sendPush } from './send.service.ts'

export const webpushFeature = feature({
  name: 'webpush',
  errorCodes: webpushErrors,
  routes: openToUnverified(pushRoutes),
  jobs: [job('push', forgetGone, { prepare: sendPush })],
  tables: [table('push_device', { persons: { account_id: 'removed' }, inAnswers: 'none', goesWith: ['account'] })],
})
