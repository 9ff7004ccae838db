// Whose password is hashed next. A few are at a time; the others wait, and come in the order in which they came: at one address,
// and among addresses, which take turns. Whoever could not be served in time is told so at once. There is no hash in it, and time
// comes from outside.
import { tooManyRequests, type AppError } from '../core/base/errors.ts'

/**
 * `known`: is logged in, tries to where they have logged in before, or has a registration code that is free. `stranger`: everybody
 * else who logs in or recovers. `newcomer`: makes an account without a code.
 */
export type Lane = 'known' | 'stranger' | 'newcomer'

/** Whose work something is. */
export interface Claim {
  lane: Lane
  /** The network that asks, or the person when they are logged in. */
  from: string
}

/** What a piece of work is like. */
export interface Kind<T> {
  /** How many hashes it is. */
  hashes?: number
  /** Done in its place, and without one, in a crowd; gets how long the work would have waited. */
  instead?: (waitMs: number) => Promise<T>
}

interface Waiting extends Claim {
  hashes: number
  sinceMs: number
  go(): void
  giveUp(error: AppError): void
}

/** Nobody waits who would have to for longer: phones give up after ten seconds. */
const longestWaitMs = 8000
/** Whoever has waited for so long, because others were let in before, is refused. */
const patienceMs = 10_000
/** How many wait at most in each lane, so that memory is bounded. */
const mostWaiting = 2000
/** With so many waiting in its lane, work that can be spared gets no place. */
const crowdSize = 10
/** Lanes in which somebody waits take turns: one full of attempts does not stand before another. */
const turnsOfLanes: readonly Lane[] = ['known', 'stranger', 'known', 'newcomer']
const shareOf = (lane: Lane): number => turnsOfLanes.filter((each) => each === lane).length

/** What a hash took counts for e times less after so long: longer than a pause of the machine, shorter than other work on it. */
const fadesInMs = 3000
/** Until one was measured. */
const presumedHashMs = 10

