// Receives on every node whose hits have changed, and reads the new numbers of those users who are in
// memory here: however many they are, in one statement.
import { LRUCache } from 'lru-cache'
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { hitsTopic, type HitsEvent } from '../hits/events.ts'
import { userKind } from './channel.ts'
import { noHits, type HitCount } from '../hits/hits.ts'
import { selectHitCounts } from '../hits/queries.ts'

const maxNoticeIds = 5000

/** Holds no state of its own but the running read: numbers are in the user channels. */
export class HitsChannel extends Channel<HitsEvent, true> {
  readonly #node: Node
  /** Users to be read, with what their sockets are to be sent then. */
  #due = new Map<string, Uint8Array[]>()
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** Notices that were sent: an interrupted job runs again. */
  readonly #notices = new LRUCache<string, true>({ max: maxNoticeIds })

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  /** There is one on every node, from start to end. */
  get busy(): boolean {
    return true
  }

  /** The promise resolves when the numbers are in force. */
  override receive({ changes, noticeId }: HitsEvent): void | Promise<void> {
    if (noticeId !== undefined) {
      if (this.#notices.has(noticeId)) return
      this.#notices.set(noticeId, true)
    }
    const users = this.#node.channels.of(userKind)
    let heard = false
    for (const { accountIds, frame } of changes) {
      for (const id of accountIds) {
        if (!users.peek(id)) continue
        heard = true
        const frames = this.#due.get(id)
        if (!frames) this.#due.set(id, frame ? [frame] : [])
        else if (frame) frames.push(frame)
      }
    }
    if (heard) return this.#readAfterThis()
  }

  /** A reading under way may have begun before the change. */
  #readAfterThis(): Promise<void> {
    return (this.#next ??= this.#reading.then(() => {
      this.#next = undefined
      return (this.#reading = this.#readDue())
    }))
  }

  async #readDue(): Promise<void> {
    const due = this.#due
    this.#due = new Map()
    const counts = new Map<string, HitCount[]>()
    let failed = false
    try {
      for (const { accountId, ...count } of await selectHitCounts(this.#node.db.sql, [...due.keys()])) {
        const known = counts.get(accountId)
        if (known) known.push(count)
        else counts.set(accountId, [count])
      }
    } catch (error) {
      failed = true
      this.log.warn({ err: error }, 'numbers of hits could not be read')
    }
    const users = this.#node.channels.of(userKind)
    const taken: (void | Promise<void>)[] = []
    for (const [id, frames] of due) {
      const user = users.peek(id)
      // One that is being read takes these numbers after its own: they are newer, or will be read again.
      taken.push(user?.receive({ type: 'hits', counts: failed ? undefined : (counts.get(id) ?? noHits), frames }))
    }
    await Promise.allSettled(taken)
  }

  protected override async read(): Promise<true> {
    return true
  }

  protected override install(): void {}

  protected override apply(): void {}
}

export const hitsKind: Kind<HitsChannel, HitsEvent> = {
  name: hitsTopic.name,
  tables: [],
  create: (node, id) => new HitsChannel(node, id),
}
