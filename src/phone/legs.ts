// The phone sockets of this node whose calls belong to other nodes.
import { LocalHandset, type Connection, type Handset } from './handset.ts'
import type { Crossing, ToLeg, ToLine } from './messages.ts'

interface Leg {
  readonly id: string
  key: string | undefined
  handset: Handset | undefined
  over: boolean
  /** When the node of the call last named it. */
  heardMs: number
}

/** Sockets that are open or opening. */
export class Legs {
  readonly #send: (nodeId: string, crossing: Crossing) => void
  readonly #legs = new Map<string, Leg>()

  constructor(send: (nodeId: string, crossing: Crossing) => void) {
    this.#send = send
  }

  get ids(): string[] {
    return [...this.#legs.keys()]
  }

  /** A leg that may be spoken to from now on, though nobody has said yet whose call it belongs to. */
  begin(id: string): Leg {
    const leg: Leg = { id, key: undefined, handset: undefined, over: false, heardMs: performance.now() }
    this.#legs.set(id, leg)
    return leg
  }

  /** How the socket of a leg takes part in the call with this key, of this node. */
  connection(leg: Leg, { key, node }: { key: string; node: string }): Connection {
    leg.key = key
    const tell = (content: ToLine) => this.#send(node, ['line', key, content])
    return {
      opened: (socket) => {
        leg.handset = new LocalHandset(socket)
        if (leg.over) return leg.handset.close()
        tell('opened')
      },
      // uWS takes the bytes back after this turn.
      audio: (frame) => {
        if (!leg.over) tell(frame.slice())
      },
      closed: () => {
        this.drop(leg)
        tell('closed')
      },
    }
  }

  /** Takes a message of the call's node for a leg. */
  receive(id: string, content: ToLeg): void {
    const leg = this.#legs.get(id)
    if (!leg) return
    if (content instanceof Uint8Array) leg.handset?.send(content)
    else this.#close(leg, content.close)
  }

  drop(leg: Leg): void {
    leg.over = true
    this.#legs.delete(leg.id)
  }

  /** A node has named its calls. */
  heard(keys: ReadonlySet<string>, nowMs: number): void {
    for (const leg of this.#legs.values()) if (leg.key !== undefined && keys.has(leg.key)) leg.heardMs = nowMs
  }

  /** Nothing counts as silent before `nowMs`. */
  heardAll(nowMs: number): void {
    for (const leg of this.#legs.values()) leg.heardMs = nowMs
  }

  /** Closes those whose calls have not been named since. */
  closeSilent(sinceMs: number): void {
    for (const leg of [...this.#legs.values()]) if (leg.heardMs < sinceMs) this.#close(leg, 'The other side of the call cannot be reached.')
  }

  #close(leg: Leg, reason: string): void {
    this.drop(leg)
    leg.handset?.close(reason)
  }
}
