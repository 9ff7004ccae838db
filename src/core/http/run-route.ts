// What a declared route does with a request: admission, budget, decoding, checks, rights, run.
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Hmac } from 'node:crypto'
import { admit, requireLevel, type Admission } from './admission.ts'
import { sourcesOf, type Sources } from './response-cache.ts'
import type { Budget, BudgetOf, budgetsOf } from './budgets.ts'
import { Ctx, type Node } from '../work/ctx.ts'
import { decoderOf, type Decoder } from '../schema/decode.ts'
import type { Exchange } from './exchange.ts'
import { incoming } from '../files/files.ts'
import type { RequestHead } from '../work/request-head.ts'
import type { RouteTally } from '../base/metrics.ts'
import { bodyDigest, decodeBody, decodePlainText, idempotencyKeyOf, receiveBody, streamBody } from './request-body.ts'
import { paramsDecoder, queryDecoder } from './request-query.ts'
import { apiPrefix, Reply, type Input, type Route } from './route.ts'
import { sendReply } from './send-reply.ts'
import { ByteStream, type SchemaNode } from '../schema/schema.ts'
import { bytePaths, Spool, spoolBody, type FieldPath } from './spool.ts'
import { jsonBytes } from '../base/json-text.ts'
import type { Viewer } from '../base/viewer.ts'

const defaultBodyLimit = 10 * 1024 * 1024
/** A body of this size is read in memory, whatever is in it. */
const smallBodyBytes = 64 * 1024

/** A route with everything compiled that can be compiled once. */
export interface CompiledRoute {
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
  /** What the caller may still do; undefined where nothing is counted. */
  budget: BudgetOf
}

/** Path parameters and query as they stand in the address of a request. */
interface Address {
  rawParams: string[]
  query: string
}

/** A request before its caller is known. */
export interface Arrival extends Address {
  exchange: Exchange
  head: RequestHead
  /** Where it comes from; empty where that does not matter. */
  address: string
  /** The same for a request that is still in this turn of the loop: it takes as long as a fifth of an answer from memory. */
  locate(): string
}

/** A body that is read while it arrives. */
interface StreamedBody {
  stream: Readable
  digest: Hmac | undefined
}

/** Compiles what a route declares; throws when its path and its parameters differ. `budgets` as `budgetsOf` makes them. */
export function compileRoute(node: Node, route: Route, budgets: ReturnType<typeof budgetsOf>): CompiledRoute {
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
    sources: route.cached && sourcesOf(route.cached, node.versions, node.writtenTables.ofEveryAnswer),
    query: route.query && queryDecoder(route.query),
    body: route.body && decoderOf(route.body),
    bodyLimit: route.bodyLimit ?? defaultBodyLimit,
    streamed: route.body === ByteStream,
    isPlainText: (route.body as SchemaNode | undefined)?.contentMediaType === 'text/plain',
    spooled: route.body ? bytePaths(route.body as SchemaNode) : [],
    budget: budgets(route),
  }
}

/**
 * Runs the route for one request and answers it. Throws what is wrong at once; what turns out later is answered by the
 * exchange.
 */
export function runRoute(node: Node, compiled: CompiledRoute, arrival: Arrival): void {
  const { exchange, head, address } = arrival
  exchange.address = address
  const body = compiled.body && bodyOf(node, compiled, exchange, head)
  const viewer = admit(node, compiled.admission, head, address)
  const budget = compiled.budget?.(head)
  // Requests of somebody who is not signed in are counted by their address.
  if (budget && address === '' && (viewer === undefined || viewer instanceof Promise)) exchange.address = arrival.address = arrival.locate()
  const result = body
    ? runWithBody(node, compiled, arrival, viewer, budget, body)
    : viewer instanceof Promise
      ? viewer.then((admitted) => run(node, compiled, arrival, admitted, budget))
      : run(node, compiled, arrival, viewer, budget)
  if (result instanceof Promise) exchange.answerWith(result, (value) => succeed(compiled, exchange, head, value))
  else succeed(compiled, exchange, head, result)
}

