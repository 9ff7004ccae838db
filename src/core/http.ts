// The HTTP edge: uWebSockets.js on one side, declared routes on the other. Nothing a handler does
// can reach uWS as an exception, and nothing of `req` is used after the first await.
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { admit } from './admission.ts'
import { Ctx, type Node } from './ctx.ts'
import { translateDbError } from './db.ts'
import { decoderOf, type Decoder } from './decode.ts'
import { AppError, badRequest, bodyMissing, bodyTooLarge, bodyTooSlow, noSuchRoute, unavailable, unsupportedMediaType } from './errors.ts'
import { FilePart } from './files.ts'
import { RequestHead } from './head.ts'
import { parseMultipart } from './multipart.ts'
import { Reply, type Access, type Input, type Route } from './route.ts'
import { Type, type SchemaNode, type TProperties } from './schema.ts'
import { sendFile, type Connection } from './send-file.ts'
import type { Viewer } from './viewer.ts'

export const apiPrefix = '/api/v3'

const defaultBodyLimit = 10 * 1024 * 1024
const requestDeadlineMs = 20_000
const bodyDeadlineMs = 20_000
/** A slow phone still sends this much; below it a body only holds a connection. */
const slowestBytesPerMs = 16
const compressFromBytes = 1024
const gzipAsync = promisify(gzip)

const reasons: Record<number, string> = {
  200: 'OK', 201: 'Created', 204: 'No Content', 206: 'Partial Content', 302: 'Found', 304: 'Not Modified', 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden',
  404: 'Not Found', 408: 'Request Timeout', 409: 'Conflict', 413: 'Payload Too Large', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable',
  422: 'Unprocessable Entity', 426: 'Upgrade Required', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons', 500: 'Internal Server Error', 503: 'Service Unavailable',
}

/** The status line of an answer. */
export const statusLine = (status: number): string => `${status} ${reasons[status] ?? 'Status'}`

const jsonType = 'application/json; charset=utf-8'
const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, OPTIONS, DELETE, PATCH',
  'Access-Control-Allow-Headers': 'Accept, Authorization, Content-Type, Origin, X-Requested-With, User-Agent, Access-Control-Allow-Origin, X-Service-User, X-Service-Client, X-Request-Id, Idempotency-Key, If-None-Match',
  'Access-Control-Max-Age': '600',
}

/** Only where credentials are guessed does it matter where a request comes from. */
const addressCounts = new Set<Access>(['none', 'basic', 'either', 'service'])

/** A route with everything compiled that can be compiled once. */
interface CompiledRoute {
  route: Route
  method: string
  pattern: string
  params: { names: string[], decode: Decoder<unknown> } | undefined
  query: { integers: ReadonlySet<string>, lists: ReadonlySet<string>, decode: Decoder<unknown> } | undefined
  body: Decoder<unknown> | undefined
  bodyLimit: number
}

/** A page outside the API: documents, health, metrics. */
export interface Page {
  path: string
  run(node: Node, params: string[]): Reply | Promise<Reply>
}

/** Registers all routes and pages. The returned object knows the requests under way. */
export function serveHttp(app: TemplatedApp, node: Node, routes: readonly Route[], pages: readonly Page[]): HttpEdge {
  const edge = new HttpEdge(node)
  for (const route of routes) {
    const compiled = compile(route)
    const handler = (res: HttpResponse, req: HttpRequest) => edge.handle(compiled, res, req)
    app[({ GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'del' } as const)[route.method]](compiled.pattern, handler)
    if (route.method === 'GET') app.head(compiled.pattern, handler)
  }
  for (const page of pages) {
    const handler = (res: HttpResponse, req: HttpRequest) => edge.handlePage(page, res, req)
    app.get(page.path, handler)
    app.head(page.path, handler)
  }
  app.any('/*', (res, req) => edge.handleUnknown(res, req))
  return edge
}

function compile(route: Route): CompiledRoute {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const params = route.params ?? {}
  if (names.join() !== Object.keys(params).join()) throw new Error(`${route.method} ${route.path}: the parameters of the path and the declaration differ`)
  return {
    route,
    method: route.method,
    pattern: apiPrefix + route.path,
    params: names.length > 0 ? { names, decode: decoderOf(Type.Object(params)) } : undefined,
    query: route.query && { ...queryShape(route.query), decode: decoderOf(Type.Object(route.query)) },
    body: route.body && decoderOf(route.body),
    bodyLimit: route.bodyLimit ?? defaultBodyLimit,
  }
}

