// Photographers of all events in memory, on nodes where one of them looks at the schedule.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { selectPhotographers } from './photographers.queries.ts'

/** Photographers, or the events that need one, were changed. */
export type PhotographersEvent = { type: 'changed' }

type Snapshot = Awaited<ReturnType<typeof selectPhotographers>>

/** Keeps which events need a photographer, and who has claimed which. */
export class PhotographersChannel extends Channel<PhotographersEvent, Snapshot> {
  readonly #node: Node
  needed: ReadonlySet<string> = new Set()
  /** Accounts by event, in the order in which they came. */
  byEvent: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  get busy(): boolean {
    return false
  }

  override accountIds(): Iterable<string> {
    return [...this.byEvent.values()].flat()
  }

  protected override async read(): Promise<Snapshot> {
    const snapshot = await selectPhotographers(this.#node.db.sql)
    await this.#node.accounts.load(snapshot.claims.map(({ accountId }) => accountId))
    return snapshot
  }

  protected override install({ wishes, claims }: Snapshot): void {
    const byEvent = new Map<string, string[]>()
    for (const { eventId, accountId } of claims) {
      const accounts = byEvent.get(eventId)
      if (accounts) accounts.push(accountId)
      else byEvent.set(eventId, [accountId])
    }
    this.needed = new Set(wishes.map(({ eventId }) => eventId))
    this.byEvent = byEvent
  }

  protected override apply(): 'reload' {
    return 'reload'
  }
}

export const photographersKind: Kind<PhotographersChannel, PhotographersEvent> = {
  name: 'photographers',
  tables: ['event_photo_wish', 'event_photographer'],
  create: (node, id) => new PhotographersChannel(node, id),
}

/** The one channel of photographers has this id. */
export const photographersId = 'all'
