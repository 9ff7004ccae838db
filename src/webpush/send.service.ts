// Sends one notice to the push service of a device, encrypted for it (RFC 8291), signed with the server's key (VAPID, RFC 8292).
import { createHash } from 'node:crypto'
import webPush from 'web-push'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import { pushDevicesTopic } from './events.ts'
import { deletePushDevices, selectPushDevice } from './queries.ts'

const answerWithinMs = 8000
/** The push service keeps it so long for a device that is off. */
const keptSeconds = 12 * 60 * 60

/** What is to be done about the device: nothing, or that it is no longer there. */
type Sent = 'sent' | 'gone'

/** Sends it, unless its time is over. @throws Error when it is to be tried again. */
export async function sendPush({ node, sql, nowMs }: Ctx<undefined>, { deviceID, notice, until }: JobPayloads['push']): Promise<Sent> {
  const { push } = node.config
  const device = push && nowMs < Date.parse(until) ? await selectPushDevice(sql, deviceID) : undefined
  if (!push || !device) return 'sent'
  const { endpoint, headers, body, method } = webPush.generateRequestDetails(
    { endpoint: device.endpoint, keys: { p256dh: device.p256dh, auth: device.auth } },
    JSON.stringify(notice),
    {
      vapidDetails: { subject: push.subject, publicKey: push.publicKey, privateKey: push.privateKey },
      TTL: keptSeconds,
      urgency: 'high',
      // One that has not been delivered yet makes room for the next about the same.
      topic: createHash('sha256').update(`${notice.type} ${notice.contentID}`).digest('base64url').slice(0, 32),
    },
  )
  // The client counts for itself.
  const { 'Content-Length': _length, ...sent } = headers as Record<string, string>
  const signal = AbortSignal.timeout(answerWithinMs)
  const answer = await fetch(endpoint, {
    method,
    headers: sent,
    body: body as Uint8Array,
    signal,
    redirect: 'manual',
  })
  await answer.body?.cancel()
  if (answer.ok) return 'sent'
  if (answer.status === 404 || answer.status === 410) return 'gone'
  if (answer.status === 429 || answer.status >= 500) throw new Error(`push service ${answer.status}`)
  // It will not be taken the next time either.
  node.log.warn({ status: answer.status, host: new URL(endpoint).host }, 'a push service has refused a notice')
  return 'sent'
}

/** Forgets a device that its push service does not know any more. */
export async function forgetGone(tx: Tx<undefined>, { deviceID }: JobPayloads['push'], sent: Sent): Promise<void> {
  if (sent !== 'gone') return
  for (const accountId of await deletePushDevices(tx.sql, [deviceID])) tx.emit(pushDevicesTopic, accountId, { type: 'changed' })
}

/** What a device gets to know. */
export interface PushedNotice {
  type: string
  contentID: string
  /** A sentence for people, where the host lets texts go over push services. */
  info?: string
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    push: { deviceID: string; notice: PushedNotice; until: string }
  }
}
