// What the servers say of themselves while people are at work.
import type { Client, FiguresData } from '../sdk/client.ts'

/** Of all samples that the servers have taken in the meantime, the middle one; undefined and 0 where there was none. */
export interface ServerLoad {
  servers: number
  /** Of the busiest server, in percent of a processor. */
  cpu: number
  /** How long its loop was held up, in ms. */
  lag: number
  /** 99 of 100 answers were ready there within, in ms. */
  p99: number | undefined
}

/** As often as servers take samples. */
const everyMs = 5000

export class ServerWatch {
  readonly #admin: Client
  #timer: NodeJS.Timeout | undefined
  #answers: Promise<FiguresData | undefined>[] = []

  constructor(admin: Client) {
    this.#admin = admin
  }

  begin(): void {
    this.#answers = []
    this.#look()
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  async end(): Promise<ServerLoad> {
    clearInterval(this.#timer)
    this.#look()
    const [first, ...later] = (await Promise.all(this.#answers)).filter((answer) => answer !== undefined)
    // By the servers' clock.
    const before = first?.points.at(-1)?.at ?? ''
    const points = later.at(-1)?.points.filter(({ at }) => at > before) ?? []
    return {
      servers: Math.max(0, ...later.map(({ nodes }) => nodes.length)),
      cpu: middle(later.map(({ nodes }) => Math.max(0, ...nodes.map(({ cpu }) => cpu)))) ?? 0,
      lag: middle(points.map(({ lag }) => lag)) ?? 0,
      p99: middle(points.flatMap(({ p99 }) => p99 ?? [])),
    }
  }

  /** A server that is too busy to say how it does is seen by everybody else. */
  #look(): void {
    this.#answers.push(this.#admin.admin.figures().catch(() => undefined))
  }
}

const middle = (values: readonly number[]): number | undefined => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
