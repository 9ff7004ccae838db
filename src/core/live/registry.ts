// Finds, creates and evicts channels, and brings them the events of the bus.
import { Sealed, type Bus } from '../bus/bus.ts'
import type { Channel } from './channel.ts'
import type { Clock } from '../base/clock.ts'
import { outcomeKnownMs } from '../db/limits.ts'
import { unavailable } from '../base/errors.ts'

/** Events of type `E`, each about one id. Whoever publishes them need not know the channel that receives them. */
export interface Topic<E> {
  readonly name: string
  /** Never set: it only carries the type. */
  readonly event?: E
}

/** A family of channels, such as one per group chat, fed from the topic of its name. `N` is what their constructor needs. */
export interface ChannelKind<C extends Channel<E, unknown>, E, N> {
  readonly name: string
  /** Tables that it reads. An answer in memory that takes something from it is made of these, see `Cached.channels`. */
  readonly tables: readonly string[]
  create(node: N, id: string): C
}

// Kinds of all features live side by side in one map; each is typed again where it is asked for.
type AnyChannel = Channel<unknown, unknown>

/** Receives the events of another channel's key, whether or not that channel is on this node. */
export interface Watcher {
  /** `isBusUp`: nothing that was published before is missing. Asking the bus costs too much for each member of a large chat. */
  observe(kindName: string, id: string, event: unknown, isBusUp: boolean): void | Promise<void>
  /** Events may have been lost. */
  reload(): Promise<void>
}

/** Those who watch one key. */
class Watchers {
  readonly #all = new Set<Watcher>()
  #list: readonly Watcher[] | undefined

  /** As they are now; the list stays as it is when somebody comes or goes. Busy chats ask for it with every post. */
  get list(): readonly Watcher[] {
    return (this.#list ??= [...this.#all])
  }

  add(watcher: Watcher): void {
    this.#all.add(watcher)
    this.#list = undefined
  }

  /** True when nobody is left. */
  remove(watcher: Watcher): boolean {
    this.#all.delete(watcher)
    this.#list = undefined
    return this.#all.size === 0
  }
}

const none: readonly never[] = []
const noted = () => {}
const topic = 'events'
const serversTopic = 'events:servers'
const sweepEveryMs = 60_000
/**
 * So long after a connection broke, all nodes read again what its statement may have changed. Most statements have ended by the
 * first time; one that waits for a lock goes on without its client, until Postgres notices or until its timeout.
 */
const looksMs = [1000, 4000, outcomeKnownMs]
/** A channel that was not used during so many sweeps is evicted. */
const maxUnusedSweeps = 10

/** A kind with many ids, of which a server hears what concerns those alone that it needs. */
export interface KeyedKind {
  readonly name: string
  /** Whoever begins to hear of an id knows nothing any more of the rows of these that belong to it. */
  readonly tables: readonly string[]
  /** Each of its events is a change of such rows. */
  readonly writesRows?: true
  /** Events that every server and worker hears all the same. */
  toAll?(event: unknown): boolean
}

/** The ids of one kind whose events come to this node. */
class HeldIds {
  readonly #bus: Bus
  readonly kind: KeyedKind
  readonly #onHeard: (kind: KeyedKind, id: string) => void

  /** `onHeard`: what happened to an id before nobody here has heard. */
  constructor(bus: Bus, kind: KeyedKind, onHeard: (kind: KeyedKind, id: string) => void) {
    this.#bus = bus
    this.kind = kind
    this.#onHeard = onHeard
  }

  /** Resolves when its events come; undefined when they do. To be released as often as it was held. */
  hold(id: string): Promise<void> | undefined {
    return this.#bus.hold(serversTopic, keyOf(this.kind.name, id))?.then(() => this.#onHeard(this.kind, id))
  }

  /** The same, of one that is held. */
  coming(id: string): Promise<void> | undefined {
    return this.#bus.coming(serversTopic, keyOf(this.kind.name, id))
  }

  release(id: string): void {
    this.#bus.release(serversTopic, keyOf(this.kind.name, id))
  }
}

const keyOf = (kindName: string, id: string): string => `${kindName}:${id}`

/** The channels of one kind on this node. */
export class Registry<C extends AnyChannel> {
  readonly #channels = new Map<string, C>()
  readonly #create: (id: string) => C
  /** `up`: no event for the channels is missing. */
  readonly #bus: Pick<Bus, 'up'>
  /** Absent where events of all ids come. */
  readonly #held: HeldIds | undefined

