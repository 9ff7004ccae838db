// The part of this node in all calls: what its users ask for, and what the nodes tell each other.
//
// A call belongs to the node that took its beginning, which alone decides about it (lines.ts), in memory:
// for a relayed call that is the node of the caller's phone socket, without which there is no call anyway.
// The callee's phone socket may be on another node (legs.ts): then control and audio cross the bus, in
// order, on one topic per node: what comes for many calls in one turn of the loop goes in one message. With
// both sockets on one node no frame leaves it. All nodes learn who rings, and send it to the notification
// sockets they have (rings.ts). Redis holds one thing: the claims on both users and on the call's id, with
// an expiry, so that nobody is in two calls at once.
//
// No phone rings for ever, whatever dies: every node with calls names them to the others each second. Who
// does not hear of a call any more ends its own part of it: a node with ringing phones stops them, a phone
// socket whose other side was on the silent node is closed. The same repairs whatever message was lost.
// When Redis forgets the claims, or is away, calls being set up end; active ones whose sockets are on one
// node go on.
import type { Node } from '../core/work/ctx.ts'
import { badRequest, notAvailable, type AppError } from '../core/base/errors.ts'
import { ClusterQuery } from '../core/bus/cluster-query.ts'
import type { CallEvent } from './call.ts'
import type { Connection } from './handset.ts'
import { Legs } from './legs.ts'
import { Lines, outOfTouch, type Order } from './lines.ts'
import type { Answer, Crossing, Message, ToLeg } from './messages.ts'
import { Rings } from './rings.ts'

const beatEveryMs = 1000
/** Of something on another node, until it counts as gone. A multiple of a beat, and more than the bus takes to come back. */
const silentMs = 5000

const nodeTopic = (nodeId: string) => `phone:${nodeId}`

const boards = new WeakMap<Node, Switchboard>()

/** The switchboard of a node that has started. */
export function switchboardOf(node: Node): Switchboard {
  const board = boards.get(node)
  if (!board) throw new Error('the switchboard has not been started')
  return board
}

/** Subscribes to messages about calls. Every node on the bus has to, or the others would wait for it. */
export async function startSwitchboard(node: Node): Promise<Switchboard> {
  const board = new Switchboard(node)
  boards.set(node, board)
  await board.start()
  return board
}

/** Begun once per node by `startSwitchboard`. */
export class Switchboard {
  readonly #node: Node
  readonly #nodes: ClusterQuery<Message, Answer>
  readonly #lines: Lines
  readonly #legs: Legs
  readonly #rings: Rings
  #stopped = false
  #lastBeatMs = performance.now()
  #stopBeating: () => void = () => {}

  constructor(node: Node) {
    this.#node = node
    this.#nodes = new ClusterQuery(node.bus, 'phone')
    this.#lines = new Lines(node, this.#nodes)
    this.#legs = new Legs((nodeId, crossing) => this.#send(nodeId, crossing))
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
    await this.#lines.stop()
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

  /** Calls a user who will talk to the caller's phone directly. False when none of their phones rings. */
  async ringFor(order: Order): Promise<boolean> {
    return await this.#lines.ring(await this.#lines.takeUp(order))
  }

  /** Calls somebody as soon as the caller's phone socket is open. */
  async callFrom(order: Order): Promise<Connection> {
    return this.#lines.callerOf(await this.#lines.takeUp(order))
  }

  /**
   * Lets a callee open their phone socket; their other phones stop ringing.
   *
   * @throws AppError 400 when there is no such call for them, or they have answered it already; 503 when that cannot be known.
   */
  async answerFrom(callID: string, by: string): Promise<Connection> {
    const event = { type: 'accepted', by } as const
    const line = this.#lines.find(callID)
    if (!line) return await this.#answerElsewhere(callID, event)
    const outcome = this.#lines.outcome(line, event)
    if (outcome.outcome !== 'admitted') throw refusal(outcome.outcome)
    return this.#lines.calleeOf(line)
  }

  async #answerElsewhere(callID: string, event: CallEvent & { by: string }): Promise<Connection> {
    // Before the question: the other node may speak as soon as it has answered.
    const leg = this.#legs.begin(this.#node.random.uuid())
    const { answers, complete } = await this.#nodes.ask({ type: 'event', callID, event, leg: leg.id })
    const admitted = answers.find((answer) => 'outcome' in answer && answer.outcome === 'admitted') as
      | { key: string; node: string }
      | undefined
    if (admitted) return this.#legs.connection(leg, admitted)
    this.#legs.drop(leg)
    const answered = answers.some((answer) => 'outcome' in answer && answer.outcome === 'answered')
    throw answers.length === 0 && !complete ? outOfTouch() : refusal(answered ? 'answered' : 'unknown')
  }