/** Decodes query strings as those of routes are. */
export function queryDecoder(query: TProperties): (text: string) => unknown {
  const compiled = { ...queryShape(query), decode: decoderOf(Type.Object(query)) }
  return (text) => decodeQuery(compiled, text)
}

function queryShape(query: TProperties): { integers: ReadonlySet<string>, lists: ReadonlySet<string> } {
  const named = (type: SchemaNode['type']) => new Set(Object.entries(query).filter(([, schema]) => (schema as SchemaNode).type === type).map(([name]) => name))
  return { integers: named('integer'), lists: named('array') }
}

/** One request being answered. */
class Exchange implements Connection {
  readonly res: HttpResponse
  readonly method: string
  readonly pattern: string
  readonly requestId: string
  readonly headOnly: boolean
  readonly startedMs: number
  readonly gzip: boolean
  /** Answered or aborted: `res` must not be touched any more. */
  over = false
  gone = false
  onGone: (() => void) | undefined
  /** Ends the wait for a body. */
  refuseBody: ((error: AppError) => void) | undefined
  bytesReceived = 0
  /** What the request asks for is being done, whoever waits for the answer. */
  working = false

  constructor(res: HttpResponse, method: string, pattern: string, requestId: string, headOnly: boolean, startedMs: number, gzip: boolean) {
    this.res = res
    this.method = method
    this.pattern = pattern
    this.requestId = requestId
    this.headOnly = headOnly
    this.startedMs = startedMs
    this.gzip = gzip
  }
}

/** Runs requests and keeps track of them. */
export class HttpEdge {
  readonly #node: Node
  readonly #underWay = new Set<Exchange>()
  readonly #stopWatching: () => void
  readonly #idPrefix: string
  #idCounter = 0
  #onIdle: (() => void) | undefined
  #closing = false

  constructor(node: Node) {
    this.#node = node
    this.#idPrefix = node.random.bytes(6).toString('base64url')
    this.#stopWatching = node.clock.every(500, () => this.#enforceDeadlines())
  }

