// A Redis in virtual time, and clients of it that behave as those of ioredis do with the options of the bus: nothing waits for a
// connection, what was under way when one breaks is rejected, and nothing is sent twice.
import { EventEmitter } from 'node:events'
import type { Redis, RedisOptions } from 'ioredis'
import type { Machine, VirtualTime } from './virtual-time.ts'

/** Options of `openRedis` that matter here. */
type ClientOptions = Pick<RedisOptions, 'retryStrategy' | 'socketTimeout' | 'connectionName'>

interface Command {
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

/** One direction of a connection: in order, and late. */
class Link {
  #lastMs = 0
  readonly #time: VirtualTime
  readonly #delayMs: () => number
  /** Until when the network holds everything back; it goes on as TCP does, which sends again what was lost. */
  readonly #heldUntilMs: () => number

  constructor(time: VirtualTime, delayMs: () => number, heldUntilMs: () => number) {
    this.#time = time
    this.#delayMs = delayMs
    this.#heldUntilMs = heldUntilMs
  }

  /** `to` gets it; the server, which is none of the machines, when it is null. */
  carry(work: () => void, to: Machine | null = null): void {
    const time = this.#time
    this.#lastMs = Math.max(this.#lastMs, this.#heldUntilMs(), time.nowMs + this.#delayMs())
    time.after(this.#lastMs - time.nowMs, work, to)
  }
}

/** A connection. Redis knows it from its first packet until the end of the stream arrives, which may be long after its client gave it up. */
class Connection {
  readonly id: number
  readonly client: SimulatedClient
  readonly toServer: Link
  readonly toClient: Link
  readonly channels = new Set<string>()

  constructor(id: number, client: SimulatedClient, server: SimulatedRedis) {
    const { time } = server
    const { machine } = client
    this.id = id
    this.client = client
    this.toServer = new Link(time, server.delayMs, () => Math.max(server.hangsUntilMs, server.cutUntilMs.get(machine) ?? 0))
    this.toClient = new Link(time, server.delayMs, () => server.cutUntilMs.get(machine) ?? 0)
  }
}

/** The server. */
export class SimulatedRedis {
  readonly time: VirtualTime
  /** How long the next packet takes. */
  delayMs: () => number
  /** It does nothing before. */
  hangsUntilMs = 0
  /** It takes no connections before. */
  awayUntilMs = 0
  /** Nothing goes between it and a machine before. */
  readonly cutUntilMs = new Map<Machine, number>()
  readonly #connections = new Map<number, Connection>()
  readonly #listeners = new Map<string, Set<Connection>>()
  readonly #sorted = new Map<string, Map<string, number>>()
  #lastId = 0

  constructor(time: VirtualTime, delayMs: () => number) {
    this.time = time
    this.delayMs = delayMs
  }

  /** In place of `openRedis`, for what runs on a machine. */
  opener(machine: Machine): (url: string, options: RedisOptions) => Redis {
    return (_url, options) => new SimulatedClient(this, machine, options) as unknown as Redis
  }

