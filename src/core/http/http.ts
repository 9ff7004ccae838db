// The HTTP edge: uWebSockets.js on one side, declared routes on the other. Nothing a handler does
// can reach uWS as an exception, and nothing of `req` is used after the first await.
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { answerHeaders, preflight, type AnswerHeaders } from './answer-headers.ts'
import { budgetsOf } from './budgets.ts'
import { homeFolder } from '../base/config.ts'
import type { Inner, Node } from '../work/ctx.ts'
import { type AppError, badRequest, bodyTooSlow, methodUnknown, noSuchRoute, restarting, unavailable } from '../base/errors.ts'
import { Exchange, type ExchangeHost } from './exchange.ts'
import { RequestHead } from '../work/request-head.ts'
import { requireAllowedHost } from './hosts.ts'
import { innerGets } from './inner-gets.ts'
import type { RouteTally } from '../base/metrics.ts'
import { PathMethods } from './path-methods.ts'
import { PackedBodies } from './packed-bodies.ts'
import { receiveBody } from './request-body.ts'
import type { Reply, Route } from './route.ts'
import { compileRoute, runRoute, type CompiledRoute } from './run-route.ts'
import { sendReply } from './send-reply.ts'
import { TrialGate } from './trial.ts'

/** Of a page that takes a form. */
const formLimit = 16 * 1024
const noBody = Buffer.alloc(0)
const requestDeadlineMs = 20_000
const bodyDeadlineMs = 20_000
/** A slow phone still sends this much; below it a body only holds a connection. */
const slowestBytesPerMs = 16

// Anything can stand for a method: figures are kept of these only.
const knownMethods = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options'])

/** An upgrade of which nobody knows yet whether it is refused. */
interface Upgrade {
  startedMs: number
  giveUp(error: AppError): void
}

/** What the API description says of a page. */
export interface PageAbout {
  summary: string
  /** Media type of the answer. */
  type: string
  /** Media types of a body. */
  takes?: readonly string[]
  /** It asks for name and password. */
  basic?: boolean
  /** It can be had in parts, and not once more by a client that has it. */
  file?: boolean
  /** The status, for a page that only redirects to another one. */
  redirects?: 302 | 303
  refusals?: readonly number[]
}

