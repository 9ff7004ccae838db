// A server in the simulation: bus, channels, versions and writers are those of the product; its clock, network and stores are not.
import { Accounts, type AccountRecord } from '../../src/accounts/accounts.ts'
import { RedisBus } from '../../src/core/bus/bus-redis.ts'
import { createLog, type Log } from '../../src/core/base/log.ts'
import { WrittenTables } from '../../src/core/db/written.ts'
import { Channels } from '../../src/core/live/registry.ts'
import { invalidationTopic, slotOf, slotsOfPart, Versions } from '../../src/core/live/versions.ts'
import { Ctx, type Node } from '../../src/core/work/ctx.ts'
import { Writers } from '../../src/core/work/writers.ts'
import { tables } from '../../src/features.ts'
import { fezKind, keyedChats, type FezChannel } from '../../src/fez/channel.ts'
import { fezTopic } from '../../src/fez/events.ts'
import { writePost } from '../../src/fez/posts.service.ts'
import { changesOwn, keyedUsers, userTopic } from '../../src/accounts/events.ts'
import type { Viewer } from '../../src/core/base/viewer.ts'
import { userKind, type UserChannel } from '../../src/users/channel.ts'
import { FezSession } from '../../src/fez/session.ts'
import { lastSeen } from '../../src/fez/socket.service.ts'
import type { Socket } from '../../src/core/http/route.ts'
import type { SimulatedPostgres } from './simulated-postgres.ts'
import type { SimulatedRedis } from './simulated-redis.ts'
import type { Machine, VirtualTime } from './virtual-time.ts'

/** What an answer shows of a chat. */
export interface Shown {
  memberIds: ReadonlySet<string>
  postIds: readonly number[]
}

/** Where frames of a socket go. */
export interface Phone {
  heard(frame: Buffer): void
  closed(): void
}

/** One of them. */
export class Server {
  readonly machine: Machine
  readonly node: Node
  /** Resolves when it takes requests: one that has not met the others yet cannot know of them. */
  readonly serves: Promise<void>
  readonly #log: Log
  readonly #postgres: SimulatedPostgres
  readonly #bySocketTopic = new Map<string, Set<OpenSocket>>()
  readonly #sockets = new Set<OpenSocket>()
  /** Answers in memory, each with the version that it was made at. */
  readonly #kept = new Map<string, { version: number; shown: Shown }>()

