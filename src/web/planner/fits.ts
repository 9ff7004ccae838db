// What fits into free time, and in which order somebody may like it. All of it is thought out on the device, from the schedule and
// the groups that are there for its reader, without the server and without a network.
import { idOf, placeOf, type Planned } from './plan.ts'

const minuteMs = 60_000
/** Nobody minds who comes so late. */
const lateMs = 10 * minuteMs
/** What lasts longer is a place that one drops into, not an event that one is at from beginning to end. */
const dropInMs = 3 * 60 * minuteMs
/** Less of it is not worth the way. */
const leastMs = 30 * minuteMs

/** Free time, in milliseconds since 1970. */
export interface Span {
  from: number
  to: number
}

/** Why something may be liked: a sentence of the page stands for each. */
export type Reason = 'performer' | 'kind' | 'words' | 'place' | 'company'

/** Something that fits. */
export interface Fit {
  planned: Planned
  /** From 1 on: how well it goes with what its reader follows. */
  score: number
  reasons: readonly Reason[]
}

export const spanOf = ({ startTime, endTime }: Pick<Planned, 'startTime' | 'endTime'>): Span => ({
  from: Date.parse(startTime),
  to: Date.parse(endTime),
})

const meet = (one: Span, other: Span): boolean => one.from < other.to && other.from < one.to
const lasts = ({ from, to }: Span): number => to - from

/** What takes place within the free time and beside nothing that is planned; what goes best with the plan comes first. */
export function fitsInto(free: Span, offers: readonly Planned[], plan: readonly Planned[]): Fit[] {
  const taken = plan.map(spanOf)
  const rate = ratingBy(plan)
  return offers
    .filter((offer) => {
      const span = spanOf(offer)
      return (
        span.from >= free.from - lateMs &&
        span.to <= free.to &&
        lasts(span) > 0 &&
        lasts(span) <= dropInMs &&
        !taken.some((each) => meet(each, span))
      )
    })
    .map(rate)
    .sort((a, b) => b.score - a.score || (a.planned.startTime < b.planned.startTime ? -1 : 1))
}

/** What is open during the free time, for at least half an hour of it, without a beginning that one has to be there for. */
export function openDuring(free: Span, offers: readonly Planned[]): Planned[] {
  return offers.filter((offer) => {
    const span = spanOf(offer)
    return lasts(span) > dropInMs && Math.min(span.to, free.to) - Math.max(span.from, free.from) >= leastMs
  })
}

/**
 * Of these, those that can be done one after another, with the way between them, and please most: by score and length. In order of
 * time. (Weighted interval scheduling: the best that ends with each one, from the earliest to the latest.)
 */
export function bestOf(fits: readonly Fit[]): Fit[] {
  const sorted = fits
    .map((fit) => ({ fit, span: spanOf(fit.planned), place: placeOf(fit.planned) }))
    .sort((a, b) => a.span.to - b.span.to || a.span.from - b.span.from)
  const best: { value: number; before: number }[] = []
  let last = -1
  for (const [index, { fit, span, place }] of sorted.entries()) {
    let before = -1
    for (let earlier = 0; earlier < index; earlier++) {
      const other = sorted[earlier] as (typeof sorted)[number]
      const arrival = other.span.to + (walkMinutes(other.place, place) ?? 0) * minuteMs
      if (arrival <= span.from && (best[earlier]?.value ?? 0) > (best[before]?.value ?? 0)) before = earlier
    }
    best.push({ value: (best[before]?.value ?? 0) + fit.score * lasts(span), before })
    if ((best[index]?.value ?? 0) > (best[last]?.value ?? 0)) last = index
  }
  const chosen: Fit[] = []
  for (let index = last; index >= 0; index = best[index]?.before ?? -1) chosen.unshift((sorted[index] as (typeof sorted)[number]).fit)
  return chosen
}

/** How well something goes with what is planned. */
function ratingBy(plan: readonly Planned[]): (planned: Planned) => Fit {
  const followed = plan.flatMap((planned) => ('event' in planned ? [planned.event] : []))
  const kinds = new Map<string, number>()
  for (const { eventType } of followed) kinds.set(eventType, (kinds.get(eventType) ?? 0) + 1)
  const performers = new Set(followed.flatMap((event) => event.performers.map(({ name }) => name)))
  const words = new Set(followed.flatMap(({ title }) => wordsOf(title)))
  const places = new Set(followed.map(({ location }) => location))
  return (planned) => {
    const reasons: Reason[] = []
    let score = 1
    const add = (reason: Reason, more: number) => {
      if (more <= 0) return
      reasons.push(reason)
      score += more
    }
    if ('event' in planned) {
      const { event } = planned
      if (event.performers.some(({ name }) => performers.has(name))) add('performer', 3)
      const share = (kinds.get(event.eventType) ?? 0) / Math.max(1, followed.length)
      if (share >= 0.2) add('kind', 2 * share)
    } else add('company', 1)
    add('words', Math.min(2, new Set(wordsOf(planned.title).filter((word) => words.has(word))).size))
    if (places.has(placeOf(planned))) add('place', 0.5)
    return { planned, score, reasons }
  }
}

/** The words of a title that say what it is about. */
const wordsOf = (title: string): string[] => title.toLowerCase().match(/\p{L}{5,}/gu) ?? []

const parts = [/\b(forward|fwd|bow)\b/i, /\bmid(ship)?s?\b/i, /\b(aft|stern)\b/i]

/** About how long somebody walks from one place to another; undefined when their names do not tell. One deck is a minute, a third of the ship two. */
export function walkMinutes(from: string, to: string): number | undefined {
  if (from === to) return 0
  const [one, other] = [from, to].map((place) => ({
    deck: Number(/\bdeck\s*(\d+)/i.exec(place)?.[1] ?? Number.NaN),
    part: parts.findIndex((each) => each.test(place)),
  })) as [{ deck: number; part: number }, { deck: number; part: number }]
  if (Number.isNaN(one.deck) || Number.isNaN(other.deck)) return undefined
  const along = one.part >= 0 && other.part >= 0 ? Math.abs(one.part - other.part) : 0
  return Math.max(1, Math.abs(one.deck - other.deck) + 2 * along)
}

/** Something that does not take place where and when it was planned. */
export type Gone = Pick<Planned, 'title' | 'startTime' | 'endTime'> & { id: string }

/** The same thing at another time, beside nothing that is planned, before anything else that fits in place of what is planned. */
export function insteadOf(gone: Gone, offers: readonly Planned[], plan: readonly Planned[], now: number): Planned[] {
  const rest = plan.filter((each) => idOf(each) !== gone.id)
  const taken = rest.map(spanOf)
  const again = offers.filter((offer) => {
    const span = spanOf(offer)
    return offer.title === gone.title && idOf(offer) !== gone.id && span.from > now && !taken.some((each) => meet(each, span))
  })
  return again.length > 0 ? again : fitsInto(spanOf(gone), offers, rest).map(({ planned }) => planned)
}
