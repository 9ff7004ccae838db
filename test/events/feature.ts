// The schedule, for tests that try everything.
import { randomUUID } from 'node:crypto'
import type { TestNodes } from '../support/app.ts'
import type { TestFeature } from '../support/features.ts'
import type { Person } from '../support/fez.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { missingUuid, texts } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /admin/schedule/changes serviceteam -
POST /admin/schedule/update serviceteam -
GET /admin/schedule/verify serviceteam -
POST /admin/schedule/verify serviceteam -
POST /admin/schedule/update/apply serviceteam -
GET /admin/schedule/viewlog serviceteam -
GET /admin/schedule/viewlog/:schedule_log_id serviceteam -
POST /admin/schedule/viewlog/:schedule_log_id/undo serviceteam -
GET /admin/schedule/reload serviceteam -
POST /admin/schedule/reload serviceteam -
GET /events flex schedule
GET /events/favorites token schedule
GET /events/photographerreport serviceteam schedule
GET /events/photographerreport/download serviceteam schedule
POST /events/update admin -
GET /events/:event_id flex schedule
GET /events/:event_id/calendarevent.ics flex schedule
GET /events/:event_id/forum token schedule+forums
POST /events/:event_id/favorite token schedule
POST /events/:event_id/favorite/remove token schedule
DELETE /events/:event_id/favorite token schedule
GET /forum/forevent/:event_id token forums
POST /events/:event_id/needsphotographer token schedule
POST /events/:event_id/needsphotographer/remove token schedule
DELETE /events/:event_id/needsphotographer token schedule
POST /events/:event_id/photographer token schedule
POST /events/:event_id/photographer/remove token schedule
DELETE /events/:event_id/photographer token schedule
GET /user/calendar token schedule
POST /user/calendar token schedule
DELETE /user/calendar token -
`,
  objects: `
GET /admin/schedule/viewlog/:schedule_log_id schedule_log_id serviceteam: missing=400 other=ok
POST /admin/schedule/viewlog/:schedule_log_id/undo schedule_log_id serviceteam: missing=400 other=400
GET /events/:event_id event_id stranger: missing=400 other=ok deleted=missing
GET /events/:event_id/calendarevent.ics event_id stranger: missing=400 other=ok deleted=missing
GET /events/:event_id/forum event_id stranger: missing=400 other=ok deleted=missing
POST /events/:event_id/favorite event_id stranger: missing=400 other=ok deleted=missing
POST /events/:event_id/favorite/remove event_id stranger: missing=ok other=ok deleted=ok
DELETE /events/:event_id/favorite event_id stranger: missing=ok other=ok deleted=ok
POST /events/:event_id/needsphotographer event_id manager: missing=400 other=ok deleted=missing
POST /events/:event_id/needsphotographer/remove event_id manager: missing=400 other=ok deleted=missing
DELETE /events/:event_id/needsphotographer event_id manager: missing=400 other=ok deleted=missing
POST /events/:event_id/photographer event_id manager: missing=400 other=ok deleted=missing
POST /events/:event_id/photographer/remove event_id stranger: missing=ok other=ok deleted=ok
DELETE /events/:event_id/photographer event_id stranger: missing=ok other=ok deleted=ok
GET /forum/forevent/:event_id event_id stranger: missing=400 other=ok deleted=missing
`,
  things: {
    kinds: {
      event: { params: ['event_id', 'event_uid'], hidden: ['deleted'] },
      scheduleLog: { params: ['schedule_log_id'] },
    },
    make: async (nodes, { admin }) => {
      const [log] = await nodes.sql<
        [{ id: number }]
      >`insert into schedule_log (automatic, change_count, created_at) values (true, 0, now()) returning id`
      return { event: await makeEvents(nodes, admin), scheduleLog: texts({ other: log.id }) }
    },
  },
}

async function makeEvents(nodes: TestNodes, admin: Person): Promise<Record<string, string>> {
  const [uid, goneUid] = [randomUUID(), randomUUID()]
  const event = (each: string): Listed => ({ uid: each, title: 'An event', start: '2025-03-03T13:00:00Z', end: '2025-03-03T14:00:00Z' })
  await apply(admin, [event(uid), event(goneUid)], { deletes: false, posts: true })
  // Those of other worlds stay.
  const others = await nodes.sql<
    { uid: string }[]
  >`select uid from event where title = 'An event' and deleted_at is null and uid not in ${nodes.sql([uid, goneUid])}`
  await apply(admin, [uid, ...others.map((other) => other.uid)].map(event))
  const rows = await nodes.sql<{ id: string; uid: string }[]>`select id, uid from event where uid in ${nodes.sql([uid, goneUid])}`
  const idOf = (wanted: string) => rows.find((row) => row.uid === wanted)?.id as string
  return { other: idOf(uid), deleted: idOf(goneUid), missing: missingUuid }
}
