// Postgres: one-connection clients for single statements, others for transactions.
// Columns are snake_case in SQL and camelCase here; nothing else maps names.
import { createConnector, limitsOf, type Connection, type Sql } from './connection.ts'
import { away, storageFaultOf, type StorageFault } from './errors.ts'
import { statementTimeoutMs as longestStatementMs } from './limits.ts'
import { Pool } from './pool.ts'
import { preparePooler } from './pooler.ts'
import { Readers } from './readers.ts'
import { Standby, type LongReads } from './standby.ts'
import { Timeline } from './timeline.ts'
import { runAlone, transact } from './transaction.ts'

export type { Fragment, Sql } from './connection.ts'

/** How Postgres is reached. */
export interface DbOptions {
  url: string
  /**
   * Of a pooler in transaction mode, through which all statements go. One connection goes to `url` all the same: its loss says that
   * another Postgres may have taken the place of this one, and Postgres sees by it that somebody uses the database.
   */
  poolerUrl?: string | undefined
  /** Of a standby that follows it, for reads that take long. */
  standbyUrl?: string | undefined
  /** Clients for single statements, used in turn. */
  readers?: number
  /** Clients for transactions, one each at a time. */
  writers?: number
  /** Transactions that may wait for a client before further ones are refused with 503. */
  maxWaiting?: number
  connectTimeoutSeconds?: number
  statementTimeoutMs?: number
}

export interface Db {
  /** For work that opens connections of its own. */
  readonly url: string
  /** A client for single statements outside a transaction. Read this property for every statement. */
  readonly sql: Sql
  /**
   * Runs `work`, which reads and may take long, at the standby where there is one and it has everything that was committed before,
   * else by `sql`. It may run twice.
   */
  readLong<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Undefined without a standby. */
  readonly longReads: LongReads | undefined
  /**
   * Runs `work` in one READ COMMITTED transaction on a client of its own. Statements of it that are not
   * awaited one by one go out together, and run one after another. `finish`: statements that nothing
   * waits for but the commit.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, finish?: (sql: Sql) => Promise<unknown>): Promise<T>
  /**
   * As `transaction`, for work that begins other transactions. Few of them run at once: when each client had one,
   * all would wait for a further client.
   */
  transactionAround<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Runs `work`, which sends one statement, on a client of its own: a statement is a transaction that
   * needs no beginning and no commit. What it has written stays when `work` fails afterwards.
   */
  statement<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Replaces all connections, at most every five seconds: for a Postgres that takes no writes. The old ones may lead to a
   * server that has become a standby, or have begun with a setting that is undone; they would never write again.
   */
  renew(): void
  /** The fault that kept Postgres from writing within the last ten seconds. */
  readonly storageFault: StorageFault | undefined
  /** Called with the tables that a single statement of `sql`, outside of a transaction, is about to write. */
  onStrayWrite: (tables: ReadonlySet<string>) => void
  /** Called when another server has become the primary: it may lack what was committed last, and what is kept in memory was made of. */
  onOtherPrimary: () => void
  /** Learns which primary it is, so that another one is noticed; false where Postgres does not say. */
  knowPrimary(): Promise<boolean>
  /**
   * Before the first statement, where there is a pooler: false when statements have no limit of time behind it.
   *
   * @throws OperatorError when it cannot be used.
   */
  preparePooler(): Promise<boolean>
  close(): Promise<void>
}

const idleInTransactionMs = 15_000
/** Beyond Postgres's own limits, before a silent connection counts as dead. */
const graceMs = 2000
const watchEveryMs = 1000
/** A fault of the storage hits one write and spares another; for this long it counts as lasting. */
const storageFaultMs = 10_000
const renewEveryMs = 5000
const standbyReaders = 4

