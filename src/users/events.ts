// What happens to one account, told to every node.
import type { AccountRow } from '../core/accounts.ts'
import type { Kind } from '../core/ctx.ts'
import type { FezEvent } from '../fez/events.ts'
import type { HitCount } from '../notification/hits.ts'
import { UserChannel } from './channel.ts'

export type UserEvent =
  /** Name, image, level, roles or temporary quarantine changed, or the account is new. */
  | { type: 'changed'; account: AccountRow }
  /** Blocks, mutes or words changed. */
  | { type: 'relationsChanged' }
  /** The token is gone: its sockets are closed on all nodes. */
  | { type: 'loggedOut' }
  /** The account follows other events of the schedule. */
  | { type: 'followedEventsChanged' }
  /** The account joined, left, or was added to or removed from a chat. */
  | { type: 'chatsChanged'; fezID: string }
  | { type: 'chatMuted'; fezID: string }
  /** The account has read a chat up to a post, as the member it is since `position`, or as a reader of the shared inbox that is. */
  | { type: 'chatRead'; fezID: string; postID: number; position: number; inboxID?: string }
  /** The account has read the announcements up to this one. */
  | { type: 'announcementsRead'; announcementID: number }
  /** Only within a node: hits were counted anew, unless that failed, and these frames go with them. */
  | { type: 'hits'; counts: readonly HitCount[] | undefined; frames: readonly Uint8Array[] }
  /** Only within a node: an event of the schedule is about to start. */
  | { type: 'eventStarting'; eventID: string; startTime: string; notice: Uint8Array }
  /** Only within a node: something happened in a chat that the account is a member of. */
  | { type: 'chat'; fezID: string; event: FezEvent }

/** One channel per account that is logged in or connected. */
export const userKind: Kind<UserChannel, UserEvent> = {
  name: 'user',
  create: (node, id) => new UserChannel(node, id),
}
