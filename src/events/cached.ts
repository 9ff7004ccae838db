// What answers that show events are made of, for those that stay in memory.
import type { Cached } from '../core/http/route.ts'
import { lineupKind } from '../lineup/channel.ts'
import { scheduleKind } from './channel.ts'
import { photographersKind } from './photographers.channel.ts'

/** An event as the schedule has it. */
export const plainEvents = [scheduleKind] satisfies Cached['channels']

/** Events as a caller gets them (`scheduleFor`): with performers, and for some with photographers. */
export const shownEvents = [scheduleKind, lineupKind, photographersKind] satisfies Cached['channels']
