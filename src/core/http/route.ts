// How an endpoint is declared. From one declaration come routing, access, the feature switch,
// decoding, limits and the API description; run-route.ts and openapi.ts read it.
import type { Ctx, OpenCtx } from '../work/ctx.ts'
import type { FilePart, Pieces, StoredFile } from '../files/files.ts'
import type { JsonBytes, JsonText } from '../base/json-text.ts'
import type { ChannelKind } from '../live/registry.ts'
import type { Static, TProperties, TSchema, TObject } from '../schema/schema.ts'
import type { UserAccessLevel, UserRoleType, Viewer } from '../base/viewer.ts'

/** Before the path of every route. */
export const apiPrefix = '/api/v3'

/** Names of features that can be switched off: the product adds its own by declaration merging. */
// oxlint-disable-next-line no-empty-interface -- filled by the product
export interface Features {}
export type ServiceFeature = keyof Features

/**
 * Who may call. `none`: credentials are not looked at. `flex`: a valid token is used, anybody else is
 * anonymous. `basic`: name and password. `either`: token, or name and password. `service`: name and
 * password of one of three built-in accounts. `token`: any account that can log in. A level: a token
 * of at least that level.
 */
export type Access = 'none' | 'flex' | 'basic' | 'either' | 'service' | 'token' | UserAccessLevel

/**
 * Routes open to callers below the level that the server is closed to: `open` always,
 * `preregistration` while that is enabled. Routes without credentials and those of services are open.
 */
export type Gate = 'open' | 'preregistration'

export type CtxOf<A extends Access> = A extends 'none' | 'flex' ? OpenCtx : Ctx

type Values<P extends TProperties | undefined> = P extends TProperties ? Static<TObject<P>> : Record<never, never>
type BodyOf<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined

export interface Input<P, Q, B> {
  /** Decoded path parameters. */
  params: P
  /** Decoded query parameters. */
  query: Q
  body: B
}

interface Declared {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v3, with `:name` for parameters. */
  path: string
  access: Access
  /** A role the caller needs; checked last, 400 without it. */
  role?: UserRoleType
  /** A role that stands in for the level. */
  orRole?: UserRoleType
  /** Absent: closed while the server is closed to the caller's level. */
  gate?: Gate
  /**
   * Open to callers who are not verified yet also while the host lets nobody else of them read. Only asked of routes that need an
   * account and no level: what anybody may call stays open, and a level says more.
   */
  openToUnverified?: boolean
  /** 451 when one of these is switched off. */
  features?: readonly ServiceFeature[]
  /** Of success. Default 200; with no `reply`, the answer has no body. */
  status?: number
  /** True when the answer is 200, with a body only where the route has a reply, if all is as wanted already. */
  alreadySo?: boolean
  /** True when the answer is 204, without a body, if there is nothing to answer with. */
  maybeNone?: boolean
  /** True when it makes a file that is kept, and so can be refused for want of room. Said of every route with a `bodyLimit`. */
  makesFile?: boolean
  /** One sentence for the API description. */
  summary: string
  /** Its name in the client package, where the path says too little or too much; false for a second address, which only apps need. */
  clientName?: string | false
  /** Largest body in bytes; default 10 MiB. */
  bodyLimit?: number
  /** Computes for as long as so many searches, and is counted as these. */
  effort?: number
  /** True when an Idempotency-Key makes a repetition safe. */
  idempotent?: boolean
  /** True when `X-Session: cookie` makes it answer with a cookie in place of a token. */
  startsSession?: boolean
  /** True when the answer has an ETag, and is 304 for a client that has it. */
  conditional?: boolean
  /** Of a GET that is too rare, or of too many things, to stay in memory: those who ask the same at the same time share an answer. */
  shared?: boolean
  /** The answer stays in memory, and has an ETag, until something that it is made of changes; only of a GET, for each body by itself. */
  cached?: Cached
}

/**
 * What an answer is made of, beside accounts, settings, and what the caller's channel knows. `test/core/response-cache.test.ts` holds it: it
 * sees the statements of a route, and what it takes from channels and from the node.
 */
export interface Cached {
  /** Tables that its statements name. */
  tables: readonly string[]
  /** Kinds of channels from which it takes something: it is made of their tables, too. */
  channels?: readonly Pick<ChannelKind<never, never, never>, 'name' | 'tables'>[]
  /**
   * Further ones, of which it shows only a part: the id of that, as `Tx.changesPart` names it, made of nothing but the
   * caller's id and the parameters; `viewer` when the caller's channel gets an event for every change of a part that it
   * shows; `shown` when the answer names its parts itself (`Reply.shows`).
   */
  parts?: Readonly<Record<string, 'viewer' | 'shown' | ((viewer: Viewer | undefined, params: Record<string, string>) => string)>>
  /** It depends on the time, at least with such a query: it is good for one second. */
  everySecond?: true | RegExp
  /** It shows from which of the caller's browsers it was asked. */
  perSession?: boolean
}

/** A declared endpoint with its types erased: what the edge works with. */
export interface Route extends Declared {
  params?: TProperties
  query?: TProperties
  body?: TSchema
  reply?: TSchema
  check?(ctx: Ctx | OpenCtx, input: Input<never, never, never>): Promise<void>
  guard?(ctx: Ctx | OpenCtx, params: never): void | Promise<void>
  run(ctx: Ctx | OpenCtx, input: Input<never, never, never>): unknown
}

/**
 * What a service can answer with. That a client has it already (304), or wants a part (206, 416), is said by the edge, which
 * knows the request: an answer may go to several.
 */