  constructor(create: (id: string) => C, bus: Pick<Bus, 'up'>, held?: HeldIds) {
    this.#create = create
    this.#bus = bus
    this.#held = held
  }

  /** The channel if it is here, in whatever state. */
  peek(id: string): C | undefined {
    return this.#channels.get(id)
  }

  /** The channel if it is here, live, and to be trusted: the way without a wait. */
  hot(id: string): C | undefined {
    const channel = this.#channels.get(id)
    if (!channel?.live || !this.#bus.up) return undefined
    channel.unusedSweeps = 0
    return channel
  }

  /** As `get`, but at once when there is nothing to wait for. */
  hotOrGet(id: string): C | Promise<C | undefined> {
    return this.hot(id) ?? this.get(id)
  }

  /** The live channel, loaded if need be; undefined when its row does not exist. While the bus is down every call reads Postgres. */
  async get(id: string): Promise<C | undefined> {
    const hot = this.hot(id)
    if (hot) return hot
    const joined = this.#channels.get(id)?.closed === false
    const channel = await this.#load(id)
    if (!channel.closed) return channel
    // It was evicted at the moment it became live: that says nothing about its row.
    if (!channel.missing) return await this.get(id)
    // A load that found no row may have begun before this call.
    if (!joined) return undefined
    const second = await this.#load(id)
    if (!second.closed) return second
    return second.missing ? undefined : await this.get(id)
  }

  async #load(id: string): Promise<C> {
    let channel = this.#channels.get(id)
    if (!channel || channel.closed) {
      if (channel) this.#forget(id)
      channel = this.#create(id)
      this.#channels.set(id, channel)
      channel.heard = this.#held?.hold(id)
    }
    channel.unusedSweeps = 0
    try {
      if (this.#bus.up) await channel.ready()
      else await channel.reload()
    } finally {
      // One that is being read again already has others waiting for it, and its events.
      if ((channel.closed || (channel.cold && !channel.busy)) && this.#channels.get(id) === channel) {
        this.#forget(id)
        channel.close()
      }
    }
    return channel
  }

  #forget(id: string): void {
    this.#channels.delete(id)
    this.#held?.release(id)
  }

  values(): IterableIterator<C> {
    return this.#channels.values()
  }

  get size(): number {
    return this.#channels.size
  }

  /** Events may have been lost: channels with sockets are read again, the others are dropped. */
  invalidateAll(): void {
    for (const [id, channel] of this.#channels) {
      if (channel.live && !channel.busy) {
        this.#forget(id)
        channel.close()
      } else {
        channel.reload().catch(() => undefined)
      }
    }
  }

  /** Evicts channels that are not used any more. */
  sweep(): void {
    for (const [id, channel] of this.#channels) {
      channel.unusedSweeps++
      if (channel.busy || channel.unusedSweeps <= maxUnusedSweeps) continue
      this.#forget(id)
      channel.close()
    }
  }
}

/** Which events a node hears. */
export interface Hearing {
  /** Kinds with so many ids that a server hears those alone that it has channels or watchers of; a worker none. */
  keyedKinds?: readonly KeyedKind[]
  /** Called with every event about an id of such a kind that comes here, before anybody else. */
  onKeyed?: (kind: KeyedKind, id: string) => void
  /** Called when the events about an id begin to come. */
  onHeard?: (kind: KeyedKind, id: string) => void
  /** Kinds with so many events that only servers hear them. A worker has to read each channel of theirs when it wants one. */
  serverKinds: readonly string[]
  isServer: boolean
}

/** All channels of a node: one registry per kind, fed from the bus. */
export class Channels<N> {
  readonly #node: N
  readonly #bus: Bus
  readonly #clock: Clock
  readonly #serverKinds: ReadonlySet<string>
  readonly #isServer: boolean
  readonly #onKeyed: NonNullable<Hearing['onKeyed']>
  /** By kind. */
  readonly #held: ReadonlyMap<string, HeldIds>
  readonly #registries = new Map<string, Registry<AnyChannel>>()
  /** By kind, then by id: to join the two for each event would take longer than both lookups. */
  readonly #watchers = new Map<string, Map<string, Watchers>>()
  readonly #listeners = new Map<string, (id: string, event: unknown) => void>()
  #stopSweeping: () => void = () => {}

