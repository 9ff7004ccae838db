// A bus between nodes of one process, for tests of what lives on one: the same contract as that of Redis
// (test/contract/bus.ts), and outages as the test wants them.
import { randomUUID } from 'node:crypto'
import {
  decodeMessage,
  encodeMessage,
  Handlers,
  confirmTimeoutMs,
  durableTopic,
  type Bus,
  type BusHandler,
  type DurableMessage,
} from '../../src/core/bus/bus.ts'
import { systemClock, type Clock } from '../../src/core/base/clock.ts'

/** Where the memory buses of one process meet. Between `disconnect` and `reconnect` there is an outage. */
export class MemoryHub {
  readonly buses = new Set<MemoryBus>()
  readonly durable: DurableMessage[] = []
  connected = true

  disconnect(): void {
    this.connected = false
  }

  reconnect(): void {
    this.connected = true
    for (const bus of this.buses) bus.reset()
  }
}

/** One node's end of it. */
export class MemoryBus implements Bus {
  readonly nodeId = randomUUID()
  readonly #durableBefore: number
  readonly #hub: MemoryHub
  readonly #handlers: Handlers
  readonly #onError: (error: unknown) => void
  readonly #clock: Clock
  /** How often each key is held. */
  readonly #held = new Map<string, number>()

  constructor(hub: MemoryHub, onError: (error: unknown) => void, clock: Clock = systemClock) {
    this.#hub = hub
    this.#handlers = new Handlers(onError)
    this.#onError = onError
    this.#clock = clock
    hub.buses.add(this)
    this.#durableBefore = hub.durable.length
  }

  get up(): boolean {
    return this.#hub.connected
  }

  publish(topic: string, message: unknown, key?: string): void {
    void this.publishConfirmed(topic, message, key)
  }

  publishElsewhere(topic: string, message: unknown): void {
    void this.#publish(topic, message, undefined, [])
  }

  async publishHere(topic: string, message: unknown, key?: string): Promise<void> {
    await this.publishConfirmed(topic, message, key)
  }

  async publishConfirmed(topic: string, message: unknown, key?: string): Promise<boolean> {
    return await this.#publish(topic, message, key, [this.#handlers.deliver(topic, message)])
  }

  hold(topic: string, key: string): Promise<void> | undefined {
    const name = `${topic}#${key}`
    const count = this.#held.get(name) ?? 0
    this.#held.set(name, count + 1)
    if (count > 0) return undefined
    return Promise.resolve()
  }

  coming(_topic: string, _key: string): Promise<void> | undefined {
    return undefined
  }

  release(topic: string, key: string): void {
    const name = `${topic}#${key}`
    const left = (this.#held.get(name) ?? 0) - 1
    if (left > 0) this.#held.set(name, left)
    else this.#held.delete(name)
  }

  async #publish(topic: string, message: unknown, key: string | undefined, pending: (void | Promise<void>)[]): Promise<boolean> {
    let all = this.#hub.connected
    if (this.#hub.connected) {
      try {
        const bytes = encodeMessage(message)
        for (const bus of this.#hub.buses)
          if (bus !== this && (key === undefined || bus.#held.has(`${topic}#${key}`))) pending.push(bus.#receive(topic, bytes))
      } catch (error) {
        this.#onError(error)
        all = false
        for (const bus of this.#hub.buses) if (bus !== this) bus.reset()
      }
    }
    let cancel = () => {}
    const late = new Promise<boolean>((resolve) => {
      cancel = this.#clock.after(confirmTimeoutMs, () => resolve(false))
    })
    const inTime = await Promise.race([Promise.all(pending).then(() => true), late])
    cancel()
    return all && inTime
  }

  async publishDurably(topic: string, id: string, message: unknown): Promise<boolean> {
    if (!this.#hub.connected) return false
    const durable: DurableMessage = [id, topic, message]
    this.#hub.durable.push(durable)
    return await this.publishConfirmed(durableTopic, durable)
  }

  async #receive(topic: string, bytes: Uint8Array): Promise<void> {
    await Promise.resolve()
    if (this.#hub.buses.has(this)) await this.#handlers.deliver(topic, decodeMessage(bytes))
  }

  async subscribe(topic: string, handler: BusHandler): Promise<() => void> {
    this.#handlers.add(topic, handler)
    return () => void this.#handlers.remove(topic, handler)
  }

  onReset(handler: () => void): void {
    this.#handlers.addReset(handler)
  }

  reset(): void {
    this.#handlers.reset()
    for (const durable of this.#hub.durable.slice(this.#durableBefore)) void this.#handlers.hear(durable)
  }

  async close(): Promise<void> {
    this.#hub.buses.delete(this)
  }
}
