// The schedule: read whole, so that it is there without a network.
import type { EventData, PerformerData, PerformerHeaderData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { dayKey, fullDay, shortWeekday } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { queries, refresh, useQuery } from '../store.ts'

const key = ['events']

export function useEvents() {
  return useQuery({ queryKey: key, queryFn: () => client.events.list(), staleTime: 5 * 60_000 })
}

/** Follows an event or ends it: on the screen at once, and back again if the server cannot be had. */
export async function follow({ eventID, isFavorite }: EventData): Promise<void> {
  mark(eventID, !isFavorite)
  const done = await attempt(() =>
    isFavorite ? client.events.removeFavorite({ event_id: eventID }) : client.events.favorite({ event_id: eventID }),
  )
  // Also when it was done: a schedule that came meanwhile may be older than that.
  mark(eventID, done ? !isFavorite : isFavorite)
  if (done) refresh('numbers')
}

/** Wherever the event is shown: a page of its own, or of who appears there, does not wait for the whole schedule. */
function mark(eventID: string, isFavorite: boolean): void {
  const marked = (event: EventData) => (event.eventID === eventID ? { ...event, isFavorite } : event)
  queries.setQueryData<EventData[]>(key, (schedule) => schedule?.map(marked))
  queries.setQueriesData<EventData>(
    { predicate: ({ key: [kind, id] }) => kind === 'events' && id !== undefined },
    (event) => event && marked(event),
  )
  queries.setQueriesData<PerformerData | PerformerHeaderData[]>({ queryKey: ['performers'] }, (answer) =>
    answer && 'events' in answer ? { ...answer, events: answer.events.map(marked) } : answer,
  )
}

const nightMs = 3 * 60 * 60_000

/** Tuesday, 3 March: of the day that people mean. */
export const dayTitle = (date: string): string => fullDay(lastDayOf(date))
/** Tue */
export const dayName = (date: string): string => shortWeekday(lastDayOf(date))

const lastDayOf = (date: string | Date) => new Date(new Date(date).getTime() - nightMs)

/** The day people mean: one that ends at three in the morning. */
export const dayOf = (date: string | Date): string => dayKey(lastDayOf(date))

export const isOver = ({ endTime }: Pick<EventData, 'endTime'>, now = Date.now()): boolean => Date.parse(endTime) <= now
export const isOn = ({ startTime, endTime }: Pick<EventData, 'startTime' | 'endTime'>, now = Date.now()): boolean =>
  Date.parse(startTime) <= now && now < Date.parse(endTime)

/** Followed events that take place while this one does. */
export function overlapping(event: EventData, events: readonly EventData[]): EventData[] {
  return events.filter((other) => other.isFavorite && other.eventID !== event.eventID && overlaps(other, event))
}

/** Two things at the same time. */
export function overlaps(one: Pick<EventData, 'startTime' | 'endTime'>, other: Pick<EventData, 'startTime' | 'endTime'>): boolean {
  return one.startTime < other.endTime && other.startTime < one.endTime
}
