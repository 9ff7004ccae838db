// Long work that admins have ordered, and the backup of the night.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { orderNightlyBackup } from '../src/console/nightly.service.ts'
import { workOnOperations } from '../src/console/operations.service.ts'

export const operationsSweep = (databaseUrl: string): Sweep => ({
  name: 'operations',
  everyMs: 1000,
  run: (ctx) => workOnOperations(ctx, databaseUrl),
})

export const nightlyBackupSweep: Sweep = { name: 'nightly-backup', everyMs: 5000, run: (ctx) => orderNightlyBackup(ctx) }
