// Tells incidents outside of the product: one message at the beginning of each, one at its end.
import { DateTime } from 'luxon'
import { audit } from '../moderation/audit.service.ts'
import { AppError, badRequest } from '../core/base/errors.ts'
import { Ctx, type Node, type Tx } from '../core/work/ctx.ts'
import { tripData } from '../console/event.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { requireWay, tell } from './outside.service.ts'
import { scriptAddress, type WebhookData } from './schemas.ts'
import {
  delayMessage,
  deleteMessage,
  deleteWebhook,
  selectWebhook,
  takeMessage,
  updateQuietHours,
  upsertWebhook,
  type MessageRow,
  type WebhookRow,
} from './webhook.queries.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
/** Another server takes a message whose sender has died. */
const takenMs = 30 * secondMs
const firstWaitMs = 30 * secondMs
const longestWaitMs = 60 * 60 * secondMs
/** About a day. */
const mostAttempts = 30
/** At one look; the rest at the next. */
const mostAtOnce = 20

/** Who is told. */
export async function webhook(ctx: Ctx): Promise<WebhookData> {
  return webhookData(await selectWebhook(ctx.sql))
}

function webhookData(row: WebhookRow | undefined): WebhookData {
  if (!row) return {}
  const { url, quietFrom, quietTo } = row
  return { host: nameOf(url), ...(quietFrom !== null && quietTo !== null && { quietFrom, quietTo }) }
}

/** Tells incidents there from now on. */
export async function setWebhook(ctx: Ctx, url: string): Promise<WebhookData> {
  requireWay(ctx.node, url)
  return await ctx.transaction(async (tx) => {
    await upsertWebhook(tx.sql, url)
    await auditWebhook(tx, { host: nameOf(url) })
    return webhookData(await selectWebhook(tx.sql))
  })
}

/** @throws AppError 400 when there is no webhook. */
export async function setQuietHours(ctx: Ctx, { quietFrom = null, quietTo = null }: Partial<QuietHours>): Promise<WebhookData> {
  return await ctx.transaction(async (tx) => {
    if (!(await updateQuietHours(tx.sql, { quietFrom, quietTo }))) throw webhookMissing()
    await auditWebhook(tx, { quiet: quietFrom === null ? 'none' : `${quietFrom}-${quietTo}` })
    return webhookData(await selectWebhook(tx.sql))
  })
}

type QuietHours = Pick<WebhookRow, 'quietFrom' | 'quietTo'>
const dayMinutes = 24 * 60

/** When the quiet hours end that it is now, by the ship's clock; undefined outside of them. */
export async function quietUntil(ctx: Ctx<undefined>): Promise<Date | undefined> {
  const { quietFrom, quietTo } = (await selectWebhook(ctx.sql)) ?? {}
  if (!quietFrom || !quietTo) return undefined
  const { hour, minute } = DateTime.fromMillis(ctx.nowMs, { zone: settingsOf(ctx.node).trip.zoneAt(new Date(ctx.nowMs)).id })
  const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  // Also over midnight.
  const since = (time: string) => (hour * 60 + minute - minutesOf(time) + dayMinutes) % dayMinutes
  const isQuiet = since(quietFrom) < (minutesOf(quietTo) - minutesOf(quietFrom) + dayMinutes) % dayMinutes
  return isQuiet ? new Date(ctx.nowMs + (dayMinutes - since(quietTo)) * minuteMs) : undefined
}

/** Tells incidents nowhere any more. */
export async function removeWebhook(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (await deleteWebhook(tx.sql)) await auditWebhook(tx, {})
  })
}

const webhookMissing = () => badRequest('webhook_missing', 'Incidents are told nowhere yet. Enter an address first.')

const auditWebhook = (tx: Tx, details: { host?: string; quiet?: string }) =>
  audit(tx, { action: 'setWebhook', subject: { type: 'settings', id: 'webhook' }, details })

/** @throws AppError 400 when there is no webhook, or it does not take the message. */
export async function tryWebhook(ctx: Ctx): Promise<void> {
  const { url } = (await selectWebhook(ctx.sql)) ?? {}
  if (url === undefined) throw webhookMissing()
  await tell(ctx.node, url, `${nameOfPlace(ctx.node)}: this is a test. Incidents will be told here.`)
  await ctx.transaction((tx) => audit(tx, { action: 'tryWebhook', subject: { type: 'settings', id: 'webhook' } }))
}

/** Sends what is still to be told. One that is not taken waits, and those after it with it. */
export async function sendMessages(node: Node): Promise<void> {
  const ctx = new Ctx(node, undefined, { requestId: 'incident-messages', log: node.log })
  for (let sent = 0; sent < mostAtOnce; sent++) {
    const now = node.clock.now()
    const message = await ctx.statement((tx) => takeMessage(tx.sql, new Date(now), new Date(now + takenMs)))
    if (!message || !(await sendOne(ctx, message))) return
  }
}

/** Whether the next one can be sent. */
async function sendOne(ctx: Ctx<undefined>, message: MessageRow): Promise<boolean> {
  const { messageId, attempts, url } = message
  try {
    await tell(ctx.node, url, textOf(ctx.node, message), partsOf(message))
  } catch (error) {
    ctx.log.warn({ attempts, reason: error instanceof AppError ? error.message : 'unknown' }, 'an incident could not be told outside')
    if (attempts < mostAttempts) {
      const dueAt = new Date(ctx.nowMs + Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1)))
      await ctx.statement((tx) => delayMessage(tx.sql, messageId, dueAt))
      return false
    }
  }
  await ctx.statement((tx) => deleteMessage(tx.sql, messageId))
  return true
}

const nameOfPlace = (node: Node): string => tripData(node).eventName || 'Quarterdeck'

/** The host that is told, the person, or the operator's program; the address of a webhook is for nobody's eyes. */
function nameOf(url: string): string {
  if (url === scriptAddress) return url
  return url.startsWith('mailto:') ? url.slice('mailto:'.length) : new URL(url).host
}

function textOf(node: Node, { sentence, mend, isOver }: MessageRow): string {
  const place = nameOfPlace(node)
  return isOver ? `${place}: over. ${sentence}` : [`${place}: ${sentence}`, mend].filter(Boolean).join(' ')
}

/** What programs read. */
const partsOf = ({ id, kind, state, sentence, mend, code, beganAt, endedAt, isOver }: MessageRow): object => ({
  incident: { incidentID: id, kind, state, sentence, mend, code, beganAt, endedAt: isOver ? endedAt : null },
})
