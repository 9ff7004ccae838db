// Announcements, for tests that try everything.
import type { TestFeature } from '../support/features.ts'
import { texts } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /admin/announcements/planned serviceteam -
POST /admin/announcements/planned serviceteam -
DELETE /admin/announcements/planned/:planned_id serviceteam -
GET /notification/announcements flex -
GET /notification/announcement/:announcementID serviceteam -
POST /notification/announcement/create serviceteam -
POST /notification/announcement/:announcementID/edit serviceteam -
POST /notification/announcement/:announcementID/delete serviceteam -
DELETE /notification/announcement/:announcementID serviceteam -
`,
  objects: `
GET /notification/announcement/:announcementID announcementID serviceteam: missing=400 other=ok
POST /notification/announcement/:announcementID/edit announcementID serviceteam: missing=400 other=ok
POST /notification/announcement/:announcementID/delete announcementID serviceteam: missing=400 other=ok
DELETE /notification/announcement/:announcementID announcementID serviceteam: missing=400 other=ok
`,
  bodies: {
    AnnouncementPlanData: () => ({ text: 'Hear', showAt: '2099-01-01T00:00:00Z', displayUntil: '2099-01-02T00:00:00Z' }),
    AnnouncementCreateData: () => ({ text: 'Hear', displayUntil: '2099-01-01T00:00:00Z' }),
  },
  things: {
    kinds: {
      announcement: { params: ['announcementID'] },
    },
    make: async (nodes, { tho }) => {
      const [announcement] = await nodes.sql<[{ id: number }]>`
        insert into announcement (author_id, text, display_until, created_at, updated_at) values (${tho.id}, 'Hear', now() + interval '1 hour', now(), now()) returning id`
      return { announcement: texts({ other: announcement.id }) }
    },
  },
}
