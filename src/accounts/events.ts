// Changes of one account, published to the servers that have its channel; what others are shown of it to all.
import type { KeyedKind, Topic } from '../core/live/registry.ts'
import type { WrittenTables } from '../core/db/written.ts'
import type { Tx } from '../core/work/ctx.ts'
import type { AccountRow } from './rows.ts'

export type UserEvent =
  /** Name, image, level, roles or temporary quarantine changed, or the account is new. */
  | { type: 'changed'; account: AccountRow }
  /** Blocks, mutes or words changed. */
  | { type: 'relationsChanged' }
  /** The token is gone: its sockets are closed on all nodes. */
  | { type: 'loggedOut' }
  /** Sessions of browsers began or ended: sockets of those that ended are closed on all nodes. */
  | { type: 'sessionsChanged' }
  /** The account follows other events of the schedule. */
  | { type: 'followedEventsChanged' }
  /** The account joined, left, or was added to or removed from a chat. */
  | { type: 'chatsChanged'; fezID: string }
  /** The account has muted a chat, or made it a favorite, or has ended that. */
  | { type: 'chatMarked'; fezID: string }
  /** The account has read a chat up to a post, as the member it is since `position`, or as a reader of the shared inbox that is. */
  | { type: 'chatRead'; fezID: string; postID: number; position: number; inboxID?: string }
  /** A notice for the account's notification sockets. Sent once for each id. */
  | { type: 'noticed'; noticeID: string; notice: Uint8Array }
  /** Rows that answers show to the account alone were written. */
  | { type: 'ownWritten'; tables: readonly string[] }
  /** The account has read the announcements up to this one. */
  | { type: 'announcementsRead'; announcementID: number }

export const userTopic: Topic<UserEvent> = { name: 'user' }

/** Every server and worker has accounts in memory; all else concerns those alone that have the account's channel. */
export const keyedUsers = ({ own }: WrittenTables): KeyedKind => ({
  name: userTopic.name,
  tables: own,
  toAll: (event) => (event as UserEvent).type === 'changed',
})

/**
 * Says that of these tables, which are declared as `own`, only rows of this account are changed. The answer waits until the
 * servers that have the account's channel know; all others know within half a second.
 */
export function changesOwn(tx: Tx, accountId: string, ...tables: readonly string[]): void {
  const { own } = tx.ctx.node.writtenTables
  for (const table of tables) if (!own.includes(table)) throw new Error(`${table} is not declared as own`)
  tx.changesPart(tables, accountId, { confirmed: false })
  tx.emitConfirmed(userTopic, accountId, { type: 'ownWritten', tables })
}
