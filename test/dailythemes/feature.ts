// Themes of days, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { TestFeature } from '../support/features.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
POST /admin/dailytheme/create tho - creates
POST /admin/dailytheme/table tho - creates
POST /admin/dailytheme/:themeID/edit tho - creates
POST /admin/dailytheme/:themeID/delete tho - creates
DELETE /admin/dailytheme/:themeID tho - creates
GET /notification/dailythemes flex -
`,
  objects: `
POST /admin/dailytheme/:themeID/edit themeID tho: missing=400 other=ok
POST /admin/dailytheme/:themeID/delete themeID tho: missing=400 other=ok
DELETE /admin/dailytheme/:themeID themeID tho: missing=400 other=ok
`,
  bodies: {
    DailyThemeUploadData: () => ({ title: 'A theme', info: 'Its text', cruiseDay: 1 }),
  },
  things: {
    kinds: {
      theme: { params: ['themeID'] },
    },
    make: async (nodes) => ({ theme: { other: await makeTheme(nodes), missing: missingUuid } }),
  },
}

async function makeTheme(nodes: TestNodes): Promise<string> {
  const [row] = await nodes.sql<[{ id: string }]>`
    insert into daily_theme (id, title, info, cruise_day) values (gen_random_uuid(), 'A theme', 'Its text', 1)
    on conflict (cruise_day) do update set title = excluded.title returning id`
  return row.id
}