function refusal(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return tooManyRequests(
    'busy',
    `Too many people sign in or register at this moment. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    seconds,
  )
}

/** Hands out a number of places. */
export class Turns {
  readonly #places: number
  readonly #elapsed: () => number
  readonly #lines: Readonly<Record<Lane, Line>> = { known: new Line(), stranger: new Line(), newcomer: new Line() }
  /** All that wait, the oldest first. */
  readonly #all = new Set<Waiting>()
  readonly #hashTime = new FadingMean()
  #taken = 0
  #turn = 0

  /** `elapsed` tells the time in milliseconds. */
  constructor(places: number, elapsed: () => number) {
    this.#places = places
    this.#elapsed = elapsed
  }

  /**
   * Does `work` when it is its turn.
   *
   * @throws AppError 429 when that is too far off, with the time that it would take.
   */
  async run<T>(claim: Claim, work: () => Promise<T>, { hashes = 1, instead }: Kind<T> = {}): Promise<T> {
    if (this.#taken < this.#places) this.#taken++
    else {
      this.requireTime(claim)
      if (instead && this.#lines[claim.lane].size >= crowdSize) return await instead(this.expectedMs(claim))
      await this.#wait(claim, hashes)
    }
    const startedMs = this.#elapsed()
    try {
      return await work()
    } finally {
      const endedMs = this.#elapsed()
      this.#hashTime.add((endedMs - startedMs) / hashes, endedMs)
      this.#taken--
      this.#next()
    }
  }

  /** How long somebody who came now would wait. */
  expectedMs({ lane, from }: Claim): number {
    if (this.#taken < this.#places) return 0
    const own = this.#lines[lane].before(from)
    let { hashes } = own
    for (const other of Object.keys(this.#lines) as Lane[])
      if (other !== lane) hashes += this.#lines[other].hashesOf((own.turns * shareOf(other)) / shareOf(lane))
    return (hashes * this.#hashTime.mean) / this.#places
  }

  /** @throws AppError 429 when it would be too long until one more has a turn, after `before` others that follow each other. */
  requireTime(claim: Claim, before = 0): void {
    const expectedMs = this.expectedMs(claim)
    const waitMs = before * (expectedMs + this.#hashTime.mean) + expectedMs
    if (waitMs > longestWaitMs) throw refusal(waitMs)
  }

  #wait(claim: Claim, hashes: number): Promise<void> {
    return new Promise((go, giveUp) => {
      const line = this.#lines[claim.lane]
      const entry = { ...claim, hashes, sinceMs: this.#elapsed(), go, giveUp }
      line.push(entry)
      this.#all.add(entry)
      const dropped = line.size > mostWaiting ? line.drop() : undefined
      if (dropped) this.#refuse(dropped)
    })
  }

  #refuse(entry: Waiting): void {
    this.#all.delete(entry)
    entry.giveUp(refusal(this.expectedMs(entry)))
  }

  #next(): void {
    this.#refuseOld()
    while (this.#taken < this.#places) {
      const next = this.#shift()
      if (!next) return
      this.#all.delete(next)
      this.#taken++
      next.go()
    }
  }

  /** The oldest of all is the first of its address. */
  #refuseOld(): void {
    const untilMs = this.#elapsed() - patienceMs
    for (const entry of this.#all) {
      if (entry.sinceMs > untilMs) return
      this.#lines[entry.lane].shiftFrom(entry.from)
      this.#refuse(entry)
    }
  }

  #shift(): Waiting | undefined {
    for (let tried = 0; tried < turnsOfLanes.length; tried++) {
      const lane = turnsOfLanes[this.#turn++ % turnsOfLanes.length] as Lane
      const next = this.#lines[lane].shift()
      if (next) return next
    }
    return undefined
  }
}

/** Those who wait, by where they come from: each address has its turn, however many wait there. */
class Line {
  readonly #byPlace = new Map<string, Waiting[]>()
  #hashes = 0
  size = 0

  push(entry: Waiting): void {
    const others = this.#byPlace.get(entry.from)
    if (others) others.push(entry)
    else this.#byPlace.set(entry.from, [entry])
    this.size++
    this.#hashes += entry.hashes
  }

  /** The next one; their address then stands behind all others. */
  shift(): Waiting | undefined {
    const [turn] = this.#byPlace
    if (!turn) return undefined
    const [from, waiting] = turn
    this.#byPlace.delete(from)
    if (waiting.length > 1) this.#byPlace.set(from, waiting)
    return this.#without(waiting.shift())
  }

  /** Takes out the first of an address. */
  shiftFrom(from: string): void {
    this.#without(this.#takeFrom(from, (waiting) => waiting.shift()))
  }

  /** Takes out the last of those from where most wait. */
  drop(): Waiting | undefined {
    let [most] = this.#byPlace
    for (const each of this.#byPlace) if (each[1].length > (most?.[1].length ?? 0)) most = each
    return most && this.#without(this.#takeFrom(most[0], (waiting) => waiting.pop()))
  }

  /** Whose turn it would be before that of one more from there, and their hashes. */
  before(from: string): { turns: number; hashes: number } {
    const own = this.#byPlace.get(from)?.length ?? 0
    let turns = 0
    for (const { length } of this.#byPlace.values()) turns += Math.min(length, own + 1)
    return { turns, hashes: this.hashesOf(turns) }
  }

  /** How many hashes so many turns are. */
  hashesOf(turns: number): number {
    return turns >= this.size ? this.#hashes : (this.#hashes * turns) / this.size
  }

  #takeFrom(from: string, take: (waiting: Waiting[]) => Waiting | undefined): Waiting | undefined {
    const waiting = this.#byPlace.get(from)
    const taken = waiting && take(waiting)
    if (waiting?.length === 0) this.#byPlace.delete(from)
    return taken
  }

  #without(entry: Waiting | undefined): Waiting | undefined {
    this.size -= entry ? 1 : 0
    this.#hashes -= entry?.hashes ?? 0
    return entry
  }
}

/** The mean of what was measured, most of all of what was measured lately. */
class FadingMean {
  #sum = 0
  #weight = 0
  #lastMs = 0

  add(value: number, nowMs: number): void {
    const left = Math.exp((this.#lastMs - nowMs) / fadesInMs)
    this.#sum = this.#sum * left + value
    this.#weight = this.#weight * left + 1
    this.#lastMs = nowMs
  }

  get mean(): number {
    return this.#weight === 0 ? presumedHashMs : this.#sum / this.#weight
  }
}