  /** Ends all connections, and is away for a while. */
  restart(awayMs: number, forgets: boolean): void {
    this.awayUntilMs = this.time.nowMs + awayMs
    if (forgets) this.#sorted.clear()
    for (const connection of [...this.#connections.values()]) this.#end(connection)
  }

  /** The process of a machine has died, and its system ends what it had open; one whose machine died as a whole stays for ever. */
  endOf(machine: Machine): void {
    for (const connection of this.#connections.values())
      if (connection.client.machine === machine) connection.toServer.carry(() => this.leave(connection))
  }

  /** Undefined while it takes no connections. */
  join(client: SimulatedClient): Connection | undefined {
    if (this.time.nowMs < this.awayUntilMs) return undefined
    const connection = new Connection(++this.#lastId, client, this)
    this.#connections.set(connection.id, connection)
    return connection
  }

  leave(connection: Connection): void {
    this.#connections.delete(connection.id)
    for (const channel of connection.channels) this.#listeners.get(channel)?.delete(connection)
  }

  /** False when a connection has ended here: nothing of it is carried out. */
  serves({ id }: Connection): boolean {
    return this.#connections.has(id)
  }

  publish(channel: string, frame: Buffer): number {
    const listeners = [...(this.#listeners.get(channel) ?? [])]
    for (const connection of listeners) {
      const { client, toClient } = connection
      toClient.carry(() => client.hear(connection, channel, frame), client.machine)
    }
    return listeners.length
  }

  subscribe(connection: Connection, channels: readonly string[]): void {
    for (const channel of channels) {
      connection.channels.add(channel)
      let listeners = this.#listeners.get(channel)
      if (!listeners) this.#listeners.set(channel, (listeners = new Set()))
      listeners.add(connection)
    }
  }

  unsubscribe(connection: Connection, channels: readonly string[]): void {
    for (const channel of channels) {
      connection.channels.delete(channel)
      this.#listeners.get(channel)?.delete(connection)
    }
  }

  countListeners(channels: readonly string[]): (string | number)[] {
    return channels.flatMap((channel) => [channel, this.#listeners.get(channel)?.size ?? 0])
  }

  listClients(): string {
    return Array.from(this.#connections.values(), ({ id, client }) => `id=${id} addr=? name=${client.name} `).join('\n')
  }

  kill(id: number): void {
    const connection = this.#connections.get(id)
    if (connection) this.#end(connection)
  }

  store(key: string, score: number, member: Buffer): void {
    let members = this.#sorted.get(key)
    if (!members) this.#sorted.set(key, (members = new Map()))
    members.set(member.toString('latin1'), score)
  }

  /** Of a sorted set, in order. */
  stored(key: string): { member: Buffer; score: number }[] {
    const members = Array.from(this.#sorted.get(key) ?? [], ([member, score]) => ({ member: Buffer.from(member, 'latin1'), score }))
    return members.sort((one, other) => one.score - other.score)
  }

  #end(connection: Connection): void {
    this.leave(connection)
    connection.toClient.carry(() => connection.client.lost(connection), connection.client.machine)
  }
}

/** As much of a client of ioredis as the bus uses. */
class SimulatedClient extends EventEmitter {
  readonly machine: Machine
  readonly name: string
  status = 'connecting'
  readonly #server: SimulatedRedis
  readonly #options: ClientOptions
  #connection: Connection | undefined
  /** Sent, and not answered. */
  readonly #underWay = new Set<Command>()
  #attempts = 0
  #isGivenUp = false
  #stopWaiting: () => void = () => {}

  constructor(server: SimulatedRedis, machine: Machine, options: ClientOptions) {
    super()
    this.#server = server
    this.machine = machine
    this.#options = options
    this.name = options.connectionName ?? ''
    this.#connect()
  }

  subscribe(...channels: string[]): Promise<unknown> {
    return this.#command((connection) => this.#server.subscribe(connection, channels))
  }

  unsubscribe(...channels: string[]): Promise<unknown> {
    return this.#command((connection) => this.#server.unsubscribe(connection, channels))
  }

  publish(channel: string, frame: Buffer): Promise<unknown> {
    return this.#command(() => this.#server.publish(channel, frame))
  }

  pubsub(_numsub: string, ...channels: string[]): Promise<unknown> {
    return this.#command(() => this.#server.countListeners(channels))
  }

  ping(): Promise<unknown> {
    return this.#command(() => 'PONG')
  }

  client(what: 'LIST' | 'KILL', _how: string, id: string): Promise<unknown> {
    return this.#command(() => (what === 'LIST' ? this.#server.listClients() : this.#server.kill(Number(id))))
  }

  zadd(key: string, score: number, member: Buffer): Promise<unknown> {
    return this.#command(() => this.#server.store(key, score, member))
  }

  /** Runs are shorter than what is kept. */
  zremrangebyscore(): Promise<unknown> {
    return this.#command(() => 0)
  }

  zremrangebyrank(): Promise<unknown> {
    return this.#command(() => 0)
  }

  pexpire(): Promise<unknown> {
    return this.#command(() => 1)
  }

  zrangeBuffer(key: string): Promise<unknown> {
    return this.#command(() => this.#server.stored(key).map(({ member }) => member))
  }

  zcount(key: string, from: number): Promise<unknown> {
    return this.#command(() => this.#server.stored(key).filter(({ score }) => score >= from).length)
  }

  async quit(): Promise<void> {
    this.#isGivenUp = true
    await this.#command(() => undefined)
    this.#close()
  }

  disconnect(reconnect = false): void {
    if (!reconnect) this.#isGivenUp = true
    this.#close()
  }

  /** One that it has closed brings nothing any more. */
  hear(connection: Connection, channel: string, frame: Buffer): void {
    if (this.#connection !== connection) return
    this.#seesData()
    this.emit('messageBuffer', Buffer.from(channel), frame)
  }

  /** The server has ended it. */
  lost(connection: Connection): void {
    if (this.#connection === connection) this.#close()
  }

  #connect(): void {
    this.status = 'connecting'
    const connection = this.#server.join(this)
    if (!connection) return void this.#server.time.after(1, () => this.#close(), this.machine)
    this.#connection = connection
    // There and back: the first packets say who it is.
    connection.toServer.carry(() =>
      connection.toClient.carry(() => {
        if (this.#connection !== connection) return
        this.status = 'ready'
        this.#attempts = 0
        this.emit('ready')
      }, this.machine),
    )
  }

  #close(): void {
    if (this.status === 'end' || this.status === 'reconnecting') return
    const connection = this.#connection
    this.#connection = undefined
    this.#stopWaiting()
    if (connection) connection.toServer.carry(() => this.#server.leave(connection))
    this.status = this.#isGivenUp ? 'end' : 'reconnecting'
    for (const { reject } of this.#underWay) reject(new Error('Connection is closed.'))
    this.#underWay.clear()
    this.emit('close')
    if (this.#isGivenUp) return
    const delayMs = Number(this.#options.retryStrategy?.(++this.#attempts) ?? 50)
    this.#server.time.after(delayMs, () => this.#isGivenUp || this.#connect(), this.machine)
  }

  #command(run: (connection: Connection) => unknown): Promise<unknown> {
    const connection = this.#connection
    if (this.status !== 'ready' || !connection)
      return Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"))
    return new Promise((resolve, reject) => {
      const command: Command = { resolve, reject }
      this.#underWay.add(command)
      if (this.#underWay.size === 1) this.#awaitData()
      connection.toServer.carry(() => {
        if (!this.#server.serves(connection)) return
        const answer = run(connection)
        connection.toClient.carry(() => {
          if (this.#connection !== connection) return
          this.#underWay.delete(command)
          this.#seesData()
          resolve(answer)
        }, this.machine)
      })
    })
  }

  #seesData(): void {
    this.#stopWaiting()
    if (this.#underWay.size > 0) this.#awaitData()
  }

  #awaitData(): void {
    const { socketTimeout } = this.#options
    if (socketTimeout !== undefined) this.#stopWaiting = this.#server.time.after(socketTimeout, () => this.#close(), this.machine)
  }
}
