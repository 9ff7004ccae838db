// Whether what concerns a few nodes each goes to these alone, or to all nodes in one frame.
import { LRUCache } from 'lru-cache'

/** Keys of which it is remembered how many nodes hold them. */
const maxKeys = 10_000
/** Of a key that nothing was published with so far. */
const unknownReceivers = 2
/** What a node pays to pass over a message that it has no use for, in the price of receiving or sending a frame. */
const passedOver = 0.1

/** What is to be published with one key. */
export interface KeyedFrame {
  channel: string
  messages: number
  /** Whoever receives it sends an acknowledgement, for as much again. */
  isConfirmed: boolean
}

/** How many nodes have received what was last published with a key, as Redis has said. */
export class KeyReceivers {
  readonly #receivers = new LRUCache<string, number>({ max: maxKeys })

  /** The last frame for a key went to so many nodes. */
  note(channel: string, receivers: number): void {
    this.#receivers.set(channel, receivers)
  }

  /** True when one frame with all of it costs less, where `nodes` hear the topic, than one for each of the keys. */
  isCheaperTogether(frames: readonly KeyedFrame[], nodes: number): boolean {
    let apart = 0
    let messages = 0
    let received = 1
    for (const { channel, messages: count, isConfirmed } of frames) {
      if (isConfirmed) received = 2
      apart += 1 + (isConfirmed ? 2 : 1) * (this.#receivers.get(channel) ?? unknownReceivers)
      messages += count
    }
    return 1 + nodes * (received + passedOver * messages) < apart
  }
}
