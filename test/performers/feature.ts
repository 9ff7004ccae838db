// Performers, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { TestFeature, Things } from '../support/features.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /performer/official flex performers
GET /performer/shadow flex performers
GET /performer/self token performers
GET /performer/:performer_id flex performers
POST /performer/forevent/:event_id token performers
DELETE /performer/forevent/:event_id token performers
POST /performer/self/delete token performers
DELETE /performer/self token performers
DELETE /performer/:performer_id moderator performers
POST /admin/performer/upsert serviceteam performers
DELETE /admin/performer/:performer_id serviceteam performers
POST /admin/performer/link/upload serviceteam performers
GET /admin/performer/link/verify serviceteam performers
POST /admin/performer/link/apply serviceteam performers
POST /admin/performer/bulk/upload serviceteam performers
GET /admin/performer/bulk/verify serviceteam performers
POST /admin/performer/bulk/apply serviceteam performers
`,
  objects: `
GET /performer/:performer_id performer_id stranger: missing=400 other=ok deleted=missing
POST /performer/forevent/:event_id event_id stranger: missing=400 other=missing deleted=missing
DELETE /performer/forevent/:event_id event_id stranger: missing=400 other=missing deleted=missing
DELETE /performer/:performer_id performer_id moderator: missing=ok other=ok deleted=ok
DELETE /admin/performer/:performer_id performer_id serviceteam: missing=ok other=ok deleted=ok
`,
  things: {
    kinds: {
      performer: { params: ['performer_id'], hidden: ['deleted'] },
    },
    make: makePerformers,
  },
}

async function makePerformers(nodes: TestNodes): Promise<Things> {
  const performer = async (deletedAt: string | null) => {
    const [row] = await nodes.sql<[{ id: string }]>`
      insert into performer (id, is_official, name, sort_key, years_attended, alternative_names, created_at, updated_at, deleted_at)
      values (gen_random_uuid(), true, 'A performer', 'performer', '{}', '{}', now(), now(), ${deletedAt}) returning id`
    return row.id
  }
  const [other, deleted] = await Promise.all([performer(null), performer('2025-01-01T00:00:00Z')])
  return { performer: { other, deleted, missing: missingUuid } }
}