/** Connects lazily. */
export function createDb({
  url,
  poolerUrl,
  standbyUrl,
  readers = 8,
  writers = 16,
  maxWaiting = 2000,
  connectTimeoutSeconds = 10,
  statementTimeoutMs = longestStatementMs,
}: DbOptions): Db {
  const limits = { statementTimeoutMs, idleInTransactionMs }
  const isPooled = poolerUrl !== undefined
  const connector = createConnector({ url: poolerUrl ?? url, isPooled, connectTimeoutSeconds, ...limits, onLost })
  const onWrite = (tables: ReadonlySet<string>) => db.onStrayWrite(tables)
  const reading = new Readers(connector, readers, onWrite)
  const writing = new Pool(writers, maxWaiting, connector.connect)
  const pastPooler = isPooled ? createConnector({ url, connectTimeoutSeconds, ...limits, onLost: onDirectLost }) : undefined
  const direct = pastPooler && new Readers(pastPooler, 1, onWrite)
  const toStandby =
    standbyUrl === undefined
      ? undefined
      : createConnector({ url: standbyUrl, isStandby: true, connectTimeoutSeconds, ...limits, onLost: (lost) => atStandby?.replace(lost) })
  const atStandby = toStandby && new Readers(toStandby, standbyReaders, onWrite)
  const standby = atStandby && new Standby(atStandby, () => db.sql)
  let mayRenewMs = 0
  let lastFault: { fault: StorageFault; atMs: number } | undefined

  function onLost(lost: Connection): void {
    reading.replace(lost)
    timeline.suspect()
    // Whatever keeps this one from being answered keeps the others, each of which somebody would have to wait for.
    if (lost.silent) renew()
  }

  function onDirectLost(lost: Connection): void {
    direct?.replace(lost)
    timeline.suspect()
  }

  function renew(): void {
    if (performance.now() < mayRenewMs) return
    mayRenewMs = performance.now() + renewEveryMs
    replaceAll()
    timeline.suspect()
  }

  function replaceAll(): void {
    reading.replaceAll()
    writing.renew()
  }

  /** What still leads to the primary before would not answer, or never commit. */
  function leaveOtherPrimary(): void {
    replaceAll()
    writing.endSilent(graceMs)
    db.onOtherPrimary()
  }

  /** Ends connections on which nothing has come back for longer than Postgres itself would let it last. */
  function watch(): void {
    // A transaction may rightly be silent for longer than a single statement, which tells sooner that Postgres is gone.
    if (writing.isWaiting) reading.doubt()
    reading.watch(statementTimeoutMs + graceMs)
    // Nothing else is sent on this one, and it is made again here when it was lost.
    direct?.watch(statementTimeoutMs + graceMs, { connects: true })
    atStandby?.watch(statementTimeoutMs + graceMs)
    writing.endSilent(idleInTransactionMs + graceMs)
  }

  const watching = setInterval(watch, watchEveryMs)
  watching.unref()

  function withClient<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    return writing.with(async (connection) => {
      if (!connector.usable(connection)) throw away()
      try {
        return await use(connection)
      } catch (error) {
        const fault = storageFaultOf(error)
        if (fault) lastFault = { fault, atMs: performance.now() }
        if (fault === 'read only') renew()
        throw error
      }
    })
  }

  const mostAround = Math.max(1, Math.floor(writers / 4))
  let around = 0
  const waitingAround: (() => void)[] = []

  async function transactionAround<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    if (around === mostAround) await new Promise<void>((resolve) => waitingAround.push(resolve))
    else around++
    try {
      return await withClient((connection) => transact(connection, work))
    } finally {
      const next = waitingAround.shift()
      if (next) next()
      else around--
    }
  }

  const db: Db = {
    url,
    onStrayWrite: () => undefined,
    onOtherPrimary: () => undefined,
    knowPrimary: () => timeline.begin(),
    preparePooler: async () => !isPooled || (await preparePooler(poolerUrl, connectTimeoutSeconds, limitsOf(limits))),
    get sql() {
      return reading.sql
    },
    longReads: standby?.counts,
    readLong: (work) => (standby ? standby.read(work) : work(db.sql)),
    transaction: (work, finish) => withClient((connection) => transact(connection, work, finish)),
    transactionAround,
    statement: (work) => withClient((connection) => runAlone(connection, work)),
    renew,
    get storageFault() {
      return lastFault && performance.now() - lastFault.atMs < storageFaultMs ? lastFault.fault : undefined
    },
    async close() {
      clearInterval(watching)
      timeline.close()
      await Promise.all([
        connector.close([...reading.connections, ...writing.connections]),
        direct && pastPooler?.close(direct.connections),
        atStandby && toStandby?.close(atStandby.connections),
      ])
    },
  }
  const timeline = new Timeline(() => direct?.sql ?? db.sql, leaveOtherPrimary)
  return db
}

/** An array of ids, words of ours, or numbers, as Postgres reads it: postgres.js would escape each of them, which they do not need. */
export const plainArray = (values: readonly (string | number | boolean)[]): string => `{${values.join()}}`

/**
 * Has a statement planned for its values whenever it runs: for those that are best done differently for other values.
 * Costs a round trip more.
 */
export function planned<Statement extends object>(statement: Statement): Statement {
  // postgres.js reads this when it sends the statement, but only lets text in strings set it.
  Object.assign((statement as { options: object }).options, { prepare: false })
  return statement
}