  /** To be called as the machine. */
  constructor(machine: Machine, time: VirtualTime, redis: SimulatedRedis, postgres: SimulatedPostgres, logLevel: string) {
    this.machine = machine
    this.#postgres = postgres
    const clock = time.clockOf(machine)
    const log = (this.#log = createLog(logLevel, machine.name))
    const bus = new RedisBus({ url: '', clock, log, detour: postgres.detourOf(machine), open: redis.opener(machine) })
    const db = postgres.dbOf(machine)
    const versions = new Versions(bus)
    const accounts = new Accounts(
      () => db.sql,
      () => bus.up,
    )
    const writtenTables = new WrittenTables(tables)
    const parts: Partial<Node> = {
      clock,
      log,
      db,
      bus,
      accounts,
      versions,
      writers: new Writers(),
      writtenTables,
      sockets: { publish: (topic, frame) => this.#publish(topic, frame), closeShutOut: () => undefined },
      metrics: { framesSent: { inc: () => undefined } } as unknown as Node['metrics'],
    }
    const node = parts as Node
    this.node = node
    const channels = new Channels(node, bus, clock, {
      keyedKinds: [keyedChats, keyedUsers(writtenTables)],
      onKeyed: ({ tables: of, writesRows }, id) => {
        if (writesRows) versions.notePart(of, id)
      },
      onHeard: ({ tables: of }, id) => versions.noteUnheard(of, id),
      serverKinds: [invalidationTopic.name],
      isServer: true,
    })
    Object.assign(node, { channels })
    versions.tellBy(channels)
    versions.follow(channels)
    channels.listen(userTopic, (id, event) => {
      if (event.type === 'ownWritten') versions.notePart(event.tables, id)
    })
    bus.onReset(() => accounts.invalidate())
    this.serves = channels.start().then(() => bus.whenUp(Infinity))
  }

  /** Its process ends without a word: so do its sockets. */
  die(): void {
    this.machine.isDead = true
    for (const { phone } of this.#sockets) phone.closed()
  }

  async post(fezId: string, author: AccountRecord, text: string): Promise<number> {
    const channel = await this.#channel(fezId)
    const { post } = await writePost(await this.#ctx(author.id), { author, realAuthorId: author.id, text }, () => channel)
    return post.id
  }

  /** False when there was nothing to change. */
  async changeMember(fezId: string, account: AccountRecord, joins: boolean): Promise<boolean> {
    const ctx = await this.#ctx(account.id)
    return await ctx.statement(
      async (tx) => {
        const { sql } = tx
        const [{ seq }] = joins
          ? await sql<[{ seq: number | null }]>`insert into fez_member (fez_id, account_id) values (${fezId}, ${account.id})`
          : await sql<
              [{ seq: number | null }]
            >`update fez_member set left_at = now() where fez_id = ${fezId} and account_id = ${account.id}`
        tx.changesPart(['fez', 'fez_member'], fezId)
        if (seq === null) return false
        const updatedAt = tx.now
        if (joins) tx.emitConfirmed(fezTopic, fezId, { type: 'joined', seq, account, position: seq, updatedAt })
        else tx.emitConfirmed(fezTopic, fezId, { type: 'left', seq, accountID: account.id, updatedAt })
        return true
      },
      { topic: fezTopic, id: fezId },
    )
  }

  /** Hides two persons from each other, or shows them again. False when there was nothing to change. */
  async changeBlock(account: AccountRecord, other: AccountRecord, blocks: boolean): Promise<boolean> {
    const ctx = await this.#ctx(account.id)
    return await ctx.statement(async (tx) => {
      const { sql } = tx
      const [{ isChanged }] = blocks
        ? await sql<[{ isChanged: boolean }]>`insert into block (person_id, blocked_id) values (${account.id}, ${other.id})`
        : await sql<[{ isChanged: boolean }]>`delete from block where person_id = ${account.id} and blocked_id = ${other.id}`
      for (const { id } of [account, other]) {
        changesOwn(tx, id, 'block', 'mute')
        tx.emitConfirmed(userTopic, id, { type: 'relationsChanged' })
      }
      return isChanged
    })
  }

  /** What a GET of the chat shows somebody, from its channel. */
  async look(fezId: string, accountId: string): Promise<Shown> {
    const channel = await this.#channel(fezId)
    const viewer = await this.#viewer(accountId)
    return { memberIds: new Set(channel.memberIds), postIds: channel.postsFor(viewer).map(({ id }) => id) }
  }

  /** What an answer shows that is kept until what it is made of changes. */
  async lookAtKept(fezId: string, accountId: string): Promise<Shown> {
    const { versions } = this.node
    // Of whoever asks, a server hears what concerns them from then on.
    await this.#viewer(accountId)
    const ofChat = keyedChats.tables.flatMap((table) => [slotOf(table), slotsOfPart(table, fezId)[0]])
    const version = versions.of([...ofChat, slotOf('block'), slotsOfPart('block', accountId)[0]])
    const key = `${fezId} ${accountId}`
    const kept = this.#kept.get(key)
    if (kept && kept.version === version) return kept.shown
    // A list, which is made of rows of many chats, comes from Postgres.
    const shown = await this.#postgres.lookBy(this.node.db, fezId, accountId)
    if (version !== undefined) this.#kept.set(key, { version, shown })
    return shown
  }

  /** Opens a socket of a chat. `after`: the last post that the phone has. */
  async open(fezId: string, accountId: string, phone: Phone, after?: number): Promise<() => void> {
    const ctx = await this.#ctx(accountId)
    const channel = await this.#channel(fezId)
    const from = after === undefined ? undefined : await lastSeen(ctx, channel, after)
    const session = new FezSession(channel, ctx.viewer as UserChannel, '', from)
    const socket = new OpenSocket(phone, this.#bySocketTopic, () => {
      this.#sockets.delete(socket)
      session.closed()
    })
    this.#sockets.add(socket)
    session.opened(socket)
    return () => socket.close()
  }

  /** Of a request that somebody has made. */
  async #ctx(accountId: string): Promise<Ctx> {
    return new Ctx(this.node, await this.#viewer(accountId), { requestId: '', log: this.#log })
  }

  async #viewer(accountId: string): Promise<Viewer> {
    const channel = await this.node.channels.of(userKind).get(accountId)
    if (!channel) throw new Error('the account is not there')
    return channel
  }

  async #channel(fezId: string): Promise<FezChannel> {
    const channel = await this.node.channels.of(fezKind).hotOrGet(fezId)
    if (!channel) throw new Error('the chat is not there')
    return channel
  }

  #publish(topic: string, frame: Uint8Array): void {
    for (const socket of [...(this.#bySocketTopic.get(topic) ?? [])]) socket.send(frame)
  }
}

class OpenSocket implements Socket {
  readonly phone: Phone
  readonly buffered = 0
  readonly #topics: Map<string, Set<OpenSocket>>
  readonly #onClosed: () => void
  #isOpen = true

  constructor(phone: Phone, topics: Map<string, Set<OpenSocket>>, onClosed: () => void) {
    this.phone = phone
    this.#topics = topics
    this.#onClosed = onClosed
  }

  send(frame: string | Uint8Array): void {
    if (this.#isOpen) this.phone.heard(Buffer.from(frame))
  }

  sendAll(frames: readonly Uint8Array[]): void {
    for (const frame of frames) this.send(frame)
  }

  subscribe(topic: string): void {
    let sockets = this.#topics.get(topic)
    if (!sockets) this.#topics.set(topic, (sockets = new Set()))
    sockets.add(this)
  }

  unsubscribe(topic: string): void {
    this.#topics.get(topic)?.delete(this)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const sockets of this.#topics.values()) sockets.delete(this)
    this.#onClosed()
    this.phone.closed()
  }
}
