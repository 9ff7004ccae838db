// Settings, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/serversettings serviceteam -
POST /admin/serversettings/update admin -
GET /admin/settings serviceteam -
POST /admin/settings/:setting_name/reset admin -
GET /admin/timezonechanges none -
POST /admin/timezonechanges/reloadtzdata admin -
`,
}