  /** From now on every answer closes its connection. Resolves when no request is under way, or after `deadlineMs`. */
  async drain(deadlineMs: number): Promise<void> {
    this.#closing = true
    if (this.#underWay.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
        this.#node.clock.after(deadlineMs, resolve)
      })
    }
    this.#stopWatching()
  }

  /** Entry point of every declared route. */
  handle(compiled: CompiledRoute, res: HttpResponse, req: HttpRequest): void {
    const head = new RequestHead(req)
    const exchange = this.#begin(res, req, head, compiled.method, compiled.pattern)
    try {
      if (head.malformed) return this.#failMalformed(exchange, head)
      const address = addressCounts.has(compiled.route.access) ? this.addressOf(res, head) : ''
      const rawParams = compiled.params?.names.map((_name, index) => req.getParameter(index))
      const body = compiled.body && this.#receiveBody(exchange, head, compiled.bodyLimit)
      const viewer = admit(this.#node, compiled.route, head.authorization, address)
      if (!body && !(viewer instanceof Promise)) {
        const result = this.#run(compiled, exchange, head, address, viewer, rawParams, undefined)
        if (result instanceof Promise) this.#finish(compiled, exchange, result)
        else this.#succeed(compiled, exchange, result)
        return
      }
      this.#finish(compiled, exchange, this.#runLater(compiled, exchange, head, address, viewer, rawParams, body))
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  handlePage(page: Page, res: HttpResponse, req: HttpRequest): void {
    const head = new RequestHead(req)
    const exchange = this.#begin(res, req, head, 'GET', page.path)
    if (head.malformed) return this.#failMalformed(exchange, head)
    const params = [...page.path.matchAll(/:\w+/g)].map((_match, index) => req.getParameter(index))
    Promise.resolve()
      .then(() => page.run(this.#node, params))
      .then((reply) => this.#send(exchange, reply.status, reply.headers, reply.body))
      .catch((error: unknown) => this.#fail(exchange, error))
  }

  handleUnknown(res: HttpResponse, req: HttpRequest): void {
    const method = req.getMethod()
    const head = new RequestHead(req)
    const exchange = this.#begin(res, req, head, method.toUpperCase(), '(none)')
    if (head.malformed) return this.#failMalformed(exchange, head)
    if (method === 'options') return void this.#send(exchange, 200, corsHeaders, undefined)
    this.#fail(exchange, noSuchRoute())
  }

  /** Answers an upgrade that was refused, or a plain request on a socket path. */
  refuse(res: HttpResponse, head: RequestHead, requestId: string, pattern: string, error: unknown): void {
    const exchange = new Exchange(res, 'GET', pattern, requestId, false, this.#node.clock.now(), false)
    res.onAborted(() => { exchange.over = true })
    if (head.malformed) this.#failMalformed(exchange, head)
    else this.#fail(exchange, error)
  }

  newRequestId(head: RequestHead): string {
    if (/^[\w.:-]{1,64}$/.test(head.requestId)) return head.requestId
    this.#idCounter++
    return `${this.#idPrefix}-${this.#idCounter.toString(36)}`
  }

  /** The client's address: only ever used for throttling and logs. */
  addressOf(res: HttpResponse, head: RequestHead): string {
    const forwarded = this.#node.config.trustProxy ? head.forwardedFor.split(',').at(-1)?.trim() : undefined
    return forwarded || Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
  }

  #begin(res: HttpResponse, req: HttpRequest, head: RequestHead, method: string, pattern: string): Exchange {
    const exchange = new Exchange(res, method, pattern, this.newRequestId(head), req.getMethod() === 'head', this.#node.clock.now(), acceptsGzip(head.acceptEncoding))
    res.onAborted(() => {
      exchange.over = true
      exchange.gone = true
      exchange.onGone?.()
      exchange.refuseBody?.(badRequest('The connection was closed.'))
      if (!exchange.working) this.#end(exchange)
    })
    this.#underWay.add(exchange)
    return exchange
  }

  #end(exchange: Exchange): void {
    this.#underWay.delete(exchange)
    if (this.#underWay.size === 0) this.#onIdle?.()
  }

  #enforceDeadlines(): void {
    const now = this.#node.clock.now()
    for (const exchange of this.#underWay) {
      if (exchange.over) continue
      const elapsed = now - exchange.startedMs
      if (exchange.refuseBody) {
        if (elapsed > bodyDeadlineMs + exchange.bytesReceived / slowestBytesPerMs) {
          this.#fail(exchange, bodyTooSlow(), true)
          exchange.refuseBody?.(bodyTooSlow())
        }
      } else if (elapsed > requestDeadlineMs + exchange.bytesReceived / slowestBytesPerMs) {
        this.#fail(exchange, unavailable('The server took too long, please try again.'))
      }
    }
  }

  #receiveBody(exchange: Exchange, head: RequestHead, limit: number): Promise<Buffer> {
    if (Number(head.contentLength) > limit) throw bodyTooLarge(limit)
    const body = new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = []
      exchange.refuseBody = (error) => {
        exchange.refuseBody = undefined
        reject(error)
      }
      exchange.res.onData((chunk, isLast) => {
        if (exchange.over || !exchange.refuseBody) return
        exchange.bytesReceived += chunk.byteLength
        if (exchange.bytesReceived > limit) {
          this.#fail(exchange, bodyTooLarge(limit), true)
          exchange.refuseBody(bodyTooLarge(limit))
          return
        }
        // uWS takes the memory back when this callback returns.
        chunks.push(Buffer.from(Buffer.from(chunk)))
        if (!isLast) return
        exchange.refuseBody = undefined
        resolve(chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks))
      })
    })
    // A refusal may come before anybody awaits the body.
    body.catch(() => undefined)
    return body
  }

  async #runLater(compiled: CompiledRoute, exchange: Exchange, head: RequestHead, address: string, viewer: Viewer | undefined | Promise<Viewer | undefined>, rawParams: string[] | undefined, body: Promise<Buffer> | undefined): Promise<unknown> {
    const caller = await viewer
    return await this.#run(compiled, exchange, head, address, caller, rawParams, body)
  }

  #run(compiled: CompiledRoute, exchange: Exchange, head: RequestHead, address: string, viewer: Viewer | undefined, rawParams: string[] | undefined, body: Promise<Buffer> | undefined): unknown {
    const { route } = compiled
    const params = compiled.params && decodeParams(compiled.params, rawParams ?? [])
    const query = compiled.query && decodeQuery(compiled.query, head.query)
    const options = { requestId: exchange.requestId, log: this.#node.log, address, head }
    if (!body && !route.guard) return route.run(new Ctx(this.#node, viewer as Viewer, options), { params, query, body: undefined } as Input<never, never, never>)
    return this.#runWithBody(compiled, head, viewer, options, params, query, body)
  }

  async #runWithBody(compiled: CompiledRoute, head: RequestHead, viewer: Viewer | undefined, options: { requestId: string, log: Node['log'], address: string, head: RequestHead }, params: unknown, query: unknown, body: Promise<Buffer> | undefined): Promise<unknown> {
    const { route } = compiled
    await route.guard?.(new Ctx(this.#node, viewer as Viewer, options), params as never)
    const bytes = await body
    const decoded = bytes && compiled.body ? await decodeBody(bytes, head, compiled.body, this.#node.clock.now()) : undefined
    const idempotencyKey = route.idempotent && viewer && bytes ? idempotencyKeyOf(this.#node, head, route.method, viewer, bytes) : undefined
    const ctx = new Ctx(this.#node, viewer as Viewer, { ...options, idempotencyKey })
    return await route.run(ctx, { params, query, body: decoded } as Input<never, never, never>)
  }

  #finish(compiled: CompiledRoute, exchange: Exchange, running: Promise<unknown>): void {
    exchange.working = true
    running
      .then((result) => this.#succeed(compiled, exchange, result))
      .catch((error: unknown) => this.#fail(exchange, error))
      .finally(() => {
        exchange.working = false
        if (exchange.over) this.#end(exchange)
      })
  }

  #succeed(compiled: CompiledRoute, exchange: Exchange, result: unknown): void {
    if (result instanceof Reply) return void this.#send(exchange, result.status, result.headers, result.body)
    const status = compiled.route.status ?? 200
    if (result === undefined) return void this.#send(exchange, status, {}, undefined)
    this.#send(exchange, status, {}, JSON.stringify(result))
  }

  /** Not before the next turn: as long as there is no answer, uWS runs nothing that came behind this request, but closes the connection. */
  #failMalformed(exchange: Exchange, head: RequestHead): void {
    setImmediate(() => this.#fail(exchange, badRequest(head.malformed), true))
  }

  #fail(exchange: Exchange, error: unknown, closeConnection = false): void {
    const known = translateDbError(error)
    const refusal = known instanceof AppError ? known : undefined
    const status = refusal?.status ?? 500
    const log = { requestId: exchange.requestId, method: exchange.method, path: exchange.pattern, status }
    if (!refusal) this.#node.log.error({ ...log, err: error }, 'request failed')
    else if (status >= 500) this.#node.log.warn({ ...log, err: refusal.cause }, refusal.message)
    const detail = !this.#node.config.production && error instanceof Error ? `: ${error.message}` : ''
    const reason = refusal?.message ?? `Something went wrong on the server${detail}.`
    const body = JSON.stringify({ error: true, status, reason, ...refusal?.fieldErrors ? { fieldErrors: refusal.fieldErrors } : {} })
    const headers: Record<string, string> = {}
    if (refusal?.retryAfterSeconds) headers['Retry-After'] = String(refusal.retryAfterSeconds)
    if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
    if (status === 426) Object.assign(headers, { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' })
    this.#send(exchange, status, headers, body, closeConnection)
  }

  #send(exchange: Exchange, status: number, headers: Readonly<Record<string, string>>, body: Reply['body'], closeConnection = false): void {
    if (exchange.over) return
    if (exchange.gzip && body !== undefined && !(body instanceof FilePart) && body.length > compressFromBytes && !('Content-Encoding' in headers) && compressible(headers)) {
      gzipAsync(body, { level: 4 }).then(
        (packed) => this.#write(exchange, status, { ...headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }, packed, closeConnection),
        (error: unknown) => {
          this.#node.log.error({ err: error }, 'compression failed')
          this.#write(exchange, status, headers, body, closeConnection)
        })
      return
    }
    this.#write(exchange, status, headers, body, closeConnection)
  }

  #write(exchange: Exchange, status: number, headers: Readonly<Record<string, string>>, body: Reply['body'], closeConnection: boolean): void {
    if (exchange.over) return
    exchange.over = true
    const { res } = exchange
    const close = closeConnection || this.#closing
    if (body instanceof FilePart && !exchange.headOnly) return this.#stream(exchange, status, headers, body)
    const length = body instanceof FilePart ? body.size : body === undefined ? 0 : Buffer.byteLength(body)
    const content = body instanceof FilePart ? '' : body ?? ''
    res.cork(() => {
      this.#writeHead(exchange, status, headers, body !== undefined)
      // With a length of its own, or one that is undefined, endWithoutBody leaves the connection unusable.
      if (close) res.end(exchange.headOnly ? '' : content, true)
      else if (status === 204 || status === 304) res.endWithoutBody()
      else if (exchange.headOnly) {
        res.writeHeader('Content-Length', String(length))
        res.endWithoutBody()
      } else res.end(content)
    })
    this.#done(exchange, status)
  }

  #stream(exchange: Exchange, status: number, headers: Readonly<Record<string, string>>, part: FilePart): void {
    let begun = false
    sendFile(exchange.res, exchange, part, () => {
      begun = true
      this.#writeHead(exchange, status, headers, true)
    }).then(() => {
      if (!exchange.gone) this.#done(exchange, status)
    }).catch((error: unknown) => {
      if (exchange.gone) return
      if (begun) {
        // Too late for another answer.
        this.#node.log.error({ requestId: exchange.requestId, err: error }, 'a file could not be sent')
        return void exchange.res.close()
      }
      exchange.over = false
      this.#fail(exchange, error)
    })
  }

  /** A header that is empty is left out, as is its default. */
  #writeHead({ res, requestId }: Exchange, status: number, headers: Readonly<Record<string, string>>, hasBody: boolean): void {
    res.writeStatus(statusLine(status))
    res.writeHeader('X-Request-Id', requestId)
    res.writeHeader('X-Content-Type-Options', 'nosniff')
    if (!('Access-Control-Allow-Origin' in headers)) res.writeHeader('Access-Control-Allow-Origin', '*')
    if (hasBody && !('Content-Type' in headers)) res.writeHeader('Content-Type', jsonType)
    if (!('Cache-Control' in headers)) res.writeHeader('Cache-Control', 'no-store')
    for (const name in headers) if (headers[name] !== '') res.writeHeader(name, headers[name] as string)
  }

  #done(exchange: Exchange, status: number): void {
    this.#end(exchange)
    const elapsedMs = this.#node.clock.now() - exchange.startedMs
    this.#node.metrics.requestDone(exchange.method, exchange.pattern, status, elapsedMs / 1000)
    const quiet = exchange.method === 'GET' && status < 400
    this.#node.log[quiet ? 'debug' : 'info']({ requestId: exchange.requestId, method: exchange.method, path: exchange.pattern, status, ms: elapsedMs }, 'request')
  }
}

/** `q=0` means "not this one". */
function acceptsGzip(accepted: string): boolean {
  return /(^|,)\s*gzip\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i.test(accepted)
}

function compressible(headers: Readonly<Record<string, string>>): boolean {
  const type = headers['Content-Type']
  return type === undefined || /^(text\/|application\/(json|javascript))/.test(type)
}

function decodeParams({ names, decode }: NonNullable<CompiledRoute['params']>, raw: readonly string[]): unknown {
  const values: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    try {
      values[name] = decodeURIComponent(raw[index] ?? '')
    } catch {
      throw badRequest(`${name} in the path is not well-formed.`)
    }
  }
  return decode(values, 'text')
}

/** `a=1&a=2`, `a[]=1&a[]=2` and `a=1,2` are the same list. A value that is not an integer counts as absent where one is wanted. */
function decodeQuery({ integers, lists, decode }: NonNullable<CompiledRoute['query']>, query: string): unknown {
  const values: Record<string, unknown> = Object.create(null)
  if (query === '') return decode(values, 'text')
  for (const [rawName, value] of new URLSearchParams(query)) {
    const name = rawName.endsWith('[]') ? rawName.slice(0, -2) : rawName
    if (lists.has(name)) values[name] = [...(values[name] as string[] | undefined) ?? [], ...value.split(',').filter((part) => part !== '')]
    else if (name in values) continue
    else if (!integers.has(name)) values[name] = value
    else if (/^[+-]?\d+$/.test(value)) values[name] = Math.max(-2_147_483_648, Math.min(2_147_483_647, Number(value)))
  }
  return decode(values, 'text')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function decodeBody(bytes: Buffer, head: RequestHead, decode: Decoder<unknown>, nowMs: number): Promise<unknown> {
  if (bytes.length === 0) throw bodyMissing()
  const type = head.contentType.toLowerCase()
  if (type.startsWith('multipart/form-data')) return decode(await parseMultipart(bytes, head.contentType), 'text', nowMs)
  // Many clients send JSON under the type that their HTTP library puts there by itself.
  if (!/^($|application\/json|[\w.-]+\/[\w.-]+\+json|text\/|application\/x-www-form-urlencoded)/.test(type)) throw unsupportedMediaType(type.slice(0, 100))
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw badRequest('The request body is not well-formed JSON.', cause)
  }
  return decode(value, 'json', nowMs)
}

function idempotencyKeyOf({ tokenSecret }: Node, head: RequestHead, method: string, viewer: Viewer, body: Buffer) {
  const key = head.idempotencyKey
  if (key === '') return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw badRequest('Idempotency-Key must be 1 to 200 visible ASCII characters.')
  // With the secret: a body may hold a password, and a plain digest would let it be guessed from a copy of the database.
  const digest = createHmac('sha256', tokenSecret).update(body).digest('base64')
  return { accountId: viewer.id, key, route: `${method} ${head.url.toLowerCase()}`.slice(0, 300), digest }
}
