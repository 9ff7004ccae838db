// Load without a client library in the way: prepared bytes out, lengths counted in.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { randomBytes } from 'node:crypto'

/** Where a server of this machine listens. */
export type Port = number | { tls: number }

/** One for all connections: what comes is looked at before the next is read. */
const readBuffer = Buffer.alloc(64 * 1024)

/**
 * A connection that is ready; `from` is the address of this end. `onChunk` gets what comes, from the start of memory that is used
 * again: a stream would cost the load generator more than the server's work on a frame.
 */
export async function dial(port: Port, from?: string, onChunk?: (memory: Buffer, length: number) => void): Promise<Socket> {
  const local = from === undefined ? {} : { localAddress: from }
  const callback = (length: number) => {
    onChunk?.(readBuffer, length)
    return true
  }
  // With a handshake of its own, as a phone that comes for the first time.
  const socket =
    typeof port === 'number'
      ? connect({ port, host: '127.0.0.1', ...local, ...(onChunk ? { onread: { buffer: readBuffer, callback } } : {}) })
      : connectTls({ port: port.tls, host: '127.0.0.1', rejectUnauthorized: false, ...local })
  if (onChunk && typeof port !== 'number') socket.on('data', (chunk: Buffer) => onChunk(chunk, chunk.length))
  socket.setNoDelay(true)
  await once(socket, typeof port === 'number' ? 'connect' : 'secureConnect')
  return socket
}

/** The bytes of a GET request. */
export function getRequest(path: string, token: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\nUser-Agent: bench\r\n\r\n`,
  )
}

/** The same request with JSON in its body. */
export function withBody(request: Buffer, body: object): Buffer {
  const json = JSON.stringify(body)
  return Buffer.from(
    `${request.toString().trimEnd()}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  )
}

/** The bytes of a login. */
export function loginRequest(username: string, password: string): Buffer {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  return Buffer.from(
    `POST /api/v3/auth/login HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${credentials}\r\nContent-Length: 0\r\n\r\n`,
  )
}

/** The bytes of a POST of JSON; without a token, without credentials. */
export function postRequest(path: string, body: object, token?: string): Buffer {
  const json = JSON.stringify(body)
  const credentials = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  )
}

export interface Answer {
  status: number
  body: Buffer
}

/** One request on a connection of its own; `from` is the address of this end. */
export async function fetchOnce(port: Port, request: Buffer, from?: string): Promise<Answer> {
  const socket = await dial(port, from)
  let received = Buffer.alloc(0)
  socket.write(request)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer])
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) continue
    const length = contentLength(received, end)
    if (received.length >= end + 4 + length) break
  }
  socket.destroy()
  const end = received.indexOf('\r\n\r\n')
  return { status: Number(received.subarray(9, 12).toString()), body: received.subarray(end + 4) }
}

function contentLength(head: Buffer, end: number): number {
  return Number(/content-length: (\d+)/i.exec(head.toString('latin1', 0, end))?.[1] ?? 0)
}

/** A connection that stays, with one request under way at a time. */
export class Connection {
  readonly #socket: Socket
  #received: Buffer | undefined
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('close', () => this.#waiting?.reject(new Error('the server has closed a connection instead of answering')))
  }

  static async open(port: Port, from?: string): Promise<Connection> {
    return new Connection(await dial(port, from))
  }

  ask(request: Buffer): Promise<Answer> {
    this.#socket.write(request)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    const received = this.#received ? Buffer.concat([this.#received, chunk]) : chunk
    const end = received.indexOf('\r\n\r\n')
    const isWhole = end >= 0 && received.length >= end + 4 + contentLength(received, end)
    this.#received = isWhole ? undefined : received
    if (!isWhole) return
    this.#waiting?.resolve({ status: Number(received.toString('latin1', 9, 12)), body: received.subarray(end + 4) })
    this.#waiting = undefined
  }
}

/**
 * Requests answered in `durationMs` over `connections`, each with one request under way; every answer must be a
 * success, or begin with another digit. Several requests are sent in turn.
 */
export async function countRequests(
  port: Port,
  request: Buffer | readonly Buffer[],
  connections: number,
  durationMs: number,
  digit: '2' | '3' = '2',
): Promise<number> {
  const expected = digit.charCodeAt(0)
  const requests = Buffer.isBuffer(request) ? [request] : request
  let sent = 0
  const next = () => requests[sent++ % requests.length] as Buffer
  let answered = 0
  let running = true
  const sockets = await Promise.all(Array.from({ length: connections }, () => dial(port)))
  for (const socket of sockets) {
    let pending: Buffer | undefined
    socket.on('data', (chunk) => {
      pending = pending ? Buffer.concat([pending, chunk]) : chunk
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0 || pending.length < end + 4 + contentLength(pending, end)) return
      if (pending[9] !== expected) throw new Error(`unexpected answer: ${pending.toString('latin1', 0, 300)}`)
      pending = undefined
      answered++
      if (running) socket.write(next())
    })
    socket.write(next())
  }
  await new Promise((resolve) => setTimeout(resolve, durationMs))
  running = false
  for (const socket of sockets) socket.destroy()
  return answered
}

/**
 * How many ms each of `count` answers took, with one request under way on each of the connections; every answer must be
 * a 200. Several requests are sent in turn.
 */
