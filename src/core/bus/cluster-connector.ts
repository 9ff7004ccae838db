// The way to a Redis Cluster: all keys of an installation share a slot, so one server has them all, and this finds it.
import { connect as connectTcp, Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis'
import type { RedisHost } from '../base/redis-url.ts'

/** A server that does not say who has the slot within this time is passed over. */
const answerWithinMs = 1000

/**
 * A connector for ioredis: each connection leads to the server that has the slot of `key` then, as far as one of the hosts knows.
 * The next connection asks another host first: one that is cut off from the others may say what is not true any more.
 */
export function connectorToOwnerOf(key: string, hosts: readonly RedisHost[]) {
  let asked = 0
  return class extends AbstractConnector {
    readonly #options: RedisOptions

    constructor(options: unknown) {
      const redisOptions = options as RedisOptions
      super(redisOptions.disconnectTimeout ?? answerWithinMs)
      this.#options = redisOptions
    }

    async connect(): Promise<Socket> {
      this.connecting = true
      const inTurn = hosts.map((_, index) => hosts[(asked + index) % hosts.length] as RedisHost)
      asked++
      // Where none knows it, the attempt fails at one of them as it would at any other Redis.
      const owner = (await this.#owner(inTurn)) ?? (inTurn[0] as RedisHost)
      // ioredis never connects again after an error of its connector.
      if (!this.connecting) return new Socket().destroy()
      const { tls } = this.#options
      this.stream = tls ? connectTls({ ...owner, ...(tls as ConnectionOptions) }) : connectTcp(owner)
      this.stream.once('error', (error) => (this.firstError = error))
      return this.stream
    }

    override disconnect(): void {
      // Many commands may be refused at once, and each ends the connection.
      if (this.stream?.writableEnded) this.connecting = false
      else super.disconnect()
    }

    async #owner(inTurn: readonly RedisHost[]): Promise<RedisHost | undefined> {
      for (const host of inTurn) {
        // One at a time: the next is asked only when this one says nothing.
        const owner = await ownerSaidBy(host, key, this.#options).catch(() => undefined)
        if (owner) return owner
      }
      return undefined
    }
  }
}

/** Undefined where nobody has the slot. @throws when the host does not answer. */
async function ownerSaidBy(host: RedisHost, key: string, { username, password, tls }: RedisOptions): Promise<RedisHost | undefined> {
  const redis = new Redis({
    ...host,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: answerWithinMs,
    commandTimeout: answerWithinMs,
  })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    const [slot, slots] = await Promise.all([redis.cluster('KEYSLOT', key), redis.cluster('SLOTS')])
    const owner = slots.find(([first, last]) => first <= slot && slot <= last)?.[2]
    if (!owner) return undefined
    const [name, port] = owner
    // Where it names no address, it is the one by which it was asked.
    return { host: name && name !== '?' ? name : host.host, port }
  } finally {
    redis.disconnect()
  }
}
