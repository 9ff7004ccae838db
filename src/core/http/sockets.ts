// The WebSocket edge: admission before the upgrade, one small object per socket, orderly closing.
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js'
import { admit } from './admission.ts'
import { Ctx, type Node } from '../work/ctx.ts'
import { decoderOf } from '../schema/decode.ts'
import { AppError, badRequest, restarting, unauthorized } from '../base/errors.ts'
import { RequestHead } from '../work/request-head.ts'
import { requireAllowedHost } from './hosts.ts'
import type { HttpEdge } from './http.ts'
import { apiPrefix } from './route.ts'
import { queryDecoder } from './request-query.ts'
import type { Socket, SocketHandlers, SocketRoute } from './route.ts'
import { Type } from '../schema/schema.ts'
import { Topics, type Subscriber } from './topics.ts'
import type { Viewer } from '../base/viewer.ts'

/** Sockets that one account may hold open on a node, of each kind. */
export const maxSocketsPerUser = 20

/** Why the server closes a socket. Clients reconnect after both; 1001 without a valid token fails then. */
export const closeCodes = { goingAway: 1001, restart: 1012 } as const

/** Largest inbound frame: phone audio needs 16 KiB. */
const maxPayloadLength = 16 * 1024
/** Bytes that may wait for one slow phone; beyond that its socket is closed, and it catches up by reading. */
const maxBackpressure = 256 * 1024
/** uWS pings in time to keep a living peer from reaching this; a dead one is dropped. */
const idleTimeoutSeconds = 64

/** Browsers hide the pings of the protocol from scripts: a page that has heard nothing for a while asks with these texts. */
const ping = Buffer.from('ping')
const pong = Buffer.from('{"pong":true}')

/** Nothing is ever published to it. */
const anchorTopic = 'anchor'

/** uWS copies the user data's own fields onto its native object: methods would be lost. */
interface UserData {
  socket: OpenSocket
}

type UwsSocket = WebSocket<UserData>

/** One open socket. The fields are few: there are thousands. */
class OpenSocket implements Socket, Subscriber {
  ws: UwsSocket | undefined
  readonly path: string
  readonly viewer: Viewer
  readonly handlers: SocketHandlers
  portions: Subscriber['portions'] = []
  readonly #topics: Topics
  #anchored = false

  constructor(topics: Topics, path: string, viewer: Viewer, handlers: SocketHandlers) {
    this.#topics = topics
    this.path = path
    this.viewer = viewer
    this.handlers = handlers
  }

  send(frame: string | Uint8Array, binary = false): void {
    this.#topics.publishBefore(this)
    this.ws?.send(frame, binary)
  }

  sendAll(frames: readonly Uint8Array[]): void {
    const [first] = frames
    if (first === undefined) return
    if (frames.length === 1) return this.send(first)
    this.#topics.publishBefore(this)
    this.ws?.cork(() => {
      // One that is too slow is closed on the way.
      for (const frame of frames) this.ws?.send(frame, false)
    })
  }

  subscribe(topic: string): void {
    // Leaving its last topic makes uWS drop what was published to a socket in this loop turn: one topic is never left.
    if (!this.#anchored) this.ws?.subscribe(anchorTopic)
    this.#anchored = true
    this.#topics.subscribe(this, topic)
  }

  unsubscribe(topic: string): void {
    this.#topics.unsubscribe(this, topic)
  }

  get buffered(): number {
    return this.ws?.getBufferedAmount() ?? 0
  }

  close(code: number, reason?: string): void {
    this.#topics.publishBefore(this)
    this.ws?.end(code, reason)
  }
}

const upgradeRequired = () => new AppError(426, 'upgrade_required', 'This path only takes WebSocket connections of version 13.')

/** The sockets of this node. */
export interface SocketEdge {
  /** Lets an app take sockets. There is more than one when the certificate was replaced. */
  mount(app: TemplatedApp): void
  /** Sends one text frame to all subscribers of a socket topic on this node; see `Topics`. */
  publish(topic: string, frame: Uint8Array): void
  /** Closes the sockets of users whom the server is closed to by now. */
  closeShutOut(): void
  /** Refuses further sockets and closes the open ones over `spreadMs`, so that they do not all come back at once; see `closingMs`. */
  closeAll(spreadMs?: number): Promise<void>
}

/** A phone that comes back costs about as much of a core. */
const closeEveryMs = 2
/** A process has 14 s to stop; requests under way need some of it too. */
const longestClosingMs = 6000

/** How long a stop takes to close so many sockets: they come back over as long a time. Few are closed at once. */
export const closingMs = (sockets: number): number => Math.min(longestClosingMs, sockets * closeEveryMs)

/** Serves all socket routes, once mounted. */
export const serveSockets = (node: Node, http: HttpEdge, routes: readonly SocketRoute[]): SocketEdge => new SocketServer(node, http, routes)

/** A route with what is made of it once. */
interface Served {
  route: SocketRoute
  pattern: string
  /** Of the parameters in its path. */
  names: readonly string[]
  decodeParams: ReturnType<typeof decoderOf>
  decodeQuery: ReturnType<typeof queryDecoder>
}

class SocketServer implements SocketEdge {
  readonly #node: Node
  readonly #http: HttpEdge
  readonly #served: readonly Served[]
  readonly #open = new Set<OpenSocket>()
  readonly #topics = new Topics()
  #closing = false

