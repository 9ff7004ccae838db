// The calls of this node: it alone decides about them (call.ts), and carries out what is decided.
import type { UserHeader } from '../accounts/schemas.ts'
import type { Node } from '../core/work/ctx.ts'
import { badRequest, tooManyRequests, unavailable, type AppError } from '../core/base/errors.ts'
import type { Count } from '../core/work/rate-limit.ts'
import type { ClusterQuery } from '../core/bus/cluster-query.ts'
import { notificationFrame } from '../notices/frames.ts'
import { newCall, step, type Call, type CallEvent, type Effect, type Side } from './call.ts'
import { LocalHandset, type Connection, type Handset } from './handset.ts'
import type { Answer, Message, ToLine } from './messages.ts'

/** A call that belongs to this node. */
interface Line {
  readonly key: string
  readonly callID: string
  readonly leases: readonly string[]
  readonly frame: Uint8Array
  readonly ringingUntilMs: number
  /** What its ringing counts for; empty once it does not count any more. */
  attempts: readonly Count[]
  hasRung: boolean
  call: Call
  caller: Handset | undefined
  callee: Handset | undefined
  /** The callee's phone socket when it is on another node, and the time of its last sign of life. */
  leg: string | undefined
  heardMs: number
}

/** A call as it is asked for. */
export interface Order {
  callID: string
  caller: UserHeader
  callee: string
  /** What one more ringing counts for. */
  attempts: readonly Count[]
  /** Of a call that is not relayed. */
  callerAddress?: { ipV4Addr?: string; ipV6Addr?: string }
}

const ringForMs = 60_000

/** All calls of one node that are not over. */
export class Lines {
  readonly #node: Node
  readonly #nodes: ClusterQuery<Message, Answer>
  /** By id of the call. */
  readonly #lines = new Map<string, Line>()
  /** The same whose callee's phone socket is on another node, by key. */
  readonly #distant = new Map<string, Line>()
  #stopped = false

  constructor(node: Node, nodes: ClusterQuery<Message, Answer>) {
    this.#node = node
    this.#nodes = nodes
  }

  /** Ends all calls, and takes none up any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    const released = [...this.#lines.values()].map((line) => {
      this.happens(line, { type: 'lost' })
      return this.#release(line)
    })
    await Promise.all(released)
  }

  find(callID: string): Line | undefined {
    return this.#lines.get(callID)
  }

  /** The list for the other nodes: each call, and whether it still rings. */
  get names(): [key: string, ringing: boolean][] {
    return Array.from(this.#lines.values(), ({ key, call }) => [key, call.phase === 'ringing'])
  }

  /**
   * Takes a call up, without ringing yet.
   *
   * @throws AppError 400 when one of the two is in a call, or the id is in use; 429 after many calls that nobody answered; 503
   * without Redis.
   */
  async takeUp({ callID, caller, callee, attempts, callerAddress }: Order): Promise<Line> {
    if (this.#stopped) throw outOfTouch()
    const waitSeconds = await this.#node.rateLimiter.takeAll(attempts)
    if (waitSeconds > 0)
      throw tooManyRequests('too_many_requests', `You have called too often. Try again in ${waitSeconds} seconds.`, waitSeconds)
    const key = this.#node.random.uuid()
    const leases = [`phone-user:${caller.userID}`, `phone-user:${callee}`, `phone-call:${callID}`]
    const free = await this.#node.leases.acquire(leases, key).catch((error: unknown) => {
      this.#forgive(attempts)
      throw outOfTouch(error)
    })
    // The node may have begun to stop, or Redis have forgotten a call that goes on.
    const usable = free && !this.#stopped && !this.#lines.has(callID)
    if (free && !usable) this.#node.leases.release(leases, key).catch(() => undefined)
    if (!usable) this.#forgive(attempts)
    if (!usable) throw this.#stopped ? outOfTouch() : badRequest('in_call', 'One of you is already in a call.')
    const line: Line = {
      key,
      callID,
      leases,
      frame: notificationFrame('incomingPhoneCall', caller.username, callID, { caller, ...(callerAddress ? { callerAddress } : {}) }),
      ringingUntilMs: this.#node.clock.elapsed() + ringForMs,
      attempts,
      hasRung: false,
      call: newCall(caller.userID, callee, callerAddress === undefined),
      caller: undefined,
      callee: undefined,
      leg: undefined,
      heardMs: performance.now(),
    }
    this.#lines.set(callID, line)
    return line
  }

  /** Lets the callee's phones ring; true when there is one. */
  async ring(line: Line): Promise<boolean> {
    line.hasRung = true
    const { caller, callee } = line.call
    const { answers } = await this.#nodes.ask({ type: 'ring', key: line.key, callID: line.callID, caller, callee, frame: line.frame })
    const phones = answers.reduce((sum, answer) => sum + ('phones' in answer ? answer.phones : 0), 0)
    this.happens(line, { type: 'rang', phones })
    return phones > 0
  }

