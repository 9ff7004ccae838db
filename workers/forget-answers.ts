// Forgets kept answers of idempotent requests after a day.
import { deleteExpiredKeys } from '../src/core/http/idempotency.ts'
import type { Sweep } from '../src/core/jobs/job-runner.ts'

export const forgetAnswersSweep: Sweep = {
  name: 'forget-answers',
  everyMs: 60 * 60_000,
  run: async (ctx) => {
    await deleteExpiredKeys(ctx.sql, new Date(ctx.nowMs))
  },
}
