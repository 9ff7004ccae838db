// Notices for devices whose app is closed, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /notification/push token -
POST /notification/push token -
DELETE /notification/push token -
`,
}
