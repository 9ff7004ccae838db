// The response cache: answers to GETs in memory, each with the version of all that it was made of, and dropped when that is
// another. One mechanism for every list: what it depends on stands in its route.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { anyPartOf, partOf, slotOf, type Slot, type Versions } from '../live/versions.ts'
import { SingleFlight } from '../base/single-flight.ts'
import type { Viewer } from '../base/viewer.ts'
import { jsonText } from '../base/json-text.ts'
import { etagOf } from './etag.ts'
import { Reply, type Cached } from './route.ts'

/** Memory that an entry takes in addition to its bytes and its key. */
const entryBytes = 500
/** No answer is older, whatever its version says: something may have been written past the product. */
const maxAgeMs = 30_000
const longestKey = 300
/** An answer that shows more parts than that goes with every change of their tables. */
const maxShown = 1000

interface Entry {
  version: number
  /** The parts that depend on its request. */
  parts: readonly Slot[]
  /** What it shows of tables that its route calls `shown`, and the version of these together. */
  shown: Uint16Array
  shownVersion: number
  viewer: Viewer | undefined
  madeMs: number
  reply: Reply
}

export interface ResponseCacheOptions {
  versions: Versions
  clock: Clock
  /** Grows with every change of what every answer may show: accounts, settings. */
  common: () => number
  maxBytes: number
}

declare module '../work/ctx.ts' {
  interface Node {
    readonly responses: ResponseCache
  }
}

/** What the answers of one route are made of. */
export interface Sources {
  slots: readonly Slot[]
  /** Those that depend on the request. */
  parts: readonly ((viewer: Viewer | undefined, params: Record<string, string>) => Slot)[]
  /** Tables of which an answer names the parts that it shows. */
  shown: readonly string[]
  anyShown: Uint16Array
  /** It shows something that the caller's channel hears of. */
  ofViewer: boolean
  everySecond(key: string): boolean
  perSession: boolean
}

/** `always`: tables that each answer is made of. A part of these is seen by those alone who name the table. */
export function sourcesOf(
  { tables, channels = [], parts = {}, everySecond, perSession = false }: Cached,
  versions: Versions,
  always: readonly string[],
): Sources {
  const named = [...new Set([...tables, ...channels.flatMap((kind) => kind.tables)])]
  const whole = [...new Set([...always, ...named, ...Object.keys(parts)])]
  for (const table of whole) versions.watchTable(table)
  const shown = Object.keys(parts).filter((table) => parts[table] === 'shown')
  return {
    slots: [...whole.map(slotOf), ...named.map((table) => slotOf(anyPartOf(table)))],
    parts: Object.entries(parts).flatMap(([table, idOf]) =>
      typeof idOf === 'string'
        ? []
        : [(viewer: Viewer | undefined, params: Record<string, string>) => slotOf(partOf(table, idOf(viewer, params)))],
    ),
    shown,
    anyShown: Uint16Array.from(shown, (table) => slotOf(anyPartOf(table))),
    ofViewer: Object.values(parts).includes('viewer'),
    perSession,
    everySecond: everySecond instanceof RegExp ? (key) => everySecond.test(key) : () => everySecond === true,
  }
}

/** The answers of a node. */
export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #entries: LRUCache<string, Entry>
  readonly #flights = new SingleFlight<Reply>()

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ reply, shown }, key) => (reply.body as Buffer).length + 2 * key.length + shown.byteLength + entryBytes,
    })
  }

  /** The answer as it is in memory. `key` names route, parameters and caller. */
  find(key: string, sources: Sources, viewer: Viewer | undefined): Reply | undefined {
    const known = this.#entries.get(key)
    if (!known || known.viewer !== viewer || known.version !== this.#versionOf(sources, viewer, known.parts)) return undefined
    const { versions, clock } = this.#options
    if (sumOf(versions, known.shown) !== known.shownVersion) return undefined
    const nowMs = clock.now()
    const isFresh = sources.everySecond(key)
      ? Math.floor(known.madeMs / 1000) === Math.floor(nowMs / 1000)
      : nowMs - known.madeMs < maxAgeMs && nowMs >= known.madeMs
    return isFresh ? known.reply : undefined
  }

  /** `run`'s answer, which is kept, or that of somebody who asked for the same a moment ago: to be called when `find` has none. */
  make(key: string, sources: Sources, viewer: Viewer | undefined, params: Record<string, string>, run: () => unknown): unknown {
    const { versions, clock } = this.#options
    const parts = sources.parts.map((part) => part(viewer, params))
    const version = key.length <= longestKey ? this.#versionOf(sources, viewer, parts) : undefined
    if (version === undefined) return run()
    const shownVersion = sumOf(versions, sources.anyShown)
    const nowMs = clock.now()
    const second = sources.everySecond(key) ? Math.floor(nowMs / 1000) : 0
    // What it shows is not known yet: any part of these.
    const of = [version, shownVersion, viewer, second]
    const underWay = this.#flights.find(key, of)
    if (underWay) return underWay
    const made = run()
    const take = (answer: unknown): unknown => {
      const reply = readyReply(answer)
      if (!reply) return answer
      const shown = slotsShown(answer, sources)
      // Which of them were changed while it was made, nobody knows.
      if (shown === sources.anyShown) this.#entries.set(key, { version, parts, shown, shownVersion, viewer, madeMs: nowMs, reply })
      else if (sumOf(versions, sources.anyShown) === shownVersion)
        this.#entries.set(key, { version, parts, shown, shownVersion: sumOf(versions, shown), viewer, madeMs: nowMs, reply })
      return reply
    }
    if (!(made instanceof Promise)) return take(made)
    const reply = made.then(take) as Promise<Reply>
    this.#flights.add(key, of, reply)
    return reply
  }

  /** Undefined while changes may be getting lost. */
  #versionOf({ slots, ofViewer }: Sources, viewer: Viewer | undefined, parts: readonly Slot[]): number | undefined {
    const { versions, common } = this.#options
    const counted = versions.of(slots)
    if (counted === undefined) return undefined
    let version = counted + common() + ((ofViewer ? viewer?.revision : viewer?.ownRevision) ?? 0)
    for (const part of parts) version += versions.count(part)
    return version
  }
}

function sumOf(versions: Versions, slots: Uint16Array): number {
  let sum = 0
  for (let at = 0; at < slots.length; at++) sum += versions.count(slots[at] as Slot)
  return sum
}

/** The slots of all that an answer shows of tables that its route calls `shown`. */
function slotsShown(answer: unknown, { shown, anyShown }: Sources): Uint16Array {
  const ids = answer instanceof Reply ? answer.shows : undefined
  if (!ids || ids.length > maxShown) return anyShown
  return Uint16Array.from(shown.flatMap((table) => ids.map((id) => slotOf(partOf(table, id)))))
}

/** The answer with its bytes and a tag; undefined when it is none that can be kept. */
function readyReply(answer: unknown): Reply | undefined {
  const { status, body, headers } = answer instanceof Reply ? answer : new Reply(200, jsonText(answer))
  if (status !== 200 || answer === undefined) return undefined
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined
  const bytes = ownBytes(body)
  const etag = headers['ETag'] ?? etagOf(bytes as never)
  return new Reply(200, bytes, { 'Cache-Control': 'private, no-cache', ...headers, ETag: etag }, { contentKey: etag })
}

/** Small buffers share larger ones, which they would keep. */
function ownBytes(body: string | Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body))
  if (typeof body === 'string') bytes.write(body)
  else body.copy(bytes)
  return bytes
}
