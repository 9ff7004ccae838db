// Statistics, for tests that try everything.
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/rollup serviceteam -
`,
}