  constructor(node: Node, http: HttpEdge, routes: readonly SocketRoute[]) {
    this.#node = node
    this.#http = http
    this.#served = routes.map((route) => ({
      route,
      pattern: apiPrefix + route.path,
      names: [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string),
      decodeParams: decoderOf(Type.Object(route.params ?? {})),
      decodeQuery: queryDecoder(route.query ?? {}),
    }))
    for (const { pattern } of this.#served) http.methods.add(pattern, 'GET')
  }

  mount(app: TemplatedApp): void {
    for (const served of this.#served) this.#register(app, served)
    // Earlier apps are needed as long as they have sockets.
    this.#topics.apps = [...this.#topics.apps.filter((each) => each.numSubscribers(anchorTopic) > 0), app]
  }

  publish(topic: string, frame: Uint8Array): void {
    this.#topics.publish(topic, frame)
  }

  closeShutOut(): void {
    for (const socket of [...this.#open]) this.#closeIfShutOut(socket)
  }

  async closeAll(spreadMs = closingMs(this.#open.size)): Promise<void> {
    this.#closing = true
    const steps = Math.max(1, Math.min(20, Math.ceil(spreadMs / 50)))
    const perStep = Math.ceil(this.#open.size / steps)
    while (this.#open.size > 0) {
      for (const socket of [...this.#open].slice(0, perStep)) {
        this.#guarded(() => socket.close(closeCodes.restart))
        this.#open.delete(socket)
      }
      await new Promise<void>((resolve) => this.#node.clock.after(spreadMs / steps, resolve))
    }
  }

  #register(app: TemplatedApp, served: Served): void {
    const { pattern, route } = served
    app.ws<UserData>(pattern, {
      maxPayloadLength,
      maxBackpressure,
      // uWS reads this option as a flag; its type says number.
      closeOnBackpressureLimit: 1,
      idleTimeout: route.idleTimeoutSeconds ?? idleTimeoutSeconds,
      sendPingsAutomatically: true,
      upgrade: (res, req, context) => this.#upgrade(served, res, req, context),
      open: (ws) => this.#opened(pattern, ws),
      message: (ws, frame, binary) => {
        const { socket } = ws.getUserData()
        if (!binary && ping.equals(new Uint8Array(frame))) this.#guarded(() => socket.send(pong))
        else this.#guarded(() => socket.handlers.received?.(socket, frame, binary))
      },
      drain: (ws) => {
        const { socket } = ws.getUserData()
        this.#guarded(() => socket.handlers.drained?.(socket))
      },
      close: (ws) => this.#closed(pattern, ws),
    })
    const withoutUpgrade = (res: HttpResponse, req: HttpRequest) => {
      const head = new RequestHead(req)
      this.#http.refuse(res, head, this.#http.newRequestId(head), pattern, upgradeRequired())
    }
    app.get(pattern, withoutUpgrade).head(pattern, withoutUpgrade)
  }

  #upgrade(served: Served, res: HttpResponse, req: HttpRequest, context: us_socket_context_t): void {
    const { route, pattern, names, decodeParams, decodeQuery } = served
    const node = this.#node
    let aborted = false
    res.onAborted(() => {
      aborted = true
    })
    const head = new RequestHead(req)
    const protocol = req.getHeader('sec-websocket-protocol')
    const requestId = this.#http.newRequestId(head)
    const address = this.#http.addressOf(res, head)
    const rawParams = Object.fromEntries(names.map((name, index) => [name, req.getParameter(index)]))
    const upgrade = (viewer: Viewer, handlers: SocketHandlers) => {
      if (aborted || this.#closing) this.#guarded(() => handlers.abandoned?.())
      if (aborted) return
      if (this.#closing) throw restarting()
      const userData: UserData = { socket: new OpenSocket(this.#topics, pattern, viewer, handlers) }
      res.upgrade(userData, head.socketKey, protocol, head.socketExtensions, context)
    }
    const refuse = (error: unknown) => {
      if (!aborted) this.#http.refuse(res, head, requestId, pattern, error)
    }
    const prepare = (viewer: Viewer | undefined): void | Promise<void> => {
      if (!viewer) throw unauthorized()
      const handlers = route.open(
        new Ctx(node, viewer, { requestId, log: node.log, address, head }),
        decodeParams(rawParams, 'text') as never,
        decodeQuery(head.query) as never,
      )
      // Later upgrades are not corked, of which uWS warns: 20.30 frees the socket while a cork still holds it.
      if (handlers instanceof Promise) return handlers.then((awaited) => upgrade(viewer, awaited))
      upgrade(viewer, handlers)
    }
    try {
      this.#requireHandshake(head)
      const viewer = admit(node, { access: 'token', ...(route.features ? { features: route.features } : {}) }, head, address)
      const prepared = viewer instanceof Promise ? viewer.then(prepare) : prepare(viewer)
      if (prepared) this.#limit(prepared.catch(refuse), refuse, () => (aborted = true))
    } catch (error) {
      refuse(error)
    }
  }

  /** Refuses an upgrade that takes longer than a request may. */
  #limit(prepared: Promise<void>, refuse: (error: AppError) => void, end: () => void): void {
    const { upgrades } = this.#http
    const upgrade = {
      startedMs: this.#node.clock.elapsed(),
      giveUp(error: AppError) {
        upgrades.delete(upgrade)
        refuse(error)
        end()
      },
    }
    upgrades.add(upgrade)
    void prepared.finally(() => upgrades.delete(upgrade))
  }

  #requireHandshake(head: RequestHead): void {
    if (head.malformed) throw badRequest('request_invalid', head.malformed)
    requireAllowedHost(this.#node.config, head)
    // uWS looks at nothing but the length of the key.
    if (head.upgrade.toLowerCase() !== 'websocket' || head.socketVersion !== '13') throw upgradeRequired()
    if (this.#closing || this.#http.isShutFor('')) throw restarting()
  }

  #opened(pattern: string, ws: WebSocket<UserData>): void {
    const { socket } = ws.getUserData()
    socket.ws = ws
    this.#open.add(socket)
    this.#node.metrics.socketsOpen.inc({ path: pattern })
    this.#guarded(() => socket.handlers.opened(socket))
    // The server may have been closed while the socket was being opened.
    this.#closeIfShutOut(socket)
  }

  #closed(pattern: string, ws: WebSocket<UserData>): void {
    const { socket } = ws.getUserData()
    // After this callback uWS does not know the socket any more.
    socket.ws = undefined
    this.#topics.closed(socket)
    this.#open.delete(socket)
    this.#node.metrics.socketsOpen.dec({ path: pattern })
    this.#guarded(() => socket.handlers.closed(socket))
  }

  #closeIfShutOut(socket: OpenSocket): void {
    const { authenticator } = this.#node
    if (authenticator.closedTo(this.#node, socket.viewer, undefined) || authenticator.closedToUnverified(this.#node, socket.viewer))
      this.#guarded(() => socket.close(closeCodes.goingAway))
  }

  /** An exception that reaches uWS takes the process down. */
  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#node.log.error({ err: error }, 'socket handler failed')
    }
  }
}
