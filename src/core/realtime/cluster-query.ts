// Messages to all nodes that may be answered: over a topic of the bus, with the acknowledgements of
// `settle` to know when everybody has had his say.
import type { Bus } from './bus.ts'

/** `complete` is false when a node may not have been heard. */
export interface Answers<A> {
  answers: A[]
  complete: boolean
}

/** Handles a message of the node `from`, in order. What it returns, unless undefined, is its answer. */
export type Answering<M, A> = (message: M, from: string) => A | undefined

type Envelope<M> = [id: number, from: string, message: M]

/** What the nodes say to each other under one topic. */
export class ClusterQuery<M, A> {
  readonly #bus: Bus
  readonly #topic: string
  readonly #open = new Map<number, A[]>()
  #counter = 0

  constructor(bus: Bus, topic: string) {
    this.#bus = bus
    this.#topic = topic
  }

  /** Begins to receive. */
  async start(answering: Answering<M, A>): Promise<void> {
    const answersTopic = (nodeId: string) => `${this.#topic}:answers:${nodeId}`
    await this.#bus.subscribe(answersTopic(this.#bus.nodeId), (message) => {
      const [id, answer] = message as [number, A]
      this.#open.get(id)?.push(answer)
    })
    await this.#bus.subscribe(this.#topic, (envelope) => {
      const [id, from, message] = envelope as Envelope<M>
      const answer = answering(message, from)
      if (answer === undefined || id === 0) return
      if (from === this.#bus.nodeId) return void this.#open.get(id)?.push(answer)
      // The question counts as handled only when its answer is there.
      return this.#bus.publishConfirmed(answersTopic(from), [id, answer]).then(() => undefined)
    })
  }

  /** Asks all nodes, this one included. Never rejects; takes two seconds when a node is silent. */
  async ask(message: M): Promise<Answers<A>> {
    const id = ++this.#counter
    const answers: A[] = []
    this.#open.set(id, answers)
    const envelope: Envelope<M> = [id, this.#bus.nodeId, message]
    const complete = await this.#bus.publishConfirmed(this.#topic, envelope)
    this.#open.delete(id)
    return { answers, complete }
  }

  /** Tells all nodes, this one before it returns, and wants no answer. In order with what was asked before. */
  broadcast(message: M): void {
    const envelope: Envelope<M> = [0, this.#bus.nodeId, message]
    this.#bus.publish(this.#topic, envelope)
  }
}
