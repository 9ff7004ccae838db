// One socket of a chat: what it still waits for, and how it comes and goes.
import type { Socket, SocketHandlers } from '../core/http/route.ts'
import { closeCodes, maxSocketsPerUser } from '../core/http/sockets.ts'
import type { Account } from '../core/base/viewer.ts'
import { Backlog, type Hides } from './backlog.ts'
import type { FezChannel } from './channel.ts'
import type { ChatReader, ChatSession } from './reader.ts'

/** `topic`: gets every frame by native publish. `direct`: asked one by one. `none`: may not see the chat. */
export type Delivery = 'topic' | 'direct' | 'none'

/** One socket of a chat. There are thousands: no closures, few fields. */
export class FezSession implements ChatSession, SocketHandlers {
  readonly user: ChatReader
  readonly #channel: FezChannel
  readonly sessionKey: string
  socket: Socket | undefined
  delivery: Delivery = 'none'
  /** Until it is sent, new frames wait behind it. */
  backlog: Backlog | undefined

  /** `after`: the client has the posts up to this one and wants the others first. */
  constructor(channel: FezChannel, user: ChatReader, sessionKey: string, after?: number) {
    this.#channel = channel
    this.user = user
    this.sessionKey = sessionKey
    this.backlog = after === undefined ? undefined : new Backlog(after)
  }

  opened(socket: Socket): void {
    const room = this.user.chatSessions.length < maxSocketsPerUser
    if (!room || !this.user.mayConnect(this.sessionKey) || this.#channel.closed) return socket.close(closeCodes.goingAway)
    this.socket = socket
    this.user.addSession(this)
    this.#channel.attach(this)
  }

  drained(): void {
    this.#channel.sendBacklog(this)
  }

  closed(): void {
    this.socket = undefined
    this.user.removeSession(this)
    this.#channel.detach(this)
  }

  relationsChanged(): void {
    this.#channel.classify(this)
    this.#channel.sendBacklog(this)
  }

  relationsUnknown(): void {
    this.#channel.suspend(this)
  }

  /** Keeps frames until it is known again whom the user hides: some of them may have to be dropped then. */
  hold(outgoing: readonly Outgoing[], hides: Hides, isPost: boolean): void {
    for (const { frame, about } of outgoing) this.backlog?.hold({ frame, about, hides, isPost, isUnsure: true })
  }

  /** Sends frames in their turn. */
  send(outgoing: readonly Outgoing[], hides: Hides, isPost: boolean): void {
    const { backlog } = this
    if (backlog) for (const { frame, about } of outgoing) backlog.hold({ frame, about, hides, isPost })
    else this.socket?.sendAll(outgoing.map(({ frame }) => frame))
  }
}

/** A frame, and whom it is about. */
export interface Outgoing {
  frame: Uint8Array
  about: Account
}
