// What a node publishes in one turn of the loop: a frame for each channel of Redis, and one for several keys where that is cheaper.
import { confirmTimeoutMs, messagesVersion } from './bus.ts'
import type { Clock } from '../base/clock.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import { KeyReceivers, type KeyedFrame } from './key-receivers.ts'

/** `[sender, acknowledgement number or 0, messages, shape of these]` */
export type Frame = [sender: string, ackId: number, messages: unknown[], version?: number]

/** Called once, with true when all nodes that a message concerns are done with it. */
export type Waiter = (all: boolean) => void

/** What goes to one channel of Redis. */
interface Pending {
  topic: string
  messages: unknown[]
  waiters: Waiter[]
}

/** Where frames go. */
export interface Outlet {
  nodeId: string
  clock: Clock
  acknowledgements: Acknowledgements
  /** Between a topic and a key in the name of a channel. */
  keyMark: string
  /** Resolves with the number of nodes that got it. */
  send(channel: string, frame: Frame): Promise<number>
  /** How many nodes hear a topic, as far as is known. */
  listenersOf(topic: string): number
  /** The same, as Redis says it; undefined when it does not. */
  countListeners(topic: string): Promise<number | undefined>
  /** A frame did not go out. */
  onFailed(error: unknown, topic: string, channel: string, frame: Frame): void
}

/** Messages of this turn. */
export class OutgoingFrames {
  readonly #outlet: Outlet
  /** By channel. */
  readonly #pending = new Map<string, Pending>()
  readonly #keyReceivers = new KeyReceivers()
  #flushScheduled = false

  constructor(outlet: Outlet) {
    this.#outlet = outlet
  }

  /** Goes out at the end of this turn; with a key, to those that hold it. */
  add(topic: string, message: unknown, key: string | undefined, waiter: Waiter | undefined): void {
    const channel = key === undefined ? topic : topic + this.#outlet.keyMark + key
    let entry = this.#pending.get(channel)
    if (!entry) this.#pending.set(channel, (entry = { topic, messages: [], waiters: [] }))
    entry.messages.push(message)
    if (waiter) entry.waiters.push(waiter)
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    setImmediate(() => this.flush())
  }

  /** Goes out now. */
  flush(): void {
    this.#flushScheduled = false
    this.#joinKeys()
    const entries = [...this.#pending]
    this.#pending.clear()
    for (const [channel, pending] of entries) this.#publish(channel, pending)
  }

  #publish(channel: string, { topic, messages, waiters }: Pending): void {
    const { nodeId, clock, acknowledgements, send, countListeners, onFailed } = this.#outlet
    const hasKey = channel !== topic
    const ackId =
      waiters.length === 0
        ? 0
        : acknowledgements.begin(
            topic,
            (giveUp) => clock.after(confirmTimeoutMs, giveUp),
            (all) => waiters.forEach((waiter) => waiter(all)),
          )
    const frame: Frame = [nodeId, ackId, messages, messagesVersion]
    const sent = send(channel, frame)
    // Who holds the key, Redis alone knows, and it has forgotten that of a node that is about to come back.
    const counted = ackId > 0 && hasKey ? countListeners(topic) : undefined
    Promise.all([sent, counted])
      .then(([receivers, listeners]) => {
        if (hasKey) this.#keyReceivers.note(channel, receivers)
        acknowledgements.sent(ackId, receivers, listeners)
      })
      .catch((error: unknown) => {
        onFailed(error, topic, channel, frame)
        acknowledgements.failed(ackId)
      })
  }

  /** What has a key goes to all nodes in one frame where that costs less than a frame for each key. */
  #joinKeys(): void {
    const byTopic = new Map<string, KeyedFrame[]>()
    for (const [channel, { topic, messages, waiters }] of this.#pending) {
      if (channel === topic) continue
      let frames = byTopic.get(topic)
      if (!frames) byTopic.set(topic, (frames = []))
      frames.push({ channel, messages: messages.length, isConfirmed: waiters.length > 0 })
    }
    for (const [topic, frames] of byTopic) {
      if (frames.length < 2 || !this.#keyReceivers.isCheaperTogether(frames, this.#outlet.listenersOf(topic))) continue
      const joined: Pending = this.#pending.get(topic) ?? { topic, messages: [], waiters: [] }
      for (const { channel } of frames) {
        const { messages, waiters } = this.#pending.get(channel) as Pending
        joined.messages.push(...messages)
        joined.waiters.push(...waiters)
        this.#pending.delete(channel)
      }
      this.#pending.set(topic, joined)
    }
  }
}
