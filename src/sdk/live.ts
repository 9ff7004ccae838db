// A socket that stays: frames as an async iterable, over as many connections as it takes.
import { QuarterdeckError } from './errors.ts'
import type { RawSocket } from './transport.ts'

export type LiveStatus = 'connecting' | 'open' | 'waiting' | 'closed'

export interface LiveOptions {
  /** Ends the socket; the loop over it ends then, too. */
  signal?: AbortSignal
  /** After `open` following `waiting` something may have been missed, unless the socket resumes with `after`. */
  onStatus?: (status: LiveStatus) => void
  /**
   * After so long without a frame the server is asked whether it is still there, and has as long to answer; 20 seconds when
   * absent. A connection that the server does not know any more looks just like one where nothing happens.
   */
  silenceMs?: number
}

/**
 * Frames as they come: `for await (const frame of live)`. It connects when the loop begins, again whenever the
 * connection is lost, and closes when the loop is left.
 *
 * @throws QuarterdeckError 401 and 403 when the account may not listen any more; code `refused` when the server takes
 * requests but not this socket: reading the same over a request tells why.
 */
export interface Live<Frame> extends AsyncIterable<Frame> {
  close(): void
  /** Drops the connection and makes a new one at once: for an app that has come back to the foreground. */
  reconnect(): void
}

interface LiveSource {
  /** Opens a socket; with `after`, the posts after that one come first. */
  connect(after: number | undefined): RawSocket
  /** Rejects when the caller cannot reach the server, or is not signed in any more. */
  probe(): Promise<unknown>
  pings: Pings
  /** The last post that the caller has. */
  after: number | undefined
}

/** Whether a server answers to `ping`, as seen on all sockets of one client. */
export interface Pings {
  answered: boolean
  /** Connections that were ended because there was no answer. */
  unanswered: number
}

const connectTimeoutMs = 10_000
const defaultSilenceMs = 20_000
const firstDelayMs = 1000
const longestDelayMs = 30_000
/** A connection that lasted this long counts as a good one. */
const stableMs = 5000
const allowedRefusals = 3
/** After so many connections without a single answer it is the server, of an older version, that does not know the question. */
const allowedUnanswered = 2
/** A page in the background this long may have lost its connection without noticing. */
const suspiciousAfterMs = 30_000

interface EventSource {
  addEventListener?(type: string, listener: () => void): void
  removeEventListener?(type: string, listener: () => void): void
  visibilityState?: string
}

export function live<Frame>({ connect, probe, after, pings }: LiveSource, options: LiveOptions = {}): Live<Frame> {
  const { signal, onStatus } = options
  let connection: Connection<Frame> | undefined
  const ending = new AbortController()
  let wake = (): void => undefined
  const sleep = () => new Promise<void>((resolve) => (wake = resolve))

  const close = () => {
    ending.abort()
    connection?.end()
    wake()
  }
  const reconnect = () => {
    connection?.end()
    wake()
  }

  async function* frames(): AsyncGenerator<Frame, void> {
    let failures = 0
    let refusals = 0
    const stopWatching = watchPage(reconnect)
    if (signal?.aborted) close()
    signal?.addEventListener('abort', close)
    try {
      while (!ending.signal.aborted) {
        onStatus?.('connecting')
        const { inbox } = (connection = follow<Frame>(connect(after), () => wake(), pings, options))
        while (!ending.signal.aborted) {
          for (let frame = inbox.shift(); frame !== undefined; frame = inbox.shift()) {
            const { postID } = frame as { postID?: number }
            // The connection before may have brought it.
            if (postID !== undefined && after !== undefined && postID <= after) continue
            if (postID !== undefined) after = postID
            yield frame
          }
          if (connection.ended) break
          await sleep()
        }
        if (ending.signal.aborted) break
        onStatus?.('waiting')
        if (connection.openedAt === undefined) refusals = (await isReachable(probe)) ? refusals + 1 : 0
        else refusals = 0
        if (refusals >= allowedRefusals) throw new QuarterdeckError(0, { code: 'refused', reason: 'The server does not take this socket.' })
        const isStable = connection.openedAt !== undefined && Date.now() - connection.openedAt > stableMs
        failures = isStable ? 0 : failures + 1
        if (ending.signal.aborted) break
        const timer = setTimeout(() => wake(), Math.random() * Math.min(longestDelayMs, firstDelayMs * 2 ** failures))
        await sleep()
        clearTimeout(timer)
      }
    } finally {
      close()
      stopWatching()
      signal?.removeEventListener('abort', close)
      onStatus?.('closed')
    }
  }

  return { [Symbol.asyncIterator]: frames, close, reconnect }
}

/** One connection, and its frames that nobody has read yet. */
interface Connection<Frame> {
  readonly inbox: Frame[]
  ended: boolean
  openedAt?: number
  /** Ends it at once: a socket whose other side is gone takes its time to close. */
  end(): void
}

/** Collects the frames of one connection; `changed` is called with each, and at its end. */
function follow<Frame>(
  socket: RawSocket,
  changed: () => void,
  pings: Pings,
  { onStatus, silenceMs = defaultSilenceMs }: LiveOptions,
): Connection<Frame> {
  const connection: Connection<Frame> = { inbox: [], ended: false, end }
  let timer = setTimeout(end, connectTimeoutMs)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(ask, silenceMs)
  }
  function ask(): void {
    socket.send('ping')
    timer = setTimeout(silent, silenceMs)
  }
  function silent(): void {
    // Asking goes on: the server may be updated, and without a connection the network gives up on what is sent.
    if (!pings.answered && pings.unanswered >= allowedUnanswered) return ask()
    pings.unanswered++
    end()
  }
  function end(): void {
    clearTimeout(timer)
    if (connection.ended) return
    connection.ended = true
    socket.close()
    changed()
  }
  socket.addEventListener('open', () => {
    if (connection.ended) return
    heard()
    connection.openedAt = Date.now()
    onStatus?.('open')
  })
  socket.addEventListener('message', ({ data }) => {
    if (connection.ended) return
    heard()
    const frame = JSON.parse(String(data)) as Frame & { pong?: true }
    if (frame.pong) {
      pings.answered = true
      return
    }
    connection.inbox.push(frame)
    changed()
  })
  // Without a listener some runtimes throw it; `close` follows.
  socket.addEventListener('error', () => undefined)
  socket.addEventListener('close', end)
  return connection
}

/** Whether the server answers the caller at all. @throws QuarterdeckError 401 or 403 */
async function isReachable(probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe()
    return true
  } catch (error) {
    if (error instanceof QuarterdeckError && (error.status === 401 || error.status === 403)) throw error
    return false
  }
}

/** Calls back when the network or a page from the background is there again. Returns how to stop that. */
function watchPage(back: () => void): () => void {
  const { document: page, addEventListener, removeEventListener } = globalThis as EventSource & { document?: EventSource }
  let hiddenSince = Number.POSITIVE_INFINITY
  const changed = () => {
    const isHidden = page?.visibilityState === 'hidden'
    if (!isHidden && Date.now() - hiddenSince > suspiciousAfterMs) back()
    hiddenSince = isHidden ? Date.now() : Number.POSITIVE_INFINITY
  }
  addEventListener?.('online', back)
  page?.addEventListener?.('visibilitychange', changed)
  return () => {
    removeEventListener?.('online', back)
    page?.removeEventListener?.('visibilitychange', changed)
  }
}
