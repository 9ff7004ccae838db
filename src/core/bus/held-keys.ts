// The keys that this node holds, as Redis is to know them: what is asked for in one turn goes out in one command.
import type { PubSub } from './pub-sub.ts'

interface NextCommand {
  subscribe: Set<string>
  unsubscribe: Set<string>
  sent: Promise<void>
}

/** Names are those of channels. */
export class HeldKeys {
  /** How often each is held. There are as many as people and chats in memory. */
  readonly #held = new Map<string, number>()
  /** Held, and not yet in force: each with the command that it goes out with. */
  readonly #coming = new Map<string, Promise<void>>()
  /** What the next command brings. */
  #next: NextCommand | undefined
  readonly #pubSub: PubSub
  /** False while there is nothing to change: all that is held is subscribed to before the connection is used. */
  readonly #isSubscribed: () => boolean
  readonly #onRefused: () => void

  /** `onRefused`: Redis goes on, and does not let this node hear something that it has to. */
  constructor(pubSub: PubSub, isSubscribed: () => boolean, onRefused: () => void) {
    this.#pubSub = pubSub
    this.#isSubscribed = isSubscribed
    this.#onRefused = onRefused
  }

  /** All of them, to be subscribed to after a lost connection. */
  names(): Iterable<string> {
    return this.#held.keys()
  }

  /** Resolves when Redis counts this node among those that hear it; undefined when it does already, or when that has to wait for a connection. */
  hold(name: string): Promise<void> | undefined {
    const count = this.#held.get(name) ?? 0
    this.#held.set(name, count + 1)
    if (count > 0) return this.coming(name)
    if (!this.#isSubscribed()) return undefined
    const next = this.#nextCommand()
    // It is subscribed to still, or that is under way.
    if (next.unsubscribe.delete(name)) return this.coming(name)
    next.subscribe.add(name)
    this.#coming.set(name, next.sent)
    return next.sent
  }

  /** The same, of one that is held. */
  coming(name: string): Promise<void> | undefined {
    return this.#coming.get(name)
  }

  /** One of those who hold it needs it no more. */
  release(name: string): void {
    const left = (this.#held.get(name) ?? 0) - 1
    if (left > 0) return void this.#held.set(name, left)
    if (!this.#held.delete(name) || !this.#isSubscribed()) return
    const next = this.#nextCommand()
    if (next.subscribe.delete(name)) this.#coming.delete(name)
    else next.unsubscribe.add(name)
  }

  #nextCommand(): NextCommand {
    return (this.#next ??= {
      subscribe: new Set(),
      unsubscribe: new Set(),
      sent: new Promise((resolve) => {
        setImmediate(() => resolve(this.#send()))
      }),
    })
  }

  async #send(): Promise<void> {
    const { subscribe, unsubscribe, sent } = this.#next as NextCommand
    this.#next = undefined
    // Otherwise the connection was lost: with the next one everything held is subscribed to.
    if (this.#isSubscribed()) {
      this.#pubSub.unsubscribe([...unsubscribe])
      try {
        await this.#pubSub.subscribe([...subscribe])
      } catch {
        if (this.#isSubscribed()) this.#onRefused()
      }
    }
    for (const name of subscribe) if (this.#coming.get(name) === sent) this.#coming.delete(name)
  }
}
