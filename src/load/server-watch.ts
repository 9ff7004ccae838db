// What the servers say of themselves while people are at work.
import type { Client, FiguresData } from '../sdk/client.ts'

/** Of the samples that servers have taken of this time alone, the middle one; undefined where it was too short for any. */
export interface ServerLoad {
  servers: number
  /** Of the busiest server, in percent of a processor. */
  cpu: number | undefined
  /** How long its loop was held up, in ms. */
  lag: number | undefined
  /** 99 of 100 answers were ready there within, in ms. */
  p99: number | undefined
}

/** As often as servers take samples. */
const everyMs = 5000

interface Look {
  /** Since the beginning. */
  afterMs: number
  figures: FiguresData
}

export class ServerWatch {
  readonly #admin: Client
  #timer: NodeJS.Timeout | undefined
  #beganMs = 0
  #looks: Promise<Look | undefined>[] = []

  constructor(admin: Client) {
    this.#admin = admin
  }

  begin(): void {
    this.#beganMs = performance.now()
    this.#looks = []
    this.#look()
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  async end(): Promise<ServerLoad> {
    clearInterval(this.#timer)
    this.#look()
    const looks = (await Promise.all(this.#looks)).filter((look) => look !== undefined)
    // By the servers' clock. The sample that was under way at the beginning has some of the time before in it.
    const first = looks[0]?.figures.points.at(-1)?.at
    const from = first === undefined ? Infinity : Date.parse(first) + 2 * everyMs
    const points = looks.at(-1)?.figures.points.filter(({ at }) => Date.parse(at) >= from) ?? []
    const late = looks.filter(({ afterMs }) => afterMs >= 2 * everyMs)
    return {
      servers: Math.max(0, ...looks.map(({ figures }) => figures.nodes.length)),
      cpu: middle(late.map(({ figures }) => Math.max(0, ...figures.nodes.map(({ cpu }) => cpu)))),
      lag: middle(points.map(({ lag }) => lag)),
      p99: middle(points.flatMap(({ p99 }) => p99 ?? [])),
    }
  }

  #look(): void {
    const afterMs = performance.now() - this.#beganMs
    // A server that is too busy to say how it does is seen by everybody else.
    this.#looks.push(
      this.#admin.admin.figures().then(
        (figures) => ({ afterMs, figures }),
        () => undefined,
      ),
    )
  }
}

const middle = (values: readonly number[]): number | undefined => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
