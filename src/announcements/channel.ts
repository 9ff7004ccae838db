// The announcements in memory on every node: everybody who polls needs to know which are active. A new
// one is sent to all notification sockets.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { settingsOf, type ShipTime } from '../settings/channel.ts'
import { everybodyTopic } from '../users/sockets.ts'
import { selectAnnouncements } from './queries.ts'
import { type AnnouncementRow } from './rows.ts'
import { notificationFrame } from '../notices/frames.ts'
import type { PolledPart } from '../core/http/polled-json.ts'
import { Memo } from '../core/base/memo.ts'

/** Announcements were created, edited or deleted. */
export type AnnouncementsEvent = { type: 'changed' }

/** All announcements that are not deleted; which of them are active is a matter of time. */
export class AnnouncementsChannel extends Channel<AnnouncementsEvent, AnnouncementRow[]> {
  readonly #node: Node
  /** The part of polls that is the same for everybody. */
  readonly polled = new Memo<PolledPart>()
  /** Not deleted; newest first. */
  #rows: readonly AnnouncementRow[] = []
  #activeAt: Date | undefined
  #active: readonly AnnouncementRow[] = []
  /** Everything up to this one has been sent to sockets, or is from before this node. */
  #sentUpTo: number | undefined

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  /** Every poll needs it. */
  get busy(): boolean {
    return true
  }

  override accountIds(): Iterable<string> {
    return this.#rows.map(({ authorId }) => authorId)
  }

  /** Announcements to show now, newest first. */
  active(): readonly AnnouncementRow[] {
    return this.activeAt(settingsOf(this.#node).shipTimeAt(this.clock.now()))
  }

  /** The same array until that changes. */
  activeAt({ floatingNow }: ShipTime): readonly AnnouncementRow[] {
    if (floatingNow === this.#activeAt) return this.#active
    const active = this.#rows.filter(({ displayUntil }) => displayUntil > floatingNow)
    this.#activeAt = floatingNow
    if (active.length !== this.#active.length || active.some((row, index) => row !== this.#active[index])) this.#active = active
    return this.#active
  }

  protected override async read(): Promise<AnnouncementRow[]> {
    const rows = await selectAnnouncements(this.#node.db.sql, { deleted: false })
    await this.#node.accounts.load(new Set(rows.map(({ authorId }) => authorId)))
    return rows
  }

  protected override install(rows: AnnouncementRow[]): void {
    this.#rows = rows
    this.#activeAt = undefined
    const before = this.#sentUpTo
    this.#sentUpTo = Math.max(before ?? 0, rows[0]?.id ?? 0)
    if (before === undefined) return
    // Also what was created while no events came.
    for (const { id, text } of this.active()
      .filter((row) => row.id > before)
      .toReversed()) {
      this.#node.sockets.publish(everybodyTopic, notificationFrame('announcement', text, String(id)))
    }
  }

  protected override apply(): 'reload' {
    return 'reload'
  }
}

export const announcementsKind: Kind<AnnouncementsChannel, AnnouncementsEvent> = {
  name: 'announcements',
  tables: ['announcement'],
  create: (node, id) => new AnnouncementsChannel(node, id),
}

/** The one channel of announcements has this id. */
export const announcementsId = 'all'

/** The announcements as they are now: at once unless they have to be read. */
export function announcementsOf(node: Node): AnnouncementsChannel | Promise<AnnouncementsChannel> {
  return node.channels.sole(announcementsKind, announcementsId)
}