  /**
   * Brings an event to its call. False when there is no such call.
   *
   * @throws AppError 503 when that cannot be known.
   */
  async bring(callID: string, event: CallEvent & { by: string }): Promise<boolean> {
    const line = this.#lines.find(callID)
    if (line) {
      this.#lines.happens(line, event)
      return true
    }
    const { answers, complete } = await this.#nodes.ask({ type: 'event', callID, event })
    if (answers.length === 0 && !complete) throw outOfTouch()
    return answers.length > 0
  }

  /** Stops the phones of a user that ring for a call nobody knows. */
  stopRinging(callID: string, user: string): void {
    this.#nodes.broadcast({ type: 'answered', key: '', callID, callee: user, over: true })
  }

  // Messages of the other nodes

  #send(nodeId: string, crossing: Crossing): void {
    this.#node.bus.publish(nodeTopic(nodeId), crossing)
  }

  #cross([kind, id, content]: Crossing): void {
    if (kind === 'leg') this.#legs.receive(id, content)
    else this.#lines.receive(id, content)
  }

  #receive(message: Message, from: string): Answer | undefined {
    switch (message.type) {
      case 'present':
        return this.#rings.phonesOf(message.user)
      case 'ring':
        return this.#rings.ring(message, from === this.#node.bus.nodeId)
      case 'answered':
        return void this.#rings.answered(message)
      case 'ended':
        return void this.#rings.ended(message)
      case 'event':
        return this.#eventOfAnother(message, from)
      case 'beat':
        return this.#heard(message)
    }
  }

  #eventOfAnother({ callID, event, leg }: Message & { type: 'event' }, from: string): Answer | undefined {
    const line = this.#lines.find(callID)
    if (!line) return undefined
    const outcome = this.#lines.outcome(line, event)
    if (outcome.outcome !== 'admitted' || leg === undefined) return outcome
    const tell = (content: ToLeg) => this.#send(from, ['leg', leg, content])
    this.#lines.attach(line, leg, { send: (frame) => tell(frame.slice()), close: (reason = '') => tell({ close: reason }) })
    return outcome
  }

  // Detection of dead peers

  #beat(): void {
    const nowMs = performance.now()
    // Messages that this node was too busy to read do not count as silence.
    if (nowMs - this.#lastBeatMs > 2 * beatEveryMs) for (const part of [this.#lines, this.#legs, this.#rings]) part.heardAll(nowMs)
    this.#lastBeatMs = nowMs
    const sinceMs = nowMs - silentMs
    this.#lines.look(sinceMs)
    this.#legs.closeSilent(sinceMs)
    this.#rings.endSilent(sinceMs)
    this.#sendBeat()
  }

  #sendBeat(): void {
    const [lines, legs] = [this.#lines.names, this.#legs.ids]
    if (lines.length > 0 || legs.length > 0) this.#nodes.broadcast({ type: 'beat', lines, legs })
  }

  #heard({ lines, legs }: Message & { type: 'beat' }): undefined {
    const nowMs = performance.now()
    this.#rings.heard(lines, nowMs)
    this.#legs.heard(new Set(lines.map(([key]) => key)), nowMs)
    this.#lines.heard(legs, nowMs)
  }

  /** The bus is back, or a node has died. Answered calls may have gone on while nobody was heard. */
  #heardAgain(): void {
    this.#rings.heardAll(performance.now(), { butRinging: true })
    this.#lines.renew()
    this.#sendBeat()
  }
}

const refusal = (outcome: string): AppError =>
  outcome === 'answered' ? badRequest('call_answered', 'This call was answered on another device.') : notAvailable('call')
