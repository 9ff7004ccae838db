// The HTTP edge: uWebSockets.js on one side, declared routes on the other. Nothing a handler does
// can reach uWS as an exception, and nothing of `req` is used after the first await.
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Hmac } from 'node:crypto'
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { admit, requireLevel, type Admission } from './admission.ts'
import { sourcesOf, type Sources } from './answers.ts'
import { budgetsOf, type Budget } from './budgets.ts'
import { Ctx, type Node } from '../ctx.ts'
import { decoderOf, type Decoder } from '../schema/decode.ts'
import { badRequest, bodyTooSlow, methodUnknown, noSuchRoute, unavailable } from '../errors.ts'
import { Exchange, type ExchangeHost } from './exchange.ts'
import { hasFresh } from './etag.ts'
import { incoming } from '../files/files.ts'
import { RequestHead } from './head.ts'
import type { RouteTally } from '../metrics.ts'
import { PathMethods } from './path-methods.ts'
import { PackedBodies } from './packed-bodies.ts'
import { bodyDigest, decodeBody, decodePlainText, idempotencyKeyOf, receiveBody, streamBody } from './request-body.ts'
import { isFromOwnScript } from './own-page.ts'
import { paramsDecoder, queryDecoder } from './request-query.ts'
import { Reply, type Input, type Route } from './route.ts'
import { ByteStream, type SchemaNode } from '../schema/schema.ts'
import { bytePaths, Spool, spoolBody, type FieldPath } from './spool.ts'
import type { Viewer } from '../viewer.ts'

export const apiPrefix = '/api/v3'

const defaultBodyLimit = 10 * 1024 * 1024
/** Of a page that takes a form. */
const formLimit = 16 * 1024
const noBody = Buffer.alloc(0)
const requestDeadlineMs = 20_000
const bodyDeadlineMs = 20_000
/** A body of this size is read in memory, whatever is in it. */
const smallBodyBytes = 64 * 1024
/** A slow phone still sends this much; below it a body only holds a connection. */
const slowestBytesPerMs = 16

// Anything can stand for a method: figures are kept of these only.
const knownMethods = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options'])

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, OPTIONS, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Origin, X-Requested-With, User-Agent, Access-Control-Allow-Origin, X-Service-User, ' +
    'X-Service-Client, X-Request-Id, Idempotency-Key, If-None-Match',
  'Access-Control-Max-Age': '600',
}

/** A route with everything compiled that can be compiled once. */
interface CompiledRoute {
  route: Route
  pattern: string
  admission: Admission
  tally: RouteTally
  params: ReturnType<typeof paramsDecoder>
  paramCount: number
  /** Of an answer that stays in memory. */
  sources: Sources | undefined
  query: ((text: string) => unknown) | undefined
  body: Decoder<unknown> | undefined
  bodyLimit: number
  /** The body is handed on as it arrives. */
  streamed: boolean
  /** The body is the text itself. */
  isPlainText: boolean
  /** Fields of the body that go to files when it is large. */
  spooled: readonly FieldPath[]
  budget: (head: RequestHead) => Budget | undefined
}

/** A page outside the API: documents, health, metrics, files. */
export interface Page {
  /** GET and HEAD when absent. */
  method?: 'POST'
  /** With `:name` for parameters; a `*` at the end stands for any rest. */
  path: string
  /**
   * For the API description, which leaves pages without it out: media type of the answer, whether it asks for name and
   * password, other answers.
   */
  about?: { summary: string; type: string; basic?: boolean; refusals?: readonly number[] }
  run(node: Node, params: string[], head: RequestHead, address: string, body: Buffer): Reply<unknown> | Promise<Reply<unknown>>
}

/**
 * Serves all routes and pages, once mounted. `lost` may answer a GET of any other path. The returned object knows the
 * requests under way.
 */
