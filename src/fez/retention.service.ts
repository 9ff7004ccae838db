// What of chats grows old.
import type { OldRowsRule } from '../core/work/old-rows.ts'
import { fezTopic } from './events.ts'
import { countSilentChats, lockSilentChats, oldChats, softDeleteChats } from './retention.queries.ts'
import { changesChat } from './service.ts'

/** Deleted as a moderator would delete them, with an event for sockets that are open. */
const silentChats: OldRowsRule = {
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

export const fezRetention = [silentChats, ...oldChats]
