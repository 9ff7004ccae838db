// How many reports wait for a moderator, in memory: every moderator's app asks again and again.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { countOpenReports } from './queries.ts'

/** Reports were filed, taken on, or closed. */
export type ReportsEvent = { type: 'changed' }

/** The number of reports that nobody has taken on yet. */
export class ReportsChannel extends Channel<ReportsEvent, number> {
  readonly #node: Node
  /** Reports that are neither closed nor being handled. */
  open = 0

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  get busy(): boolean {
    return false
  }

  protected override async read(): Promise<number> {
    return await countOpenReports(this.#node.db.sql)
  }

  protected override install(open: number): void {
    this.open = open
  }

  protected override apply(): 'reload' {
    return 'reload'
  }
}

export const reportsKind: Kind<ReportsChannel, ReportsEvent> = {
  name: 'reports',
  tables: ['report'],
  create: (node, id) => new ReportsChannel(node, id),
}

/** The one channel of reports has this id. */
export const reportsId = 'all'
