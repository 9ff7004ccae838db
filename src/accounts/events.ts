// Changes of one account, published to every node.
import type { Topic } from '../core/live/registry.ts'
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
  /** The account has read the announcements up to this one. */
  | { type: 'announcementsRead'; announcementID: number }

export const userTopic: Topic<UserEvent> = { name: 'user' }
