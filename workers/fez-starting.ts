// Tells the members of a group that it is about to start.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { announceStart, noteStartingFezzes } from '../src/fez/starting.service.ts'

export const fezStarting = announceStart

export const fezStartingSweep: Sweep = { name: 'fez-starting', everyMs: 3000, run: noteStartingFezzes }
