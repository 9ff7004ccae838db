// Changes of one chat, published to every node. `seq` numbers the events of a chat without holes, in
// commit order.
import type { AccountRow } from '../accounts/rows.ts'
import type { Topic } from '../core/live/registry.ts'
import type { FezPostRow } from './rows.ts'
import type { FezType } from './types.ts'

/** A new post. Whoever wrote it has read it and gets no notice. */
export interface ChatPost {
  post: FezPostRow
  /** The author shown. */
  author: AccountRow
}

export type FezEvent = { seq: number } & (
  | {
      type: 'posted'
      /** One or more, written together. `seq` is the number of the first, and each other one has the next. */
      posts: readonly ChatPost[]
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
  /**
   * About to start: only for the members' notification sockets, and no change of the chat. Its `seq` is 0. Announced
   * once for each `startTime`.
   */
  | { type: 'starting'; startTime: string; notice: Uint8Array }
  /**
   * Called off by `byID`: for the notification sockets of the other members. Its `seq` is 0; the change of the chat is
   * an event of its own.
   */
  | { type: 'cancelled'; noticeID: string; byID: string; notice: Uint8Array }
)

/** The number of the last change in an event. */
export const lastSeqOf = (event: FezEvent): number => (event.type === 'posted' ? event.seq + event.posts.length - 1 : event.seq)

export const fezTopic: Topic<FezEvent> = { name: 'fez' }
