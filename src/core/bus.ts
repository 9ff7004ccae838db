// What one node tells the others. Delivery is at most once and unordered between senders:
// whoever needs more numbers its events (see channel.ts) and re-reads Postgres on a gap.
import { randomUUID } from 'node:crypto'

/** Handles one message; a returned promise holds back the acknowledgement of `settle`. */
export type BusHandler = (message: unknown) => void | Promise<void>

/** Fan-out between nodes. Messages are anything msgpack can hold. */
export interface Bus {
  readonly nodeId: string
  /** False while messages may be getting lost. Caches fed by the bus must not be trusted then. */
  readonly up: boolean
  /** Delivers to all subscribers of `topic` on all nodes: to this node's before it returns, to the others' soon. Never throws. */
  publish(topic: string, message: unknown): void
  /** As `publish`; resolves when the handlers of all nodes have finished, or after two seconds. Never rejects. */
  settle(topic: string, message: unknown): Promise<void>
  /** Resolves when messages to `topic` arrive here. */
  subscribe(topic: string, handler: BusHandler): Promise<() => void>
  /** Called whenever messages may have been lost, after delivery works again. */
  onReset(handler: () => void): void
  close(): Promise<void>
}

/** Handlers by topic: the part that is the same for every bus. */
export class Handlers {
  readonly #byTopic = new Map<string, Set<BusHandler>>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Returns true when this is the first handler of the topic. */
  add(topic: string, handler: BusHandler): boolean {
    const handlers = this.#byTopic.get(topic)
    if (handlers) {
      handlers.add(handler)
      return false
    }
    this.#byTopic.set(topic, new Set([handler]))
    return true
  }

  /** Returns true when the topic has no handler left. */
  remove(topic: string, handler: BusHandler): boolean {
    const handlers = this.#byTopic.get(topic)
    if (!handlers?.delete(handler) || handlers.size > 0) return false
    this.#byTopic.delete(topic)
    return true
  }

  topics(): string[] {
    return [...this.#byTopic.keys()]
  }

  /** Calls every handler now. The promise, if any, resolves when all have finished; it never rejects. */
  deliver(topic: string, message: unknown): void | Promise<void> {
    const pending: Promise<void>[] = []
    for (const handler of this.#byTopic.get(topic) ?? []) {
      try {
        const result = handler(message)
        if (result) pending.push(result.catch(this.#onError))
      } catch (error) {
        this.#onError(error)
      }
    }
    if (pending.length > 0) return Promise.all(pending).then(() => undefined)
  }
}

/** Where the memory buses of one process meet. `disconnect` and `reconnect` stand in for an outage. */
export class MemoryHub {
  readonly buses = new Set<MemoryBus>()
  connected = true

  disconnect(): void {
    this.connected = false
  }

  reconnect(): void {
    this.connected = true
    for (const bus of this.buses) bus.reset()
  }
}

/** A bus between nodes of one process: for channel tests and the contract suite. */
export class MemoryBus implements Bus {
  readonly nodeId = randomUUID()
  readonly #hub: MemoryHub
  readonly #handlers: Handlers
  readonly #resetHandlers: (() => void)[] = []

  constructor(hub: MemoryHub, onError: (error: unknown) => void) {
    this.#hub = hub
    this.#handlers = new Handlers(onError)
    hub.buses.add(this)
  }

  get up(): boolean {
    return this.#hub.connected
  }

  publish(topic: string, message: unknown): void {
    void this.settle(topic, message)
  }

  async settle(topic: string, message: unknown): Promise<void> {
    const here = this.#handlers.deliver(topic, message)
    if (!this.#hub.connected) return here
    const others = [...this.#hub.buses].filter((bus) => bus !== this)
    await Promise.all([here, ...others.map(async (bus) => {
      await Promise.resolve()
      await bus.#handlers.deliver(topic, structuredClone(message))
    })])
  }

  async subscribe(topic: string, handler: BusHandler): Promise<() => void> {
    this.#handlers.add(topic, handler)
    return () => void this.#handlers.remove(topic, handler)
  }

  onReset(handler: () => void): void {
    this.#resetHandlers.push(handler)
  }

  reset(): void {
    for (const handler of this.#resetHandlers) handler()
  }

  async close(): Promise<void> {
    this.#hub.buses.delete(this)
  }
}
