// Incidents, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/incidents moderator -
DELETE /admin/incidents/webhook admin -
GET /admin/incidents/webhook tho -
POST /admin/incidents/webhook admin -
POST /admin/incidents/webhook/quiet admin -
POST /admin/incidents/webhook/test admin -
POST /client/clock token -
`,
  bodies: {
    QuietHoursData: () => ({ quietFrom: '22:00', quietTo: '07:00' }),
    WebhookUploadData: () => ({ url: 'http://127.0.0.1:9/hook' }),
  },
}
