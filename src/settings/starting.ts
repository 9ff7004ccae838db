// Notices of what starts soon: a sweep finds what has come near, and notes a job for each that sends its notice.
import type { Ctx, Node, Tx } from '../core/work/ctx.ts'
import type { Fragment, Sql } from '../core/db/db.ts'
import { settingsOf } from './channel.ts'
import { insertDueNotices } from './queries.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** One sort of what starts. */
export interface Starting {
  readonly of: 'events' | 'lfgs'
  /** Its name among the notices that were sent. */
  readonly kind: string
  /** Id and start of all that are on. */
  candidates(sql: Sql): Fragment
  /** Notes the job that sends a notice at `due`, or at once. */
  enqueue(tx: Tx<undefined>, id: string, startTime: string, due: Date | undefined): void
}

/**
 * Notes a job for everything whose start has come near; each thing and start time once. What was made or moved when
 * its start was near already counts too, and so does what no worker saw at its moment.
 */
export async function noteStarts(ctx: Ctx<undefined>, { of, kind, candidates, enqueue }: Starting): Promise<void> {
  const { values } = settingsOf(ctx.node)
  if (values[of === 'events' ? 'upcomingEventNotificationSetting' : 'upcomingLFGNotificationSetting'] === 'disabled') return
  const { reference, shiftMs } = referenceOf(ctx.node, of)
  const nearMs = reference.getTime() + values.upcomingEventNotificationSeconds * 1000
  const window = { after: reference, until: new Date(nearMs + minuteMs), shiftHours: shiftMs / hourMs }
  await ctx.transaction(async (tx) => {
    for (const { id, startTime } of await insertDueNotices(tx.sql, kind, candidates(tx.sql), window, tx.now)) {
      const waitMs = startTime.getTime() - nearMs
      enqueue(tx, id, startTime.toISOString(), waitMs > 0 ? new Date(tx.now.getTime() + waitMs) : undefined)
    }
  })
}

/** The moment that a start is announced for: another than its own while the trip's week stands for any week. */
export function announcedStart(node: Node, of: Starting['of'], startTime: Date): string {
  return new Date(startTime.getTime() + referenceOf(node, of).shiftMs).toISOString()
}

/** The floating moment that starts are compared with, and how long before now it lies. */
function referenceOf(node: Node, of: Starting['of']): { reference: Date; shiftMs: number } {
  const { floatingNow, upcomingFrom } = settingsOf(node).shipTimeAt(node.clock.now())
  const reference = upcomingFrom[of]
  const dayMs = 24 * hourMs
  return { reference, shiftMs: Math.round((floatingNow.getTime() - reference.getTime()) / dayMs) * dayMs }
}
