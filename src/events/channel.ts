// The schedule in memory on every node: everybody reads it all the time, and it rarely changes.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { etagOf } from '../core/http/etag.ts'
import { joinedJsonBytes, jsonBytes, type JsonBytes } from '../core/base/json-text.ts'
import type { Lineup } from '../lineup/channel.ts'
import type { Trip } from '../settings/trip.ts'
import { userKind } from '../users/channel.ts'
import { selectEvents } from './queries.ts'
import { byStart, type EventRow } from './rows.ts'
import { selectLastUpdate } from './update.queries.ts'
import { eventData } from './views.ts'
import type { EventData, ShutternautEventData } from './schemas.ts'

export type ScheduleEvent =
  /** Events were created, changed or deleted. */
  | { type: 'changed' }
  /** Something that those who follow an event are told, once for each `noticeKey`. */
  | { type: 'noticed'; eventID: string; noticeKey: string; notice: Uint8Array }

/** An event and its JSON, for those who follow it and for all others. */
export interface ShownEvent {
  readonly event: EventRow
  readonly plain: JsonBytes<EventData>
  readonly favorite: JsonBytes<EventData>
  /** Where `plain` begins in the list of all. */
  readonly at: number
}

/** The whole schedule with the times of one table of zones, and one line-up. */
export interface Shown {
  readonly trip: Trip
  readonly lineup: Lineup
  readonly items: readonly ShownEvent[]
  /** The list for somebody who follows nothing. */
  readonly json: JsonBytes<EventData[]>
  readonly etag: string
  /** Tags of the lists of users who follow something. */
  readonly etags: WeakMap<ReadonlySet<string>, string>
}

interface Snapshot {
  /** The update that was the last. */
  version: number
  /** Undefined when they are as they were. */
  events: EventRow[] | undefined
}

/** Every event of the schedule, and the JSON of those that lists are made of. */
export class ScheduleChannel extends Channel<ScheduleEvent, Snapshot> {
  readonly #node: Node
  /** In order of their start. */
  events: readonly EventRow[] = []
  #byId: ReadonlyMap<string, EventRow> = new Map()
  #byUid: ReadonlyMap<string, EventRow> = new Map()
  #version: number | undefined
  #shown: Shown | undefined
  /** The next event that each user follows, as long as it has not begun. */
  #next = new WeakMap<ReadonlySet<string>, { from: Date; next: EventRow | undefined }>()

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  /** Every poll needs it. */
  get busy(): boolean {
    return true
  }

  /** The event with this id or uid. */
  find(idOrUid: string): EventRow | undefined {
    return this.#byId.get(idOrUid.toLowerCase()) ?? this.#byUid.get(idOrUid)
  }

  /** The list as it is sent, made again when events, performers or zones have changed. */
  shown(trip: Trip, lineup: Lineup): Shown {
    if (this.#shown?.trip !== trip || this.#shown.lineup !== lineup) this.#shown = shownWith(trip, lineup, this.events)
    return this.#shown
  }

  /** The first of these events that starts after a floating time. */
  nextFollowed(followed: ReadonlySet<string>, after: Date): EventRow | undefined {
    if (followed.size === 0) return undefined
    const known = this.#next.get(followed)
    if (known && after >= known.from && (!known.next || known.next.startTime > after)) return known.next
    const next = this.events.find(({ id, startTime }) => startTime > after && followed.has(id))
    this.#next.set(followed, { from: after, next })
    return next
  }

  /** While the bus is down every use asks Postgres: mostly nothing has changed. */
  protected override async read(): Promise<Snapshot> {
    const version = await selectLastUpdate(this.#node.db.sql)
    const isSame = version === this.#version && !this.#node.bus.up
    return { version, events: isSame ? undefined : await selectEvents(this.#node.db.sql) }
  }

  protected override install({ version, events }: Snapshot): void {
    this.#version = version
    if (!events) return
    this.events = events.toSorted(byStart)
    this.#byId = new Map(events.map((event) => [event.id, event]))
    this.#byUid = new Map(events.map((event) => [event.uid, event]))
    this.#shown = undefined
    this.#next = new WeakMap()
  }

  protected override apply(event: ScheduleEvent): void | 'reload' {
    // All but this is a change, also what a newer version says during an upgrade.
    if (event.type !== 'noticed') return 'reload'
    const { eventID, noticeKey, notice } = event
    for (const user of this.#node.channels.of(userKind).values()) {
      // Each takes it in turn with its other events, above all whether the user still follows.
      if (user.sockets.hears) user.receive({ type: 'eventNoticed', eventID, noticeKey, notice })?.catch(() => undefined)
    }
  }
}

const comma = Buffer.from(',')

/** A JSON list of what is JSON already. */
export function jsonList(items: readonly JsonBytes<EventData>[]): JsonBytes<EventData[]> {
  const parts: Buffer[] = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]))
  return joinedJsonBytes(Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]))
}

/** An event as JSON, for somebody who sees its photographers. */
export function withShutternauts(item: JsonBytes<EventData>, data: ShutternautEventData): JsonBytes<EventData> {
  const end = Buffer.from(`,"shutternautData":${JSON.stringify(data)}}`)
  return joinedJsonBytes(Buffer.concat([item.subarray(0, -1), end]))
}

function shownWith(trip: Trip, lineup: Lineup, events: readonly EventRow[]): Shown {
  let next = 1
  const items = events.map((event) => {
    const data = eventData(trip, event, lineup, false)
    const plain = jsonBytes(data)
    const at = next
    next += plain.length + 1
    return { event, plain, favorite: jsonBytes({ ...data, isFavorite: true }), at }
  })
  const json = jsonList(items.map(({ plain }) => plain))
  return { trip, lineup, items, json, etag: etagOf(json), etags: new WeakMap() }
}

/** The tag of the whole list for somebody who follows these. */
export function etagFor({ etag, etags }: Shown, followed: ReadonlySet<string>): string {
  if (followed.size === 0) return etag
  let own = etags.get(followed)
  if (own === undefined) {
    own = etagOf(etag + [...followed].toSorted().join())
    etags.set(followed, own)
  }
  return own
}

/** The whole list for somebody who follows these: few pieces of it are not those of everybody. */
export function wholeListFor({ items, json }: Shown, followed: ReadonlySet<string>): JsonBytes<EventData[]> {
  if (followed.size === 0) return json
  const parts: Buffer[] = []
  let copied = 0
  for (const { event, plain, favorite, at } of items) {
    if (!followed.has(event.id)) continue
    parts.push(json.subarray(copied, at), favorite)
    copied = at + plain.length
  }
  return joinedJsonBytes(Buffer.concat([...parts, json.subarray(copied)]))
}

export const scheduleKind: Kind<ScheduleChannel, ScheduleEvent> = {
  name: 'schedule',
  tables: ['event', 'schedule_log'],
  create: (node, id) => new ScheduleChannel(node, id),
}

/** The one channel of the schedule has this id. */
export const scheduleId = 'all'

/** The schedule as it is now: at once unless it has to be read. */
export function scheduleOf(node: Node): ScheduleChannel | Promise<ScheduleChannel> {
  return node.channels.sole(scheduleKind, scheduleId)
}
