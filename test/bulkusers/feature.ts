// Moving users between servers, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
POST /admin/bulkuserfile/ticket admin -
GET /admin/bulkuserfile/download admin -
POST /admin/bulkuserfile/upload admin -
GET /admin/bulkuserfile/verify admin -
GET /admin/bulkuserfile/update/apply admin -
POST /admin/bulkuserfile/update/apply admin -
GET /admin/bulkuserfile/images admin -
`,
}
