// Clients for single statements, used in turn. One that is lost is replaced.
import { endIfSilent, retire, type Connection, type Connector, type Sql } from './connection.ts'
import { telling } from './transaction.ts'

interface Reader {
  connection: Connection
  sql: Sql
  /** Since it was last asked whether it still answers. */
  used: boolean
}

/** Connects lazily. */
export class Readers {
  readonly #connector: Connector
  readonly #onWrite: (tables: ReadonlySet<string>) => void
  readonly #readers: Reader[]
  #turn = 0

  /** `onWrite`: called with the tables that a statement is about to write. */
  constructor(connector: Connector, count: number, onWrite: (tables: ReadonlySet<string>) => void) {
    this.#connector = connector
    this.#onWrite = onWrite
    this.#readers = Array.from({ length: count }, () => this.#newReader())
  }

  /** A client for one statement. It fails at once while none can be of use. */
  get sql(): Sql {
    for (let tried = 0; tried < this.#readers.length; tried++) {
      this.#turn = (this.#turn + 1) % this.#readers.length
      const reader = this.#readers[this.#turn] as Reader
      if (!this.#connector.usable(reader.connection)) continue
      reader.used = true
      reader.connection.begun = true
      return reader.sql
    }
    return this.#connector.refusing
  }

  get connections(): Connection[] {
    return this.#readers.map(({ connection }) => connection)
  }

  /** To be called with each connection that is lost: another one takes its place, if it is of these. */
  replace(lost: Connection): void {
    const index = this.#readers.findIndex(({ connection }) => connection === lost)
    if (index >= 0) this.#readers[index] = this.#newReader()
  }

  /** New ones take the place of all. */
  replaceAll(): void {
    const before = this.#readers.splice(0, this.#readers.length, ...this.#readers.map(() => this.#newReader()))
    for (const { connection } of before) retire(connection)
  }

  /** Asks one of them whether it still answers, the next time. */
  doubt(): void {
    const [first] = this.#readers
    if (first) first.used = true
  }

  /**
   * To be called every second: ends connections on which an answer is due and nothing has come back for `silentMs`. `connects`: also asks
   * those that have not connected yet.
   */
  watch(silentMs: number, { connects = false } = {}): void {
    for (const reader of this.#readers) {
      const { connection, used } = reader
      if (connects ? this.#connector.usable(connection) : used && connection.connected) probe(reader)
      endIfSilent(connection, silentMs)
    }
  }

  #newReader(): Reader {
    const connection = this.#connector.connect()
    return { connection, sql: telling(connection.client, this.#onWrite), used: false }
  }
}

/** Asks whether it still answers, unless that is under way. */
function probe(reader: Reader): void {
  const { connection } = reader
  if (connection.waitingSinceMs !== undefined) return
  reader.used = false
  connection.begun = true
  connection.waitingSinceMs = performance.now()
  const answered = () => {
    connection.waitingSinceMs = undefined
  }
  connection.client`select 1`.then(answered, answered)
}
