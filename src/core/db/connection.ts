// Connections to Postgres: each is a postgres.js client of its own, replaced when it is lost.
import { createConnection, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { hostCountOf } from '../base/postgres-url.ts'

/** Connections of servers and workers are known by it. */
export const applicationName = 'quarterdeck'

/** Connections of servers and workers by way of a pooler are known by it; it may keep them when these are gone. */
export const pooledName = 'quarterdeck by pooler'

/** Parameters that clients of a pooler may send when they connect: it sets them for each transaction. */
export const pooledParameters = { application_name: pooledName, timezone: 'UTC' }

/** A tagged-template SQL runner: a read client or a transaction. */
export type Sql = postgres.ISql<Record<string, never>>
/** A piece of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
/** What postgres.js calls a client. */
export type Client = postgres.Sql<Record<string, never>>

export interface ConnectorOptions {
  url: string
  /** Whether a pooler answers there, which takes no limits. */
  isPooled?: boolean
  /** Whether a standby is wanted there, in place of the primary. */
  isStandby?: boolean
  connectTimeoutSeconds: number
  statementTimeoutMs: number
  idleInTransactionMs: number
  /** Called once for each connection that is lost. */
  onLost: (connection: Connection) => void
}

const firstPauseMs = 50
const longestPauseMs = 1000
/** How often Postgres looks, while it is busy with a statement, whether its client is still there. */
const clientCheckMs = 1000
const closeWithinMs = 3000
/** From when it is broken until everything that waits for it must have failed. */
const settledMs = 200
const longestHostSeconds = 3
/** How often a connection is tried that ends in good order before Postgres has said anything, as when it cannot start a process for it. */
const connectAttempts = 3

/** How long a host may take to let somebody in, of several not as long as `most`: the next one may be the primary. */
export const connectSecondsOf = (url: string, most: number): number => (hostCountOf(url) > 1 ? Math.min(most, longestHostSeconds) : most)

/**
 * One postgres.js client with one connection, for as long as that lives.
 *
 * A client is never used beyond its first connection. When one breaks, postgres.js keeps what was
 * about to be written and later sends nothing any more; statements of a broken transaction that is
 * still running would land in the next one; and what waits is tried one by one, for minutes.
 */
export interface Connection {
  client: Client
  socket: Socket | undefined
  connected: boolean
  lost: boolean
  /** Something was sent on it, or waits for that. */
  begun: boolean
  /** It is not to be used again. */
  retired: boolean
  /** It was ended because nothing came back any more. */
  silent: boolean
  /** Since when an answer is due, and how much had been received by then. */
  waitingSinceMs: number | undefined
  receivedBefore: number
}

/** Makes connections, and knows whether Postgres can be reached. */
export interface Connector {
  /** Connects with the first statement. */
  connect(): Connection
  /** False while Postgres is known to be away: then only an open connection is worth a try. */
  usable(connection: Connection): boolean
  /** Answers every statement with a failure at once. */
  readonly refusing: Client
  /** Ends the connections for good. */
  close(connections: readonly Connection[]): Promise<void>
}

/**
 * Every client has exactly one connection: with more, postgres.js's internal queue never sheds its
 * consumed head under sustained load and reads become several times slower.
 */
export function createConnector(given: ConnectorOptions): Connector {
  const hosts = hostCountOf(given.url)
  const options = {
    max: 1,
    connect_timeout: connectSecondsOf(given.url, given.connectTimeoutSeconds),
    // Connections stay for good: a client does not get a second one.
    max_lifetime: null,
    backoff: () => firstPauseMs / 1000,
    // Columns only: keys inside JSON values are data.
    transform: { column: { from: postgres.toCamel }, undefined: null },
    onnotice: () => {},
    connection: given.isPooled ? pooledParameters : { application_name: applicationName, ...limitsOf(given), timezone: 'UTC' },
  }
  const refusing = postgres(given.url, options) as Client
  void refusing.end()
  quickenStatements(refusing)

  let failedConnects = 0
  let nextConnectMs = 0
  let closing = false
  /**
   * The host that is tried first: the one that was the primary last, or the next one when that has fallen silent, for which
   * postgres.js goes on to no other.
   */
  let firstHost = 0

  function connect(): Connection {
    let first = firstHost
    let attempts = 0
    let at = 0
    let isLeft = false
    const connection: Connection = {
      client: refusing,
      socket: undefined,
      connected: false,
      lost: false,
      begun: false,
      retired: false,
      silent: false,
      waitingSinceMs: undefined,
      receivedBefore: 0,
    }
    // Nobody would wait for the end of one that begins after the end.
    if (closing) return { ...connection, lost: true }
    const onclose = () => {
      if ((connection.silent || !connection.connected) && firstHost === (connection.connected ? at : first))
        firstHost = (firstHost + 1) % hosts
      lose(connection)
    }
    const own = {
      ...options,
      // The socket is made here so that it can be watched, and so that none is made at once and for ever, as behind a proxy
      // without a server. Nothing has been asked on one that ended before it was ready.
      socket: async ({ host, port, path }: { host: string[]; port: number[]; path: string | false }) => {
        const attempt = attempts++
        // Until now nothing was asked on it, and another one may have become the primary.
        if (attempt === 0) first = firstHost
        const round = Math.floor(attempt / hosts)
        if (round === connectAttempts) return endedSocket(onclose)
        if (round > 0) await pause(firstPauseMs * round)
        if (connection.lost) throw Object.assign(new Error('this client has lost its connection'), { code: 'CONNECTION_DESTROYED' })
        at = (first + attempt) % hosts
        const where = { host: host[at] as string, port: port[at] as number }
        const socket = path ? createConnection(path) : createConnection(where)
        connection.socket = socket
        // postgres.js reads the name for TLS from here.
        return Object.assign(socket, where)
      },
      // Sent by Postgres after every log-in. A standby, where several hosts are named, is left again.
      onparameter: (name: string, value: string) => {
        if (name === 'in_hot_standby') isLeft = value === 'on' && !given.isStandby
        connection.connected = !isLeft
        if (isLeft) return
        firstHost = at
        failedConnects = 0
        nextConnectMs = 0
      },
      onclose,
    }
    connection.client = postgres(given.url, own) as Client
    return connection
  }

  function lose(connection: Connection): void {
    if (connection.lost) return
    connection.lost = true
    // As long as postgres.js knows of a second host, it takes any failure to connect for that of the first, also when the client
    // ends: what waits for it would wait for ever.
    connection.client.options.host.splice(1)
    if (closing) return
    if (!connection.connected) {
      nextConnectMs = performance.now() + Math.min(firstPauseMs * 2 ** failedConnects, longestPauseMs)
      failedConnects = Math.min(failedConnects + 1, 10)
    }
    given.onLost(connection)
    // Statements that still wait for this client fail now.
    void connection.client.end({ timeout: 0 })
  }

  return {
    connect,
    usable: (connection) => connection.connected || performance.now() >= nextConnectMs,
    refusing,
    async close(connections) {
      closing = true
      await Promise.all(connections.map(end))
    },
  }
}

/** What Postgres ends by itself, as parameters of it. */
export const limitsOf = ({
  statementTimeoutMs,
  idleInTransactionMs,
}: Pick<ConnectorOptions, 'statementTimeoutMs' | 'idleInTransactionMs'>) => ({
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  // Otherwise the statement of a server that was killed goes on waiting for a lock, and commits when nobody looks any more.
  client_connection_check_interval: clientCheckMs,
})

/** Ends a connection that nobody is to use any more, when it has answered what is under way. */
export function retire(connection: Connection): void {
  connection.retired = true
  void end(connection)
}

/** Ends a connection when its statements have ended, or at a deadline: when Postgres is gone, they would wait for ever. */
async function end(connection: Connection): Promise<void> {
  const late = setTimeout(() => cutOff(connection), closeWithinMs)
  // postgres.js forgets what still waits while a client connects, when that ends. This is answered behind all of it.
  if (connection.begun && !connection.lost) {
    const over = new AbortController()
    const { signal } = over
    await Promise.race([connection.client`select 1`, pause(closeWithinMs + settledMs, undefined, { signal })]).catch(() => undefined)
    over.abort()
  }
  // It says goodbye at its own deadline, which would be delivered after all that waits. By then there is no socket.
  await connection.client.end({ timeout: settledMs / 1000 })
  clearTimeout(late)
}

/**
 * Breaks a connection so that nothing of it is delivered any more. A socket that is merely closed leaves what Postgres has not
 * received to the operating system, which sends it when the network is back: minutes later, when nobody expects that commit.
 */
function cutOff({ socket }: Connection): void {
  // Only TCP can do that. In a Unix socket, and in one that has not connected yet, nothing is on its way.
  if (socket?.remoteAddress !== undefined) socket.resetAndDestroy()
  else socket?.destroy(Object.assign(new Error('Postgres has not answered'), { code: 'ETIMEDOUT' }))
}

/** Ends a connection on which an answer is due and nothing has come back for `limitMs`. */
export function endIfSilent(connection: Connection, limitMs: number): void {
  const { socket, waitingSinceMs } = connection
  if (!socket || waitingSinceMs === undefined) return
  const now = performance.now()
  if (socket.bytesRead !== connection.receivedBefore) {
    connection.receivedBefore = socket.bytesRead
    connection.waitingSinceMs = now
  } else if (now - waitingSinceMs > limitMs) {
    connection.silent = true
    cutOff(connection)
  }
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

/** A socket that is closed in a moment; postgres.js takes an error of its maker for the end of one statement only. */
function endedSocket(ended: () => void): Socket {
  const socket = new Socket()
  setImmediate(() => {
    socket.destroy(Object.assign(new Error('the connection ended before it was ready'), { code: 'CONNECTION_CLOSED' }))
    ended()
  })
  return socket
}
