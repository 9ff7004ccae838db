// Slow mode: a person posts once in so many seconds in one place. Their accounts count together; moderators are exempt.
import type { Tx } from '../core/work/ctx.ts'
import { hasAnswer, type Outcome } from '../core/db/batcher.ts'
import type { Sql } from '../core/db/db.ts'
import { AppError } from '../core/base/errors.ts'
import type { Topic } from '../core/live/registry.ts'
import { Int, Dto, type Static } from '../core/schema/schema.ts'
import { isModerator, type Viewer } from '../core/base/viewer.ts'
import { lockPaces, updatePaces, type Pacer } from './pace.queries.ts'

/** Clocks of nodes differ by less. */
const clocksApartMs = 5000

/** The longest time between two posts of a person. */
export const slowestSeconds = 3600

/** Slow mode of a place. */
export type SlowModeData = Static<typeof SlowModeData>
export const SlowModeData = Dto(
  'SlowModeData',
  {
    /** Between two posts of a person; 0 ends slow mode. */
    seconds: Int,
  },
  ({ seconds }, fail) => {
    if (seconds < 0 || seconds > slowestSeconds)
      fail({ text: `seconds must be from 0 to ${slowestSeconds}`, rule: 'out_of_range', min: 0, max: slowestSeconds }, 'seconds')
  },
)

/** Where slow mode is on. */
export interface Pace {
  /** `microblog`, `forum <id>` or `fez <id>`. */
  place: string
  seconds: number
}

/** Slow mode of a forum or a chat was changed; the id is its place. That of the microblog is a setting. */
export const slowModeTopic: Topic<{ type: 'changed' }> = { name: 'slow mode' }

/** Whether slow mode is nothing to this caller. The server itself has none. */
export const isExempt = (viewer: Viewer | undefined): boolean => !viewer || isModerator(viewer)

/** @throws nothing: the refusal is returned. */
function tooSoon({ seconds }: Pace, waitSeconds: number): AppError {
  const reason = `Slow mode is on: one post in ${seconds} seconds. You can post here again in ${waitSeconds} seconds.`
  return new AppError(429, 'slow_mode', reason, { retryAfterSeconds: waitSeconds })
}

/**
 * Makes those of these writes that come neither too soon after the last of their person nor beside another, and refuses
 * the others. The rows of the persons stay locked until the transaction ends: on whichever node they post, only one of
 * two posts at the same time is through. `paceOf`: undefined for writes without slow mode.
 */
export async function withPace<W extends { tx: Tx<Viewer | undefined> }, Answer>(
  sql: Sql,
  writes: readonly W[],
  paceOf: (write: W) => Pace | undefined,
  run: (writes: readonly W[]) => Promise<Outcome<Answer>[]>,
): Promise<Outcome<Answer>[]> {
  const paces = writes.map((write) => (isExempt(write.tx.viewer) ? undefined : paceOf(write)))
  const pacers = writes.map(({ tx }, index): Pacer | undefined => {
    const pace = paces[index]
    return pace && tx.viewer ? { place: pace.place, personId: tx.viewer.personId } : undefined
  })
  const locking = pacers.filter((pacer) => pacer !== undefined)
  if (locking.length === 0) return await run(writes)
  const last = new Map((await lockPaces(sql, locking)).map((row) => [keyOf(row), row.postedAt?.getTime() ?? -Infinity]))
  const refusals = writes.map(({ tx }, index): AppError | undefined => {
    const [pace, pacer] = [paces[index], pacers[index]]
    if (!pace || !pacer) return undefined
    const nowMs = tx.now.getTime()
    const waitMs = (last.get(keyOf(pacer)) ?? -Infinity) + pace.seconds * 1000 - nowMs
    // Longer than that would mean a post in the future: the clock was set back.
    if (waitMs > 0 && waitMs <= pace.seconds * 1000 + clocksApartMs) return tooSoon(pace, Math.ceil(waitMs / 1000))
    last.set(keyOf(pacer), nowMs)
    return undefined
  })
  const accepted = writes.filter((_, index) => refusals[index] === undefined)
  const outcomes = accepted.length === 0 ? [] : await run(accepted)
  const byWrite = new Map(accepted.map((write, at) => [write, outcomes[at] as Outcome<Answer>]))
  const posted = writes.flatMap((write, index) => {
    const [pacer, outcome] = [pacers[index], byWrite.get(write)]
    return pacer && outcome && hasAnswer(outcome) ? [{ ...pacer, postedAt: write.tx.now }] : []
  })
  if (posted.length > 0) await updatePaces(sql, posted)
  return writes.map((write, index) => {
    const refusal = refusals[index]
    return refusal ? { refusal } : (byWrite.get(write) as Outcome<Answer>)
  })
}

const keyOf = ({ place, personId }: Pacer): string => `${personId} ${place}`
