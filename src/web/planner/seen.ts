// What of one's plan has changed since one last looked: the device remembers when and where followed events were to be.
import { signal } from '@preact/signals'
import type { EventData } from '../../sdk/client.ts'
import { getMany, setMany } from '../device.ts'
import { me } from '../session.ts'

/** A followed event as its reader knows it. */
export type Seen = Pick<EventData, 'eventID' | 'title' | 'startTime' | 'endTime' | 'location'>

/** `now`: undefined when it is no longer in the schedule. */
export interface Change {
  before: Seen
  now?: EventData
}

interface Known {
  plan: readonly Seen[]
  /** When the schedule was read that they are from. */
  asOf: number
}

const key = `seen plan ${me.value?.userID}`
/** Undefined until the device has been asked. */
const seen = signal<Known | undefined>(undefined)

void getMany<Known>([key])
  .then(([kept]) => (seen.value = kept ?? { plan: [], asOf: 0 }))
  .catch(() => undefined)

const pick = ({ eventID, title, startTime, endTime, location }: Seen): Seen => ({ eventID, title, startTime, endTime, location })
const isSame = (one: Seen, other: Seen) =>
  one.startTime === other.startTime && one.endTime === other.endTime && one.location === other.location

/** Followed events that are elsewhere or at another time than their reader knows, or gone; none that are over. */
function changesIn(events: readonly EventData[], known: readonly Seen[], nowMs: number): Change[] {
  const byId = new Map(events.map((event) => [event.eventID, event]))
  return known.flatMap((before): Change[] => {
    const now = byId.get(before.eventID)
    if (!now) return Date.parse(before.startTime) > nowMs ? [{ before }] : []
    return now.isFavorite && !isSame(before, now) && Date.parse(now.endTime) > nowMs ? [{ before, now }] : []
  })
}

/** What has changed for the reader of this device in a schedule that was read at `asOf`; nothing in one that is older than what they know. */
export function changes(events: readonly EventData[], asOf: number): Change[] {
  const known = seen.value
  return known && asOf >= known.asOf ? changesIn(events, known.plan, Date.now()) : []
}

/** Remembers what is followed now; of what has changed, what was known before, until that is `read`. */
export function rememberPlan(events: readonly EventData[], asOf: number, read: readonly Change[] = []): void {
  const known = seen.value
  if (!known || asOf < known.asOf) return
  const idsOf = (some: readonly Change[]) => new Set(some.map(({ before: { eventID } }) => eventID))
  const done = idsOf(read)
  const open = new Set([...idsOf(changes(events, asOf))].filter((id) => !done.has(id)))
  const plan = [
    ...known.plan.filter(({ eventID }) => open.has(eventID)),
    ...events.filter(({ isFavorite, eventID }) => isFavorite && !open.has(eventID)).map(pick),
  ]
  if (JSON.stringify(plan) === JSON.stringify(known.plan)) return
  seen.value = { plan, asOf }
  void setMany([[key, seen.value]]).catch(() => undefined)
}
