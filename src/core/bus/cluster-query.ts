// Questions to all nodes, over a topic of the bus. The acknowledgements of a confirmed publish show when
// every node has answered.
import { messagesVersion, type Bus } from './bus.ts'

/** `complete` is false when the answer of a node may be missing. */
export interface Answers<A> {
  answers: A[]
  complete: boolean
}

/** Handles a message of the node `from`, in order. What it returns, unless undefined, is its answer. */
export type Answering<M, A> = (message: M, from: string) => A | undefined

type Envelope<M> = [id: number, from: string, message: M]

/** Questions and messages of one topic. */
export class ClusterQuery<M, A> {
  readonly #bus: Bus
  readonly #topic: string
  readonly #open = new Map<number, A[]>()
  #counter = 0

  constructor(bus: Bus, topic: string) {
    this.#bus = bus
    // Nodes with messages of another version are not asked: a beat of theirs would make this node read everything again,
    // and its answer to that would do the same to them.
    this.#topic = `${topic}:${messagesVersion}`
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

  /** Sends a message to all nodes, to this one before it returns, and wants no answer. In order with earlier questions. */
  broadcast(message: M): void {
    const envelope: Envelope<M> = [0, this.#bus.nodeId, message]
    this.#bus.publish(this.#topic, envelope)
  }
}
