// Programs elsewhere that are told of what happens.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { job } from '../core/work/job-runner.ts'
import { webhooksErrors } from './errors.ts'
import { noteEvent } from './events.service.ts'
import { webhookRoutes } from './routes.ts'
import { noteAttempt, sendDelivery } from './send.service.ts'

export const webhooksFeature = feature({
  name: 'webhooks',
  errorCodes: webhooksErrors,
  routes: webhookRoutes,
  jobs: [job('webhook-event', noteEvent, { onlyWith: 'webhook_endpoint' }), job('webhook', noteAttempt, { prepare: sendDelivery })],
  tables: [
    table('webhook_endpoint', { inAnswers: 'none', staysAfterWipe: { what: 'webhooks and their keys' } }),
    table('webhook_delivery', { inAnswers: 'none', goesWith: ['webhook_endpoint'] }),
  ],
})
