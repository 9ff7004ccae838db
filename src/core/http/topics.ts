// Frames for all sockets of a socket topic, such as those of a chat, by native publish: encoded once, one write for each socket
// and turn of the loop. Thousands of writes in one turn would keep everybody else's requests waiting, so large topics have
// portions, which take turns.
import type { TemplatedApp } from 'uWebSockets.js'

/** Sockets that a large topic writes to in one turn of the loop: it takes about a millisecond. */
const perTurn = 256

/** A socket, as far as topics need it. */
export interface Subscriber {
  /** Undefined when it is not open. */
  readonly ws: { subscribe(nativeTopic: string): void; unsubscribe(nativeTopic: string): void } | undefined
  /** The portions that the socket is in, one for each of its topics: kept by `Topics`. */
  portions: readonly Portion[]
}

/** Some sockets of one topic: they get its frames in the same turn. */
interface Portion {
  readonly topic: string
  /** The native topic. */
  readonly name: string
  size: number
  /** What is still to be published to it, in order. */
  waiting: Uint8Array[] | undefined
  /** The last turn in which it was published to. */
  turn: number
  /** A list of nothing else: sockets in one topic, which most are, share it. */
  readonly alone: readonly Portion[]
}

const none: readonly never[] = []

/** The topics of a node's sockets. Every socket gets what is for it in the order in which it was published and sent. */
export class Topics {
  /** Those that may have sockets. */
  apps: readonly TemplatedApp[] = none
  readonly #portions = new Map<string, Portion[]>()
  #names = 0
  /** Portions that wait for their turn. */
  #due: Portion[] = []
  #turn = 1
  #room = perTurn
  #isScheduled = false

  /** Nothing happens when the socket is in the topic already, or not open. */
  subscribe(subscriber: Subscriber, topic: string): void {
    const { ws, portions } = subscriber
    if (!ws || portions.some((each) => each.topic === topic)) return
    const portion = this.#withRoom(topic)
    // What was published before is not for it.
    this.#publishWaiting(portion)
    portion.size++
    subscriber.portions = portions.length === 0 ? portion.alone : portions.concat([portion])
    ws.subscribe(portion.name)
  }

  unsubscribe(subscriber: Subscriber, topic: string): void {
    const portion = subscriber.portions.find((each) => each.topic === topic)
    if (!portion) return
    this.#publishWaiting(portion)
    subscriber.ws?.unsubscribe(portion.name)
    subscriber.portions = subscriber.portions.filter((each) => each !== portion)
    this.#leave(portion)
  }

  /** To be called when a socket has closed: it is in no topic any more. */
  closed(subscriber: Subscriber): void {
    for (const portion of subscriber.portions) this.#leave(portion)
    subscriber.portions = none
  }

  /** Sends a text frame to all subscribers: at once, or portion by portion when there are many. */
  publish(topic: string, frame: Uint8Array): void {
    const portions = this.#portions.get(topic) ?? none
    for (const portion of portions) {
      if (portion.waiting) portion.waiting.push(frame)
      else if (portions.length === 1 || portion.turn === this.#turn) this.#send(portion, frame)
      else if (this.#room > 0 && this.#due.length === 0) {
        this.#inThisTurn(portion, [frame])
        this.#scheduleEnd()
      } else {
        portion.waiting = [frame]
        this.#due.push(portion)
      }
    }
  }

  /** To be called before a socket is sent anything else, or closed: what was published to it comes first. */
  publishBefore({ portions }: Subscriber): void {
    if (this.#due.length > 0) for (const portion of portions) this.#publishWaiting(portion)
  }

  #withRoom(topic: string): Portion {
    const portions = this.#portions.get(topic) ?? []
    const known = portions.find(({ size }) => size < perTurn)
    if (known) return known
    const alone: Portion[] = []
    const portion: Portion = { topic, name: `${topic} ${++this.#names}`, size: 0, waiting: undefined, turn: 0, alone }
    alone.push(portion)
    this.#portions.set(topic, [...portions, portion])
    return portion
  }

  #leave(portion: Portion): void {
    if (--portion.size > 0) return
    const rest = this.#portions.get(portion.topic)?.filter((each) => each !== portion) ?? []
    if (rest.length > 0) this.#portions.set(portion.topic, rest)
    else this.#portions.delete(portion.topic)
  }

  #publishWaiting(portion: Portion): void {
    const frames = portion.waiting
    portion.waiting = undefined
    for (const frame of frames ?? none) this.#send(portion, frame)
  }

  #send({ name }: Portion, frame: Uint8Array): void {
    for (const app of this.apps) app.publish(name, frame, false)
  }

  #inThisTurn(portion: Portion, frames: readonly Uint8Array[]): void {
    portion.turn = this.#turn
    this.#room -= portion.size
    for (const frame of frames) this.#send(portion, frame)
  }

  /** The loop reads, runs immediates, and writes what was published meanwhile. */
  #scheduleEnd(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#endTurn()
    })
  }

  /** Fills the room that is left. What is published from now on is written after the next reads. */
  #endTurn(): void {
    let done = 0
    for (const portion of this.#due) {
      if (this.#room <= 0) break
      done++
      const { waiting } = portion
      portion.waiting = undefined
      if (waiting) this.#inThisTurn(portion, waiting)
    }
    this.#due = this.#due.slice(done)
    this.#turn++
    this.#room = perTurn
    if (this.#due.length > 0) this.#scheduleEnd()
  }
}
