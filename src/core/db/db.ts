// Postgres: one-connection clients for single statements, others for transactions.
// Columns are snake_case in SQL and camelCase here; nothing else maps names.
import { createConnection, type Socket } from 'node:net'
import postgres from 'postgres'
import { noteWritten, noteWrittenText } from './written.ts'
import { AppError, storageFailed, unavailable } from '../errors.ts'

/** A tagged-template SQL runner: a read client or a transaction. */
export type Sql = postgres.ISql<Record<string, never>>
/** A piece of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
type Client = postgres.Sql<Record<string, never>>

export interface DbOptions {
  url: string
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
  /** A client for single statements outside a transaction. Read this property for every statement. */
  readonly sql: Sql
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
  /** The fault that kept Postgres from writing within the last ten seconds. */
  readonly storageFault: StorageFault | undefined
  /** Called with the tables that a single statement of `sql`, outside of a transaction, is about to write. */
  onStrayWrite: (tables: ReadonlySet<string>) => void
  close(): Promise<void>
}

const writtenBy = new WeakMap<object, Set<string>>()

/** The tables that the statements of a transaction have written so far. */
export const tablesWritten = (sql: Sql): ReadonlySet<string> => writtenBy.get(sql) ?? noTables
const noTables: ReadonlySet<string> = new Set()

/** A transaction that has waited this long for a client is refused. */
const maxWaitMs = 5000
const idleInTransactionMs = 15_000
/** Beyond Postgres's own limits, before a silent connection counts as dead. */
const graceMs = 2000
const watchEveryMs = 1000
/** A fault of the storage hits one write and spares another; for this long it counts as lasting. */
const storageFaultMs = 10_000
const firstPauseMs = 50
const longestPauseMs = 1000

/**
 * One postgres.js client with one connection, for as long as that lives.
 *
 * A client is never used beyond its first connection. When one breaks, postgres.js keeps what was
 * about to be written and later sends nothing any more; statements of a broken transaction that is
 * still running would land in the next one; and what waits is tried one by one, for minutes.
 */
interface Connection {
  client: Client
  /** The same for single statements; see `onStrayWrite`. */
  reader: Sql
  socket: Socket | undefined
  connected: boolean
  lost: boolean
  /** Since when an answer is due, and how much had been received by then. */
  waitingSinceMs: number | undefined
  receivedBefore: number
  used: boolean
}

/**
 * Connects lazily.
 *
 * Every client has exactly one connection: with more, postgres.js's internal queue never sheds its
 * consumed head under sustained load and reads become several times slower.
 */
