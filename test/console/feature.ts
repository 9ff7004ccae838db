// The console, for tests that try everything.
import { randomUUID } from 'node:crypto'
import type { TestFeature } from '../support/features.ts'

export const feature: TestFeature = {
  access: `
GET /admin/users moderator -
GET /admin/users/:user_id serviceteam -
GET /admin/users/csv serviceteam -
POST /admin/users/bulk tho -
POST /admin/users/:user_id/signout tho -
POST /admin/users/:user_id/secondfactor/remove tho -
GET /admin/figures serviceteam -
GET /admin/checks serviceteam -
GET /admin/reach moderator -
GET /admin/jobs serviceteam -
GET /admin/jobs/kinds serviceteam -
GET /admin/jobs/history serviceteam -
POST /admin/jobs/kinds/:job_kind/pause tho -
POST /admin/jobs/kinds/:job_kind/resume tho -
POST /admin/jobs/kinds/:job_kind/retry tho -
DELETE /admin/jobs/kinds/:job_kind/failed tho -
POST /admin/jobs/:job_id/retry tho -
DELETE /admin/jobs/:job_id tho -
POST /admin/memory/reload admin -
GET /admin/errors serviceteam -
GET /admin/audit admin -
GET /admin/audit/csv admin -
GET /admin/backups admin -
POST /admin/boardgames/verify admin -
POST /admin/boardgames/upload admin -
GET /admin/boardgames/file admin -
POST /admin/karaoke/verify admin -
POST /admin/karaoke/upload admin -
GET /admin/karaoke/file admin -
GET /user/export token -
POST /user/export token -
GET /user/deletion token -
POST /user/delete token -
GET /user/export/file token -
POST /admin/backups admin -
POST /admin/backups/schedule admin -
GET /admin/event serviceteam -
POST /admin/event/trip admin -
GET /admin/report serviceteam -
GET /admin/everybody admin -
POST /admin/everybody admin -
POST /admin/everybody/ticket admin -
GET /admin/wipe admin -
POST /admin/wipe admin -
POST /admin/backups/:backup_name/verify admin -
POST /admin/backups/:backup_name/ticket admin -
GET /admin/backups/:backup_name admin -
`,
  objects: `
GET /admin/users/:user_id user_id serviceteam: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /admin/users/:user_id/secondfactor/remove user_id tho: missing=400 other=400 blocked=400 banned=400 quarantined=400 moderator=403 serviceteam=403 tho=403 admin=403 special=403
POST /admin/users/:user_id/signout user_id tho: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=403 serviceteam=403 tho=403 admin=403 special=403
`,
  bodies: {
    UsersBulkData: () => ({ userIDs: [randomUUID()], action: 'signOut' }),
  },
}
