// Answers to GETs that are kept in memory: each with a stamp of all that it was made of, and dropped
// when that is another. One mechanism for every list: what it depends on stands in its route.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Changes, Place } from '../live/changes.ts'
import { anyPartOf, partOf, placeOf } from '../live/changes.ts'
import type { Viewer } from '../base/viewer.ts'
import { jsonText } from '../base/json-text.ts'
import { etagOf } from './etag.ts'
import { Reply, type Kept } from './route.ts'

/** Memory that an entry takes in addition to its bytes and its key. */
const entryBytes = 500
/** However sure we are. */
const maxAgeMs = 30_000
const longestKey = 300
/** An answer that shows more parts than that goes with every change of their tables. */
const maxShown = 1000

interface Entry {
  stamp: number
  /** The parts that depend on its request. */
  parts: readonly Place[]
  /** What it shows of tables that its route calls `shown`, and the sum of their counters. */
  shown: Uint16Array
  shownStamp: number
  viewer: Viewer | undefined
  madeMs: number
  reply: Reply
}

interface UnderWay {
  stamp: number
  shownStamp: number
  viewer: Viewer | undefined
  second: number
  reply: Promise<Reply>
}

export interface AnswersOptions {
  changes: Changes
  clock: Clock
  /** Grows with every change of what every answer may show: accounts, settings. */
  common: () => number
  maxBytes: number
}

declare module '../work/ctx.ts' {
  interface Node {
    readonly answers: Answers
  }
}

/** What the answers of one route are made of. */
export interface Sources {
  places: readonly Place[]
  /** Those that depend on the request. */
  parts: readonly ((viewer: Viewer | undefined, params: Record<string, string>) => Place)[]
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
  { tables, channels = [], parts = {}, everySecond, perSession = false }: Kept,
  changes: Changes,
  always: readonly string[],
): Sources {
  const named = [...new Set([...tables, ...channels.flatMap((kind) => kind.tables)])]
  const whole = [...new Set([...always, ...named, ...Object.keys(parts)])]
  for (const table of whole) changes.watchTable(table)
  const shown = Object.keys(parts).filter((table) => parts[table] === 'shown')
  return {
    places: [...whole.map(placeOf), ...named.map((table) => placeOf(anyPartOf(table)))],
    parts: Object.entries(parts).flatMap(([table, idOf]) =>
      typeof idOf === 'string'
        ? []
        : [(viewer: Viewer | undefined, params: Record<string, string>) => placeOf(partOf(table, idOf(viewer, params)))],
    ),
    shown,
    anyShown: Uint16Array.from(shown, (table) => placeOf(anyPartOf(table))),
    ofViewer: Object.values(parts).includes('viewer'),
    perSession,
    everySecond: everySecond instanceof RegExp ? (key) => everySecond.test(key) : () => everySecond === true,
  }
}

/** The answers of a node. */
export class Answers {
  readonly #options: AnswersOptions
  readonly #entries: LRUCache<string, Entry>
  readonly #underWay = new Map<string, UnderWay>()

  constructor(options: AnswersOptions) {
    this.#options = options
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ reply, shown }, key) => (reply.body as Buffer).length + 2 * key.length + shown.byteLength + entryBytes,
    })
  }

  /** The answer as it is in memory. `key` names route, parameters and caller. */
  find(key: string, sources: Sources, viewer: Viewer | undefined): Reply | undefined {
    const known = this.#entries.get(key)
    if (!known || known.viewer !== viewer || known.stamp !== this.#stampOf(sources, viewer, known.parts)) return undefined
    const { changes, clock } = this.#options
    if (sumOf(changes, known.shown) !== known.shownStamp) return undefined
    const nowMs = clock.now()
    const isFresh = sources.everySecond(key)
      ? Math.floor(known.madeMs / 1000) === Math.floor(nowMs / 1000)
      : nowMs - known.madeMs < maxAgeMs && nowMs >= known.madeMs
    return isFresh ? known.reply : undefined
  }

  /** `run`'s answer, which is kept, or that of somebody who asked for the same a moment ago: to be called when `find` has none. */
  make(key: string, sources: Sources, viewer: Viewer | undefined, params: Record<string, string>, run: () => unknown): unknown {
    const { changes, clock } = this.#options
    const parts = sources.parts.map((part) => part(viewer, params))
    const stamp = key.length <= longestKey ? this.#stampOf(sources, viewer, parts) : undefined
    if (stamp === undefined) return run()
    const shownStamp = sumOf(changes, sources.anyShown)
    const nowMs = clock.now()
    const second = sources.everySecond(key) ? Math.floor(nowMs / 1000) : 0
    const underWay = this.#underWay.get(key)
    // What it shows is not known yet: any part of these.
    if (underWay?.stamp === stamp && underWay.shownStamp === shownStamp && underWay.viewer === viewer && underWay.second === second)
      return underWay.reply
    const made = run()
    const take = (answer: unknown): unknown => {
      const reply = readyReply(answer)
      if (!reply) return answer
      const shown = placesShown(answer, sources)
      // Which of them were changed while it was made, nobody knows.
      if (shown === sources.anyShown) this.#entries.set(key, { stamp, parts, shown, shownStamp, viewer, madeMs: nowMs, reply })
      else if (sumOf(changes, sources.anyShown) === shownStamp)
        this.#entries.set(key, { stamp, parts, shown, shownStamp: sumOf(changes, shown), viewer, madeMs: nowMs, reply })
      return reply
    }
    if (!(made instanceof Promise)) return take(made)
    const reply = made.then(take) as Promise<Reply>
    const entry = { stamp, shownStamp, viewer, second, reply }
    this.#underWay.set(key, entry)
    const forget = () => {
      if (this.#underWay.get(key) === entry) this.#underWay.delete(key)
    }
    reply.then(forget, forget)
    return reply
  }

  /** Undefined while changes may be getting lost. */
  #stampOf({ places, ofViewer }: Sources, viewer: Viewer | undefined, parts: readonly Place[]): number | undefined {
    const { changes, common } = this.#options
    const counted = changes.stamp(places)
    if (counted === undefined) return undefined
    let stamp = counted + common() + ((ofViewer ? viewer?.revision : viewer?.ownRevision) ?? 0)
    for (const part of parts) stamp += changes.count(part)
    return stamp
  }
}

function sumOf(changes: Changes, places: Uint16Array): number {
  let sum = 0
  for (let at = 0; at < places.length; at++) sum += changes.count(places[at] as Place)
  return sum
}

/** The places of all that an answer shows of tables that its route calls `shown`. */
function placesShown(answer: unknown, { shown, anyShown }: Sources): Uint16Array {
  const ids = answer instanceof Reply ? answer.shows : undefined
  if (!ids || ids.length > maxShown) return anyShown
  return Uint16Array.from(shown.flatMap((table) => ids.map((id) => placeOf(partOf(table, id)))))
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
