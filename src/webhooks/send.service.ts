// Sends what webhooks are told, signed as the Standard Webhooks say (standardwebhooks.com), again and again until it is taken.
import { createHmac } from 'node:crypto'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { selectWaiting, updateDelivery, type WaitingRow } from './queries.ts'
import { isAllowed } from './service.ts'

const answerWithinMs = 10_000
const firstWaitMs = 15_000
const longestWaitMs = 60 * 60_000
/** About a day. */
const mostAttempts = 32

/** What has come of an attempt. */
type Tried =
  /** It is not to be sent any more, or by a later job. */
  | { now: 'nothing' }
  /** Its endpoint is left alone until then. */
  | { now: 'later'; at: Date }
  | { now: 'tried'; row: WaitingRow; isTaken: boolean; status: number | null; reason: string | null }

/** Sends a delivery, if it is to be sent now. Never fails: the address of others is not to end up among the failed jobs. */
export async function sendDelivery({ node, sql, nowMs }: Ctx<undefined>, { deliveryID, attempt }: JobPayloads['webhook']): Promise<Tried> {
  const row = await selectWaiting(sql, deliveryID)
  // Those of a paused one are sent when it goes on. Somebody may have had it tried at once: then another job goes on with it.
  if (!row || row.isPaused || row.attempts !== attempt) return { now: 'nothing' }
  if (row.notBefore && row.notBefore.getTime() > nowMs) return { now: 'later', at: row.notBefore }
  if (!isAllowed(node, row.url))
    return { now: 'tried', row, isTaken: false, status: null, reason: 'The operator does not allow this host any more.' }
  try {
    const answer = await fetch(row.url, {
      method: 'POST',
      body: row.body,
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'Quarterdeck', ...signed(row, nowMs) },
      // Where it leads was allowed by nobody.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    })
    await answer.body?.cancel()
    return { now: 'tried', row, isTaken: answer.ok, status: answer.status, reason: null }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const reason = isLate ? `There was no answer within ${answerWithinMs / 1000} seconds.` : 'The address could not be reached.'
    return { now: 'tried', row, isTaken: false, status: null, reason }
  }
}

/** The time is part of what is signed, so that nobody can send it again later; the id is the same at each attempt. */
function signed({ id, body, secret }: WaitingRow, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/** Notes it in the log, and when it is to be tried again. */
export async function noteAttempt(tx: Tx<undefined>, payload: JobPayloads['webhook'], tried: Tried): Promise<void> {
  if (tried.now === 'nothing') return
  if (tried.now === 'later') return tx.enqueue('webhook', payload, tried.at)
  const { row, isTaken, status, reason } = tried
  const again = isTaken ? null : new Date(tx.now.getTime() + Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(row.attempts, 20)))
  const isOver = isTaken || row.attempts + 1 >= mostAttempts
  await updateDelivery(tx.sql, row, { state: isTaken ? 'sent' : isOver ? 'failed' : 'waiting', status, reason }, tx.now, again)
  if (!isOver && again) tx.enqueue('webhook', { ...payload, attempt: row.attempts + 1 }, again)
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    /** `attempt`: how often it was tried before. */
    webhook: { deliveryID: string; attempt: number }
  }
}
