// Clients, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/texts serviceteam -
POST /admin/texts/:text_name tho -
DELETE /admin/texts/:text_name tho -
GET /client/health none -
GET /client/settings none -
GET /client/user/headers/since/:date client -
GET /client/user/updates/since/:date client -
GET /client/usersearch client -
POST /client/alert service -
GET /client/metrics service -
`,
}
