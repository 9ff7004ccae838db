// Which events take feedback, and which locations are the same room. Pure.
import type { EventRow } from '../events/rows.ts'

/** Events that users hold: feedback on others is taken, but not asked for. */
export const isHeldByUsers = ({ eventType }: EventRow): boolean => eventType === 'shadow' || eventType === 'workshop'

/** The room in a location: what stands before details of it. */
export const roomOf = (location: string): string => (/^[^,(]*/.exec(location)?.[0] ?? '').trim()

/** True when a location begins with a room. */
export const isInRoom = (location: string, room: string): boolean => location.toLowerCase().startsWith(room.toLowerCase())