export function serveHttp(
  node: Node,
  routes: readonly Route[],
  pages: readonly Page[],
  lost: (head: RequestHead) => Reply | undefined = () => undefined,
): HttpEdge {
  const budgets = budgetsOf(node.config)
  const compiled = routes.map((route) => ({ ...compile(node, route), budget: budgets(route) }))
  const edge = new HttpEdge(node, lost, (app) => {
    for (const each of compiled) {
      const { method } = each.route
      const handler = (res: HttpResponse, req: HttpRequest) => edge.handle(each, res, req)
      app[({ GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'del' } as const)[method]](each.pattern, handler)
      if (method === 'GET') app.head(each.pattern, handler)
    }
    for (const page of pages) {
      const tally = node.metrics.route(page.method ?? 'GET', page.path)
      const handler = (res: HttpResponse, req: HttpRequest) => edge.handlePage(page, tally, res, req)
      if (page.method) app.post(page.path, handler)
      else app.get(page.path, handler).head(page.path, handler)
    }
    app.any('/*', (res, req) => edge.handleUnknown(res, req))
  })
  for (const { route, pattern } of compiled) edge.methods.add(pattern, route.method)
  for (const { path, method = 'GET' } of pages) edge.methods.add(path, method)
  return edge
}

function compile(node: Node, route: Route): Omit<CompiledRoute, 'budget'> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const params = route.params ?? {}
  if (names.join() !== Object.keys(params).join())
    throw new Error(`${route.method} ${route.path}: the parameters of the path and the declaration differ`)
  const pattern = apiPrefix + route.path
  return {
    route,
    pattern,
    admission: { ...route, reads: route.method === 'GET' },
    tally: node.metrics.route(route.method, pattern),
    params: paramsDecoder(params),
    paramCount: names.length,
    sources: route.kept && sourcesOf(route.kept, node.changes),
    query: route.query && queryDecoder(route.query),
    body: route.body && decoderOf(route.body),
    bodyLimit: route.bodyLimit ?? defaultBodyLimit,
    streamed: route.body === ByteStream,
    isPlainText: (route.body as SchemaNode | undefined)?.contentMediaType === 'text/plain',
    spooled: route.body ? bytePaths(route.body as SchemaNode) : [],
  }
}

/** A request before its caller is known. */
interface Arrival {
  exchange: Exchange
  head: RequestHead
  address: string
  rawParams: string[]
}

/** A body that is read while it arrives. */
interface StreamedBody {
  stream: Readable
  digest: Hmac | undefined
}

/** Runs requests and keeps track of them. */
export class HttpEdge implements ExchangeHost {
  readonly node: Node
  readonly held = new Set<Exchange>()
  closing = false
  readonly packedBodies: PackedBodies
  keptBytes = 0
  spooledBytes = 0
  /** Of all that is served, sockets as well. */
  readonly methods = new PathMethods()
  readonly #register: (app: TemplatedApp) => void
  readonly #stopWatching: () => void
  readonly #idPrefix: string
  readonly #lost: (head: RequestHead) => Reply | undefined
  #idCounter = 0
  #onIdle: (() => void) | undefined

  constructor(node: Node, lost: (head: RequestHead) => Reply | undefined, register: (app: TemplatedApp) => void) {
    this.node = node
    this.#lost = lost
    this.packedBodies = new PackedBodies(node.config.memory.packedBytes)
    this.#register = register
    this.#idPrefix = node.random.bytes(6).toString('base64url')
    this.#stopWatching = node.clock.every(500, () => this.#enforceDeadlines())
  }

  /** Lets an app answer requests. There is more than one when the certificate was replaced. */
  mount(app: TemplatedApp): void {
    this.#register(app)
  }