export async function timeRequests(port: number, requests: readonly Buffer[], connections: number, count: number): Promise<number[]> {
  const elapsedMs: number[] = []
  let sent = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await dial(port)
      while (sent < count) {
        const startedMs = performance.now()
        socket.write(requests[sent++ % requests.length] as Buffer)
        let received: Buffer | undefined
        for (;;) {
          const [chunk] = (await once(socket, 'data')) as [Buffer]
          received = received ? Buffer.concat([received, chunk]) : chunk
          const end = received.indexOf('\r\n\r\n')
          if (end >= 0 && received.length >= end + 4 + contentLength(received, end)) break
        }
        if (received.toString('latin1', 9, 12) !== '200') throw new Error(`unexpected answer: ${received.toString('latin1', 0, 300)}`)
        elapsedMs.push(performance.now() - startedMs)
      }
      socket.destroy()
    }),
  )
  return elapsedMs
}

/**
 * How many ms each answer took that came within `durationMs`, with one request under way on each of the connections; each
 * must be a 200. Several requests are sent in turn.
 */
export async function timeRequestsFor(
  port: number,
  request: Buffer | readonly Buffer[],
  connections: number,
  durationMs: number,
): Promise<number[]> {
  const elapsedMs: number[] = []
  const requests = Buffer.isBuffer(request) ? [request] : request
  let sent = 0
  const next = () => requests[sent++ % requests.length] as Buffer
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      await once(socket, 'connect')
      return socket
    }),
  )
  const failure = new Promise<never>((_, reject) => {
    for (const socket of sockets) {
      let startedMs = performance.now()
      let received: Buffer | undefined
      let missing = 0
      socket.on('error', reject)
      socket.on('data', (chunk: Buffer) => {
        if (missing > 0) missing -= chunk.length
        else {
          received = received ? Buffer.concat([received, chunk]) : chunk
          const end = received.indexOf('\r\n\r\n')
          if (end < 0) return
          if (received.toString('latin1', 9, 12) !== '200')
            return reject(
              new Error(`unexpected answer to ${requests[0]?.toString('latin1', 0, 80)}: ${received.toString('latin1', 0, 300)}`),
            )
          missing = end + 4 + contentLength(received, end) - received.length
          received = undefined
        }
        if (missing > 0) return
        const now = performance.now()
        elapsedMs.push(now - startedMs)
        startedMs = now
        socket.write(next())
      })
      socket.write(next())
    }
  })
  await Promise.race([new Promise((resolve) => setTimeout(resolve, durationMs)), failure])
  for (const socket of sockets) socket.destroy()
  return elapsedMs
}

/** What keeps a socket open: masked with zeros. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

/** Gets the payload of a frame: it lies from one place to another in memory that is used again. */
export type OnFrame = (data: Buffer, from: number, to: number) => void

/** A WebSocket that only reads: counts frames, or hands each one's payload on. */
export class FrameReader {
  #socket: Socket | undefined
  readonly #onFrame: OnFrame | undefined
  /** Waits for the answer to the upgrade. */
  #upgraded: { resolve: () => void; reject: (error: Error) => void } | undefined
  #rest: Buffer | undefined
  frames = 0

  private constructor(onFrame: OnFrame | undefined) {
    this.#onFrame = onFrame
  }

  /** Connects and upgrades. An address has ports for some 28,000 connections to the same server; `from` another one there are more. */
  static async open(port: Port, path: string, token: string, onFrame?: OnFrame, from?: string): Promise<FrameReader> {
    const reader = new FrameReader(onFrame)
    const socket = await dial(port, from, (memory, length) => reader.#take(memory, length))
    reader.#socket = socket
    const upgraded = new Promise<void>((resolve, reject) => {
      reader.#upgraded = { resolve, reject }
    })
    socket.once('close', () => reader.#upgraded?.reject(new Error('the server has closed a connection instead of upgrading it')))
    const key = randomBytes(16).toString('base64')
    // A token, or headers of a browser.
    const caller = token.includes(': ') ? token : `Authorization: Bearer ${token}`
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${caller}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
    await upgraded
    return reader
  }

  close(): void {
    this.#socket?.destroy()
  }

  #take(memory: Buffer, length: number): void {
    const data = this.#rest ? Buffer.concat([this.#rest, memory.subarray(0, length)]) : memory
    const end = this.#rest ? data.length : length
    const from = this.#upgraded ? this.#headIn(data, end) : 0
    const at = this.#upgraded ? 0 : this.#framesIn(data, from, end)
    this.#rest = at < end ? Buffer.from(data.subarray(at, end)) : undefined
  }

  /** Where the answer to the upgrade ends; 0 until it has come. */
  #headIn(data: Buffer, upTo: number): number {
    const end = data.subarray(0, upTo).indexOf('\r\n\r\n')
    if (end < 0) return 0
    if (data.toString('latin1', 9, 12) === '101') this.#upgraded?.resolve()
    else this.#upgraded?.reject(new Error(`upgrade refused: ${data.toString('latin1', 0, Math.min(300, upTo))}`))
    this.#upgraded = undefined
    return end + 4
  }

  /** Takes the frames that have come as a whole; returns where they end. */
  #framesIn(data: Buffer, from: number, end: number): number {
    let at = from
    for (;;) {
      if (end - at < 2) break
      const short = (data[at + 1] as number) & 0x7f
      const headLength = short < 126 ? 2 : short === 126 ? 4 : 10
      if (end - at < headLength) break
      const length = short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2))
      if (end - at < headLength + length) break
      const opcode = (data[at] as number) & 0x0f
      if (opcode === 9) this.#socket?.write(pong)
      if (opcode === 1) {
        this.frames++
        this.#onFrame?.(data, at + headLength, at + headLength + length)
      }
      at += headLength + length
    }
    return at
  }
}
