// How much one person, or one address without an account, may ask of a node: enough for any with several devices, too little
// for a program that floods it. Counted per person, with all accounts, so that a community behind one address is not locked out; in
// memory and at once, so that no request waits for a count.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { tooManyRequests } from '../base/errors.ts'
import type { RequestHead } from '../work/request-head.ts'
import type { Route } from './route.ts'
import { atLeast, type Viewer } from '../base/viewer.ts'

const minuteMs = 60_000
/** All addresses together may ask for what so many of them may: who has many addresses gains nothing. */
const addressesAtOnce = 4

/** Counts one request of a caller, who is a viewer, or nobody at an address. @throws AppError 429 when none is left. */
export type Budget = (viewer: Viewer | undefined, address: string) => void

/** What a request may draw on; undefined for a route that is never counted. */
export type BudgetOf = ((head: RequestHead) => Budget | undefined) | undefined

/**
 * The budget that requests of a route draw on: writes have one, and so do searches, in whatever form, and what takes the
 * loop as long as some of these. Writes without an account are counted where they are guessed at.
 */
export function budgetsOf({ writesPerMinute, searchesPerMinute }: Config, clock: Clock): (route: Route) => BudgetOf {
  const writes = minutesOf(writesPerMinute, clock)
  const searches = minutesOf(searchesPerMinute, clock)
  const nobodys = minutesOf(searchesPerMinute, clock)
  const all = minutesOf(addressesAtOnce * searchesPerMinute, clock)
  const write: Budget = (viewer) => {
    if (viewer && isCounted(viewer)) writes?.(viewer.personId, 1, 'account')
  }
  const searching =
    (effort: number): Budget =>
    (viewer, address) => {
      if (viewer) {
        if (isCounted(viewer)) searches?.(viewer.personId, effort, 'account')
        return
      }
      nobodys?.(address, effort, 'address')
      all?.('', effort, 'server')
    }
  const search = searching(1)
  return ({ method, path, query, effort }) => {
    if (effort !== undefined) {
      const budget = searching(effort)
      return () => budget
    }
    if (method !== 'GET') return () => write
    if (/\/(search|match)(\/|$)/.test(path)) return () => search
    return query && 'search' in query ? (head) => (/search=/i.test(head.query) ? search : undefined) : undefined
  }
}

/** Programs of the operator and moderators at work are not counted. */
const isCounted = ({ level }: Viewer): boolean => !atLeast(level, 'client')

/** Takes from what a caller has left in their minute. */
type Minutes = (caller: string, effort: number, what: string) => void

function minutesOf(perMinute: number, clock: Clock): Minutes | undefined {
  if (perMinute === 0) return undefined
  /** Of each caller, the minute that began with their first request. */
  const minutes = new Map<string, { endsMs: number; left: number }>()
  let sweptMs = clock.elapsed()
  return (caller, effort, what) => {
    const nowMs = clock.elapsed()
    if (nowMs - sweptMs > minuteMs) {
      for (const [known, { endsMs }] of minutes) if (endsMs <= nowMs) minutes.delete(known)
      sweptMs = nowMs
    }
    let minute = minutes.get(caller)
    if (!minute || minute.endsMs <= nowMs) minutes.set(caller, (minute = { endsMs: nowMs + minuteMs, left: perMinute }))
    if (minute.left > 0) {
      minute.left -= effort
      return
    }
    const seconds = Math.ceil((minute.endsMs - nowMs) / 1000)
    throw tooManyRequests('too_many_requests', `Too many requests from this ${what}. Try again in ${seconds} seconds.`, seconds)
  }
}
