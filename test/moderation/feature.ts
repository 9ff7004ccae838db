// Moderation, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { TestFeature } from '../support/features.ts'
import { body, type Person } from '../support/fez.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /mod/templates moderator -
POST /mod/templates moderator -
POST /mod/templates/:template_id moderator -
DELETE /mod/templates/:template_id moderator -
GET /mod/reports moderator -
GET /mod/reports/queue moderator -
POST /mod/reports/:report_id/handleall moderator -
POST /mod/reports/:report_id/closeall moderator -
GET /mod/moderationlog moderator -
`,
  objects: `
POST /mod/reports/:report_id/handleall report_id moderator: missing=400 other=ok
POST /mod/reports/:report_id/closeall report_id moderator: missing=400 other=ok
POST /mod/templates/:template_id template_id moderator: missing=400 other=ok
DELETE /mod/templates/:template_id template_id moderator: missing=400 other=ok
`,
  bodies: {
    // Whoever is called next wants to post.
    SlowModeData: () => ({ seconds: 0 }),
    SeamailTemplateContentData: () => ({ title: 'A letter', content: 'Hello' }),
    ReportData: () => ({ message: 'a report' }),
  },
  things: {
    kinds: {
      report: { params: ['report_id'] },
      template: { params: ['template_id'] },
    },
    make: async (nodes, { owner, member, moderator }) => ({
      report: { other: await makeReport(nodes, owner, member), missing: missingUuid },
      template: {
        other: (await body(moderator.one.post('/mod/templates', { title: 'A letter', content: 'Hello' }), 201)).templateID,
        missing: missingUuid,
      },
    }),
  },
}

async function makeReport(nodes: TestNodes, owner: Person, reported: Person): Promise<string> {
  await body(owner.one.post(`/users/${reported.id}/report`, { message: 'a report' }), 201)
  const [row] = await nodes.sql<[{ id: string }]>`select id from report where reported_user_id = ${reported.id}`
  return row.id
}