function bodyOf(node: Node, compiled: CompiledRoute, exchange: Exchange, head: RequestHead): Promise<Buffer> | StreamedBody {
  const isSmall = head.transferEncoding === '' && Number(head.contentLength) <= smallBodyBytes
  if (!compiled.streamed && (compiled.spooled.length === 0 || isSmall)) return receiveBody(exchange, head, compiled.bodyLimit)
  const digest = digestFor(node, compiled, head)
  return { stream: streamBody(exchange, head, compiled.bodyLimit, digest), digest }
}

function digestFor(node: Node, { route }: CompiledRoute, head: RequestHead): Hmac | undefined {
  return route.idempotent && head.idempotencyKey !== '' ? bodyDigest(node) : undefined
}

function run(node: Node, compiled: CompiledRoute, arrival: Arrival, viewer: Viewer | undefined, budget: Budget | undefined): unknown {
  budget?.(viewer, arrival.address)
  const { sources } = compiled
  // Most answers are there already: nothing is made for these.
  const known = sources && node.responses.find(keyOf(compiled, arrival, viewer, arrival.head.sessionKey), sources, viewer)
  return known ?? answerTo(compiled, contextOf(node, compiled, arrival, viewer), arrival)
}

/** What a route without a body answers to a caller who was admitted: from memory where that has it. */
export function answerTo(compiled: CompiledRoute, ctx: Ctx, address: Address): unknown {
  return cachedOr(compiled, address, ctx, '', () => runAtOnce(compiled, address, ctx))
}

/** Names an answer: by its caller, its route and address, and the body of a request that has one. */
function keyOf({ pattern, sources }: CompiledRoute, { rawParams, query }: Address, viewer: Viewer | undefined, sessionKey: string): string {
  const asked = rawParams.length === 0 ? query : `${rawParams.join('/')}?${query}`
  return `${viewer?.id ?? ''}${sources?.perSession ? ` ${sessionKey}` : ''} ${pattern} ${asked}`
}

/** The answer in memory to the same request of this caller; what `work` answers when there is none. */
function cachedOr(compiled: CompiledRoute, address: Address, ctx: Ctx, body: string, work: () => unknown): unknown {
  const { sources, route, params } = compiled
  if (!sources && (!route.shared || ctx.readOnly)) return work()
  const viewer = ctx.viewer as Viewer | undefined
  const key = keyOf(compiled, address, viewer, ctx.sessionKey) + body
  const { responses } = ctx.node
  if (!sources) return ctx.node.flights.after(key, async () => readyAnswer(await work()))
  const known = responses.find(key, sources, viewer)
  if (known || ctx.readOnly) return known ?? work()
  const named = (sources.parts.length > 0 ? (params?.(address.rawParams) ?? {}) : {}) as Record<string, string>
  return responses.make(key, sources, viewer, named, work)
}

const readyAnswer = (answer: unknown): Reply<unknown> => (answer instanceof Reply ? answer : new Reply(200, jsonBytes(answer)))

function runAtOnce(compiled: CompiledRoute, address: Address, ctx: Ctx): unknown {
  const { params, query } = decodeAddress(compiled, address)
  requireLevel(ctx.node, compiled.route, ctx.viewer)
  if (compiled.route.guard) return runGuarded(compiled, ctx, params, query)
  return compiled.route.run(ctx, { params, query, body: undefined } as Input<never, never, never>)
}

async function runGuarded({ route }: CompiledRoute, ctx: Ctx, params: unknown, query: unknown): Promise<unknown> {
  await route.guard?.(ctx, params as never)
  return await route.run(ctx, { params, query, body: undefined } as Input<never, never, never>)
}

