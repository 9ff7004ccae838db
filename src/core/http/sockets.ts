// The WebSocket edge: admission before the upgrade, one small object per socket, orderly closing.
import type { HttpRequest, HttpResponse, TemplatedApp, WebSocket } from 'uWebSockets.js'
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
export function serveSockets(node: Node, http: HttpEdge, routes: readonly SocketRoute[]): SocketEdge {
  const open = new Set<OpenSocket>()
  const topics = new Topics()
  let closing = false

  const register = (app: TemplatedApp, route: SocketRoute) => {
    const pattern = apiPrefix + route.path
    const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
    const decodeParams = decoderOf(Type.Object(route.params ?? {}))
    const decodeQuery = queryDecoder(route.query ?? {})

    app.ws<UserData>(pattern, {
      maxPayloadLength,
      maxBackpressure,
      // uWS reads this option as a flag; its type says number.
      closeOnBackpressureLimit: 1,
      idleTimeout: route.idleTimeoutSeconds ?? idleTimeoutSeconds,
      sendPingsAutomatically: true,

      upgrade(res, req, context) {
        let aborted = false
        res.onAborted(() => {
          aborted = true
        })
        const head = new RequestHead(req)
        const protocol = req.getHeader('sec-websocket-protocol')
        const requestId = http.newRequestId(head)
        const address = http.addressOf(res, head)
        const rawParams = Object.fromEntries(names.map((name, index) => [name, req.getParameter(index)]))
        const upgrade = (viewer: Viewer, handlers: SocketHandlers) => {
          if (aborted || closing) guarded(() => handlers.abandoned?.())
          if (aborted) return
          if (closing) throw restarting()
          res.upgrade<UserData>(
            { socket: new OpenSocket(topics, pattern, viewer, handlers) },
            head.socketKey,
            protocol,
            head.socketExtensions,
            context,
          )
        }
        const refuse = (error: unknown) => {
          if (!aborted) http.refuse(res, head, requestId, pattern, error)
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
          if (head.malformed) throw badRequest('request_invalid', head.malformed)
          requireAllowedHost(node.config, head)
          // uWS looks at nothing but the length of the key.
          if (head.upgrade.toLowerCase() !== 'websocket' || head.socketVersion !== '13') throw upgradeRequired()
          if (closing) throw restarting()
          const viewer = admit(node, { access: 'token', ...(route.features ? { features: route.features } : {}) }, head, address)
          const prepared = viewer instanceof Promise ? viewer.then(prepare) : prepare(viewer)
          prepared?.catch(refuse)
        } catch (error) {
          refuse(error)
        }
      },

      open(ws) {
        const { socket } = ws.getUserData()
        socket.ws = ws
        open.add(socket)
        node.metrics.socketsOpen.inc({ path: pattern })
        guarded(() => socket.handlers.opened(socket))
        // The server may have been closed while the socket was being opened.
        closeIfShutOut(socket)
      },

      message(ws, frame, binary) {
        const { socket } = ws.getUserData()
        if (!binary && ping.equals(new Uint8Array(frame))) guarded(() => socket.send(pong))
        else guarded(() => socket.handlers.received?.(socket, frame, binary))
      },

      drain(ws) {
        const { socket } = ws.getUserData()
        guarded(() => socket.handlers.drained?.(socket))
      },

      close(ws) {
        const { socket } = ws.getUserData()
        // After this callback uWS does not know the socket any more.
        socket.ws = undefined
        topics.closed(socket)
        open.delete(socket)
        node.metrics.socketsOpen.dec({ path: pattern })
        guarded(() => socket.handlers.closed(socket))
      },
    })
    const withoutUpgrade = (res: HttpResponse, req: HttpRequest) => {
      const head = new RequestHead(req)
      http.refuse(res, head, http.newRequestId(head), pattern, upgradeRequired())
    }
    app.get(pattern, withoutUpgrade).head(pattern, withoutUpgrade)
  }

  function closeIfShutOut(socket: OpenSocket): void {
    const { authenticator } = node
    if (authenticator.closedTo(node, socket.viewer, undefined) || authenticator.closedToUnverified(node, socket.viewer))
      guarded(() => socket.close(closeCodes.goingAway))
  }

  /** An exception that reaches uWS takes the process down. */
  function guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      node.log.error({ err: error }, 'socket handler failed')
    }
  }

  for (const { path } of routes) http.methods.add(apiPrefix + path, 'GET')

  return {
    mount(app) {
      for (const route of routes) register(app, route)
      // Earlier apps are needed as long as they have sockets.
      topics.apps = [...topics.apps.filter((each) => each.numSubscribers(anchorTopic) > 0), app]
    },
    publish(topic, frame) {
      topics.publish(topic, frame)
    },
    closeShutOut() {
      for (const socket of [...open]) closeIfShutOut(socket)
    },
    async closeAll(spreadMs = closingMs(open.size)) {
      closing = true
      const steps = Math.max(1, Math.min(20, Math.ceil(spreadMs / 50)))
      const perStep = Math.ceil(open.size / steps)
      while (open.size > 0) {
        for (const socket of [...open].slice(0, perStep)) {
          guarded(() => socket.close(closeCodes.restart))
          open.delete(socket)
        }
        await new Promise<void>((resolve) => node.clock.after(spreadMs / steps, resolve))
      }
    },
  }
}
