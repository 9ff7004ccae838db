// Notifications, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
POST /admin/notifications/reload serviceteam -
GET /client/start token -
GET /notification/global flex -
GET /notification/user flex -
GET /notification/hashtags/:search_string none -
WS /notification/socket token -
`,
}
