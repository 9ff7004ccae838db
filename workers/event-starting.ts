// Tells the followers of an event that it is about to start.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { announceEvent, noteStartingEvents } from '../src/events/starting.service.ts'

export const eventStarting = announceEvent

export const eventStartingSweep: Sweep = { name: 'event-starting', everyMs: 3000, run: noteStartingEvents }
