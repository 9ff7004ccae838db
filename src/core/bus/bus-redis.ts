// The bus over Redis pub/sub. One frame per topic and loop turn; msgpack inside.
import { randomUUID } from 'node:crypto'
import {
  decodeMessage,
  encodeMessage,
  Handlers,
  confirmTimeoutMs,
  durableTopic,
  messagesVersion,
  type Bus,
  type BusHandler,
  type DurableMessage,
} from './bus.ts'
import { Detour, type DetourStore, type StoredFrame } from './detour.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { Beats, type Beat } from './beats.ts'
import { HeldKeys } from './held-keys.ts'
import { KeptMessages } from './kept-messages.ts'
import { redisPrefixFor, type openRedis } from './redis-connection.ts'
import { aloneMs, type OtherNodes } from './other-nodes.ts'
import { OutgoingFrames, type Frame, type Waiter } from './outgoing-frames.ts'
import { NotTaken, PubSub } from './pub-sub.ts'
import type { Clock } from '../base/clock.ts'
import { outcomeKnownMs } from '../db/limits.ts'
import type { Log } from '../base/log.ts'

/** Between a topic and a key in the name of a channel of Redis. */
const keyMark = '#'
/** Behind the one byte that begins a short list. */
const senderAt = 1

const retryMs = 500
/** How long a confirmed publish waits for Redis when there is no other way. */
const backMs = 8000
const pingEveryMs = 5000
/** What nodes of another version publish within this time makes a node read everything again once. */
const foreignMs = 500
/**
 * A bus whose nodes meet in Redis.
 *
 * `PUBLISH` answers how many nodes received a frame, so a confirmed publish knows how many acknowledgements
 * to wait for without a list of members. After a lost connection, or a publish that failed, every
 * node is asked to reset; after the death of a node the others do it, and once more when
 * none of its statements can go on.
 *
 * A frame that no other node hears is not sent, unless somebody waits for it: where there is one server only, that is
 * most of them.
 */
export class RedisBus implements Bus {
  readonly nodeId = randomUUID()
  /** The bytes at `senderAt` in every frame of this node. */
  readonly #encodedId = encodeMessage(this.nodeId)
  readonly #pubSub: PubSub
  readonly #handlers: Handlers
  readonly #clock: Clock
  readonly #log: Log
  readonly #outgoing: OutgoingFrames
  readonly #kept: KeptMessages
  readonly #keys: HeldKeys
  readonly #acknowledgements: Acknowledgements
  /** Absent where there is none. */
  readonly #detour: Detour | undefined
  /** Topics that Redis does not count this node for yet. */
  #subscribing = 0
  /** Counts connections of the subscriber. */
  #connections = 0
  /** Set when a publish failed: the other nodes have missed something that only this node knows of. */
  #othersMissed = false
  #closed = false
  #resetDue = true
  #everUp = false
  readonly #beats: Beats
  readonly #others: OtherNodes
  /** Ends with the reset that nodes of another version have made necessary. */
  #resetSoon: Promise<void> | undefined
  /** False where Redis does not say who listens. */
  #isCounted = true
  /** True when something was not sent, because nobody else was there, since the subscriber connected. */
  #leftOut = false
  readonly #stopPinging: () => void

