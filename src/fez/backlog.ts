// Frames that the socket of a chat has to get before it goes live: the posts that its client has missed, and
// behind them whatever happens while those are being sent.
import type { Socket } from '../core/http/route.ts'
import type { Account, Viewer } from '../core/base/viewer.ts'

/** Whether a frame about `other` is to be kept from a viewer. */
export type Hides = (viewer: Viewer, other: Account) => boolean

/** A frame that waits its turn. */
export interface Waiting {
  frame: Uint8Array
  about: Account
  hides: Hides
  isPost: boolean
  /** It came while nobody knew whom the user hides, or whether they may see the chat at all. */
  isUnsure?: boolean
}

/** Bytes that may wait in the socket itself: far less than the limit of a slow socket. */
const socketBytes = 64 * 1024

/** Frames in the order in which a socket is to get them, sent as fast as it takes them. */
export class Backlog {
  /** The client has the posts up to this one. */
  readonly after: number
  #waiting: Waiting[] = []
  #begun = false

  constructor(after: number) {
    this.after = after
  }

  /** Puts what was missed before all that has happened since. From now on frames can be sent. */
  begin(missed: readonly Waiting[]): void {
    this.#waiting = [...missed, ...this.#waiting]
    this.#begun = true
  }

  hold(waiting: Waiting): void {
    this.#waiting.push(waiting)
  }

  drop(unwanted: (waiting: Waiting) => boolean): void {
    this.#waiting = this.#waiting.filter((waiting) => !unwanted(waiting))
  }

  /** Sends as much as the socket takes now. True when nothing is left. */
  sendTo(socket: Socket): boolean {
    if (!this.#begun) return false
    let sent = 0
    for (const { frame } of this.#waiting) {
      if (socket.buffered > socketBytes) break
      socket.send(frame)
      sent++
    }
    this.#waiting = this.#waiting.slice(sent)
    return this.#waiting.length === 0
  }
}
