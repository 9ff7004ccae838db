// Lets nobody in while this version is on trial.
import { isAlive } from '../../supervisor/process-table.ts'
import { endTrial, readTrial } from '../../supervisor/trial.ts'
import type { Clock } from '../base/clock.ts'

const lookEveryMs = 100
/** Nobody tries it for longer: the number of the process has become that of another one. */
const longestMs = 10 * 60_000

export class TrialGate {
  /** Of the requests that are let in; undefined when everybody is. */
  #id: string | undefined
  readonly #home: string
  readonly #endsMs: number
  readonly #clock: Clock
  #stop: () => void = () => undefined

  constructor(home: string, clock: Clock) {
    this.#home = home
    this.#clock = clock
    this.#endsMs = clock.elapsed() + longestMs
    this.#id = readTrial(home)?.id
    if (this.#id !== undefined) this.#stop = clock.every(lookEveryMs, () => this.#look())
  }

  /** Whether a request of this id has to come again. */
  keepsOut(requestId: string): boolean {
    return this.#id !== undefined && requestId !== this.#id
  }

  close(): void {
    this.#stop()
  }

  #look(): void {
    const trial = readTrial(this.#home)
    if (trial && isAlive(trial.pid) && this.#clock.elapsed() < this.#endsMs) return
    // Before anybody is let in: from then on there is no way back that loses nothing.
    endTrial(this.#home)
    this.#id = undefined
    this.#stop()
  }
}
