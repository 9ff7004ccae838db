// What happens to one chat, told to every node. `seq` numbers the events of a chat without holes, in
// commit order.
import type { AccountRow } from '../core/accounts.ts'
import type { Kind } from '../core/ctx.ts'
import { FezChannel } from './channel.ts'
import type { FezPostRow } from './rows.ts'
import type { FezType } from './types.ts'

export type FezEvent = { seq: number } & (
  | {
      type: 'posted'
      postID: number
      post: FezPostRow
      /** Who is shown as the author. */
      author: AccountRow
      /** Who wrote it: he has read it and gets no notice. */
      realAuthorID: string
      updatedAt: Date
      /** Of the chat, for the notice that members get who have not muted it; without a title when moderators have hidden that. */
      chat: { fezType: FezType; title: string | undefined }
    }
  | { type: 'postDeleted'; postID: number; updatedAt: Date }
  | { type: 'joined'; account: AccountRow; position: number; updatedAt: Date }
  | { type: 'left'; accountID: string; updatedAt: Date }
  /** Texts, times, capacity, cancellation or moderation state. */
  | { type: 'changed' }
  | { type: 'deleted' }
  /** About to start: only for the members' notification sockets, and no change of the chat. Its `seq` is 0. DurableMessage once for each `startTime`. */
  | { type: 'starting'; startTime: string; notice: Uint8Array }
)

export const fezKind: Kind<FezChannel, FezEvent> = {
  name: 'fez',
  create: (node, id) => new FezChannel(node, id),
}
