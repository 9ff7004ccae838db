// Notes what has happened for the webhooks that are told of it.
import type { JobPayloads } from '../core/outbox/jobs.ts'
import type { Tx } from '../core/work/ctx.ts'
import type { WebhookEvents, WebhookKind } from './kinds.ts'
import { insertDeliveries } from './queries.ts'

/** A delivery for each webhook that wants this kind: where there is none, that is all. */
export async function noteEvent(tx: Tx<undefined>, { kind, at, data }: JobPayloads['webhook-event']): Promise<void> {
  const deliveries = await insertDeliveries(tx.sql, kind, bodyOf(kind, data, at), tx.now)
  for (const deliveryID of deliveries) tx.enqueue('webhook', { deliveryID, attempt: 0 })
}

/** What is sent, as the Standard Webhooks have it. */
export const bodyOf = (type: string, data: object, timestamp: Date | string): string => JSON.stringify({ type, timestamp, data })

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    /** Something has happened that webhooks may be told of: features note it in the transaction in which it does. */
    'webhook-event': { [Kind in WebhookKind]: { kind: Kind; at: Date; data: WebhookEvents[Kind] } }[WebhookKind]
  }
}
