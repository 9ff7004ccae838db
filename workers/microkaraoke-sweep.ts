// Removes recordings of micro karaoke that nothing shows.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { sweepVideos } from '../src/microkaraoke/sweep.service.ts'

export const microkaraokeSweep: Sweep = { name: 'microkaraoke', everyMs: 6 * 60 * 60_000, run: sweepVideos }