export function createDb({
  url,
  readers = 8,
  writers = 16,
  maxWaiting = 2000,
  connectTimeoutSeconds = 10,
  statementTimeoutMs = 8000,
}: DbOptions): Db {
  const options = {
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    // Connections stay for good: a client does not get a second one.
    max_lifetime: null,
    backoff: () => firstPauseMs / 1000,
    // Columns only: keys inside JSON values are data.
    transform: { column: { from: postgres.toCamel }, undefined: null },
    onnotice: () => {},
    connection: {
      application_name: 'quarterdeck',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      timezone: 'UTC',
    },
  }
  /** Answers every statement with a failure at once. */
  const refusing = postgres(url, options) as Client
  void refusing.end()
  quickenStatements(refusing)

  let failedConnects = 0
  let nextConnectMs = 0
  let closing = false
  let lastFault: { fault: StorageFault; atMs: number } | undefined

  function connect(): Connection {
    let hostIndex = 0
    const connection: Connection = {
      client: refusing,
      reader: refusing,
      socket: undefined,
      connected: false,
      lost: false,
      waitingSinceMs: undefined,
      receivedBefore: 0,
      used: false,
    }
    const own = {
      ...options,
      // The socket is made here only so that it can be watched.
      socket: ({ host, port, path }: { host: string[]; port: number[]; path: string | false }) => {
        // A connection that ends before it is ready, as behind a proxy without a server, is made anew at once and for ever.
        if (hostIndex >= host.length) lose(connection)
        if (connection.lost) throw Object.assign(new Error('this client has lost its connection'), { code: 'CONNECTION_DESTROYED' })
        const at = hostIndex++
        const where = { host: host[at] as string, port: port[at] as number }
        const socket = path ? createConnection(path) : createConnection(where)
        connection.socket = socket
        // postgres.js reads the name for TLS from here.
        return Object.assign(socket, where)
      },
      // Sent by Postgres after every log-in.
      onparameter: () => {
        connection.connected = true
        failedConnects = 0
        nextConnectMs = 0
      },
      onclose: () => lose(connection),
    }
    connection.client = postgres(url, own) as Client
    connection.reader = watched(connection.client)
    return connection
  }

  function lose(connection: Connection): void {
    if (connection.lost || closing) return
    connection.lost = true
    if (!connection.connected) {
      nextConnectMs = performance.now() + Math.min(firstPauseMs * 2 ** failedConnects, longestPauseMs)
      failedConnects = Math.min(failedConnects + 1, 10)
    }
    const reader = readConnections.indexOf(connection)
    if (reader >= 0) readConnections[reader] = connect()
    // Statements that still wait for this client fail now.
    void connection.client.end({ timeout: 0 })
  }

  /** False while Postgres is known to be away: then only an open connection is worth a try. */
  const usable = (connection: Connection) => connection.connected || performance.now() >= nextConnectMs

  const readConnections = Array.from({ length: readers }, connect)
  /** Idle connections of the write clients; undefined is one that is still to be made. */
  const idle: (Connection | undefined)[] = Array.from({ length: writers })
  const busy = new Set<Connection>()
  const waiting = new Set<{ give: (connection: Connection | undefined) => void }>()
  let turn = 0

  async function acquire(): Promise<Connection> {
    const connection = idle.length > 0 ? idle.pop() : await waitForClient()
    const fit = connection && !connection.lost ? connection : connect()
    busy.add(fit)
    return fit
  }

  function waitForClient(): Promise<Connection | undefined> {
    const refusal = () => unavailable('busy', 'The server is busy. Try again in a moment.')
    if (waiting.size >= maxWaiting) throw refusal()
    return new Promise((resolve, reject) => {
      const entry = {
        give(connection: Connection | undefined) {
          clearTimeout(timer)
          waiting.delete(entry)
          resolve(connection)
        },
      }
      const timer = setTimeout(() => {
        waiting.delete(entry)
        reject(refusal())
      }, maxWaitMs)
      waiting.add(entry)
    })
  }

  function release(connection: Connection): void {
    busy.delete(connection)
    connection.waitingSinceMs = undefined
    const kept = connection.lost ? undefined : connection
    const [next] = waiting
    if (next) next.give(kept)
    else idle.push(kept)
  }

  /** Pipelines BEGIN with the first statement, and the finishing statements with COMMIT. */
  async function transact<T>(
    connection: Connection,
    work: (sql: Sql) => Promise<T>,
    finish: ((sql: Sql) => Promise<unknown>) | undefined,
  ): Promise<T> {
    if (!usable(connection)) throw away()
    const sql = guarded(connection)
    sql.unsafe('begin').catch(() => undefined)
    let result: T
    try {
      result = await work(sql)
    } catch (error) {
      await sql.unsafe('rollback').catch(() => undefined)
      throw error
    }
    const [finished, committed] = await Promise.allSettled([finish?.(sql), sql.unsafe('commit')])
    if (finished.status === 'rejected') throw finished.reason
    if (committed.status === 'rejected') throw committed.reason
    // Postgres's answer to the commit of a transaction in which something has failed.
    if (committed.value.command !== 'COMMIT') throw new Error('the transaction was rolled back')
    return result
  }

  async function runAlone<T>(connection: Connection, work: (sql: Sql) => Promise<T>): Promise<T> {
    if (!usable(connection)) throw away()
    const made: { executed?: boolean }[] = []
    const result = await work(guarded(connection, made))
    // Fragments of it are made as statements are, but never sent by themselves.
    if (made.filter(({ executed }) => executed).length > 1) throw new Error('several statements, without a transaction around them')
    return result
  }

  /**
   * A client that refuses when its connection is lost: postgres.js would go on with another one, outside of the
   * transaction. `made` gets its statements.
   */
  function guarded(connection: Connection, made?: { executed?: boolean }[]): Sql {
    const refuseLost = () => {
      if (connection.lost) throw Object.assign(new Error('the connection of this transaction is lost'), { code: 'CONNECTION_CLOSED' })
    }
    const written = new Set<string>()
    const sql = new Proxy(connection.client, {
      apply(target, self, args: unknown[]) {
        refuseLost()
        noteWritten(args, written)
        const statement = Reflect.apply(target as never, self, args) as object
        made?.push(statement)
        return statement
      },
      get(target, name) {
        if (name !== 'unsafe') return Reflect.get(target, name) as unknown
        return (text: string, ...rest: [never]) => {
          noteWrittenText(text, written)
          return target.unsafe(text, ...rest)
        }
      },
    })
    writtenBy.set(sql, written)
    return sql
  }

  /** Ends connections on which nothing has come back for longer than Postgres itself would let it last. */
  function watch(): void {
    const now = performance.now()
    for (const connection of readConnections) {
      if (connection.waitingSinceMs === undefined && connection.used && connection.connected) {
        connection.used = false
        connection.waitingSinceMs = now
        const answered = () => {
          connection.waitingSinceMs = undefined
        }
        connection.client`select 1`.then(answered, answered)
      }
      endIfSilent(connection, now, statementTimeoutMs + graceMs)
    }
    for (const connection of busy) {
      connection.waitingSinceMs ??= now
      endIfSilent(connection, now, idleInTransactionMs + graceMs)
    }
  }

  function endIfSilent(connection: Connection, now: number, limitMs: number): void {
    const { socket, waitingSinceMs } = connection
    if (!socket || waitingSinceMs === undefined) return
    if (socket.bytesRead !== connection.receivedBefore) {
      connection.receivedBefore = socket.bytesRead
      connection.waitingSinceMs = now
    } else if (now - waitingSinceMs > limitMs) {
      socket.destroy(Object.assign(new Error('Postgres has not answered'), { code: 'ETIMEDOUT' }))
    }
  }

  const watching = setInterval(watch, watchEveryMs)
  watching.unref()

  async function withClient<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await acquire()
    try {
      return await use(connection)
    } catch (error) {
      const fault = storageFaultOf(error)
      if (fault) lastFault = { fault, atMs: performance.now() }
      throw error
    } finally {
      release(connection)
    }
  }

  /** A client whose statements say when they write. */
  function watched(client: Client): Sql {
    const stray = new Set<string>()
    const tell = () => {
      if (stray.size === 0) return
      db.onStrayWrite(stray)
      stray.clear()
    }
    return new Proxy(client, {
      apply(target, self, args: unknown[]) {
        noteWritten(args, stray)
        tell()
        return Reflect.apply(target as never, self, args) as unknown
      },
      get(target, name) {
        if (name !== 'unsafe') return Reflect.get(target, name) as unknown
        return (text: string, ...rest: [never]) => {
          noteWrittenText(text, stray)
          tell()
          return target.unsafe(text, ...rest)
        }
      },
    })
  }

  const mostAround = Math.max(1, Math.floor(writers / 4))
  let around = 0
  const waitingAround: (() => void)[] = []

  async function transactionAround<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    if (around === mostAround) await new Promise<void>((resolve) => waitingAround.push(resolve))
    else around++
    try {
      return await withClient((connection) => transact(connection, work, undefined))
    } finally {
      const next = waitingAround.shift()
      if (next) next()
      else around--
    }
  }

  const db: Db = {
    onStrayWrite: () => undefined,
    get sql() {
      for (let tried = 0; tried < readConnections.length; tried++) {
        turn = (turn + 1) % readConnections.length
        const connection = readConnections[turn] as Connection
        if (!usable(connection)) continue
        connection.used = true
        return connection.reader
      }
      return refusing
    },
    transaction: (work, finish) => withClient((connection) => transact(connection, work, finish)),
    transactionAround,
    statement: (work) => withClient((connection) => runAlone(connection, work)),
    get storageFault() {
      return lastFault && performance.now() - lastFault.atMs < storageFaultMs ? lastFault.fault : undefined
    },
    async close() {
      closing = true
      clearInterval(watching)
      const connections = [...readConnections, ...idle.filter((connection) => connection !== undefined), ...busy]
      // The deadline is postgres.js's own: a client whose server is gone would wait for ever.
      await Promise.all(connections.map(({ client }) => client.end({ timeout: 3 })))
    },
  }
  return db
}

