// Registration codes, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/regcodes/stats serviceteam -
POST /admin/regcodes/verify admin -
POST /admin/regcodes/upload admin -
POST /admin/regcodes/make admin -
GET /admin/regcodes/list admin -
POST /admin/regcodes/delete admin -
GET /admin/regcodes/unused admin -
GET /admin/regcodes/discord/allocate/:username serviceteam -
POST /admin/regcodes/discord/allocate/:username serviceteam -
POST /admin/regcodes/unlock/:userID serviceteam -
GET /admin/regcodes/find/:search_string serviceteam -
GET /admin/regcodes/findbyuser/:user_id serviceteam -
`,
  objects: `
GET /admin/regcodes/findbyuser/:user_id user_id serviceteam: missing=400 other=400 blocked=400 banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /admin/regcodes/unlock/:userID userID serviceteam: missing=400 other=400 blocked=400 banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
`,
}
