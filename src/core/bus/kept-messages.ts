// Durable messages, as Redis keeps them for nodes that are away.
import type { Redis } from 'ioredis'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import {
  decodeMessage,
  durableMs,
  durableTopic,
  encodeMessage,
  maxDurableMessages,
  messagesVersion,
  type DurableMessage,
  type Handlers,
} from './bus.ts'

type KeptMessage = [...DurableMessage, version?: number]

/** What one node keeps for the others, and hears of them when it is back. */
export class KeptMessages {
  readonly #commands: Redis
  readonly #key: string
  readonly #clock: Clock
  readonly #handlers: Handlers
  readonly #log: Log
  readonly #startedMs: number
  /** From then on new ones are known by their ids, not by their time: the clock may have been set. */
  #hasHeard = false
  /** Some may have been missed, and were not read yet. */
  #isDue = false

  constructor(options: { commands: Redis; prefix: string; clock: Clock; handlers: Handlers; log: Log }) {
    this.#commands = options.commands
    this.#key = options.prefix + durableTopic
    this.#clock = options.clock
    this.#handlers = options.handlers
    this.#log = options.log
    this.#startedMs = options.clock.now()
  }

  /** @throws when Redis is away. */
  async keep(durable: DurableMessage): Promise<void> {
    const now = this.#clock.now()
    const bytes = encodeMessage([...durable, messagesVersion] satisfies KeptMessage)
    await Promise.all([
      this.#commands.zadd(this.#key, now, bytes),
      this.#commands.zremrangebyscore(this.#key, '-inf', String(now - durableMs)),
      this.#commands.zremrangebyrank(this.#key, 0, -maxDurableMessages - 1),
      this.#commands.pexpire(this.#key, durableMs),
    ])
  }

  /** This node may have missed some. */
  missed(): void {
    this.#isDue = true
  }

  /** Delivers those that were missed: at first, those since this node was started. */
  async hear(): Promise<void> {
    if (!this.#isDue) return
    this.#isDue = false
    const isFirst = !this.#hasHeard
    let kept: Buffer[]
    let since: number
    try {
      ;[kept, since] = await Promise.all([
        this.#commands.zrangeBuffer(this.#key, 0, '-1'),
        isFirst ? this.#commands.zcount(this.#key, this.#startedMs, '+inf') : Infinity,
      ])
    } catch (error) {
      // Often the same stall has broken the other connection: it is tried again with the next beat.
      this.#isDue = true
      return this.#log.debug({ err: error }, 'what was told could not be read')
    }
    this.#hasHeard = true
    const before = isFirst ? kept.length - since : 0
    for (const [index, bytes] of kept.entries())
      try {
        const [id, topic, message, version] = decodeMessage(bytes) as KeptMessage
        const durable: DurableMessage = [id, topic, message]
        if (index < before || version !== messagesVersion) this.#handlers.passOver(durable)
        else void this.#handlers.hear(durable)
      } catch (error) {
        this.#log.error({ err: error }, 'a kept message could not be read')
      }
  }
}
