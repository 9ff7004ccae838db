// The beats of a node: who is on the bus, and until when this node may believe that it hears them all.
import { OtherNodes, silentMs } from './other-nodes.ts'

/** `sentMs` is on the sender's clock; 0 is its farewell. */
export type Beat = [sender: string, sentMs: number, topics: readonly string[], version?: unknown]
/**
 * In the beats of nodes that hold the keys of chats and of people, and say of whom an acknowledgement is. One that holds keys of
 * chats alone says `true`, one that holds none nothing.
 */
const beatVersion = 2

const beatEveryMs = 500
/**
 * How long a node trusts its caches after it sent the last beat that came back to it. Messages
 * arrive in order, so it received everything that Redis took before that beat. This is shorter than a
 * confirmed publish waits, so a node that receives nothing has stopped trusting its caches by then.
 */
const trustMs = 1500

export interface BeatsOptions {
  nodeId: string
  /** What this node hears. */
  topics: () => readonly string[]
  canSend: () => boolean
  send: (beat: Beat) => Promise<unknown>
  /** Twice a second. */
  onTurn: () => void
  /** A beat went out, while this node hears. */
  onSent: () => void
  /** One has come back: what Redis took before it was heard. */
  onEcho: () => void
  /** A node has been silent for too long. */
  onDead: (nodeId: string) => void
  /** None has come back for too long: what is heard and what is sent may be at different servers, or one of them nowhere. */
  onSilence: () => void
}

/** Times are real ones, also in tests: they measure the network. */
export class Beats {
  readonly others = new OtherNodes()
  readonly #options: BeatsOptions
  /** Since when it has heard all others without a break; undefined while it hears nothing. */
  #hearsSinceMs: number | undefined
  #trustedUntilMs = 0
  #lastEchoMs = 0
  #lastTurnMs = 0
  /** The others may have got it. */
  #sentMs = 0
  #closed = false
  readonly #turning: NodeJS.Timeout

  constructor(options: BeatsOptions) {
    this.#options = options
    this.#turning = setInterval(() => this.#turn(), beatEveryMs)
    this.#turning.unref()
  }

  /** All that this node has to hear is subscribed to. */
  get hears(): boolean {
    return this.#hearsSinceMs !== undefined
  }

  /** It has heard everything until a moment ago. */
  get trusted(): boolean {
    return performance.now() < this.#trustedUntilMs
  }

  /** When the others have noticed that they hear nothing of this node any more. */
  get noticedMs(): number {
    return this.#sentMs + silentMs + beatEveryMs
  }

  /** The others that hear a topic and may trust what they have in memory. Undefined right after the start, when their beats are yet to come. */
  trusting(topic: string): string[] | undefined {
    const isLongThere = this.#hearsSinceMs !== undefined && performance.now() - this.#hearsSinceMs > trustMs
    return isLongThere ? this.others.heardWithin(trustMs, topic) : undefined
  }

  /** It hears from now on. */
  begin(): void {
    this.#hearsSinceMs = this.#lastEchoMs = performance.now()
    this.#send()
  }

  /** It hears nothing from now on. */
  end(): void {
    this.#hearsSinceMs = undefined
    this.#trustedUntilMs = 0
  }

  /** A beat has come, perhaps one of this node. */
  heard(...[sender, sentMs, topics, version]: Beat): void {
    if (sender !== this.#options.nodeId) {
      if (sentMs === 0) this.others.left(sender)
      // A new node has to know the others before it counts acknowledgements.
      else if (this.others.heard(sender, sentMs, topics, version === beatVersion)) this.#send()
      return
    }
    // One from before the last connection proves nothing about this one.
    if (!this.hears) return
    this.#lastEchoMs = performance.now()
    this.#trustedUntilMs = Math.max(this.#trustedUntilMs, sentMs + trustMs)
    this.#options.onEcho()
  }

  /** Sends no more. */
  close(): void {
    this.#closed = true
    clearInterval(this.#turning)
  }

  /** The last one. The others take a node for dead that leaves with something unsaid. */
  async sendFarewell(isAllSaid: boolean): Promise<void> {
    const { nodeId, send } = this.#options
    await send([nodeId, isAllSaid ? 0 : performance.now(), []])
  }

  #turn(): void {
    const { canSend, onTurn, onSent, onSilence, onDead } = this.#options
    const now = performance.now()
    // After a pause of its own process, a node has yet to read what is waiting in its socket.
    if (now - this.#lastTurnMs > 2 * beatEveryMs) this.#lastEchoMs = now
    this.#lastTurnMs = now
    onTurn()
    if (!this.hears) return
    this.#send()
    onSent()
    if (this.trusted) return this.others.takeDead().forEach(onDead)
    // Nothing is known of the others before this node has received its own beat again.
    this.others.excuse()
    if (canSend() && now - this.#lastEchoMs > silentMs) onSilence()
  }

  #send(): void {
    // Behind the farewell it would say that this node is there again, and then that it has died.
    if (this.#closed) return
    const { nodeId, topics, canSend, send } = this.#options
    if (canSend()) this.#sentMs = performance.now()
    send([nodeId, performance.now(), topics(), beatVersion]).catch(() => undefined)
  }
}
