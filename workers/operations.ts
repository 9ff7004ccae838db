// Long work that admins have ordered: backups and their checks.
import type { Sweep } from '../src/core/jobs/job-runner.ts'
import { workOnOperations } from '../src/console/operations.service.ts'

export const operationsSweep = (databaseUrl: string): Sweep => ({
  name: 'operations',
  everyMs: 1000,
  run: (ctx) => workOnOperations(ctx, databaseUrl),
})