export type ReplyStatus = 200 | 201 | 204 | 302 | 303 | 401 | 404 | 503

type ReplyBody<T> = JsonText<T> | JsonBytes<T> | Buffer | StoredFile | FilePart | Pieces | undefined

/** What is known of a body beside its bytes. */
interface AboutBody {
  /** Names the whole content of a body that many ask for: its compressed form is cached. */
  contentKey?: string | undefined
  /** Ids of the parts that it shows of tables that its route calls `shown`; undefined when it may be any. */
  shows?: readonly string[] | undefined
}

/** An answer other than `status` with JSON of the returned value: with ready JSON of a `T`, or with the bytes of something else. */
export class Reply<T = never> {
  readonly status: ReplyStatus
  readonly #body: ReplyBody<T> | (() => JsonText<T> | JsonBytes<T> | Buffer)
  readonly headers: Readonly<Record<string, string>>
  readonly contentKey: AboutBody['contentKey']
  readonly shows: AboutBody['shows']

  constructor(
    status: ReplyStatus,
    body?: ReplyBody<T> | (() => JsonText<T> | JsonBytes<T> | Buffer),
    headers: Readonly<Record<string, string>> = {},
    { contentKey, shows }: AboutBody = {},
  ) {
    this.status = status
    this.#body = body
    this.headers = headers
    this.contentKey = contentKey
    this.shows = shows
  }

  /** A body that is given as a function is made when it is asked for: a client that has it needs none. */
  get body(): ReplyBody<T> {
    return typeof this.#body === 'function' ? this.#body() : this.#body
  }
}

/** Declares one endpoint and infers the types of its input. */
export function route<
  const A extends Access,
  P extends TProperties | undefined = undefined,
  Q extends TProperties | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  declaration: Omit<Declared, 'access'> & {
    access: A
    params?: P
    query?: Q
    body?: B
    reply?: R
    /** Checks content that the schema cannot judge. Refuses before anything is said about rights. */
    check?(ctx: CtxOf<A>, input: Input<Values<P>, Values<Q>, BodyOf<B>>): Promise<void>
    /** Refuses by rights before anything is done with the body. */
    guard?(ctx: CtxOf<A>, params: Values<P>): void | Promise<void>
    run(ctx: CtxOf<A>, input: Input<Values<P>, Values<Q>, BodyOf<B>>): Answer<R> | Promise<Answer<R>>
  },
): Route {
  return declaration as unknown as Route
}

type Answer<R extends TSchema | undefined> = R extends TSchema ? Static<R> | Reply<Static<R>> : Reply | void | undefined

/** Routes that all have one gate. */
export const gated = (gate: Gate, routes: readonly Route[]): Route[] => routes.map((each) => ({ ...each, gate }))

/** Routes that stay open to callers who are not verified yet, but for those that say otherwise. */
export const openToUnverified = (routes: readonly Route[]): Route[] => routes.map((each) => ({ openToUnverified: true, ...each }))

/** For endpoints that the API has twice, as POST and as DELETE. */
export function methodAndPath<T extends string>(twin: T): { method: 'POST' | 'DELETE'; path: string } {
  const [method, path] = twin.split(' ') as ['POST' | 'DELETE', string]
  return { method, path }
}

/** A declared WebSocket endpoint. */
export interface SocketRoute {
  path: string
  features?: readonly ServiceFeature[]
  params?: TProperties
  query?: TProperties
  summary: string
  /** Its name in the client package, where the path says too little or too much. */
  clientName?: string
  /** Frames the server sends, for the API description. */
  sends: readonly TSchema[]
  /** Frames that go through the server as they are, from the peer and to it, for the API description. */
  relays?: { name: string; summary: string }
  /** How long a peer may be silent, pings unanswered; default 64. */
  idleTimeoutSeconds?: number
  /** Refuses by throwing before the upgrade, or says what to do with the open socket. */
  open(ctx: Ctx, params: never, query: never): SocketHandlers | Promise<SocketHandlers>
}

/** A socket after its upgrade. */
export interface Socket {
  /** Sends one frame, as text unless `binary`; a socket that is too slow is closed. */
  send(frame: string | Uint8Array, binary?: boolean): void
  /** Sends text frames, in order, in one write. */
  sendAll(frames: readonly Uint8Array[]): void
  /** Joins or leaves a socket topic; see `Sockets.publish`. */
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Bytes that the other side has not taken yet. */
  readonly buffered: number
  close(code: number, reason?: string): void
}

/** Callbacks of one socket. All synchronous. */
export interface SocketHandlers {
  /** The socket can be used from now on, but nothing may be sent before the next turn of the loop: uWS may still hold the upgrade back. */
  opened(socket: Socket): void
  /** Some of what was buffered has been taken. */
  drained?(socket: Socket): void
  /** Inbound frames are ignored when absent. */
  received?(socket: Socket, frame: ArrayBuffer, binary: boolean): void
  closed(socket: Socket): void
  /** Called in place of `opened` when the peer, or the server, has gone before the upgrade. */
  abandoned?(): void
}

/** Declares one WebSocket endpoint and infers the types of its parameters. */
export function socketRoute<P extends TProperties | undefined = undefined, Q extends TProperties | undefined = undefined>(
  declaration: Omit<SocketRoute, 'params' | 'query' | 'open'> & {
    params?: P
    query?: Q
    open(ctx: Ctx, params: Values<P>, query: Values<Q>): SocketHandlers | Promise<SocketHandlers>
  },
): SocketRoute {
  return declaration as unknown as SocketRoute
}
