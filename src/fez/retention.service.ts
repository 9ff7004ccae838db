// What of chats grows old: deleted ones, earlier versions, and private chats in which nobody writes any more.
import { hasNoPosts, oldRows, oldVersions, type RetentionRule } from '../moderation/old-rows.ts'
import { fezTopic } from './events.ts'
import { countSilentChats, lockSilentChats, softDeleteChats } from './retention.queries.ts'
import { changesChat } from './service.ts'

const ofChats = ['fez', 'privateEvent'] as const

const posts = { kind: 'deleted', table: 'fez_post', key: 'int', about: [['fezPost'], 'id'], polls: 'fez' } as const

/** They go as if a moderator had deleted them: who has one open is told. */
const silentChats: RetentionRule = {
  kind: 'chats',
  count: countSilentChats,
  async remove(tx, before, limit) {
    const ids = await lockSilentChats(tx.sql, before, limit)
    if (ids.length === 0) return 0
    for (const id of ids) changesChat(tx, id)
    for (const { id, seq } of await softDeleteChats(tx.sql, ids, tx.now)) tx.emitConfirmed(fezTopic, id, { type: 'deleted', seq })
    return ids.length
  },
}

export const fezRetention = [
  silentChats,
  oldRows({ ...posts, old: (sql, before) => sql`deleted_at < ${before}` }),
  oldRows({ ...posts, old: (sql, before) => sql`deleted_at is null and fez_id in (select id from fez where deleted_at < ${before})` }),
  oldRows({
    kind: 'deleted',
    table: 'fez',
    key: 'uuid',
    old: (sql, before) => sql`deleted_at < ${before}`,
    ready: (sql) => hasNoPosts(sql, 'fez_post', 'fez_post.fez_id', 'fez.id'),
    about: [ofChats, 'id'],
    first: { poll: 'fez_id', fez_edit: 'fez_id', fez_inbox_reader: 'fez_id', fez_member: 'fez_id' },
  }),
  oldVersions('fez_edit', [ofChats, 'fez_id']),
]
