// One request: where it goes, what it carries, when it is repeated and how it fails. Only fetch is needed.
import { QuarterdeckError, type Refusal } from './errors.ts'

/** Bytes of a picture or a recording. A text is base64. */
export type Bytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>

/** A body that is sent as it is. */
export type BytesBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>

/** For one call. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal
  /** Repetitions after the first attempt; 4 when absent. */
  retries?: number
  /**
   * For each attempt: how long the beginning of an answer may take, and how long nothing more of it may come; 30 seconds when
   * absent. With `onProgress` also for how long nothing of the body may leave, and not for the whole of it.
   */
  timeoutMs?: number
  /** Hears which share of the body has left, from 0 to 1; again from the beginning after a failure. Needs `fetchWithProgress`. */
  onProgress?: (share: number) => void
  /** Makes a creating call safe to repeat, also by another run of the program. Without it the call makes its own. */
  idempotencyKey?: string
}

/** The input of a call that takes none. */
export type Nothing = Record<string, never>

/** Downloads a file; `url` is its address, for an `<img>`. */
export interface FileCall<Input> {
  (input: Input, options?: CallOptions): Promise<Response>
  url(input: Input): string
}

/** The part of a WebSocket that is used here. */
export interface RawSocket {
  binaryType: string
  readonly readyState: number
  send(data: string | ArrayBuffer | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'close' | 'error' | 'message', listener: (event: { data?: unknown }) => void): void
}

/** A WebSocket class: the browser's, React Native's, Node's, or that of the package `ws`. */
export type SocketClass = new (...args: never[]) => object

export interface ClientOptions {
  /** Where the server is, such as `https://ship.example`. In a browser: where the page is from. */
  baseUrl?: string
  /** Of an earlier login. */
  token?: string | undefined
  /**
   * `token`: a login gives a token that every call carries. `cookie`: for pages that the server itself serves; the
   * browser keeps the session in a cookie that no script can read.
   */
  credentials?: 'token' | 'cookie'
  /**
   * With a cookie: the id of the account that the page shows. All tabs share the cookie: when somebody else has signed in with
   * another one, a call is refused with status 401 and the code `session_of_another`, and does nothing in their name.
   */
  user?: () => string | undefined
  /** In place of the global ones. */
  fetch?: typeof fetch
  WebSocket?: SocketClass
}

/** Values of a call by name: parameters of the path, query, fields of the body. */
export type Values = Record<string, unknown>

/**
 * What the table says of an endpoint after its path. `b`: the rest of the input is a JSON body. `B`: its field `body`
 * is. `o`: its field `body` are bytes. `k`: takes an Idempotency-Key. `p`: name and password. `t`: answers with a token.
 * `f`: answers with a file. `r`: a socket that passes audio on.
 */
export type Flag = 'b' | 'B' | 'o' | 'k' | 'p' | 't' | 'f' | 'r'

/** What is known of a call before it is made. */
interface Traits {
  /** It may be made again when nobody knows what became of it. */
  isRepeatable: boolean
  /** It is answered with a file, which the caller reads. */
  isFile: boolean
}

const apiPath = '/api/v3'
const defaultRetries = 4
const defaultTimeoutMs = 30_000
const firstDelayMs = 500
const longestDelayMs = 15_000

/** Where requests go and with which credentials. */
export class Transport {
  readonly base: string
  readonly usesCookie: boolean
  readonly options: ClientOptions
  token: string | undefined
  readonly pings = { answered: false, unanswered: 0 }

  constructor(options: ClientOptions) {
    const { location } = globalThis as { location?: { origin: string } }
    let origin = options.baseUrl ?? location?.origin ?? ''
    while (origin.endsWith('/')) origin = origin.slice(0, -1)
    this.base = origin + apiPath
    this.usesCookie = options.credentials === 'cookie'
    this.options = options
    this.token = options.token
  }

