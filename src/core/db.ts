// Postgres: one-connection clients for single statements, others for transactions.
// Columns are snake_case in SQL and camelCase here; nothing else maps names.
import postgres from 'postgres'
import { AppError, unavailable } from './errors.ts'

/** A tagged-template SQL runner: a read client or a transaction. */
export type Sql = postgres.ISql<Record<string, never>>
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
  /** A client for single statements outside a transaction. Take it anew for every statement. */
  readonly sql: Sql
  /** Runs `work` in one READ COMMITTED transaction on a client of its own. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Subscribes to NOTIFY on `channel`; resubscribes by itself. `onListen` runs at every (re)connection. */
  listen(channel: string, onNotify: () => void, onListen: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/**
 * Connects lazily.
 *
 * Every client has exactly one connection: with more, postgres.js's internal queue never sheds its
 * consumed head under sustained load and reads become several times slower.
 */
export function createDb({ url, readers = 8, writers = 16, maxWaiting = 2000, connectTimeoutSeconds = 10, statementTimeoutMs = 8000 }: DbOptions): Db {
  const connect = (): Client => postgres(url, {
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    // A short wait before each new try: requests are refused with 503 in the meantime, not queued for long.
    backoff: (retries) => Math.min(0.1 * 2 ** retries, 2),
    // Columns only: keys inside JSON values are data.
    transform: { column: { from: postgres.toCamel }, undefined: null },
    onnotice: () => {},
    connection: {
      application_name: 'quarterdeck',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 15_000,
      timezone: 'UTC',
    },
  })
  const readClients = Array.from({ length: readers }, connect)
  const idle = Array.from({ length: writers }, connect)
  const writeClients = [...idle]
  const waiting: ((client: Client) => void)[] = []
  let listener: Client | undefined
  let turn = 0

  async function acquire(): Promise<Client> {
    const client = idle.pop()
    if (client) return client
    if (waiting.length >= maxWaiting) throw unavailable('The server is busy, please try again.')
    return await new Promise((resolve) => waiting.push(resolve))
  }

  function release(client: Client): void {
    const next = waiting.shift()
    if (next) next(client)
    else idle.push(client)
  }

  return {
    get sql() {
      turn = (turn + 1) % readClients.length
      return readClients[turn] as Client
    },
    async transaction<T>(work: (sql: Sql) => Promise<T>) {
      const client = await acquire()
      try {
        return await client.begin(work) as T
      } finally {
        release(client)
      }
    },
    async listen(channel, onNotify, onListen) {
      listener ??= connect()
      const subscription = await listener.listen(channel, onNotify, onListen)
      return subscription.unlisten
    },
    async close() {
      // The deadline is postgres.js's own: a client whose server is gone would wait for ever.
      await Promise.all([...readClients, ...writeClients, ...listener ? [listener] : []].map((client) => client.end({ timeout: 3 })))
    },
  }
}

const connectionFailures = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED',
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections, query_canceled (statement_timeout)
  '57P01', '57P02', '57P03', '53300', '57014'])

/** The SQLSTATE or socket code of a failure, or an empty string. */
export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** True for failures that a repetition of the whole transaction cures: serialisation failure and deadlock. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** True when `error` is a violation of the named unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return sqlState(error) === '23505' && (error as { constraint_name?: string }).constraint_name === constraint
}

/** Turns "Postgres is away or too slow" into a 503; leaves every other error as it is. */
export function translateDbError(error: unknown): unknown {
  if (error instanceof AppError || !connectionFailures.has(sqlState(error))) return error
  return unavailable('The database is not available at the moment, please try again.', error)
}