  constructor(
    node: N,
    bus: Bus,
    clock: Clock,
    { keyedKinds = [], onKeyed = noted, onHeard = noted, serverKinds, isServer }: Hearing = { serverKinds: [], isServer: true },
  ) {
    this.#node = node
    this.#bus = bus
    this.#clock = clock
    this.#serverKinds = new Set([...serverKinds, ...keyedKinds.map(({ name }) => name)])
    this.#held = new Map(keyedKinds.map((kind) => [kind.name, new HeldIds(bus, kind, onHeard)]))
    this.#onKeyed = onKeyed
    this.#isServer = isServer
  }

  /** Begins to receive events. */
  async start(): Promise<void> {
    const hear = (message: unknown) => this.#deliver(...(message as [kind: string, id: string, event: Sealed | null]))
    await Promise.all((this.#isServer ? [topic, serversTopic] : [topic]).map((each) => this.#bus.subscribe(each, hear)))
    this.#bus.onReset(() => this.#reloadAll())
    this.#stopSweeping = this.#clock.every(sweepEveryMs, () => {
      for (const registry of this.#registries.values()) registry.sweep()
    })
  }

  stop(): void {
    this.#stopSweeping()
  }

  /** The registry of a kind. */
  of<C extends Channel<E, unknown>, E>(kind: ChannelKind<C, E, N>): Registry<C & AnyChannel> {
    let registry = this.#registries.get(kind.name)
    if (!registry) {
      registry = new Registry(
        (id) => kind.create(this.#node, id) as unknown as AnyChannel,
        this.#hears(kind.name) ? this.#bus : { up: false },
        this.#isServer ? this.#held.get(kind.name) : undefined,
      )
      this.#registries.set(kind.name, registry)
    }
    return registry as unknown as Registry<C & AnyChannel>
  }

  /** Accounts that channels use without loading them again; an id may come more than once. */
  *accountIds(): Generator<string, void> {
    for (const registry of this.#registries.values()) for (const channel of registry.values()) yield* channel.accountIds()
  }

  /** The one channel of a kind that every node has, whose row is always there: at once unless it has to be read. */
  sole<C extends Channel<E, unknown>, E>(kind: ChannelKind<C, E, N>, id: string): C | Promise<C> {
    const channel = this.of(kind).hotOrGet(id)
    return channel instanceof Promise ? channel.then((loaded) => loaded as C) : channel
  }

  /** Calls `listener` with every event of a topic that comes here, before any channel gets it. One listener per topic. */
  listen<E>(topic: Topic<E>, listener: (id: string, event: E) => void): void {
    const held = this.#held.get(topic.name)
    if (held && !held.kind.toAll) throw new Error(`events of the kind ${topic.name} do not all come here`)
    this.#listeners.set(topic.name, listener as (id: string, event: unknown) => void)
  }

  /** Passes every event of one key to `watcher` until `unwatch`. Of a keyed kind they come from `whenHeard` on. */
  watch(kindName: string, id: string, watcher: Watcher): void {
    if (!this.#hears(kindName)) throw new Error(`a worker hears no events of the kind ${kindName}`)
    let ofKind = this.#watchers.get(kindName)
    if (!ofKind) this.#watchers.set(kindName, (ofKind = new Map()))
    let watchers = ofKind.get(id)
    if (!watchers) {
      ofKind.set(id, (watchers = new Watchers()))
      void this.#held.get(kindName)?.hold(id)
    }
    watchers.add(watcher)
  }

  /** Resolves when the events of all these, which are watched, come here. */
  async whenHeard(kindName: string, ids: readonly string[]): Promise<void> {
    const held = this.#held.get(kindName)
    await Promise.all(ids.map((id) => held?.coming(id)))
  }

  unwatch(kindName: string, id: string, watcher: Watcher): void {
    const ofKind = this.#watchers.get(kindName)
    if (!ofKind?.get(id)?.remove(watcher)) return
    ofKind.delete(id)
    this.#held.get(kindName)?.release(id)
  }

  /** Publishes to all nodes without waiting for them. */
  publish(kindName: string, id: string, event: unknown): void {
    this.#bus.publish(...this.#addressed(kindName, id, event))
  }

  /** Publishes to the other nodes alone. */
  publishElsewhere(kindName: string, id: string, event: unknown): void {
    const [to, message] = this.#addressed(kindName, id, event)
    this.#bus.publishElsewhere(to, message)
  }

  /** Publishes to all nodes; resolves when this one has applied the event. */
  publishHere(kindName: string, id: string, event: unknown): Promise<void> {
    return this.#bus.publishHere(...this.#addressed(kindName, id, event))
  }

  /** Publishes to all nodes; resolves when each has applied the event. False when one of them may not have received it. */
  publishConfirmed(kindName: string, id: string, event: unknown): Promise<boolean> {
    return this.#bus.publishConfirmed(...this.#addressed(kindName, id, event))
  }

  /**
   * As `publishConfirmed`, for a one-time event: nodes that are away get it when they are back. Published again under
   * the same `messageId`, it is delivered once. A job does this before the end of its transaction.
   * @throws AppError 503 when a node may not have received it: the job's next attempt publishes it again.
   */
  async publishDurably<E>({ name }: Topic<E>, id: string, messageId: string, event: E): Promise<void> {
    const [to, message] = this.#addressed(name, id, event)
    if (!(await this.#bus.publishDurably(to, messageId, message)))
      throw unavailable('server_unreachable', 'Not every server could be reached. It will be tried again.')
  }

  /**
   * For changes of unknown outcome, such as a connection lost during a commit: all nodes read again what these events are
   * about, for the last time when Postgres must have finished.
   */
  invalidate(events: readonly { kind: string; id: string }[]): void {
    if (events.length === 0) return
    const look = () => {
      for (const { kind, id } of events) this.#bus.publish(...this.#addressed(kind, id, null))
    }
    for (const ms of looksMs) this.#clock.after(ms, look)
  }

  #hears(kind: string): boolean {
    return this.#isServer || !this.#serverKinds.has(kind)
  }

  /** Where an event goes, and as what; null for one that nobody knows. */
  #addressed(kind: string, id: string, event: unknown): [topic: string, message: unknown, key?: string] {
    const message = [kind, id, event === null ? null : new Sealed(event)]
    const keyed = this.#held.get(kind)?.kind
    if (keyed) return event !== null && keyed.toAll?.(event) ? [topic, message] : [serversTopic, message, keyOf(kind, id)]
    return [this.#serverKinds.has(kind) ? serversTopic : topic, message]
  }

  #reread(kind: string, id: string): void {
    for (const each of [this.#registries.get(kind)?.peek(id), ...(this.#watchers.get(kind)?.get(id)?.list ?? none)])
      each?.reload().catch(() => undefined)
  }

  /** An event that nobody here wants is not opened: most are such where there are many nodes. */
  #deliver(kind: string, id: string, sealed: Sealed | null): void | Promise<void> {
    const held = this.#held.get(kind)
    if (held) this.#onKeyed(held.kind, id)
    if (sealed === null) return this.#reread(kind, id)
    const listener = this.#listeners.get(kind)
    const channel = this.#registries.get(kind)?.peek(id)
    const watchers = this.#watchers.get(kind)?.get(id)
    if (!listener && !channel && !watchers) return
    let event: unknown
    try {
      event = sealed.open()
    } catch (error) {
      this.#reread(kind, id)
      throw error
    }
    listener?.(id, event)
    const pending: Promise<void>[] = []
    const first = channel?.receive(event)
    // A channel that cannot be read has logged that, and is not used until it can.
    if (first) pending.push(first.catch(() => undefined))
    const isBusUp = this.#bus.up
    for (const watcher of watchers?.list ?? none) {
      const result = watcher.observe(kind, id, event, isBusUp)
      if (result) pending.push(result.catch(() => undefined))
    }
    if (pending.length > 0) return Promise.all(pending).then(() => undefined)
  }

  #reloadAll(): void {
    for (const registry of this.#registries.values()) registry.invalidateAll()
  }
}
