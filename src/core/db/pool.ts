// The clients for transactions: one transaction at a time each, the others wait in line.
import { unavailable } from '../base/errors.ts'
import { endIfSilent, retire, type Connection } from './connection.ts'

/** A transaction that has waited this long for a client is refused. */
const maxWaitMs = 5000

/** Hands out connections, at most `size` at once. */
export class Pool {
  /** Connections that nobody uses; undefined is one that is still to be made. */
  #idle: (Connection | undefined)[]
  readonly #busy = new Set<Connection>()
  readonly #waiting = new Set<{ give: (connection: Connection | undefined) => void }>()
  readonly #maxWaiting: number
  readonly #connect: () => Connection

  /** `maxWaiting`: who may wait before further ones are refused with 503. */
  constructor(size: number, maxWaiting: number, connect: () => Connection) {
    this.#idle = Array.from({ length: size })
    this.#maxWaiting = maxWaiting
    this.#connect = connect
  }

  /** Runs `use` with a connection that nobody else has meanwhile. */
  async with<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const idle = this.#idle.length > 0 ? this.#idle.pop() : await this.#wait()
    const connection = idle && !idle.lost ? idle : this.#connect()
    connection.begun = true
    this.#busy.add(connection)
    try {
      return await use(connection)
    } finally {
      this.#release(connection)
    }
  }

  /** Ends connections of transactions in which nothing has come back for `limitMs`. */
  endSilent(limitMs: number): void {
    for (const connection of this.#busy) {
      connection.waitingSinceMs ??= performance.now()
      endIfSilent(connection, limitMs)
    }
  }

  /** Whether a transaction has lasted since the last call of `endSilent`. */
  get isWaiting(): boolean {
    return [...this.#busy].some(({ waitingSinceMs }) => waitingSinceMs !== undefined)
  }

  /** Everybody gets a new connection from now on. */
  renew(): void {
    for (const connection of this.#idle) if (connection) retire(connection)
    this.#idle = this.#idle.map(() => undefined)
    for (const connection of this.#busy) connection.retired = true
  }

  /** All that there are. */
  get connections(): Connection[] {
    return [...this.#idle.filter((connection) => connection !== undefined), ...this.#busy]
  }

  #wait(): Promise<Connection | undefined> {
    const refusal = () => unavailable('busy', 'The server is busy. Try again in a moment.')
    if (this.#waiting.size >= this.#maxWaiting) throw refusal()
    return new Promise((resolve, reject) => {
      const entry = {
        give: (connection: Connection | undefined) => {
          clearTimeout(timer)
          this.#waiting.delete(entry)
          resolve(connection)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(entry)
        reject(refusal())
      }, maxWaitMs)
      this.#waiting.add(entry)
    })
  }

  #release(connection: Connection): void {
    this.#busy.delete(connection)
    connection.waitingSinceMs = undefined
    if (connection.retired && !connection.lost) retire(connection)
    const kept = connection.lost || connection.retired ? undefined : connection
    const [next] = this.#waiting
    if (next) next.give(kept)
    else this.#idle.push(kept)
  }
}