async function runWithBody(
  node: Node,
  compiled: CompiledRoute,
  arrival: Arrival,
  admitted: Viewer | undefined | Promise<Viewer | undefined>,
  budget: Budget | undefined,
  body: Promise<Buffer> | StreamedBody,
): Promise<unknown> {
  const { route } = compiled
  const { head } = arrival
  const viewer = admitted instanceof Promise ? await admitted : admitted
  budget?.(viewer, arrival.address)
  const { params, query } = decodeAddress(compiled, arrival)
  const ctx = contextOf(node, compiled, arrival, viewer)
  const mayCall = () => {
    requireLevel(node, route, viewer)
    return route.guard?.(ctx, params as never)
  }
  if (compiled.streamed) {
    await mayCall()
    return await route.run(ctx, { params, query, body: (body as StreamedBody).stream } as Input<never, never, never>)
  }
  if (!(body instanceof Promise)) return await runSpooled(node, compiled, arrival, viewer, { params, query }, body, mayCall)
  const bytes = await body
  const decoded =
    compiled.body &&
    (compiled.isPlainText ? decodePlainText(bytes, head, compiled.body) : decodeBody(bytes, head, compiled.body, node.clock.now()))
  const input = { params, query, body: decoded instanceof Promise ? await decoded : decoded } as Input<never, never, never>
  if (route.check) await route.check(ctx, input)
  const guarded = mayCall()
  if (guarded) await guarded
  const digest = digestFor(node, compiled, head)?.update(bytes)
  const idempotencyKey = digest && viewer && idempotencyKeyOf(head, route.method, viewer, digest)
  const once = idempotencyKey ? contextOf(node, compiled, arrival, viewer, idempotencyKey) : ctx
  const work = () => route.run(once, input)
  return await (compiled.sources ? cachedOr(compiled, arrival, once, ` ${bytes.toString('latin1')}`, work) : work())
}

async function refusalOf(mayCall: () => Promise<void>): Promise<{ error: unknown } | undefined> {
  try {
    await mayCall()
  } catch (error) {
    return { error }
  }
}

/** For a caller who is refused, nothing is written while the body is looked at. */
async function runSpooled(
  node: Node,
  compiled: CompiledRoute,
  arrival: Arrival,
  viewer: Viewer | undefined,
  address: { params: unknown; query: unknown },
  { stream, digest }: StreamedBody,
  mayCall: () => void | Promise<void>,
): Promise<unknown> {
  const { route, body: decode, spooled } = compiled
  const { exchange, head } = arrival
  const refusal = await refusalOf(async () => {
    await mayCall()
    await node.room.require(contextOf(node, compiled, arrival, viewer), Number(head.contentLength) || 0)
  })
  const spool = new Spool(join(node.config.imagesDir, incoming), {
    newName: () => node.random.uuid().toUpperCase(),
    takes: refusal ? undefined : (bytes) => exchange.spool(bytes),
  })
  try {
    const { value, source } = await spoolBody(stream, head.contentType, spooled, spool)
    const body = decode?.(value, source, node.clock.now())
    await route.check?.(contextOf(node, compiled, arrival, viewer), { ...address, body } as Input<never, never, never>)
    if (refusal) throw refusal.error
    const idempotencyKey = digest && viewer && idempotencyKeyOf(head, route.method, viewer, digest)
    return await route.run(contextOf(node, compiled, arrival, viewer, idempotencyKey), { ...address, body } as Input<never, never, never>)
  } finally {
    await spool.remove()
  }
}

function contextOf(
  node: Node,
  compiled: CompiledRoute,
  { exchange, head, address }: Arrival,
  viewer: Viewer | undefined,
  idempotencyKey?: ReturnType<typeof idempotencyKeyOf>,
): Ctx {
  return new Ctx(node, viewer as Viewer, {
    requestId: exchange.requestId,
    log: node.log,
    address,
    head,
    readOnly: exchange.headOnly || head.onlyReads,
    cached: isCached(compiled),
    idempotencyKey,
  })
}

/** Whether one run of the route may answer several requests. */
export const isCached = ({ route, sources }: CompiledRoute): boolean => sources !== undefined || route.shared === true

function decodeAddress({ params, query }: CompiledRoute, address: Address): { params: unknown; query: unknown } {
  return { params: params?.(address.rawParams), query: query?.(address.query) }
}

function succeed({ route }: CompiledRoute, exchange: Exchange, head: RequestHead, result: unknown): void {
  if (result instanceof Reply) sendReply(exchange, head, result as Reply<unknown>)
  else exchange.send(route.status ?? 200, result === undefined ? undefined : JSON.stringify(result))
}
