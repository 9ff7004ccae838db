// Webhooks, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/webhooks admin -
POST /admin/webhooks/create admin -
POST /admin/webhooks/:endpoint_id admin -
DELETE /admin/webhooks/:endpoint_id admin -
POST /admin/webhooks/:endpoint_id/test admin -
GET /admin/webhooks/:endpoint_id/deliveries admin -
POST /admin/webhooks/:endpoint_id/deliveries/:delivery_id/again admin -
`,
  bodies: {
    WebhookEndpointCreateData: () => ({ name: 'Wall', url: 'http://hooks.example/here', kinds: ['announcement.created'] }),
    WebhookEndpointUpdateData: () => ({ name: 'Wall', kinds: [], isPaused: true }),
  },
}
