// The phones of this node that ring for calls, of whatever node, until the call is answered or ends.
import type { Node } from '../core/work/ctx.ts'
import type { Socket } from '../core/http/route.ts'
import { notificationFrame } from '../notices/frames.ts'
import type { UserChannel } from '../users/channel.ts'
import { userKind } from '../users/channel.ts'
import type { Side } from './call.ts'
import type { Answer, Message } from './messages.ts'

/** Kept until the end of the call, also when no phone of this node rang: the caller's phones may need a notice. */
interface Ring {
  readonly callID: string
  readonly caller: string
  readonly callee: string
  /** Of a call of this node, which cannot fall silent. */
  readonly own: boolean
  /** Sockets that connect later get no notice of the end. */
  readonly sockets: readonly Socket[]
  ringing: boolean
  /** When the node of the call last named it. */
  heardMs: number
}

type Content<Type extends Message['type']> = Omit<Message & { type: Type }, 'type'>

/** All calls whose end phones of one node may have to learn. */
export class Rings {
  readonly #node: Node
  /** By key of the call. */
  readonly #rings = new Map<string, Ring>()

  constructor(node: Node) {
    this.#node = node
  }

  /** How many notification sockets a user has here; undefined when none. */
  phonesOf(user: string): Answer | undefined {
    const count = this.#user(user)?.sockets.notification.length ?? 0
    return count > 0 ? { phones: count } : undefined
  }

  /** Answers how many phones ring here. */
  ring({ key, callID, caller, callee, frame }: Content<'ring'>, own: boolean): Answer | undefined {
    const user = this.#user(callee)
    this.#rings.set(key, {
      callID,
      caller,
      callee,
      own,
      sockets: [...(user?.sockets.notification ?? [])],
      ringing: true,
      heardMs: performance.now(),
    })
    user?.sockets.notify(frame)
    return this.phonesOf(callee)
  }

  answered({ key, callID, callee, over }: Content<'answered'>): void {
    const ring = this.#rings.get(key)
    if (ring) ring.ringing = false
    if (over) this.#rings.delete(key)
    this.#user(callee)?.sockets.notify(notificationFrame('phoneCallAnswered', '', callID))
  }

  ended({ key, callID, caller, sides }: Content<'ended'>): void {
    const frame = notificationFrame('phoneCallEnded', '', callID)
    if (sides.includes('callee')) for (const socket of this.#rings.get(key)?.sockets ?? []) socket.send(frame)
    if (sides.includes('caller')) this.#user(caller)?.sockets.notify(frame)
    this.#rings.delete(key)
  }

  /** A node has named its calls, and which of them still ring. */
  heard(lines: Content<'beat'>['lines'], nowMs: number): void {
    for (const [key, ringing] of lines) {
      const ring = this.#rings.get(key)
      if (!ring) continue
      ring.heardMs = nowMs
      if (ring.ringing && !ringing) this.answered({ key, ...ring, over: false })
    }
  }

  /** Nothing counts as silent before `nowMs`; with `butRinging`, what rings does. */
  heardAll(nowMs: number, { butRinging = false } = {}): void {
    for (const ring of this.#rings.values()) if (!butRinging || !ring.ringing) ring.heardMs = nowMs
  }

  /** Ends what has not been named since. */
  endSilent(sinceMs: number): void {
    for (const [key, ring] of [...this.#rings]) {
      if (ring.own || ring.heardMs >= sinceMs) continue
      // Nothing is known of an answered call while the bus is down; it may go on.
      if (ring.ringing || this.#node.bus.up) this.ended({ key, ...ring, sides: both })
    }
  }

  #user(id: string): UserChannel | undefined {
    return this.#node.channels.of(userKind).peek(id)
  }
}

const both: readonly Side[] = ['caller', 'callee']
