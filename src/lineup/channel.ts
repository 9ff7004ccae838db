// Who appears at which event, in memory on every node: everybody reads it with the schedule.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { selectAppearances, selectLineupVersion, type AppearanceRow } from './queries.ts'
import type { PerformerHeaderData } from './schemas.ts'

/** Performers, or the events that they appear at, were changed. */
export type LineupEvent = { type: 'changed' }

/** Performers by event, and events by performer. A new object after every change: what was made of it is valid while it stays the same. */
export interface Lineup {
  readonly byEvent: ReadonlyMap<string, readonly PerformerHeaderData[]>
  readonly byPerformer: ReadonlyMap<string, readonly string[]>
}

/** Nobody appears anywhere. */
export const emptyLineup: Lineup = { byEvent: new Map(), byPerformer: new Map() }

interface Snapshot {
  version: number
  /** Undefined when they are as they were. */
  appearances: AppearanceRow[] | undefined
}

/** Keeps the line-up of all events. */
export class LineupChannel extends Channel<LineupEvent, Snapshot> {
  readonly #node: Node
  lineup: Lineup = emptyLineup
  #version: number | undefined

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  /** Every list of events needs it. */
  get busy(): boolean {
    return true
  }

  /** While the bus is down every use asks Postgres: mostly nothing has changed. */
  protected override async read(): Promise<Snapshot> {
    // The version is read first: a change in between is read again.
    const version = await selectLineupVersion(this.#node.db.sql)
    const isSame = version === this.#version && !this.#node.bus.up
    return { version, appearances: isSame ? undefined : await selectAppearances(this.#node.db.sql) }
  }

  protected override install({ version, appearances }: Snapshot): void {
    this.#version = version
    if (appearances) this.lineup = lineupOfRows(appearances)
  }

  protected override apply(): 'reload' {
    return 'reload'
  }
}

function lineupOfRows(rows: readonly AppearanceRow[]): Lineup {
  const byEvent = new Map<string, PerformerHeaderData[]>()
  const byPerformer = new Map<string, string[]>()
  for (const { eventId, performerId, name, photo, isOfficial } of rows) {
    const header = { id: performerId, name, ...(photo === null ? {} : { photo }), isOfficialPerformer: isOfficial }
    pushTo(byEvent, eventId, header)
    pushTo(byPerformer, performerId, eventId)
  }
  return { byEvent, byPerformer }
}

function pushTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

export const lineupKind: Kind<LineupChannel, LineupEvent> = {
  name: 'lineup',
  tables: ['performer', 'performer_event', 'performer_change', 'event'],
  create: (node, id) => new LineupChannel(node, id),
}

/** The one channel of the line-up has this id. */
export const lineupId = 'all'

/** The line-up as it is now: at once unless it has to be read. */
export function lineupOf(node: Node): LineupChannel | Promise<LineupChannel> {
  return node.channels.sole(lineupKind, lineupId)
}
