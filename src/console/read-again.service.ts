// What is in memory is read again, on all servers and workers: for hosts and operators who have written past the product.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { tooManyRequests } from '../core/base/errors.ts'
import type { RateRule } from '../core/work/rate-limit.ts'
import { readAgainId, readAgainTopic } from '../core/live/read-again.ts'
import { audit } from '../moderation/audit.service.ts'

/** Bounded, since the channel of everybody who is connected is read again. */
const rule: RateRule = { name: 'read again', points: 1, seconds: 60 }

/** Has all servers and workers forget what they keep of Postgres. The answer comes when they have. */
export async function readAgain(ctx: Ctx): Promise<void> {
  const seconds = await ctx.node.rateLimiter.take(rule, readAgainId)
  if (seconds > 0)
    throw tooManyRequests('too_many_requests', `Everything was read again a moment ago. Try again in ${seconds} seconds.`, seconds)
  await ctx.transaction(async (tx) => {
    await audit(tx, { action: 'readAgain', subject: { type: 'server', id: readAgainId } })
    tx.emitConfirmed(readAgainTopic, readAgainId, { type: 'written' })
  })
}

/** The same for `npm run refresh`. Its row goes when every process has heard of it. */
export async function readAgainInTime(tx: Tx<undefined>): Promise<void> {
  await tx.ctx.node.channels.publishDurably(readAgainTopic, readAgainId, `read again ${tx.ctx.requestId}`, { type: 'written' })
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'read-again': Record<string, never>
  }
}
