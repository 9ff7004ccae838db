// Updates the schedule from the address that publishes it.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { orderHourlyUpdate, updateFromFeed } from '../src/events/reload.service.ts'

export const scheduleReload = updateFromFeed

export const scheduleReloadSweep: Sweep = { name: 'schedule-reload', everyMs: 15_000, run: orderHourlyUpdate }
