// Whose password is checked next. A few are at a time; the others wait in an order in which no address stands
// before another, however much it sends. No clock and no hash in it.
import { tooManyRequests, type AppError } from '../core/errors.ts'

/** Somebody `known` is logged in, or tries to where they have logged in before; everybody else is a `stranger`. */
export type Lane = 'known' | 'stranger'

/** Whose work something is. */
export interface Claim {
  lane: Lane
  /** The network that asks, or the person when they are logged in. */
  from: string
}

interface Waiting {
  /** It can go on without a place when there is a crowd. */
  spares: boolean
  go(hasPlace: boolean): void
  giveUp(error: AppError): void
}

/** How many wait at most; beyond that, one of those from where most come is refused. */
const mostWaiting: Record<Lane, number> = { known: 500, stranger: 1500 }
/** With so many strangers waiting, work that can be spared gets no place. */
const crowdSize = 10

const refusal = () => tooManyRequests('busy', 'Too many logins at once. Try again in a moment.', 2)

/** Hands out a number of places. */
export class Turns {
  readonly #places: number
  #taken = 0
  /** In order: they are few, and wait for themselves alone. */
  readonly #known = new Line('oldest')
  /** In a flood, one request more is still answered at once. */
  readonly #strangers = new Line('newest')

  constructor(places: number) {
    this.#places = places
  }

  /**
   * Does `work` when it is its turn. `instead` is done in its place, and without one, in a crowd.
   *
   * @throws AppError 429 when too many wait.
   */
  async run<T>({ lane, from }: Claim, work: () => Promise<T>, instead?: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken++
    else if (!(await this.#wait(lane, from, instead !== undefined)) && instead) return await instead()
    try {
      return await work()
    } finally {
      this.#taken--
      this.#next()
    }
  }

  /** Resolves with false when there is no place. */
  #wait(lane: Lane, from: string, spares: boolean): Promise<boolean> {
    const line = lane === 'known' ? this.#known : this.#strangers
    return new Promise((go, giveUp) => {
      line.push(from, { spares, go, giveUp })
      if (line.size > mostWaiting[lane]) line.drop()?.giveUp(refusal())
    })
  }

  #next(): void {
    while (this.#taken < this.#places) {
      const isCrowd = this.#strangers.size > crowdSize
      const next = this.#known.shift() ?? this.#strangers.shift()
      if (!next) return
      const hasPlace = !(isCrowd && next.spares)
      if (hasPlace) this.#taken++
      next.go(hasPlace)
    }
  }
}

/** Those who wait, by where they come from: each place has its turn, however many wait there. */
class Line {
  readonly #byPlace = new Map<string, Waiting[]>()
  readonly #first: 'oldest' | 'newest'
  size = 0

  constructor(first: 'oldest' | 'newest') {
    this.#first = first
  }

  push(from: string, waiting: Waiting): void {
    const others = this.#byPlace.get(from)
    if (others) others.push(waiting)
    else this.#byPlace.set(from, [waiting])
    this.size++
  }

  shift(): Waiting | undefined {
    const [turn] = this.#byPlace
    if (!turn) return undefined
    const [from, waiting] = turn
    // Behind all other places.
    this.#byPlace.delete(from)
    if (waiting.length > 1) this.#byPlace.set(from, waiting)
    this.size--
    return this.#first === 'oldest' ? waiting.shift() : waiting.pop()
  }

  /** Takes out the last of those from where most wait. */
  drop(): Waiting | undefined {
    let [most] = this.#byPlace
    for (const each of this.#byPlace) if (each[1].length > (most?.[1].length ?? 0)) most = each
    if (!most) return undefined
    this.size--
    const [from, waiting] = most
    if (waiting.length === 1) this.#byPlace.delete(from)
    return this.#first === 'oldest' ? waiting.pop() : waiting.shift()
  }
}
