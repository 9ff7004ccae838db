// An actor that keeps one row and what hangs on it in memory: a cache of Postgres that can be
// rebuilt at any time, fed by events. Features extend it; registry.ts finds and evicts them.
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

/**
 * `cold`: nothing known. `loading`: reading Postgres while events wait in the buffer; `next` is the load after it.
 * `live`: state is right as of the last event. `closed`: evicted, to be forgotten.
 */
type State<Event> =
  | { name: 'cold' }
  | { name: 'loading'; buffer: Event[]; done: Promise<void>; next: Promise<void> | undefined }
  | { name: 'live' }
  | { name: 'closed' }

// There are thousands of channels.
const cold = { name: 'cold' } as const
const live = { name: 'live' } as const
const closed = { name: 'closed' } as const

const retryAfterMs = 500

/** See the head of the file. `Event` is what the bus carries, `Snapshot` what one load reads. */
export abstract class Channel<Event, Snapshot> {
  readonly id: string
  protected readonly clock: Clock
  protected readonly log: Log
  #state: State<Event> = cold
  #missing = false
  /** Sweeps since the channel was last asked for, which decides eviction: a number is cheaper to set at every request than the time. */
  unusedSweeps = 0
  /** Resolves when events come here: before that nothing is read. */
  heard: Promise<void> | undefined
  /** Grows with every change; derived data is valid while it is equal. */
  revision = 0

  constructor(id: string, clock: Clock, log: Log) {
    this.id = id
    this.clock = clock
    this.log = log
  }

  /** Reads everything from Postgres; undefined when the row does not exist. */
  protected abstract read(): Promise<Snapshot | undefined>
  /** Takes a fresh snapshot, also over older live state: sends sockets what they missed. Synchronous. */
  protected abstract install(snapshot: Snapshot): void
  /** Applies one event, synchronously so that events cannot interleave. `'reload'`: only Postgres knows the new state. */
  protected abstract apply(event: Event): void | 'reload'
  /** True while something (a socket) needs the channel to stay. */
  abstract get busy(): boolean
  /** Accounts that it uses without loading them again: they stay in memory for as long as it does. */
  accountIds(): Iterable<string> {
    return []
  }
  /** Called once at eviction. */
  protected onClose(): void {}
  /** Called when reading has failed: what is known may be wrong until the next `install`. */
  protected onInvalid(): void {}

  /** True when nothing is known and nothing is being read. */
  get cold(): boolean {
    return this.#state.name === 'cold'
  }

  get live(): boolean {
    return this.#state.name === 'live'
  }

  get closed(): boolean {
    return this.#state.name === 'closed'
  }

  /** True when it was closed because its row does not exist. */
  get missing(): boolean {
    return this.#missing
  }

  /** Resolves when the state is live. The channel is closed afterwards when its row does not exist. Rejects when Postgres does. */
  async ready(): Promise<void> {
    if (this.#state.name === 'cold') this.#load()
    if (this.#state.name === 'loading') await (this.#state.next ?? this.#state.done)
  }

  /** Reads Postgres again. Changes committed before the call are in the state when the promise resolves. */
  async reload(): Promise<void> {
    const state = this.#state
    if (state.name === 'closed') return
    // The read under way may have begun before the change. Who waits for it already does not wait for the one after.
    if (state.name === 'loading') state.next ??= state.done.catch(() => undefined).then(() => this.#nextDone())
    else this.#load()
    await this.ready()
  }

  /** Takes one event from the bus. A returned promise resolves when its effect is in force. */
  receive(event: Event): void | Promise<void> {
    if (this.#state.name === 'loading') {
      this.#state.buffer.push(event)
      return this.#state.done
    }
    if (this.#state.name === 'live' && this.#applied(event) === 'reload') return this.reload()
    // Its last load has failed. Sockets must not go on with what was known before.
    if (this.#state.name === 'cold' && this.busy) return this.ready()
  }

  /** Drops the state; a closed channel is not used again. */
  close(): void {
    if (this.#state.name === 'closed') return
    this.#state = closed
    this.onClose()
  }

  #load(): void {
    const done = this.#readUntilSettled()
    // Every waiter sees the failure through its own await; this one only keeps it from being "unhandled".
    done.catch(() => undefined)
    this.#state = { name: 'loading', buffer: [], done, next: undefined }
  }

  async #readUntilSettled(): Promise<void> {
    // The state becomes `loading` only after this function has first yielded.
    await this.heard
    this.heard = undefined
    for (;;) {
      let snapshot: Snapshot | undefined
      try {
        snapshot = await this.read()
      } catch (error) {
        this.#failed(error)
        throw error
      }
      if (this.#state.name !== 'loading') return
      if (snapshot === undefined) {
        this.#missing = true
        return this.close()
      }
      const { buffer } = this.#state
      this.#state.buffer = []
      try {
        this.revision++
        this.install(snapshot)
      } catch (error) {
        this.#failed(error)
        throw error
      }
      // An array is drained as a whole: nothing can be added while this runs.
      if (buffer.map((event) => this.#applied(event)).includes('reload')) continue
      if (this.#state.next) this.#load()
      else this.#state = live
      return
    }
  }

  /** The load that begins when one with a `next` ends; a failed one is tried again. */
  async #nextDone(): Promise<void> {
    if (this.#state.name === 'cold') this.#load()
    if (this.#state.name === 'loading') await this.#state.done
  }

  /** A failure leaves the state between two events: only Postgres knows it then. */
  #applied(event: Event): void | 'reload' {
    try {
      this.revision++
      return this.apply(event)
    } catch (error) {
      this.log.error({ err: error, channel: this.id }, 'event could not be applied')
      return 'reload'
    }
  }

  #failed(error: unknown): void {
    if (this.#state.name !== 'loading') return
    this.#state = cold
    this.onInvalid()
    this.log.warn({ err: error, channel: this.id }, 'channel could not be loaded')
    // Nobody asks for a channel that only serves open sockets: it has to come back by itself.
    if (this.busy)
      this.clock.after(retryAfterMs, () => {
        this.ready().catch(() => undefined)
      })
  }
}
