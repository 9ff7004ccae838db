// The calls of this node, and its part in the calls of other nodes.
//
// A call belongs to the node that took its beginning, which alone decides about it (call.ts), in memory:
// for a relayed call that is the node of the caller's phone socket, without which there is no call anyway.
// The callee's phone socket may be on another node: then control and audio cross the bus, in order, on one
// topic per node: what comes for many calls in one turn of the loop goes in one message. With both sockets
// on one node no frame leaves it. All nodes hear who rings, and send it to the notification sockets they
// have (rings.ts). Redis holds one thing: the claims on both users and on the call's id, with an expiry, so
// that nobody is in two calls at once.
//
// No phone rings for ever, whatever dies: every node with calls names them to the others each second. Who
// does not hear of a call any more ends his own part of it: a node with ringing phones stops them, a phone
// socket whose other side was on the silent node is closed. The same repairs whatever message was lost.
// When Redis forgets the claims, or is away, calls being set up end; active ones whose sockets are on one
// node go on.
import type { UserHeader } from '../core/accounts.ts'
import type { Node } from '../core/ctx.ts'
import { badRequest, notAvailable, unavailable, type AppError } from '../core/errors.ts'
import { Inquiries } from '../core/inquiries.ts'
import type { Socket } from '../core/route.ts'
import { closeCodes } from '../core/sockets.ts'
import { notificationFrame } from '../notification/frames.ts'
import { newCall, step, type Call, type CallEvent, type Effect, type Side } from './call.ts'
import type { Answer, Crossing, Message, ToLeg, ToLine } from './messages.ts'
import { Rings } from './rings.ts'

/** One end of a relayed call, here or on another node. */
interface Handset {
  send(frame: Uint8Array): void
  close(reason?: string): void
}

/** A call that belongs to this node. */
interface Line {
  readonly key: string
  readonly callID: string
  readonly claims: readonly string[]
  readonly frame: Uint8Array
  readonly ringingUntilMs: number
  call: Call
  caller: Handset | undefined
  callee: Handset | undefined
  /** The callee's phone socket when it is on another node, and when that was last heard of. */
  leg: string | undefined
  heardMs: number
}

/** A phone socket whose call belongs to another node. */
interface Leg {
  readonly id: string
  key: string | undefined
  handset: Handset | undefined
  over: boolean
  heardMs: number
}

/** How a socket takes part in a call. */
export interface Connection {
  opened(socket: Socket): void
  audio(frame: Uint8Array): void
  /** Also when it never opened. */
  closed(): void
}

/** A call as it is asked for. */
export interface Order {
  callID: string
  caller: UserHeader
  callee: string
  /** Of a call that is not relayed. */
  callerAddress?: { ipV4Addr?: string, ipV6Addr?: string }
}

const ringForMs = 60_000
const beatEveryMs = 1000
/** Of something on another node, until it counts as gone. A multiple of a beat, and more than the bus takes to come back. */
const silentMs = 5000

const nodeTopic = (nodeId: string) => `phone:${nodeId}`

class LocalHandset implements Handset {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  send(frame: Uint8Array): void {
    this.#socket.send(frame, true)
  }

  close(reason = ''): void {
    this.#socket.close(closeCodes.goingAway, reason)
  }
}

const boards = new WeakMap<Node, Switchboard>()

/** The switchboard of a node that has started. */
export function switchboardOf(node: Node): Switchboard {
  const board = boards.get(node)
  if (!board) throw new Error('the switchboard has not been started')
  return board
}

/** Begins to hear of calls. Every node on the bus has to, or the others would wait for it. */
export async function startSwitchboard(node: Node): Promise<Switchboard> {
  const board = new Switchboard(node)
  boards.set(node, board)
  await board.start()
  return board
}

export class Switchboard {
  readonly #node: Node
  readonly #nodes: Inquiries<Message, Answer>
  /** By id of the call. */
  readonly #lines = new Map<string, Line>()
  /** The same whose callee's phone socket is on another node, by key. */
  readonly #distant = new Map<string, Line>()
  readonly #legs = new Map<string, Leg>()
  readonly #rings: Rings
  #stopped = false
  #lastBeatMs = performance.now()
  #stopBeating: () => void = () => {}

  constructor(node: Node) {
    this.#node = node
    this.#nodes = new Inquiries(node.bus, 'phone')
    this.#rings = new Rings(node)
  }

