// What of moderation grows old.
import { oldRows } from '../core/work/old-rows.ts'

export const moderationRetention = [
  oldRows({ kind: 'reports', table: 'report', key: 'uuid', old: (sql, before) => sql`is_closed and updated_at < ${before}` }),
  oldRows({ kind: 'trails', table: 'moderator_action', key: 'uuid', old: (sql, before) => sql`created_at < ${before}` }),
  oldRows({ kind: 'trails', table: 'audit', key: 'bigint', old: (sql, before) => sql`created_at < ${before}` }),
]
