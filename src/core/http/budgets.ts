// How much one person may ask of a node: enough for any with several devices, too little for a program that
// floods it. Counted per person, with all accounts, so that a ship behind one address is not locked out; in
// memory and at once, so that no request waits for a count.
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { tooManyRequests } from '../errors.ts'
import type { RequestHead } from './head.ts'
import type { Route } from './route.ts'
import { atLeast, type Viewer } from '../viewer.ts'

const minuteMs = 60_000

/** Counts one request of a caller. @throws AppError 429 when none is left. */
export type Budget = (viewer: Viewer) => void

/** The budget that a request of this route draws on, if any: writes have one, and so do searches, in whatever form. */
export function budgetsOf(
  { writesPerMinute, searchesPerMinute }: Config,
  clock: Clock,
): (route: Route) => (head: RequestHead) => Budget | undefined {
  const writes = budgetOf(writesPerMinute, clock)
  const searches = budgetOf(searchesPerMinute, clock)
  return ({ method, path, query }) => {
    if (method !== 'GET') return () => writes
    if (/\/(search|match)(\/|$)/.test(path)) return () => searches
    return query && 'search' in query ? (head) => (/search=/i.test(head.query) ? searches : undefined) : () => undefined
  }
}

function budgetOf(perMinute: number, clock: Clock): Budget | undefined {
  if (perMinute === 0) return undefined
  /** Of each person, the minute that began with their first request. */
  const minutes = new Map<string, { endsMs: number; left: number }>()
  let sweptMs = clock.elapsed()
  return ({ personId, level }) => {
    // Programs of the operator and moderators at work.
    if (atLeast(level, 'client')) return
    const nowMs = clock.elapsed()
    if (nowMs - sweptMs > minuteMs) {
      for (const [person, { endsMs }] of minutes) if (endsMs <= nowMs) minutes.delete(person)
      sweptMs = nowMs
    }
    let minute = minutes.get(personId)
    if (!minute || minute.endsMs <= nowMs) minutes.set(personId, (minute = { endsMs: nowMs + minuteMs, left: perMinute }))
    if (minute.left-- > 0) return
    const seconds = Math.ceil((minute.endsMs - nowMs) / 1000)
    throw tooManyRequests('too_many_requests', `Too many requests from this account. Try again in ${seconds} seconds.`, seconds)
  }
}