  /** `detour`: for what Redis does not take. `open`: what makes a connection, in place of ioredis. */
  constructor(options: { url: string; prefix?: string; clock: Clock; log: Log; detour?: DetourStore; open?: typeof openRedis }) {
    const prefix = `${options.prefix ?? redisPrefixFor(options.url)}:bus:`
    this.#clock = options.clock
    this.#log = options.log
    this.#acknowledgements = new Acknowledgements({
      listenersOf: (topic) => this.#listenersOf(topic),
      trustingOf: (topic) => (this.#handlers.has(topic) ? this.#beats.trusting(topic) : undefined),
      log: options.log,
    })
    this.#outgoing = new OutgoingFrames({
      nodeId: this.nodeId,
      clock: options.clock,
      acknowledgements: this.#acknowledgements,
      keyMark,
      send: (channel, frame) => this.#send(channel, frame),
      listenersOf: (topic) => this.#listenersOf(topic),
      countListeners: (topic) => this.#countListeners(topic),
      onFailed: (error, topic, channel, frame) => this.#notSent(error, topic, channel, frame),
    })
    this.#detour =
      options.detour &&
      new Detour({
        store: options.detour,
        nodeId: this.nodeId,
        clock: options.clock,
        log: options.log,
        onFrame: (frame) => this.#receiveDetoured(frame),
        onBack: () => this.reset(),
      })
    this.#handlers = new Handlers((error) => options.log.error({ err: error }, 'bus handler failed'))
    this.#pubSub = new PubSub({
      ...options,
      prefix,
      nodeId: this.nodeId,
      events: {
        onFrame: (channel, frame) => {
          try {
            this.#receive(channel, frame)
          } catch (error) {
            this.#log.error({ err: error }, 'a bus frame could not be read')
            this.reset()
          }
        },
        onDeaf: () => {
          this.#beats.end()
          // A node that has come since the connection broke was not heard, and nothing was sent to it.
          if (this.#leftOut) this.#othersMissed = true
          this.#leftOut = false
          this.#others.forgetAlone()
        },
        onReady: () => this.#connected(),
      },
    })
    this.#kept = new KeptMessages({ ...options, commands: this.#pubSub.commands, prefix, handlers: this.#handlers })
    this.#keys = new HeldKeys(
      this.#pubSub,
      () => this.#beats.hears,
      () => {
        // It is tried again with all the rest, and nothing in memory is trusted until then.
        this.#beats.end()
        this.#pubSub.hearAnew()
      },
    )
    this.#stopPinging = this.#clock.every(pingEveryMs, () => {
      if (this.#beats.hears) this.#pubSub.ping()
    })
    this.#beats = new Beats({
      nodeId: this.nodeId,
      topics: () => this.#handlers.topics(),
      canSend: () => this.#pubSub.canSend,
      send: (beat) => this.#send('alive', beat),
      onTurn: () => this.#lookAtDetour(),
      onSent: () => {
        if (!this.#closed) void this.#kept.hear()
        void this.#lookAround()
      },
      onEcho: () => this.#heardItself(),
      onDead: (nodeId) => this.#heardDeath(nodeId),
      onSilence: () => this.#pubSub.hearAnew(),
    })
    this.#others = this.#beats.others
  }

  get up(): boolean {
    return this.#beats.hears && this.#pubSub.canSend && !this.#othersMissed && this.#beats.trusted && this.#detour?.trusted !== false
  }

  publish(topic: string, message: unknown, key?: string): void {
    void this.#handlers.deliver(topic, message)
    this.#queue(topic, message, key)
  }

  publishElsewhere(topic: string, message: unknown): void {
    this.#queue(topic, message)
  }

  async publishHere(topic: string, message: unknown, key?: string): Promise<void> {
    const here = this.#handlers.deliver(topic, message)
    this.#queue(topic, message, key)
    await here?.catch(() => undefined)
  }

  async publishConfirmed(topic: string, message: unknown, key?: string): Promise<boolean> {
    const here = this.#handlers.deliver(topic, message)
    const there = new Promise<boolean>((resolve) => this.#queue(topic, message, key, resolve))
    const untilMs = performance.now() + confirmTimeoutMs
    const [, all] = await Promise.all([here, there])
    if (all || this.#closed || !this.#isHeard(topic)) return all
    if (!this.#isTaken()) return await this.#toldByDetour(topic)
    // Redis says of no publish who listens: each would wait.
    if (!this.#isCounted) return false
    // By then whoever has not got it trusts nothing that it has in memory, until it has read it again.
    await new Promise<void>((resolve) => this.#clock.after(untilMs - performance.now(), resolve))
    return false
  }

  async publishDurably(topic: string, id: string, message: unknown): Promise<boolean> {
    const durable: DurableMessage = [id, topic, message]
    try {
      // Stored before it is published: a node that is away now finds it when it is back.
      await this.#kept.keep(durable)
    } catch (error) {
      this.#log.warn({ err: error, topic }, 'a message could not be kept')
      return false
    }
    return await this.publishConfirmed(durableTopic, durable)
  }

  async subscribe(topic: string, handler: BusHandler): Promise<() => void> {
    if (this.#handlers.add(topic, handler) && this.#beats.hears) {
      this.#subscribing++
      await this.#pubSub.subscribe([topic]).catch(() => undefined)
      this.#subscribing--
      await this.#arrive()
    }
    return () => {
      if (this.#handlers.remove(topic, handler) && this.#beats.hears) this.#pubSub.unsubscribe([topic])
    }
  }

  hold(topic: string, key: string): Promise<void> | undefined {
    return this.#keys.hold(topic + keyMark + key)
  }

  coming(topic: string, key: string): Promise<void> | undefined {
    return this.#keys.coming(topic + keyMark + key)
  }

  release(topic: string, key: string): void {
    this.#keys.release(topic + keyMark + key)
  }

  onReset(handler: () => void): void {
    this.#handlers.addReset(handler)
  }

  /** Resolves when the bus is up; rejects after `timeoutMs`. */
  async whenUp(timeoutMs = 10_000): Promise<void> {
    const deadline = this.#clock.elapsed() + timeoutMs
    while (!this.up) {
      if (this.#closed || this.#clock.elapsed() > deadline) throw new Error('Redis could not be reached')
      await new Promise<void>((resolve) => this.#clock.after(10, resolve))
    }
  }

  async close(allPublished = true): Promise<void> {
    this.#outgoing.flush()
    this.#closed = true
    this.#stopPinging()
    this.#beats.close()
    this.#acknowledgements.close()
    // Goes out with what was just flushed, which QUIT would overtake.
    if (this.#pubSub.canSend)
      await this.#beats.sendFarewell(allPublished && !this.#othersMissed).then(
        () => this.#pubSub.quit(),
        () => undefined,
      )
    this.#pubSub.disconnect()
  }

  #queue(topic: string, message: unknown, key?: string, waiter?: Waiter): void {
    if (!waiter && this.up && this.#others.noneHears(topic)) {
      this.#leftOut = true
      return
    }
    this.#outgoing.add(topic, message, this.#others.allHoldKeys() ? key : undefined, waiter)
  }

  #notSent(error: unknown, topic: string, channel: string, frame: Frame): void {
    if (!this.#othersMissed && !this.#closed) this.#log.warn({ err: error, topic }, 'bus is down')
    this.#othersMissed = true
    if (this.#detour && this.#isHeard(topic)) {
      // One that was under way may have arrived, and nothing is to arrive twice.
      if (error instanceof NotTaken) this.#detour.add({ channel, frame: encodeMessage(frame) })
      else this.#detour.add({ channel: 'reset', frame: encodeMessage([this.nodeId, 0, []] satisfies Frame) })
      this.#detour.apart(this.#beats.noticedMs)
    }
    if (this.#pubSub.canSend) this.#tellOthersToReset()
  }

  #isHeard(topic: string): boolean {
    return this.#others.mayHear(topic).length > 0
  }

  /** Waits until all others know, by way of Postgres, what Redis did not take. False when that is not certain. */
  async #toldByDetour(topic: string): Promise<boolean> {
    if (!this.#detour) return false
    this.#detour.apart(this.#beats.noticedMs)
    return (await this.#detour.told(() => this.#others.mayHear(topic))) || (await this.#toldWhenBack())
  }

  /** Nobody looks for what this node puts, as after it stood still: they hear it from the node when it is back. */
  async #toldWhenBack(): Promise<boolean> {
    try {
      await this.whenUp(backMs)
    } catch {
      return false
    }
    // Behind what has them read everything again.
    await this.#arrive()
    return true
  }

  /** Redis takes what this node sends, and has taken all that it sent. */
  #isTaken(): boolean {
    return this.#pubSub.canSend && !this.#othersMissed && this.#beats.trusted
  }

  /** Undefined when Redis does not say it; when it is away, what is sent beside this question fails. */
  async #countListeners(topic: string): Promise<number | undefined> {
    // None is known who could be missed. One that is heard of before the answer has come hears the topic from now on only.
    if (this.#others.listenersOf(topic) === 0) return Infinity
    try {
      const [count] = await this.#pubSub.count([topic])
      this.#isCounted = true
      return count
    } catch (error) {
      this.#isCounted = false
      this.#log.debug({ err: error }, 'it is not known who listens')
      return undefined
    }
  }

  /** Resolves with the number of nodes that got it. */
  async #send(channel: string, content: unknown): Promise<number> {
    return await this.#pubSub.publish(channel, encodeMessage(content))
  }

  /** Asks Redis which topics nobody else hears. */
  async #lookAround(): Promise<void> {
    if (this.#subscribing > 0) return
    const [topics, askedMs, arrivals] = [this.#handlers.topics(), performance.now(), this.#others.arrivals]
    try {
      const counts = await this.#pubSub.count(topics)
      // Somebody has come while Redis was asked, or this node has begun to hear something.
      if (arrivals !== this.#others.arrivals || !this.#beats.hears || this.#subscribing > 0) return
      for (const [index, topic] of topics.entries())
        this.#others.counted(topic, (counts[index] as number) - this.#listenersHere(topic), askedMs)
    } catch (error) {
      this.#log.debug({ err: error }, 'it is not known who listens')
    }
  }

  /**
   * To be called when this node has begun to hear something: resolves when every other node knows that it is not alone, or
   * has not answered for longer than it could believe that.
   */
  async #arrive(): Promise<void> {
    const all = new Promise<boolean>((resolve) => {
      const ackId = this.#acknowledgements.begin('arrived', afterRealTime(aloneMs), resolve)
      this.#send('arrived', [this.nodeId, ackId, []] satisfies Frame).then(
        (receivers) => this.#acknowledgements.sent(ackId, receivers),
        // Then the timer ends it: by that time nobody believes to be alone any more.
        () => undefined,
      )
    })
    await all
  }

  /** How many nodes hear a topic, this one included, as far as is known. */
  #listenersOf(topic: string): number {
    return this.#listenersHere(topic) + this.#others.listenersOf(topic)
  }

  #listenersHere(topic: string): number {
    return this.#handlers.has(topic) ? 1 : 0
  }

  #receive(channel: string, bytes: Buffer): void {
    const keyAt = channel.indexOf(keyMark)
    const topic = keyAt < 0 ? channel : channel.slice(0, keyAt)
    if (topic === `ack:${this.nodeId}`) return this.#acknowledgements.received(...acknowledgementOf(decodeMessage(bytes)))
    if (topic === 'alive') return this.#beats.heard(...(decodeMessage(bytes) as Beat))
    // This node's own handlers ran when the message was published.
    if (
      this.#acknowledgements.none &&
      bytes.compare(this.#encodedId, 0, this.#encodedId.length, senderAt, senderAt + this.#encodedId.length) === 0
    )
      return
    const frame = decodeMessage(bytes) as Frame
    const [sender, ackId] = frame
    if (topic === 'reset') {
      if (sender !== this.nodeId) this.reset()
      return
    }
    if (sender === this.nodeId) return this.#acknowledgements.back(ackId)
    if (topic === 'arrived') this.#others.arrived(sender)
    const pending = this.#deliver(topic, frame)
    if (ackId === 0) return
    const acknowledge = () => {
      // Nodes of earlier versions count, and do not ask who it is.
      this.#send(`ack:${sender}`, this.#others.isCurrent(sender) ? [ackId, this.nodeId] : ackId).catch(() => undefined)
    }
    if (pending.length === 0) acknowledge()
    else void Promise.all(pending).then(acknowledge)
  }

  /** The handlers that are not done with it. */
  #deliver(topic: string, [sender, , messages, version]: Frame): Promise<void>[] {
    if (version !== messagesVersion) return messages.length > 0 ? [this.#heardForeign(sender)] : []
    return messages.flatMap((message) => this.#handlers.deliver(topic, message) ?? [])
  }

  /** What another node could not send by Redis. It has no receivers that Redis knows: handlers pass over what has the key of nobody here. */
  #receiveDetoured({ sender, channel, frame }: StoredFrame): void {
    this.#others.noteApart(sender)
    try {
      const [topic = ''] = channel.split(keyMark, 1)
      if (topic === 'reset') return this.reset()
      if (this.#handlers.has(topic)) void this.#deliver(topic, decodeMessage(frame) as Frame)
    } catch (error) {
      this.#log.error({ err: error }, 'a frame could not be read')
      this.reset()
    }
  }

  /** A node of another version has written something: resolves when this node trusts no more what it knew. */
  #heardForeign(nodeId: string): Promise<void> {
    this.#log.debug({ nodeId }, 'a node of another version has written something')
    this.#resetSoon ??= new Promise((resolve) => {
      afterRealTime(foreignMs)(() => {
        this.#resetSoon = undefined
        if (!this.#closed) this.reset()
        resolve()
      })
    })
    return this.#resetSoon
  }

  #connected(): void {
    if (!this.#pubSub.canSend) return
    this.#tellOthersToReset()
    if (this.#pubSub.canHear && !this.#beats.hears) void this.#resubscribe()
  }

  async #resubscribe(): Promise<void> {
    const connection = ++this.#connections
    const done = new Set<string>()
    const topics = () => [`ack:${this.nodeId}`, 'reset', 'alive', 'arrived', ...this.#handlers.topics()]
    // Topics and keys can be added while a subscription is on its way.
    for (;;) {
      const missing = [...topics(), ...this.#keys.names()].filter((name) => !done.has(name))
      if (missing.length === 0) break
      try {
        await this.#pubSub.subscribe(missing)
      } catch {
        // The connection was lost again, and the next 'ready' comes here; or Redis has refused, and may be asked again.
        this.#clock.after(retryMs, () => this.#connected())
        return
      }
      for (const name of missing) done.add(name)
      await this.#arrive()
      if (connection !== this.#connections || !this.#pubSub.canHear) return
    }
    const kept = new Set([...topics(), ...this.#keys.names()])
    this.#pubSub.unsubscribe([...done].filter((name) => !kept.has(name)))
    this.#tellOthersToReset()
    // Also the first time: a node that started without Redis may have filled its caches before.
    this.#resetDue = true
    this.#beats.begin()
  }

  #lookAtDetour(): void {
    if (!this.#isTaken() && this.#handlers.topics().some((topic) => this.#isHeard(topic))) this.#detour?.apart(this.#beats.noticedMs)
    void this.#detour?.look()
    if (this.#beats.hears) this.#acknowledgements.lookAgain()
  }

  #heardItself(): void {
    if (this.#isTaken()) this.#detour?.back()
    if (!this.#resetDue) return
    this.#resetDue = false
    this.reset()
  }

  #heardDeath(nodeId: string): void {
    this.#log.warn({ nodeId }, 'a node has died')
    void this.#pubSub.cutOff(nodeId)
    this.#detour?.watch()
    this.reset()
    // When its machine has died, Postgres hears nothing of that, and goes on with its statements.
    this.#clock.after(outcomeKnownMs, () => {
      if (!this.#closed) this.reset()
    })
  }

  #tellOthersToReset(): void {
    if (!this.#othersMissed || this.#closed) return
    this.#send('reset', [this.nodeId, 0, []] satisfies Frame)
      .then(() => {
        this.#othersMissed = false
      })
      .catch(() => {
        if (this.#pubSub.canSend) this.#clock.after(retryMs, () => this.#tellOthersToReset())
      })
  }

  reset(): void {
    // At the first connection nothing is cached yet, and nobody should worry.
    this.#log[this.#everUp ? 'info' : 'debug']('events may have been missed: caches are read anew')
    this.#everUp = true
    this.#handlers.reset()
    this.#kept.missed()
    if (!this.#closed) void this.#kept.hear()
  }
}

/** What an acknowledgement says: for which frame it is, and of whom, unless that is of an earlier version. */
const acknowledgementOf = (content: unknown) => (Array.isArray(content) ? content : [content]) as [ackId: number, nodeId?: string]

/** Not on the clock of the product, which tests set. */
const afterRealTime = (ms: number) => (work: () => void) => {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}