/** A page outside the API: documents, health, metrics, files. */
export interface Page {
  /** GET and HEAD when absent. */
  method?: 'POST'
  /** With `:name` for parameters; a `*` at the end stands for any rest. */
  path: string
  /** For the API description, which leaves pages without it out. */
  about?: PageAbout
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
  const budgets = budgetsOf(node.config, node.clock)
  const compiled = routes.map((route) => compileRoute(node, route, budgets))
  const edge = new HttpEdge(node, innerGets(compiled), lost, (app) => {
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

/** Runs requests and keeps track of them. */
export class HttpEdge implements ExchangeHost {
  readonly node: Node
  readonly inner: Inner
  readonly held: Exchange[] = []
  closing = false
  readonly packedBodies: PackedBodies
  readonly answerHeaders: AnswerHeaders
  keptBytes = 0
  spooledBytes = 0
  /** Of all that is served, sockets as well. */
  readonly methods = new PathMethods()
  /** Those that wait for what their sockets are to show. */
  readonly upgrades = new Set<Upgrade>()
  readonly #register: (app: TemplatedApp) => void
  readonly #stopWatching: () => void
  readonly #idPrefix: string
  readonly #trial: TrialGate
  readonly #lost: (head: RequestHead) => Reply | undefined
  #idCounter = 0
  #ended = false
  #onIdle: (() => void) | undefined

  constructor(node: Node, inner: Inner, lost: (head: RequestHead) => Reply | undefined, register: (app: TemplatedApp) => void) {
    this.node = node
    this.inner = inner
    this.#lost = lost
    this.packedBodies = new PackedBodies(node.config.memory.packedBytes)
    this.answerHeaders = answerHeaders(node.config)
    this.#register = register
    this.#idPrefix = node.random.bytes(6).toString('base64url')
    this.#trial = new TrialGate(homeFolder, node.clock)
    this.#stopWatching = node.clock.every(500, () => this.#enforceDeadlines())
  }

  /** Lets an app answer requests. There is more than one when the certificate was replaced. */
  mount(app: TemplatedApp): void {
    this.#register(app)
  }

  /** From now on every answer closes its connection. Resolves when no request is under way, or after `deadlineMs`. */
  async drain(deadlineMs: number): Promise<void> {
    this.closing = true
    if (this.held.length === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
      this.node.clock.after(deadlineMs, resolve)
    })
  }

  /** Refuses all further requests, which come over connections that are still open, then waits as `drain` does. */
  async end(deadlineMs: number): Promise<void> {
    this.#ended = true
    await this.drain(deadlineMs)
    this.#trial.close()
    this.#stopWatching()
  }

  /** Whether nobody is let in: not any more, or not before this version has been tried. */
  isShutFor(requestId: string): boolean {
    return this.#ended || this.#trial.keepsOut(requestId)
  }

  released(): void {
    if (this.held.length === 0) this.#onIdle?.()
  }

  /** Entry point of every declared route. */
  handle(compiled: CompiledRoute, res: HttpResponse, req: HttpRequest): void {
    const head = new RequestHead(req)
    const exchange = this.#begin(res, head, compiled.tally)
    try {
      if (this.isShutFor(head.requestId)) throw restarting()
      if (head.malformed) return this.#failMalformed(exchange, head)
      requireAllowedHost(this.node.config, head)
      const address = this.#addressFor(compiled, res, head)
      const locate = () => this.addressOf(res, head)
      runRoute(this.node, compiled, { exchange, head, address, locate, query: head.query, rawParams: rawParams(req, compiled.paramCount) })
    } catch (error) {
      exchange.fail(error)
    }
  }

  handlePage(page: Page, tally: RouteTally, res: HttpResponse, req: HttpRequest): void {
    const head = new RequestHead(req)
    const exchange = this.#begin(res, head, tally)
    if (this.isShutFor(head.requestId)) return exchange.fail(restarting())
    if (head.malformed) return this.#failMalformed(exchange, head)
    const params = rawParams(req, [...page.path.matchAll(/:\w+/g)].length)
    const address = this.addressOf(res, head)
    exchange.address = address
    try {
      requireAllowedHost(this.node.config, head)
      const body = page.method ? receiveBody(exchange, head, formLimit) : noBody
      exchange.answerWith((async () => await page.run(this.node, params, head, address, await body))(), (reply) =>
        sendReply(exchange, head, reply),
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
    try {
      requireAllowedHost(this.node.config, head)
      if (method === 'options') return exchange.send(200, undefined, preflight(this.node.config, head.origin, head.url))
      const page = method === 'get' || method === 'head' ? this.#lost(head) : undefined
      if (page) return sendReply(exchange, head, page)
      const allow = this.methods.of(head.url)
      throw allow === '' ? noSuchRoute() : methodUnknown(allow)
    } catch (error) {
      exchange.fail(error)
    }
  }

  /** Answers an upgrade that was refused, or a plain request on a socket path. */
  refuse(res: HttpResponse, head: RequestHead, requestId: string, pattern: string, error: unknown): void {
    const exchange = new Exchange(this, res, {
      tally: this.node.metrics.route('GET', pattern),
      requestId,
      headOnly: head.method === 'head',
      head,
    })
    exchange.hold()
    if (head.malformed) this.#failMalformed(exchange, head)
    else exchange.fail(error)
  }

  newRequestId(head: RequestHead): string {
    if (head.requestId !== '' && /^[\w.:-]{1,64}$/.test(head.requestId)) return head.requestId
    this.#idCounter++
    return `${this.#idPrefix}-${this.#idCounter}`
  }

  /** The client's address: only ever used for throttling and logs. */
  addressOf(res: HttpResponse, head: RequestHead): string {
    const forwarded = this.node.config.trustProxy ? head.forwardedFor.split(',').at(-1)?.trim() : undefined
    return forwarded || Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
  }

  /** Only where credentials are guessed does it matter at once where a request comes from. */
  #addressFor({ route: { access, body } }: CompiledRoute, res: HttpResponse, head: RequestHead): string {
    const matters =
      access === 'none' ||
      access === 'basic' ||
      access === 'service' ||
      (access === 'flex' && body !== undefined) ||
      (access === 'either' && !/^bearer /i.test(head.authorization))
    return matters ? this.addressOf(res, head) : ''
  }

  #begin(res: HttpResponse, head: RequestHead, tally: RouteTally): Exchange {
    // That of the client may be anything.
    head.requestId = this.newRequestId(head)
    return new Exchange(this, res, {
      tally,
      requestId: head.requestId,
      headOnly: head.method === 'head',
      head,
    })
  }

  #enforceDeadlines(): void {
    const now = this.node.clock.elapsed()
    // Those that are answered leave.
    for (const exchange of [...this.held]) {
      if (exchange.over) continue
      const elapsed = now - exchange.startedMs
      if (exchange.refuseBody) {
        if (elapsed > bodyDeadlineMs + exchange.bytesReceived / slowestBytesPerMs) {
          exchange.fail(bodyTooSlow(), true)
          exchange.refuseBody?.(bodyTooSlow())
        }
      } else if (elapsed > requestDeadlineMs + exchange.bytesReceived / slowestBytesPerMs) {
        exchange.fail(tookTooLong())
      }
    }
    for (const upgrade of [...this.upgrades]) if (now - upgrade.startedMs > requestDeadlineMs) upgrade.giveUp(tookTooLong())
  }

  /** Not before the next turn: as long as there is no answer, uWS runs nothing that came behind this request, but closes the connection. */
  #failMalformed(exchange: Exchange, head: RequestHead): void {
    exchange.hold()
    setImmediate(() => exchange.fail(badRequest('request_invalid', head.malformed), true))
  }
}

const tookTooLong = (): AppError => unavailable('busy', 'The server took too long. Try again in a moment.')

const noParams: string[] = []

function rawParams(req: HttpRequest, count: number): string[] {
  if (count === 0) return noParams
  const raw: string[] = []
  for (let index = 0; index < count; index++) raw.push(req.getParameter(index))
  return raw
}