/**
 * postgres.js's class of statements has a static getter with a computed name, which makes V8 keep the
 * class as a dictionary: each statement, and each part of one, then takes microseconds to make and outlives
 * the young generation. Lookups that go through a dictionary as a prototype turn it into a quick object.
 */
function quickenStatements(client: Client): void {
  const heir = Object.create(client``.constructor) as { length: number }
  const lookUp = (object: { length: number }) => object.length
  for (let times = 0; times < 1000; times++) lookUp(heir)
}

const away = (cause?: unknown) =>
  unavailable('database_unavailable', 'The database is not available at the moment. Try again in a moment.', cause)

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections, query_canceled (statement_timeout)
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
])

/**
 * Has a statement planned for its values whenever it runs: for those that are best done differently for other values.
 * Costs a round trip more.
 */
export function planned<Statement extends object>(statement: Statement): Statement {
  // postgres.js reads this when it sends the statement, but only lets text in strings set it.
  Object.assign((statement as { options: object }).options, { prepare: false })
  return statement
}

/** The SQLSTATE or socket code of a failure, or an empty string. */
function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const losses = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED'])

/** True for failures that leave open what Postgres has done: it may have committed. */
export const isConnectionLoss = (error: unknown): boolean => losses.has(sqlState(error))

/** True for failures that a repetition of the whole transaction cures: serialisation failure and deadlock. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** True when `error` is a violation of the named unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return sqlState(error) === '23505' && (error as { constraint_name?: string }).constraint_name === constraint
}

/** Why Postgres answers and cannot write. */
export type StorageFault = 'full' | 'read only' | 'failing'

/** The fault of the storage behind a failure, if there is one. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  const state = sqlState(error)
  if (connectionFailures.has(state)) return undefined
  if (state === '53100') return 'full'
  if (state === '25006') return 'read only'
  // Classes of SQLSTATE: insufficient resources, and errors of the system below Postgres.
  return /^5[38]\w{3}$/.test(state) ? 'failing' : undefined
}

/** Turns "Postgres is away, too slow or cannot write" into a 503; leaves every other error as it is. */
export function translateDbError(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (connectionFailures.has(sqlState(error))) return away(error)
  return storageFaultOf(error) ? storageFailed(error) : error
}
