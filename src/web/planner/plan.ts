// What somebody has planned, and what they could still do: events of the schedule and groups, side by side.
import type { EventData, FezData } from '../../sdk/client.ts'

/** Something that takes place at a time: an event of the schedule, or a group with a time. */
export type Planned = Pick<EventData, 'title' | 'startTime' | 'endTime'> & ({ event: EventData } | { chat: FezData })

/** Followed events and one's groups, in order of their starts. */
export function planOf(events: readonly EventData[], chats: readonly FezData[]): Planned[] {
  return inOrder([...events.filter(({ isFavorite }) => isFavorite).map(ofEvent), ...chats.flatMap(ofChat)])
}

/** Events that are not followed, and groups that can be joined and have room. */
export function offersOf(events: readonly EventData[], chats: readonly FezData[]): Planned[] {
  const withRoom = chats.filter(
    ({ members, maxParticipants, participantCount }) => !members && (maxParticipants === 0 || participantCount < maxParticipants),
  )
  return inOrder([...events.filter(({ isFavorite }) => !isFavorite).map(ofEvent), ...withRoom.flatMap(ofChat)])
}

const ofEvent = (event: EventData): Planned => ({ title: event.title, startTime: event.startTime, endTime: event.endTime, event })

function ofChat(chat: FezData): Planned[] {
  const { title, startTime, endTime = startTime, cancelled } = chat
  return startTime && endTime && !cancelled ? [{ title, startTime, endTime, chat }] : []
}

const inOrder = (planned: Planned[]): Planned[] => planned.sort((a, b) => (a.startTime < b.startTime ? -1 : 1))

export const placeOf = (planned: Planned): string => ('event' in planned ? planned.event.location : (planned.chat.location ?? ''))
export const idOf = (planned: Planned): string => ('event' in planned ? planned.event.eventID : planned.chat.fezID)