  /** From now on every answer closes its connection. Resolves when no request is under way, or after `deadlineMs`. */
  async drain(deadlineMs: number): Promise<void> {
    this.closing = true
    if (this.held.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
        this.node.clock.after(deadlineMs, resolve)
      })
    }
    this.#stopWatching()
  }

  released(): void {
    if (this.held.size === 0) this.#onIdle?.()
  }

  /** Entry point of every declared route. */
  handle(compiled: CompiledRoute, res: HttpResponse, req: HttpRequest): void {
    const head = new RequestHead(req)
    const exchange = this.#begin(res, head, compiled.tally)
    try {
      if (head.malformed) return this.#failMalformed(exchange, head)
      const arrival = {
        exchange,
        head,
        address: this.#addressFor(compiled.route, res, head),
        rawParams: rawParams(req, compiled.paramCount),
      }
      const body = compiled.body && this.#bodyOf(compiled, exchange, head)
      const viewer = admit(this.node, compiled.admission, head, arrival.address)
      const budget = compiled.budget(head)
      const result = body
        ? this.#runWithBody(compiled, arrival, viewer, budget, body)
        : budget || viewer instanceof Promise
          ? this.#runLater(compiled, arrival, viewer, budget)
          : this.#run(compiled, arrival, viewer)
      if (result instanceof Promise) exchange.answerWith(result, (value) => succeed(compiled, exchange, head, value))
      else succeed(compiled, exchange, head, result)
    } catch (error) {
      exchange.fail(error)
    }
  }

  handlePage(page: Page, tally: RouteTally, res: HttpResponse, req: HttpRequest): void {
    const head = new RequestHead(req)
    const exchange = this.#begin(res, head, tally)
    if (head.malformed) return this.#failMalformed(exchange, head)
    const params = rawParams(req, [...page.path.matchAll(/:\w+/g)].length)
    const address = this.addressOf(res, head)
    try {
      const body = page.method ? receiveBody(exchange, head, formLimit) : noBody
      exchange.answerWith((async () => await page.run(this.node, params, head, address, await body))(), (reply) =>
        exchange.send(reply.status, reply.body, reply.headers),
      )
    } catch (error) {
      exchange.fail(error)
    }
  }

  handleUnknown(res: HttpResponse, req: HttpRequest): void {
    const head = new RequestHead(req)
    const { method } = head
    const exchange = this.#begin(res, head, this.node.metrics.route(knownMethods.has(method) ? method.toUpperCase() : 'OTHER', '(none)'))
    if (head.malformed) return this.#failMalformed(exchange, head)
    if (method === 'options') return exchange.send(200, undefined, corsHeaders)
    const page = method === 'get' || method === 'head' ? this.#lost(head) : undefined
    if (page) return exchange.send(page.status, page.body, page.headers)
    const allow = this.methods.of(head.url)
    exchange.fail(allow === '' ? noSuchRoute() : methodUnknown(allow))
  }

  /** Answers an upgrade that was refused, or a plain request on a socket path. */
  refuse(res: HttpResponse, head: RequestHead, requestId: string, pattern: string, error: unknown): void {
    const exchange = new Exchange(this, res, {
      tally: this.node.metrics.route('GET', pattern),
      requestId,
      headOnly: head.method === 'head',
    })
    exchange.hold()
    if (head.malformed) this.#failMalformed(exchange, head)
    else exchange.fail(error)
  }

  newRequestId(head: RequestHead): string {
    if (head.requestId !== '' && /^[\w.:-]{1,64}$/.test(head.requestId)) return head.requestId
    this.#idCounter++
    return `${this.#idPrefix}-${this.#idCounter.toString(36)}`
  }

  /** The client's address: only ever used for throttling and logs. */
  addressOf(res: HttpResponse, head: RequestHead): string {
    const forwarded = this.node.config.trustProxy ? head.forwardedFor.split(',').at(-1)?.trim() : undefined
    return forwarded || Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
  }

  /** Only where credentials are guessed does it matter where a request comes from. */
  #addressFor({ access, body }: Route, res: HttpResponse, head: RequestHead): string {
    const guessed =
      access === 'none' ||
      access === 'basic' ||
      access === 'service' ||
      (access === 'flex' && body !== undefined) ||
      (access === 'either' && !/^bearer /i.test(head.authorization))
    return guessed ? this.addressOf(res, head) : ''
  }

  #begin(res: HttpResponse, head: RequestHead, tally: RouteTally): Exchange {
    return new Exchange(this, res, {
      tally,
      requestId: this.newRequestId(head),
      headOnly: head.method === 'head',
      head,
    })
  }

  #enforceDeadlines(): void {
    const now = this.node.clock.now()
    for (const exchange of this.held) {
      if (exchange.over) continue
      const elapsed = now - exchange.startedMs
      if (exchange.refuseBody) {
        if (elapsed > bodyDeadlineMs + exchange.bytesReceived / slowestBytesPerMs) {
          exchange.fail(bodyTooSlow(), true)
          exchange.refuseBody?.(bodyTooSlow())
        }
      } else if (elapsed > requestDeadlineMs + exchange.bytesReceived / slowestBytesPerMs) {
        exchange.fail(unavailable('busy', 'The server took too long. Try again in a moment.'))
      }
    }
  }

  #bodyOf(compiled: CompiledRoute, exchange: Exchange, head: RequestHead): Promise<Buffer> | StreamedBody {
    const isSmall = head.transferEncoding === '' && Number(head.contentLength) <= smallBodyBytes
    if (!compiled.streamed && (compiled.spooled.length === 0 || isSmall)) return receiveBody(exchange, head, compiled.bodyLimit)
    const digest = this.#digestFor(compiled, head)
    return { stream: streamBody(exchange, head, compiled.bodyLimit, digest), digest }
  }

  #digestFor({ route }: CompiledRoute, head: RequestHead): Hmac | undefined {
    return route.idempotent && head.idempotencyKey !== '' ? bodyDigest(this.node) : undefined
  }

  #run(compiled: CompiledRoute, arrival: Arrival, viewer: Viewer | undefined): unknown {
    const { sources, pattern } = compiled
    const ctx = this.#ctx(arrival, viewer)
    if (!sources) return this.#runAtOnce(compiled, arrival, ctx)
    const { rawParams: raw, head } = arrival
    // A list of sessions shows which of them is the caller's.
    const key = `${viewer?.id ?? ''}${head.sessionKey} ${pattern} ${raw.join('/')}?${head.query}`
    const params = (sources.parts.length > 0 ? (compiled.params?.(raw) ?? {}) : {}) as Record<string, string>
    return this.node.answers.get(key, sources, viewer, params, { keep: !ctx.readOnly, run: () => this.#runAtOnce(compiled, arrival, ctx) })
  }

  #runAtOnce(compiled: CompiledRoute, arrival: Arrival, ctx: Ctx): unknown {
    const { params, query } = decodeAddress(compiled, arrival)
    requireLevel(this.node, compiled.route, ctx.viewer)
    if (compiled.route.guard) return this.#runGuarded(compiled, ctx, params, query)
    return compiled.route.run(ctx, { params, query, body: undefined } as Input<never, never, never>)
  }

  async #runLater(
    compiled: CompiledRoute,
    arrival: Arrival,
    admitted: Viewer | undefined | Promise<Viewer | undefined>,
    budget: Budget | undefined,
  ): Promise<unknown> {
    const viewer = await admitted
    if (budget && viewer) await budget(viewer)
    return await this.#run(compiled, arrival, viewer)
  }

  async #runGuarded({ route }: CompiledRoute, ctx: Ctx, params: unknown, query: unknown): Promise<unknown> {
    await route.guard?.(ctx, params as never)
    return await route.run(ctx, { params, query, body: undefined } as Input<never, never, never>)
  }

  async #runWithBody(
    compiled: CompiledRoute,
    arrival: Arrival,
    admitted: Viewer | undefined | Promise<Viewer | undefined>,
    budget: Budget | undefined,
    body: Promise<Buffer> | StreamedBody,
  ): Promise<unknown> {
    const { route } = compiled
    const { head } = arrival
    const viewer = await admitted
    if (budget && viewer) await budget(viewer)
    const { params, query } = decodeAddress(compiled, arrival)
    const mayCall = async () => {
      requireLevel(this.node, route, viewer)
      await route.guard?.(this.#ctx(arrival, viewer), params as never)
    }
    if (compiled.streamed) {
      await mayCall()
      return await route.run(this.#ctx(arrival, viewer), { params, query, body: (body as StreamedBody).stream } as Input<
        never,
        never,
        never
      >)
    }
    if (!(body instanceof Promise)) return await this.#runSpooled(compiled, arrival, viewer, { params, query }, body, mayCall)
    const bytes = await body
    const decoded =
      compiled.body &&
      (compiled.isPlainText
        ? decodePlainText(bytes, head, compiled.body)
        : await decodeBody(bytes, head, compiled.body, this.node.clock.now()))
    await route.check?.(this.#ctx(arrival, viewer), { params, query, body: decoded } as Input<never, never, never>)
    await mayCall()
    const digest = this.#digestFor(compiled, head)?.update(bytes)
    const idempotencyKey = digest && viewer && idempotencyKeyOf(head, route.method, viewer, digest)
    return await route.run(this.#ctx(arrival, viewer, idempotencyKey), { params, query, body: decoded } as Input<never, never, never>)
  }

  /** For a caller who is refused, nothing is written while the body is looked at. */
  async #runSpooled(
    { route, body: decode, spooled }: CompiledRoute,
    arrival: Arrival,
    viewer: Viewer | undefined,
    address: { params: unknown; query: unknown },
    { stream, digest }: StreamedBody,
    mayCall: () => Promise<void>,
  ): Promise<unknown> {
    const { exchange, head } = arrival
    const refusal = await mayCall().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const spool = new Spool(join(this.node.config.imagesDir, incoming), {
      newName: () => this.node.random.uuid().toUpperCase(),
      takes: refusal ? undefined : (bytes) => exchange.spool(bytes),
    })
    try {
      const { value, source } = await spoolBody(stream, head.contentType, spooled, spool)
      const body = decode?.(value, source, this.node.clock.now())
      await route.check?.(this.#ctx(arrival, viewer), { ...address, body } as Input<never, never, never>)
      if (refusal) throw refusal.error
      const idempotencyKey = digest && viewer && idempotencyKeyOf(head, route.method, viewer, digest)
      return await route.run(this.#ctx(arrival, viewer, idempotencyKey), { ...address, body } as Input<never, never, never>)
    } finally {
      await spool.remove()
    }
  }

  #ctx({ exchange, head, address }: Arrival, viewer: Viewer | undefined, idempotencyKey?: ReturnType<typeof idempotencyKeyOf>): Ctx {
    return new Ctx(this.node, viewer as Viewer, {
      requestId: exchange.requestId,
      log: this.node.log,
      address,
      head,
      readOnly:
        exchange.headOnly || (head.sessionKey !== '' && exchange.tally.method === 'GET' && !isFromOwnScript(this.node.config, head)),
      idempotencyKey,
    })
  }

  /** Not before the next turn: as long as there is no answer, uWS runs nothing that came behind this request, but closes the connection. */
  #failMalformed(exchange: Exchange, head: RequestHead): void {
    exchange.hold()
    setImmediate(() => exchange.fail(badRequest('request_invalid', head.malformed), true))
  }
}

const noParams: string[] = []

function rawParams(req: HttpRequest, count: number): string[] {
  if (count === 0) return noParams
  const raw: string[] = []
  for (let index = 0; index < count; index++) raw.push(req.getParameter(index))
  return raw
}

function decodeAddress({ params, query }: CompiledRoute, { head, rawParams: raw }: Arrival): { params: unknown; query: unknown } {
  return { params: params?.(raw), query: query?.(head.query) }
}

function succeed({ route, sources }: CompiledRoute, exchange: Exchange, head: RequestHead, result: unknown): void {
  if (sources && result instanceof Reply && result.status === 200 && hasFresh(head.ifNoneMatch, result.headers['ETag'] ?? ''))
    return exchange.send(304, undefined, result.headers)
  if (result instanceof Reply) exchange.send(result.status, result.body, result.headers, false, result.contentKey)
  else exchange.send(route.status ?? 200, result === undefined ? undefined : JSON.stringify(result))
}
