// Messages between nodes. Delivery is at most once and unordered between senders:
// channels number their events (see channel.ts) and read Postgres again on a gap.
import { LRUCache } from 'lru-cache'
import { Decoder, Encoder, ExtensionCodec } from '@msgpack/msgpack'

/** Handles one message; a returned promise delays the acknowledgement of a confirmed publish. */
export type BusHandler = (message: unknown) => void | Promise<void>

/**
 * Fan-out between nodes. Messages are anything msgpack can hold. What is published with a `key` concerns the nodes alone that hold
 * this key of the topic: others need not get it.
 */
export interface Bus {
  readonly nodeId: string
  /** False while messages may be getting lost. Caches fed by the bus must not be trusted then. */
  readonly up: boolean
  /** Delivers to all subscribers of `topic` on all nodes: to this node's before it returns, to the others' soon. Never throws. */
  publish(topic: string, message: unknown, key?: string): void
  /** The same, to the other nodes alone. */
  publishElsewhere(topic: string, message: unknown): void
  /** As `publish`; resolves when the handlers of this node are done with it, however that went. */
  publishHere(topic: string, message: unknown, key?: string): Promise<void>
  /**
   * As `publish`; resolves when the handlers of all nodes that it concerns have finished, or after two seconds. False
   * when one of them may not have got it. Never rejects.
   */
  publishConfirmed(topic: string, message: unknown, key?: string): Promise<boolean>
  /**
   * As `publishConfirmed`, for one-time messages that are no row: nodes that are away now get it
   * when they are back, within ten minutes. Each node delivers an `id` once, however often it is published, and none from before its start.
   */
  publishDurably(topic: string, id: string, message: unknown): Promise<boolean>
  /** Resolves when messages to `topic` arrive here. */
  subscribe(topic: string, handler: BusHandler): Promise<() => void>
  /**
   * What is published with this key from now on comes to the handlers of the topic, until it was released as often as it was held.
   * Resolves when that is in force; undefined when it is already.
   */
  hold(topic: string, key: string): Promise<void> | undefined
  /** The same, of one that is held. */
  coming(topic: string, key: string): Promise<void> | undefined
  release(topic: string, key: string): void
  /** Called whenever messages may have been lost, after delivery works again: what is in memory is read again before it is used. */
  onReset(handler: () => void): void
  /** As if messages had been lost on this node. */
  reset(): void
  /**
   * Publishes what waits, and says farewell. Without `allPublished` there is no farewell: the others take this node for dead and
   * read everything again.
   */
  close(allPublished?: boolean): Promise<void>
}

/**
 * The shape of what servers and workers tell each other; `test/core/bus-messages.test.ts` says when it has to be raised. Of a
 * node with another one, as there is beside a new version that is being rolled out, a node understands only that
 * something was written.
 */
export const messagesVersion = 3

/** How long a confirmed publish waits. */
export const confirmTimeoutMs = 2000

/** For how long, and how many, durable messages are stored. */
export const durableMs = 10 * 60_000
export const maxDurableMessages = 2000

/** A message that is stored for nodes that are away. */
export type DurableMessage = [id: string, topic: string, message: unknown]
export const durableTopic = 'durable'

/**
 * A part of a message that a node opens only when it needs it. Every node hears of everything, and has no use for most
 * of it: passing over the bytes costs nothing, decoding them would.
 */
export class Sealed {
  #content: unknown
  #bytes: Uint8Array | undefined

  constructor(content: unknown) {
    this.#content = content
  }

  /** One that came from another node. */
  static of(bytes: Uint8Array): Sealed {
    const sealed = new Sealed(undefined)
    sealed.#bytes = bytes
    return sealed
  }

  /** @throws when another node has sent what cannot be decoded. */
  open(): unknown {
    if (this.#bytes) {
      this.#content = decodeMessage(this.#bytes)
      this.#bytes = undefined
    }
    return this.#content
  }
}

const sealedType = 1
const extensionCodec = new ExtensionCodec()
extensionCodec.register({
  type: sealedType,
  // Taken over before the next part is encoded.
  encode: (value) => (value instanceof Sealed ? parts.encodeSharedRef(value.open()) : null),
  decode: Sealed.of,
})

/** Encodes a message for other nodes: dates and bytes as they are, fields without a value left out. */
export function encodeMessage(message: unknown): Buffer {
  const shared = frames.encodeSharedRef(message)
  const bytes = Buffer.from(shared)
  // It grows with what it has encoded, and never shrinks.
  if (shared.buffer.byteLength > mostKeptBytes) [frames, parts] = [newEncoder(), newEncoder()]
  return bytes
}

/** Encoders are used again: each has a buffer. */
const mostKeptBytes = 256 * 1024
const newEncoder = () => new Encoder({ ignoreUndefined: true, extensionCodec })
let frames = newEncoder()
/** Of what is sealed within a message. */
let parts = newEncoder()

const decoder = new Decoder({ extensionCodec })

export const decodeMessage = (bytes: Uint8Array): unknown => decoder.decode(bytes)

/** Handlers by topic and of resets: the part that is the same for every bus. */
export class Handlers {
  readonly #byTopic = new Map<string, Set<BusHandler>>()
  readonly #ofReset: (() => void)[] = []
  readonly #delivered = new LRUCache<string, true>({ max: 2 * maxDurableMessages })
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
    this.add(durableTopic, (durable) => this.hear(durable as DurableMessage))
  }

  /** Delivers a durable message unless this node had it. */
  hear([id, topic, message]: DurableMessage): void | Promise<void> {
    if (this.#delivered.has(id)) return
    this.#delivered.set(id, true)
    return this.deliver(topic, message)
  }

  /** This node has no use for a durable message. */
  passOver([id]: DurableMessage): void {
    this.#delivered.set(id, true)
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

  has(topic: string): boolean {
    return this.#byTopic.has(topic)
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

  addReset(handler: () => void): void {
    this.#ofReset.push(handler)
  }

  reset(): void {
    for (const handler of this.#ofReset) {
      try {
        handler()
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