  async start(): Promise<void> {
    await this.#nodes.start((message, from) => this.#receive(message, from))
    await this.#node.bus.subscribe(nodeTopic(this.#node.bus.nodeId), (message) => this.#cross(message as Crossing))
    this.#stopBeating = this.#node.clock.every(beatEveryMs, () => this.#beat())
    this.#node.bus.onReset(() => this.#heardAgain())
  }

  /** Ends all calls of this node. Its sockets are closed by whoever stops the node. */
  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    this.#stopBeating()
    const released = [...this.#lines.values()].map((line) => {
      this.#happens(line, { type: 'lost' })
      return this.#release(line)
    })
    await Promise.all(released)
  }

  /**
   * Whether a user has a notification socket on any node.
   *
   * @throws AppError 503 when that cannot be known.
   */
  async isPresent(user: string): Promise<boolean> {
    if (this.#rings.phonesOf(user)) return true
    const { answers, complete } = await this.#nodes.ask({ type: 'present', user })
    if (answers.length === 0 && !complete) throw outOfTouch()
    return answers.length > 0
  }

  /**
   * Takes a call up, without ringing yet.
   *
   * @throws AppError 400 when one of the two is in a call, or the id is in use; 503 without Redis.
   */
  async #takeUp({ callID, caller, callee, callerAddress }: Order): Promise<Line> {
    if (this.#stopped) throw outOfTouch()
    const key = this.#node.random.uuid()
    const claims = [`phone-user:${caller.userID}`, `phone-user:${callee}`, `phone-call:${callID}`]
    const free = await this.#node.claims.take(claims, key).catch((error: unknown) => { throw outOfTouch(error) })
    // The node may have begun to stop, or Redis have forgotten a call that goes on.
    const usable = free && !this.#stopped && !this.#lines.has(callID)
    if (free && !usable) this.#node.claims.release(claims, key).catch(() => undefined)
    if (!usable) throw this.#stopped ? outOfTouch() : badRequest('You or the user you are calling are in a call.')
    const line: Line = {
      key, callID, claims,
      frame: notificationFrame('incomingPhoneCall', caller.username, callID, { caller, ...callerAddress ? { callerAddress } : {} }),
      ringingUntilMs: this.#node.clock.now() + ringForMs,
      call: newCall(caller.userID, callee, callerAddress === undefined),
      caller: undefined, callee: undefined, leg: undefined, heardMs: performance.now(),
    }
    this.#lines.set(callID, line)
    return line
  }

  /** Calls somebody who will talk to the caller's phone directly. False when no phone of his rings. */
  async ringFor(order: Order): Promise<boolean> {
    return await this.#ring(await this.#takeUp(order))
  }

  /** Calls somebody as soon as the caller's phone socket is open. */
  async callFrom(order: Order): Promise<Connection> {
    const line = await this.#takeUp(order)
    return {
      opened: (socket) => {
        line.caller = new LocalHandset(socket)
        if (line.call.phase === 'over') return line.caller.close()
        this.#ring(line).catch((error: unknown) => this.#node.log.error({ err: error }, 'a call could not ring'))
      },
      audio: (frame) => this.#audio(line, 'caller', frame),
      closed: () => void this.#happens(line, { type: 'hungUp', side: 'caller' }),
    }
  }

  /**
   * Lets a callee open his phone socket; his other phones stop ringing.
   *
   * @throws AppError 400 when there is no such call for him, or he has answered it already; 503 when that cannot be known.
   */
  async answerFrom(callID: string, by: string): Promise<Connection> {
    const event = { type: 'accepted', by } as const
    const line = this.#lines.get(callID)
    if (!line) return this.#answerElsewhere(callID, event)
    const outcome = this.#outcome(line, event)
    if (outcome.outcome !== 'admitted') throw refusal(outcome.outcome)
    return {
      opened: (socket) => {
        line.callee = new LocalHandset(socket)
        if (line.call.phase === 'over') return line.callee.close()
        // Nothing may be sent in this turn yet.
        setImmediate(() => this.#happens(line, { type: 'connected' }))
      },
      audio: (frame) => this.#audio(line, 'callee', frame),
      closed: () => void this.#happens(line, { type: 'hungUp', side: 'callee' }),
    }
  }

  /**
   * Brings an event to its call. False when there is no such call.
   *
   * @throws AppError 503 when that cannot be known.
   */
  async bring(callID: string, event: CallEvent & { by: string }): Promise<boolean> {
    const line = this.#lines.get(callID)
    if (line) {
      this.#happens(line, event)
      return true
    }
    const { answers, complete } = await this.#nodes.ask({ type: 'event', callID, event })
    if (answers.length === 0 && !complete) throw outOfTouch()
    return answers.length > 0
  }

  /** Stops the phones of a user that ring for a call nobody knows. */
  stopRinging(callID: string, user: string): void {
    this.#nodes.tell({ type: 'answered', key: '', callID, callee: user, over: true })
  }

  async #answerElsewhere(callID: string, event: CallEvent & { by: string }): Promise<Connection> {
    const leg: Leg = { id: this.#node.random.uuid(), key: undefined, handset: undefined, over: false, heardMs: performance.now() }
    // Before the question: the other node may speak as soon as it has answered.
    this.#legs.set(leg.id, leg)
    const { answers, complete } = await this.#nodes.ask({ type: 'event', callID, event, leg: leg.id })
    const admitted = answers.find((answer) => 'outcome' in answer && answer.outcome === 'admitted') as { key: string, node: string } | undefined
    if (!admitted) {
      this.#dropLeg(leg)
      const answered = answers.some((answer) => 'outcome' in answer && answer.outcome === 'answered')
      throw answers.length === 0 && !complete ? outOfTouch() : refusal(answered ? 'answered' : 'unknown')
    }
    leg.key = admitted.key
    const tell = (content: ToLine) => this.#send(admitted.node, ['line', admitted.key, content])
    return {
      opened: (socket) => {
        leg.handset = new LocalHandset(socket)
        if (leg.over) return leg.handset.close()
        tell('opened')
      },
      // uWS takes the bytes back after this turn.
      audio: (frame) => { if (!leg.over) tell(frame.slice()) },
      closed: () => {
        this.#dropLeg(leg)
        tell('closed')
      },
    }
  }

  #send(nodeId: string, crossing: Crossing): void {
    this.#node.bus.publish(nodeTopic(nodeId), crossing)
  }

  #cross([kind, id, content]: Crossing): void {
    if (kind === 'leg') {
      const leg = this.#legs.get(id)
      if (!leg) return
      if (content instanceof Uint8Array) leg.handset?.send(content)
      else this.#closeLeg(leg, content.close)
      return
    }
    const line = this.#distant.get(id)
    if (!line) return
    if (content instanceof Uint8Array) this.#audio(line, 'callee', content)
    else this.#happens(line, content === 'opened' ? { type: 'connected' } : { type: 'hungUp', side: 'callee' })
  }

  #closeLeg(leg: Leg, reason: string): void {
    this.#dropLeg(leg)
    leg.handset?.close(reason)
  }

  #dropLeg(leg: Leg): void {
    leg.over = true
    this.#legs.delete(leg.id)
  }

  /** True when a phone rings. */
  async #ring(line: Line): Promise<boolean> {
    const { caller, callee } = line.call
    const { answers } = await this.#nodes.ask({ type: 'ring', key: line.key, callID: line.callID, caller, callee, frame: line.frame })
    const phones = answers.reduce((sum, answer) => sum + ('phones' in answer ? answer.phones : 0), 0)
    this.#happens(line, { type: 'rang', phones })
    return phones > 0
  }

  #audio(line: Line, from: Side, frame: Uint8Array): void {
    const next = step(line.call, { type: 'audio', from })
    for (const effect of next.effects) if (effect.type === 'relay') line[effect.to]?.send(frame)
  }

  #happens(line: Line, event: CallEvent): readonly Effect[] {
    const before = line.call
    const { call, effects } = step(before, event)
    line.call = call
    for (const effect of effects) this.#carryOut(line, effect)
    if (call.phase === 'over' && before.phase !== 'over') {
      if (this.#lines.get(line.callID) === line) this.#lines.delete(line.callID)
      this.#distant.delete(line.key)
      void this.#release(line)
    }
    return effects
  }

  #carryOut(line: Line, effect: Effect): void {
    const { key, callID, call } = line
    switch (effect.type) {
      case 'tellAnswered': return this.#nodes.tell({ type: 'answered', key, callID, callee: call.callee, over: call.phase === 'over' })
      case 'tellEnded': return this.#nodes.tell({ type: 'ended', key, callID, caller: call.caller, sides: effect.sides })
      case 'start': {
        const frame = Buffer.from(JSON.stringify({ phonecallStartTime: new Date(this.#node.clock.now()) }))
        line.caller?.send(frame)
        line.callee?.send(frame)
        return
      }
      case 'close': return line[effect.side]?.close(effect.reason)
      // `relay` has the frame with it, the others are for whoever caused the event.
      default:
    }
  }

  /** What an event of somebody has led to, in the words of an answer. */
  #outcome(line: Line, event: CallEvent): Answer & { outcome: string } {
    const effects = this.#happens(line, event)
    if (effects.some(({ type }) => type === 'admit')) return { outcome: 'admitted', key: line.key, node: this.#node.bus.nodeId }
    const refuse = effects.find((effect) => effect.type === 'refuse')
    return { outcome: refuse?.because ?? 'done' }
  }

  async #release(line: Line): Promise<void> {
    // Without Redis they come free by themselves.
    await this.#node.claims.release(line.claims, line.key).catch((error: unknown) => this.#node.log.debug({ err: error }, 'claims of a call'))
  }

  // What the other nodes say

  #receive(message: Message, from: string): Answer | undefined {
    switch (message.type) {
      case 'present': return this.#rings.phonesOf(message.user)
      case 'ring': return this.#rings.ring(message, from === this.#node.bus.nodeId)
      case 'answered': return void this.#rings.answered(message)
      case 'ended': return void this.#rings.ended(message)
      case 'event': return this.#eventOfAnother(message, from)
      case 'beat': return this.#heard(message)
    }
  }

  #eventOfAnother({ callID, event, leg }: Message & { type: 'event' }, from: string): Answer | undefined {
    const line = this.#lines.get(callID)
    if (!line) return undefined
    const outcome = this.#outcome(line, event)
    if (outcome.outcome !== 'admitted' || leg === undefined) return outcome
    const tell = (content: ToLeg) => this.#send(from, ['leg', leg, content])
    line.leg = leg
    line.heardMs = performance.now()
    line.callee = { send: (frame) => tell(frame.slice()), close: (reason = '') => tell({ close: reason }) }
    this.#distant.set(line.key, line)
    return outcome
  }

  // Who is still there

  #beat(): void {
    const nowMs = performance.now()
    // What this node was too busy to hear was not silent.
    if (nowMs - this.#lastBeatMs > 2 * beatEveryMs) this.#heardAll(nowMs)
    this.#lastBeatMs = nowMs
    const silent = ({ heardMs }: { heardMs: number }) => nowMs - heardMs > silentMs
    for (const line of [...this.#lines.values()]) {
      if (this.#node.clock.now() >= line.ringingUntilMs) this.#happens(line, { type: 'timedOut' })
      if (line.leg !== undefined && silent(line)) this.#happens(line, { type: 'lost' })
      if (line.call.phase !== 'over') void this.#renew(line)
    }
    for (const leg of [...this.#legs.values()]) if (silent(leg)) this.#closeLeg(leg, 'The other side of the call cannot be reached.')
    this.#rings.endSilent(nowMs - silentMs)
    this.#sendBeat()
  }

  #sendBeat(): void {
    if (this.#lines.size === 0 && this.#legs.size === 0) return
    const lines = Array.from(this.#lines.values(), ({ key, call }) => [key, call.phase === 'ringing'] as [string, boolean])
    this.#nodes.tell({ type: 'beat', lines, legs: [...this.#legs.keys()] })
  }

  #heard({ lines, legs }: Message & { type: 'beat' }): undefined {
    const nowMs = performance.now()
    const named = new Set(lines.map(([key]) => key))
    this.#rings.heard(lines, nowMs)
    for (const leg of this.#legs.values()) if (leg.key !== undefined && named.has(leg.key)) leg.heardMs = nowMs
    for (const line of this.#lines.values()) if (line.leg !== undefined && legs.includes(line.leg)) line.heardMs = nowMs
  }

  /** Redis may have forgotten the claims. Of an active call they are only taken again. */
  async #renew(line: Line): Promise<void> {
    const kept = await this.#node.claims.renew(line.claims, line.key).catch(() => false)
    if (line.call.phase === 'over') return void this.#release(line)
    if (!kept && line.call.phase !== 'active') this.#happens(line, { type: 'lost' })
  }

  #heardAll(nowMs: number): void {
    for (const leg of this.#legs.values()) leg.heardMs = nowMs
    for (const line of this.#lines.values()) line.heardMs = nowMs
    this.#rings.heardAll(nowMs)
  }

  /** The bus is back, or a node has died. Answered calls may have gone on while nobody was heard. */
  #heardAgain(): void {
    this.#rings.heardAll(performance.now(), { butRinging: true })
    for (const line of this.#lines.values()) void this.#renew(line)
    this.#sendBeat()
  }
}

const outOfTouch = (cause?: unknown): AppError => unavailable('Calls cannot be set up at the moment.', cause)

const refusal = (outcome: string): AppError => (outcome === 'answered' ? badRequest('This call has been answered already.') : notAvailable('call'))