  /** Calls an endpoint as the table writes it: `POST /fez/:fezID/join`. @throws QuarterdeckError */
  async call(line: string, input: Values = {}, options: CallOptions = {}): Promise<unknown> {
    const { method, address, rest, has } = this.resolve(line, input)
    const key = has('k') ? (options.idempotencyKey ?? randomKey()) : undefined
    const headers: Record<string, string> = {}
    if (key) headers['Idempotency-Key'] = key
    // Also says that a script of the page asks, and no picture in it.
    const user = this.options.user?.()
    if (this.usesCookie) headers['X-Session'] = 'cookie'
    if (this.usesCookie && user) headers['X-Session-User'] = user
    if (has('p')) {
      headers['Authorization'] = `Basic ${base64(new TextEncoder().encode(`${String(rest['username'])}:${String(rest['password'])}`))}`
      delete rest['username']
      delete rest['password']
    } else if (this.token && !this.usesCookie) headers['Authorization'] = `Bearer ${this.token}`
    const content = has('B') || has('o') ? rest['body'] : rest
    const body = has('o') ? (content as Blob) : has('b') || has('B') ? await encode(content, key ?? randomKey(), headers) : undefined
    const received = await this.#send(
      address,
      { method, headers, credentials: this.usesCookie ? 'same-origin' : 'omit', ...(body === undefined ? {} : { body }) },
      options,
      { isRepeatable: method === 'GET' || method === 'DELETE' || key !== undefined, isFile: has('f') },
    )
    if (has('t') && !this.usesCookie) this.token = (received as { token?: string }).token
    return received
  }

  /** Splits the input into address and body. */
  resolve(line: string, input: Values): { method: string; address: string; rest: Values; has: (flag: Flag) => boolean } {
    const [method = '', target = '', flags = ''] = line.split(' ')
    const [path = '', names] = target.split('?')
    const rest = { ...input }
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(plain(take(rest, name))))
    const query =
      names !== undefined ? names.split('&') : method === 'GET' || method === 'DELETE' || method === 'WS' ? Object.keys(rest) : []
    const pairs = query.flatMap((name) =>
      [take(rest, name)]
        .flat()
        .filter((value) => value !== undefined && value !== null)
        .map((value) => `${name}=${encodeURIComponent(plain(value))}`),
    )
    return {
      method,
      address: this.base + filled + (pairs.length > 0 ? `?${pairs.join('&')}` : ''),
      rest,
      has: (flag) => flags.includes(flag),
    }
  }

  /** A socket with the same credentials. Browsers send the cookie by themselves, all others a header. */
  socket(address: string): RawSocket {
    const Socket = (this.options.WebSocket ?? (globalThis as { WebSocket?: unknown }).WebSocket) as
      | (new (url: string, ...rest: unknown[]) => RawSocket)
      | undefined
    if (!Socket) throw new TypeError('This runtime has no WebSocket: give createClient one, such as that of the package ws.')
    const url = address.replace(/^http/, 'ws')
    if (this.usesCookie || !this.token) return new Socket(url)
    const extra = { headers: { Authorization: `Bearer ${this.token}` } }
    // Node takes options in the second place, React Native in the third, ws in either.
    return new Socket(url, extra, extra)
  }

  async #send(address: string, request: RequestInit, options: CallOptions, { isRepeatable, isFile }: Traits): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(address, request, options, isFile)
      if (!(outcome instanceof QuarterdeckError)) return outcome
      const { status, retryAfter } = outcome
      // After 429 nothing was done. After the others that is not known.
      const mayRepeat = status === 429 || (isRepeatable && [0, 408, 502, 503, 504].includes(status))
      const delayMs = Math.max((retryAfter ?? 0) * 1000, Math.random() * firstDelayMs * 2 ** attempt)
      if (!mayRepeat || attempt >= (options.retries ?? defaultRetries) || delayMs > longestDelayMs) throw outcome
      await pause(delayMs, options.signal)
    }
  }

  /** Returns the file, what the answer's JSON says, or the error: whether that is the end is for the caller to say. */
  async #attempt(
    address: string,
    request: RequestInit,
    { signal, timeoutMs = defaultTimeoutMs, onProgress }: CallOptions,
    isFile: boolean,
  ): Promise<unknown> {
    signal?.throwIfAborted()
    const ending = new AbortController()
    const end = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', end)
    const begin = () => setTimeout(() => ending.abort(), timeoutMs)
    let timer = begin()
    const moved = () => {
      clearTimeout(timer)
      timer = begin()
    }
    const progressed = (share: number) => {
      moved()
      onProgress?.(share)
    }
    try {
      const init = { ...request, signal: ending.signal, ...(onProgress && { onProgress: progressed }) }
      const response = await (this.options.fetch ?? fetch)(address, init)
      if (!response.ok) return await refusalOf(response)
      if (isFile) return response
      const text = await textOf(response, moved)
      return text ? (JSON.parse(text) as unknown) : undefined
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      const [code, reason] = ending.signal.aborted
        ? ['timeout', 'The server did not answer in time.']
        : ['network', 'The server cannot be reached.']
      return new QuarterdeckError(0, { code, reason }, { cause })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }
}

/** Reads a body; `moved` is called with each part of it. A fetch without streams, as in React Native, has all of it by now. */
async function textOf(response: Response, moved: () => void): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return await response.text()
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    moved()
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

async function refusalOf(response: Response): Promise<QuarterdeckError> {
  const { status, headers } = response
  const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>
  const seconds = Number(headers.get('Retry-After') ?? NaN)
  return new QuarterdeckError(
    status,
    { ...refusal, reason: refusal.reason ?? `The server answered with status ${status}.` },
    { retryAfter: Number.isFinite(seconds) ? seconds : undefined, requestId: headers.get('X-Request-Id') ?? undefined },
  )
}

/** Resolves after a time; rejects with the reason of the signal. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

function take(values: Values, name: string): unknown {
  const value = values[name]
  delete values[name]
  return value
}

const plain = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

const isBytes = (value: unknown): value is BytesBody => value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)

/** JSON; a form as soon as there are bytes in it, which are a third smaller there. Bytes that are all of it have no name in a form. */
async function encode(content: unknown, boundary: string, headers: Record<string, string>): Promise<string | Blob> {
  if (isBytes(content)) {
    headers['Content-Type'] = 'application/json'
    return JSON.stringify(base64(new Uint8Array(await new Blob([content]).arrayBuffer())))
  }
  const parts: (string | BytesBody)[] = []
  let hasBytes = false
  const add = (name: string, value: unknown): void => {
    const begin = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
    if (isBytes(value)) {
      hasBytes = true
      parts.push(`${begin}; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\n`, value, '\r\n')
    } else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      for (const [key, inner] of Object.entries(value)) add(name ? `${name}[${key}]` : key, inner)
    } else if (value !== undefined && value !== null) parts.push(`${begin}\r\n\r\n${plain(value)}\r\n`)
  }
  add('', content)
  headers['Content-Type'] = hasBytes ? `multipart/form-data; boundary=${boundary}` : 'application/json'
  return hasBytes ? new Blob([...parts, `--${boundary}--\r\n`]) : JSON.stringify(content)
}

/** Different from all others; it guards nothing. */
const randomKey = (): string => `qd${Date.now().toString(36)}${[0, 0].map(() => Math.random().toString(36).slice(2)).join('')}`

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