  /** How the caller's phone socket takes part: it rings when that is open. */
  callerOf(line: Line): Connection {
    return {
      opened: (socket) => {
        line.caller = new LocalHandset(socket)
        if (line.call.phase === 'over') return line.caller.close()
        this.ring(line).catch((error: unknown) => this.#node.log.error({ err: error }, 'a call could not ring'))
      },
      audio: (frame) => this.#audio(line, 'caller', frame),
      closed: () => void this.happens(line, { type: 'hungUp', side: 'caller' }),
    }
  }

  /** How the callee's phone socket takes part when it is on this node. */
  calleeOf(line: Line): Connection {
    return {
      opened: (socket) => {
        line.callee = new LocalHandset(socket)
        if (line.call.phase === 'over') return line.callee.close()
        // Nothing may be sent in this turn yet.
        setImmediate(() => this.happens(line, { type: 'connected' }))
      },
      audio: (frame) => this.#audio(line, 'callee', frame),
      closed: () => void this.happens(line, { type: 'hungUp', side: 'callee' }),
    }
  }

  /** The callee's phone socket is that leg of another node. */
  attach(line: Line, leg: string, handset: Handset): void {
    line.leg = leg
    line.heardMs = performance.now()
    line.callee = handset
    this.#distant.set(line.key, line)
  }

  /** Takes a frame of the callee's phone socket on another node. */
  receive(key: string, content: ToLine): void {
    const line = this.#distant.get(key)
    if (!line) return
    if (content instanceof Uint8Array) this.#audio(line, 'callee', content)
    else this.happens(line, content === 'opened' ? { type: 'connected' } : { type: 'hungUp', side: 'callee' })
  }

  #audio(line: Line, from: Side, frame: Uint8Array): void {
    const next = step(line.call, { type: 'audio', from })
    for (const effect of next.effects) if (effect.type === 'relay') line[effect.to]?.send(frame)
  }

  /** Brings an event to a call, and does what follows from it. */
  happens(line: Line, event: CallEvent): readonly Effect[] {
    const before = line.call
    const { call, effects } = step(before, event)
    line.call = call
    for (const effect of effects) this.#carryOut(line, effect)
    const isWelcome = effects.some(({ type }) => type === 'tellAnswered')
    if (isWelcome || (call.phase === 'over' && !line.hasRung)) {
      this.#forgive(line.attempts)
      line.attempts = []
    }
    if (call.phase === 'over' && before.phase !== 'over') {
      if (this.#lines.get(line.callID) === line) this.#lines.delete(line.callID)
      this.#distant.delete(line.key)
      void this.#release(line)
    }
    return effects
  }

  /** The same, and what it has led to, in the words of an answer. */
  outcome(line: Line, event: CallEvent): Answer & { outcome: string } {
    const effects = this.happens(line, event)
    if (effects.some(({ type }) => type === 'admit')) return { outcome: 'admitted', key: line.key, node: this.#node.bus.nodeId }
    const refuse = effects.find((effect) => effect.type === 'refuse')
    return { outcome: refuse?.because ?? 'done' }
  }

  #carryOut(line: Line, effect: Effect): void {
    const { key, callID, call } = line
    switch (effect.type) {
      case 'tellAnswered':
        return this.#nodes.broadcast({ type: 'answered', key, callID, callee: call.callee, over: call.phase === 'over' })
      case 'tellEnded':
        return this.#nodes.broadcast({ type: 'ended', key, callID, caller: call.caller, sides: effect.sides })
      case 'start': {
        const frame = Buffer.from(JSON.stringify({ phonecallStartTime: new Date(this.#node.clock.now()) }))
        line.caller?.send(frame)
        line.callee?.send(frame)
        return
      }
      case 'close':
        return line[effect.side]?.close(effect.reason)
      // `relay` has the frame with it, the others are for whoever caused the event.
      default:
    }
  }

  /** Takes back what was counted for a call that was answered, or never rang: it has troubled nobody. */
  #forgive(attempts: readonly Count[]): void {
    if (attempts.length > 0) void this.#node.rateLimiter.giveBack(attempts)
  }

  async #release(line: Line): Promise<void> {
    // Without Redis they come free by themselves.
    await this.#node.leases
      .release(line.leases, line.key)
      .catch((error: unknown) => this.#node.log.debug({ err: error }, 'leases of a call'))
  }

  /** A node has named its legs. */
  heard(legs: readonly string[], nowMs: number): void {
    for (const line of this.#lines.values()) if (line.leg !== undefined && legs.includes(line.leg)) line.heardMs = nowMs
  }

  /** Nothing counts as silent before `nowMs`. */
  heardAll(nowMs: number): void {
    for (const line of this.#lines.values()) line.heardMs = nowMs
  }

  /** Ends what has rung for too long or whose leg has not been named since; the others stay claimed. */
  look(sinceMs: number): void {
    for (const line of [...this.#lines.values()]) {
      if (this.#node.clock.elapsed() >= line.ringingUntilMs) this.happens(line, { type: 'timedOut' })
      if (line.leg !== undefined && line.heardMs < sinceMs) this.happens(line, { type: 'lost' })
      if (line.call.phase !== 'over') void this.#renew(line)
    }
  }

  /** Leases all calls again: Redis was away, and may have forgotten them. */
  renew(): void {
    for (const line of this.#lines.values()) void this.#renew(line)
  }

  /** Redis may have forgotten the leases. Of an active call they are only taken again. */
  async #renew(line: Line): Promise<void> {
    const kept = await this.#node.leases.renew(line.leases, line.key).catch(() => false)
    if (line.call.phase === 'over') return void this.#release(line)
    if (!kept && line.call.phase !== 'active') this.happens(line, { type: 'lost' })
  }
}

/** 503: what has to be known for a call cannot be at the moment. */
export const outOfTouch = (cause?: unknown): AppError =>
  unavailable('busy', 'Calls cannot be set up at the moment. Try again in a moment.', cause)
