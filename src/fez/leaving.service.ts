// Somebody leaves all chats for good.
import type { Tx } from '../core/work/ctx.ts'
import { userTopic } from '../accounts/events.ts'
import { settingsOf } from '../settings/channel.ts'
import { cancelledNotice } from './notices.ts'
import { fezTopic } from './events.ts'
import { deleteMember, lockFezzesOf, selectMemberships, softDeleteFez, updateFezRow } from './queries.ts'
import type { FezRow } from './rows.ts'
import { nameParts } from './service.ts'
import { isSeamail } from './types.ts'

/**
 * Takes these accounts out of all chats. Groups of theirs that are not over are cancelled, which their members are
 * told; their personal events are deleted. Seamails stay for the others.
 */
export async function leaveAllChats(tx: Tx, accountIds: readonly string[]): Promise<void> {
  const { floatingNow } = settingsOf(tx.ctx.node).shipTimeAt(tx.ctx.nowMs)
  for (const fez of await lockFezzesOf(tx.sql, accountIds)) {
    if (fez.fezType === 'personalEvent') {
      const { seq } = await softDeleteFez(tx.sql, fez.id, tx.now)
      tx.emitConfirmed(fezTopic, fez.id, { type: 'deleted', seq })
      continue
    }
    const ends = fez.endTime ?? fez.startTime
    const isToCome = !isSeamail(fez.fezType) && !fez.cancelled && (ends === null || ends > floatingNow)
    if (isToCome && accountIds.includes(fez.ownerId)) await cancel(tx, fez)
    for (const { accountId } of await selectMemberships(tx.sql, fez.id, accountIds)) {
      const seq = await deleteMember(tx.sql, fez.id, accountId, tx.now)
      tx.emitConfirmed(fezTopic, fez.id, { type: 'left', seq, accountID: accountId, updatedAt: tx.now })
      tx.emitConfirmed(userTopic, accountId, { type: 'chatsChanged', fezID: fez.id })
    }
  }
}

async function cancel(tx: Tx, fez: FezRow): Promise<void> {
  const seq = await updateFezRow(tx.sql, fez.id, { ...fez, cancelled: true }, tx.now)
  tx.emitConfirmed(fezTopic, fez.id, { type: 'changed', seq })
  const notice = cancelledNotice(fez.id, nameParts(fez), tx.viewer.username)
  tx.emit(fezTopic, fez.id, { type: 'cancelled', seq: 0, noticeID: tx.ctx.node.random.uuid(), byID: tx.viewer.id, notice })
}
