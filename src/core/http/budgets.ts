// How much one account may ask of a node: enough for any person with several devices, too little for
// a program that floods it. Counted per account, so that a ship behind one address is not locked out;
// in memory, so that nobody waits for a count.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { tooManyRequests } from '../errors.ts'
import type { RequestHead } from './head.ts'
import type { Route } from './route.ts'
import { atLeast, type Viewer } from '../viewer.ts'

/** Counts one request of a caller. Rejects with AppError 429 when none is left. */
export type Budget = (viewer: Viewer) => Promise<void>

/** The budget that a request of this route draws on, if any: writes have one, and so do searches, in whatever form. */
export function budgetsOf({ writesPerMinute, searchesPerMinute }: Config): (route: Route) => (head: RequestHead) => Budget | undefined {
  const writes = budgetOf(writesPerMinute)
  const searches = budgetOf(searchesPerMinute)
  return ({ method, path, query }) => {
    if (method !== 'GET') return () => writes
    if (/\/(search|match)(\/|$)/.test(path)) return () => searches
    return query && 'search' in query ? (head) => (/search=/i.test(head.query) ? searches : undefined) : () => undefined
  }
}

function budgetOf(perMinute: number): Budget | undefined {
  if (perMinute === 0) return undefined
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (viewer) => {
    // Programs of the operator and moderators at work.
    if (atLeast(viewer.level, 'client')) return
    try {
      await limiter.consume(viewer.id)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw tooManyRequests('too_many_requests', `Too many requests from this account. Try again in ${seconds} seconds.`, seconds)
    }
  }
}
