// A client as an app on a phone would be: HTTP requests and sockets, and nothing from inside the server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request, type FormData } from 'undici'
import { WebSocket } from 'ws'
import { assertReply } from './reply-schemas.ts'

const agent = new Agent({ connections: 256, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })

// oxlint-disable-next-line no-explicit-any -- tests read answers of every shape
export interface Answer<T = any> {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: T
}

export interface FileAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

export interface RequestOptions {
  body?: unknown
  form?: FormData
  headers?: Record<string, string>
  /** Basic instead of Bearer. */
  basic?: [username: string, password: string]
}

export class Client {
  readonly url: string
  token: string | undefined
  readonly #sockets = new Set<TestSocket>()

  constructor(url: string, token?: string) {
    this.url = url
    this.token = token
  }

  // oxlint-disable-next-line no-explicit-any -- see Answer
  get<T = any>(path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.request<T>('GET', path, options)
  }

  // oxlint-disable-next-line no-explicit-any -- see Answer
  post<T = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.request<T>('POST', path, { ...options, body })
  }

  // oxlint-disable-next-line no-explicit-any -- see Answer
  delete<T = any>(path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.request<T>('DELETE', path, options)
  }

  /** A GET of a file. Refusals are JSON all the same. */
  async file(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET'): Promise<FileAnswer> {
    const response = await request(this.#url(path), {
      method,
      dispatcher: agent,
      headers: { ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }), ...headers },
    })
    const bytes = Buffer.from(await response.body.arrayBuffer())
    if (response.statusCode >= 400 && method === 'GET') assertReply('GET', path, response.statusCode, JSON.parse(bytes.toString()))
    return { status: response.statusCode, headers: response.headers, bytes }
  }

  /** `path` is below /api/v3 unless it begins with two slashes. */
  async request<T>(method: string, path: string, { body, form, headers = {}, basic }: RequestOptions = {}): Promise<Answer<T>> {
    const authorization = basic
      ? `Basic ${Buffer.from(basic.join(':')).toString('base64')}`
      : this.token === undefined
        ? undefined
        : `Bearer ${this.token}`
    const raw = Buffer.isBuffer(body) || typeof body === 'string'
    const response = await request(this.#url(path), {
      method: method as 'GET',
      dispatcher: agent,
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(body !== undefined && !raw ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(form ? { body: form } : body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    })
    const text = await response.body.text()
    const json = String(response.headers['content-type'] ?? '').startsWith('application/json')
    const received = (text === '' ? undefined : json ? JSON.parse(text) : text) as T
    assertReply(method, path, response.statusCode, received)
    return { status: response.statusCode, headers: response.headers, body: received }
  }

  /** Opens a socket; rejects with the status when the server refuses. */
  async socket(path: string, headers: Record<string, string> = {}): Promise<TestSocket> {
    const ws = new WebSocket(this.#url(path).replace(/^http/, 'ws'), {
      headers: { ...(this.token ? { authorization: `Bearer ${this.token}` } : {}), ...headers },
    })
    const socket = new TestSocket(ws)
    await socket.opened
    this.#sockets.add(socket)
    return socket
  }

  closeSockets(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  #url(path: string): string {
    return path.startsWith('//') ? this.url + path.slice(1) : `${this.url}/api/v3${path}`
  }
}

/** A refused upgrade. */
export class Refused extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`upgrade refused with ${status}`)
    this.status = status
    this.body = body
  }
}

/** The status with which an upgrade is refused. */
export async function refusedSocket(opening: Promise<TestSocket>): Promise<number> {
  const error = await opening.then(
    (socket) => socket.terminate(),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Refused, 'the socket was opened')
  return error.status
}

const patienceMs = 15_000

/** One open socket that remembers every frame. */
export class TestSocket {
  readonly frames: any[] = [] // oxlint-disable-line no-explicit-any -- see Answer
  readonly ws: WebSocket
  readonly opened: Promise<void>
  readonly #closed: Promise<number>

  constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data, binary) => {
      this.frames.push(binary ? data : JSON.parse(String(data)))
      ws.emit('frame')
    })
    this.#closed = new Promise((resolve) => ws.on('close', (code) => resolve(code)))
    this.opened = new Promise((resolve, reject) => {
      ws.on('open', () => resolve())
      ws.on('error', reject)
      ws.on('unexpected-response', (_request, response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => reject(new Refused(response.statusCode ?? 0, text === '' ? undefined : JSON.parse(text))))
      })
    })
  }

  /** Resolves when a frame matches; fails when none comes. Frames that came before count. */
  // oxlint-disable-next-line no-explicit-any -- see Answer
  async until(matches: (frame: any) => boolean, what = 'a frame'): Promise<any> {
    const deadline = AbortSignal.timeout(patienceMs)
    for (;;) {
      const found = this.frames.find(matches)
      if (found !== undefined) return found
      await once(this.ws, 'frame', { signal: deadline }).catch(() =>
        assert.fail(`no ${what} came; got ${JSON.stringify(this.frames).slice(0, 2000)}`),
      )
    }
  }

  /** Resolves when there are this many frames in all. */
  async count(frames: number): Promise<void> {
    const deadline = AbortSignal.timeout(patienceMs)
    while (this.frames.length < frames) {
      await once(this.ws, 'frame', { signal: deadline }).catch(() => assert.fail(`expected ${frames} frames, got ${this.frames.length}`))
    }
  }

  /** The close code, once the server has closed it. */
  async closed(): Promise<number> {
    const late = AbortSignal.timeout(patienceMs)
    return await Promise.race([
      this.#closed,
      new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(new Error('the socket stayed open')))),
    ])
  }

  get open(): boolean {
    return this.ws.readyState === WebSocket.OPEN
  }

  /** A round trip: everything the server sent before has arrived afterwards. */
  async flushed(): Promise<void> {
    this.ws.ping()
    await once(this.ws, 'pong')
  }

  terminate(): void {
    this.ws.terminate()
  }
}
