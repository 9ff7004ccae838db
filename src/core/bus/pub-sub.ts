// What the bus says to Redis: its two connections, and the commands of pub/sub.
import type { Redis } from 'ioredis'
import { isClusterUrl } from '../base/redis-url.ts'
import type { Log } from '../base/log.ts'
import { partsOf } from '../base/batches.ts'
import { confirmTimeoutMs } from './bus.ts'
import { openRedis } from './redis-connection.ts'

/** More channels in one command would hold up what comes behind it. */
const channelsAtOnce = 1000

/** A frame was not sent: nothing of it has left this node. */
export class NotTaken extends Error {}

/** What a `PubSub` tells. */
export interface PubSubEvents {
  onFrame(channel: string, frame: Buffer): void
  /** What this node hears ended with its connection. */
  onDeaf(): void
  /** One of the connections can be used. */
  onReady(): void
}

/** The commands of pub/sub, of which Redis has two kinds. */
interface Dialect {
  publish(redis: Redis, channel: string, frame: Buffer): Promise<unknown>
  subscribe(redis: Redis, channels: readonly string[]): Promise<unknown>
  unsubscribe(redis: Redis, channels: readonly string[]): Promise<unknown>
  /** Resolves with each channel and how many hear it, in one list. */
  count(redis: Redis, channels: readonly string[]): Promise<unknown[]>
  /** What ioredis emits with a channel and a frame. */
  frameEvent: string
}

const plain: Dialect = {
  publish: (redis, channel, frame) => redis.publish(channel, frame),
  subscribe: (redis, channels) => redis.subscribe(...channels),
  unsubscribe: (redis, channels) => redis.unsubscribe(...channels),
  count: (redis, channels) => redis.pubsub('NUMSUB', ...channels),
  frameEvent: 'messageBuffer',
}

/** In a Cluster, where the other kind goes to every server, and none counts those who hear it at another one. */
const sharded: Dialect = {
  publish: (redis, channel, frame) => redis.spublish(channel, frame),
  subscribe: (redis, channels) => atOwner(redis, channels, () => redis.ssubscribe(...channels)),
  unsubscribe: (redis, channels) => redis.sunsubscribe(...channels),
  count: (redis, channels) => atOwner(redis, channels, () => redis.pubsub('SHARDNUMSUB', ...channels)),
  frameEvent: 'smessageBuffer',
}

/**
 * Asks, and asks for a key as well. A server that has become a replica, or that is cut off from most others, still serves channels; it
 * refuses keys, and that refusal ends the connection (`isElsewhere`).
 */
async function atOwner<T>(redis: Redis, [key]: readonly string[], ask: () => Promise<T>): Promise<T> {
  const [answer] = await Promise.all([ask(), key === undefined ? undefined : redis.exists(key)])
  return answer
}

/**
 * One connection for commands and one that hears. Nothing waits for a connection, and a command under way when one broke counts as
 * lost: it is never sent twice. Channels are named without the prefix of the installation.
 */
export class PubSub {
  /** For commands that are not about channels. */
  readonly commands: Redis
  readonly #subscriber: Redis
  readonly #dialect: Dialect
  readonly #prefix: string
  readonly #log: Log

  /** Hears under the name of its node. */
  constructor(options: { url: string; prefix: string; nodeId: string; log: Log; events: PubSubEvents; open?: typeof openRedis }) {
    const { url, nodeId, events, open = openRedis } = options
    const isCluster = isClusterUrl(url)
    this.#dialect = isCluster ? sharded : plain
    this.#prefix = options.prefix
    this.#log = options.log
    const retryStrategy = (attempt: number) => Math.min(50 * attempt, 1000)
    const common = { retryStrategy, enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: confirmTimeoutMs }
    this.commands = open(url, common)
    // Who uses this subscribes again, and knows then when that has worked.
    this.#subscriber = open(url, { ...common, autoResubscribe: false, connectionName: this.#nameOf(nodeId) })
    for (const client of [this.commands, this.#subscriber]) {
      client.on('error', (error) => this.#log.debug({ err: error }, 'bus connection'))
      client.on('ready', () => events.onReady())
    }
    if (isCluster) {
      // To the same server: there, those who hear are counted.
      this.commands.on('close', () => this.hearAnew())
      this.#subscriber.on('moved', () => this.hearAnew())
    }
    this.#subscriber.on(this.#dialect.frameEvent, (channel: Buffer, frame: Buffer) =>
      events.onFrame(channel.toString().slice(this.#prefix.length), frame),
    )
    this.#subscriber.on('close', () => events.onDeaf())
  }

  get canSend(): boolean {
    return this.commands.status === 'ready'
  }

  get canHear(): boolean {
    return this.#subscriber.status === 'ready'
  }

  /** Resolves with the number of nodes that got it. @throws NotTaken when Redis is away. */
  async publish(channel: string, frame: Buffer): Promise<number> {
    if (!this.canSend) throw new NotTaken('Redis is away')
    return Number(await this.#dialect.publish(this.commands, this.#prefix + channel, frame))
  }

  /** How many hear each of these. @throws also where Redis does not say it. */
  async count(channels: readonly string[]): Promise<number[]> {
    const counts = await this.#dialect.count(
      this.commands,
      channels.map((channel) => this.#prefix + channel),
    )
    return channels.map((_, index) => Number(counts[2 * index + 1]))
  }

  /** Resolves when Redis counts this node among those that hear all of these. @throws when the connection is lost meanwhile. */
  async subscribe(channels: readonly string[]): Promise<void> {
    await Promise.all(this.#parts(channels).map((names) => this.#dialect.subscribe(this.#subscriber, names)))
  }

  unsubscribe(channels: readonly string[]): void {
    for (const names of this.#parts(channels)) this.#dialect.unsubscribe(this.#subscriber, names).catch(() => undefined)
  }

  /** A connection that died silently is only noticed by missing answers. */
  ping(): void {
    this.#subscriber.ping().catch(() => undefined)
  }

  /** Hears by another connection from now on. */
  hearAnew(): void {
    if (this.canHear) this.#subscriber.disconnect(true)
  }

  /** Ends the connection by which a node hears that counts as dead: if it is only stopped, Redis would go on counting it as a receiver. */
  async cutOff(nodeId: string): Promise<void> {
    try {
      const clients = String(await this.commands.client('LIST', 'TYPE', 'PUBSUB')).split('\n')
      for (const client of clients)
        if (client.includes(` name=${this.#nameOf(nodeId)} `)) await this.commands.client('KILL', 'ID', idOfClient(client))
    } catch (error) {
      // Not every Redis lets its users do that.
      this.#log.debug({ err: error }, 'a node that has died was not cut off')
    }
  }

  /** Resolves when Redis does not count this node any more among those that get what the others publish. */
  async quit(): Promise<void> {
    await Promise.all(
      [this.commands, this.#subscriber].map((client) => (client.status === 'ready' ? client.quit().catch(() => undefined) : undefined)),
    )
  }

  disconnect(): void {
    this.commands.disconnect()
    this.#subscriber.disconnect()
  }

  #parts(channels: readonly string[]): string[][] {
    return partsOf(
      channels.map((channel) => this.#prefix + channel),
      channelsAtOnce,
    )
  }

  #nameOf(nodeId: string): string {
    return this.#prefix + nodeId
  }
}

/** `id=3 addr=... name=...` */
const idOfClient = (client: string) => client.slice('id='.length, client.indexOf(' '))
