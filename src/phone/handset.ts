// One end of a relayed call: a phone socket, wherever it is.
import type { Socket } from '../core/http/route.ts'
import { closeCodes } from '../core/http/sockets.ts'

/** A phone socket as a call uses it, on this node or on another one. */
export interface Handset {
  send(frame: Uint8Array): void
  close(reason?: string): void
}

/** How a phone socket of this node takes part in a call. */
export interface Connection {
  opened(socket: Socket): void
  audio(frame: Uint8Array): void
  /** Also when it never opened. */
  closed(): void
}

/** A phone socket of this node. */
export class LocalHandset implements Handset {
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
