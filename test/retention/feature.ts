// What goes when it is old, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/retention admin -
POST /admin/retention admin -
`,
  bodies: {
    RetentionChangeData: () => ({ deleted: 0, versions: 0, reports: 0, trails: 0, chats: 0 }),
  },
}
