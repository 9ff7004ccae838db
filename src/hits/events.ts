// Changes of hits, published to every node.
import type { Topic } from '../core/live/registry.ts'

/** Hits of these accounts were added, removed or looked at. */
export interface HitsEvent {
  changes: { accountIds: readonly string[]; frame?: Uint8Array }[]
  /** Of a notice that may be published again. */
  noticeId?: string
}

export const hitsTopic: Topic<HitsEvent> = { name: 'hits' }

/** The one channel of hits has this id. */
export const hitsId = 'all'
