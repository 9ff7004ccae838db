// Removes files that no row refers to: of requests that failed after their image was stored.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { sweepImages } from '../src/image/sweep.service.ts'

export const imageSweep: Sweep = { name: 'images', everyMs: 6 * 60 * 60_000, run: sweepImages }
